"""Show the table of Royal Flush, to put pieces, spend chips and end rounds."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import Ranking, Stepper, TableScreen, draw_players, initials, lead_text, leading
from ...text import later, text
from ...widgets.fitting import TextWithNames, about, fitted
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, MOVED, CursorScreen, Menu, Screen, footer, header, text_centre, text_right
from .card_entry import CardEntry
from .rules import CHIP_BONUS
from .rules_boards import BOARDS, JOKER

_COLUMNS = const(3)
_CELL_H = const(16)


def pot_text(game, more=0):
    """Return a line about the pot and its share at the end of the round, after `more` chips are spent."""
    pot = game.spent + game.carry + more
    if not game.shares_out:
        return text("royal.pot_lost", pot=pot)
    share, rest = game.sharing(more)
    return text("royal.pot" if share else "royal.pot_few", pot=pot, share=share, rest=rest)


class RoyalTable(TableScreen):
    """The list of players; OK puts a piece, RIGHT spends chips."""

    def __init__(self, app, session):
        super().__init__(app, session)
        self.round = self.game.round
        self.over = self.game.over
        self.at = self.seat_to_enter()

    def draw(self, c):
        game = self.game
        totals = game.totals()
        leaders = leading(game)
        header(c, text("royal.round", n=game.round), lead_text(game, leaders), game.n == 5)
        columns, widths = [], (26, 20, 16)
        for p in range(game.n):
            columns.append([str(totals[p]), icons.CHIP + str(game.chips[p]), icons.PAWN + str(game.pieces[p])])
        if any(game.child):
            columns = [[JOKER + str(game.jokers[p]) if game.child[p] else ""] + columns[p] for p in range(game.n)]
            widths = (18,) + widths
        y = LINE + (2 if game.n < 5 else 0)
        self._rows = draw_players(c, self.session, leaders, self.at, y, c.h - 2 * LINE, columns, widths)
        c.text(fitted(c, self.status(), c.w), 0, c.h - 2 * LINE)
        if game.over:
            keys = [("\u2192" + icons.OK, "royal.key.result")]
        elif game.phase == "BETWEEN":
            keys = [("\u2192" + icons.OK, "royal.key.boards")]
        else:
            keys = [(icons.OK, "royal.key.score"), ("\u2192", "royal.key.chips")]
        footer(c, *keys, ("\u2190", "key.menu"), (ARROWS, "key.who"), *self.undo_hints())

    def status(self):
        """Return the line below the players."""
        game = self.game
        if game.phase == "BETWEEN":
            return text("royal.new_boards")
        if self.session.last:
            return self.session.last
        if game.spent + game.carry:
            return pot_text(game)
        return about("royal.starts", game.names[game.first])

    def key(self, k):
        if self.game.over and k in (OK, RIGHT):
            self.show_ranking()
        elif self.game.phase == "BETWEEN" and k in (OK, RIGHT):
            self._new_boards()
        elif k == OK:
            self.on_turn(lambda p: self.app.push(BoardsScreen(self.app, self.session, p)))
        elif k == RIGHT:
            self.on_turn(self._spend)
        else:
            return super().key(k)
        return None

    def _spend(self, p):
        """Ask how many chips a player spends."""
        chips = self.game.chips[p]
        follow = self.game.follows

        def enter(k):
            ev = {"ev": "take", "p": p, "swaps": 0, "buys": k} if follow else {"ev": "spend", "p": p, "k": k}
            self.session.enter(ev)

        def effect(k):
            left = text("royal.chips_left", before=chips, after=chips - k)
            return left + "\n" + pot_text(self.game, k)

        if not chips and not follow:
            self.session.enter({"ev": "spend", "p": p, "k": 1})
            return
        low = 0 if follow else 1
        title = about("royal.spend", self.game.names[p])
        value = min(self.session.corrected.get("k", low), chips)
        self.app.push(Stepper(self.app, title, value, low, chips, enter, effect))

    def _new_boards(self):
        """Let the players choose boards for the next round."""

        def enter(boards):
            self.session.enter({"ev": "boards", "boards": boards})

        from .questions import PickBoards

        self.app.push(PickBoards(self.app, list(self.game.boards), enter))

    def menu_items(self):
        if self.game.phase != "PLAY":
            return []
        return [
            (later("royal.menu.boards"), lambda: self.app.push(BoardsScreen(self.app, self.session, None))),
            (later("royal.menu.cards"), self._cards),
        ]

    def ending_items(self):
        return [] if self.game.over else [(later("menu.end"), lambda: self.ask_to_end({"ev": "end_game"}))]

    def _cards(self):
        self.app.push(CardEntry(self.app, self.session, self.at))

    def changed(self):
        """Put the cursor on the next seat after an entry; show the result of a closed round."""
        game = self.game
        self.at = self.seat_to_enter()
        if len(game.round_points) > self.round - (0 if self.over else 1):
            self.app.push(RoundEnd(self.app, self.session))
        self.round = game.round
        self.over = game.over


class BoardsScreen(CursorScreen):
    """The nine boards with the points of the next piece and the initials of pieces; with a player, OK puts a piece."""

    def __init__(self, app, session, p):
        super().__init__(app)
        self.session = session
        self.p = p
        board = session.corrected.get("board")
        self.at = session.game.boards.index(board) if board in session.game.boards else 4

    def draw(self, c):
        game = self.session.game
        width = c.w // _COLUMNS
        marks = initials(game.names)
        for i, board in enumerate(game.boards):
            x, y = i % _COLUMNS * width, LINE + i // _COLUMNS * _CELL_H
            self._draw_cell(c, x, y, width, game, i, board, marks)
        self.point(c)

    def cell(self, c):
        width = c.w // _COLUMNS
        return self.at % _COLUMNS * width + 1, LINE + self.at // _COLUMNS * _CELL_H, width - 1, _CELL_H

    def draw_about(self, c):
        """Draw the points a piece would score, and the name of the board in full."""
        game = self.session.game
        board = game.boards[self.at]
        pays = game.pays(board)
        if self.p is None:
            header(c, text("board." + board), close=True)
        else:
            total = game.totals()[self.p]
            right = "%d\u2192%d" % (total, total + pays) if pays else text("royal.full")
            header(c, TextWithNames(lambda names: names[0] + " +%d" % pays, [game.names[self.p]]), right, True)
        if self.p is None:
            values = " / ".join([str(value) for value in BOARDS[game.boards[self.at]][0]])
            footer(c, (values, ""), (icons.FOUR_ARROWS, "royal.key.board"), (icons.UNDO, "key.back"))
        else:
            keys = ((icons.FOUR_ARROWS, "royal.key.board"), (icons.UNDO, "key.back"))
            footer(c, ("", "board." + game.boards[self.at]), (icons.OK, "royal.key.score"), *keys)

    def _draw_cell(self, c, x, y, width, game, i, board, marks):
        pays = game.pays(board)
        c.text(c.fit(text("short." + board), width - 3), x + 2, y)
        c.text("".join([marks[p] for p in game.slots[i] if p is not None]), x + 2, y + LINE)
        text_right(c, str(pays) if pays else "\u2013", x + width - 2, y + LINE)
        if i % _COLUMNS:
            c.vline(x, y + 1, _CELL_H - 2)

    def key(self, k):
        row, column = self.at // _COLUMNS, self.at % _COLUMNS
        if k in (UP, DOWN):
            row = (row + (1 if k == DOWN else -1)) % 3
        elif k in (LEFT, RIGHT):
            column = (column + (1 if k == RIGHT else -1)) % _COLUMNS
        elif k == OK and self.p is not None:
            self._choose()
            return None
        self.at = row * _COLUMNS + column
        return MOVED


    def _choose(self):
        """Put a piece on the board at the cursor; a child with jokers is first asked for them."""
        game, p = self.session.game, self.p
        board = game.boards[self.at]
        if not game.jokers[p] or not game.pays(board) or board == "royal_flush":
            self._score(board, 0)
            return
        items = [self._with_jokers(board, n) for n in range(game.jokers[p] + 1)]
        self.app.push(Menu(self.app, about("royal.jokers", game.names[p]), items, right=later("short." + board)))

    def _with_jokers(self, board, n):
        """Return (label, action) of the menu line for a piece with n jokers among its cards."""
        label = later("royal.jokers.some", n=n) if n else later("royal.jokers.none")
        return label, lambda: self._score(board, n)

    def _score(self, board, jokers):
        ev = {"ev": "score", "p": self.p, "board": board}
        if jokers:
            ev["jokers"] = jokers
        self.session.enter(ev)


class RoundEnd(Screen):
    """The result of a round with points, totals, shared chips and the next starting player."""

    def __init__(self, app, session):
        super().__init__(app)
        self.session = session

    def draw(self, c):
        game = self.session.game
        done = len(game.round_points)
        full = game.n == 5
        header(c, text("royal.round_over", n=done), close=full)
        points, totals = game.round_points[-1], game.totals()
        y, pitch = (LINE, LINE) if full else (LINE + 2, LINE + 1)
        for p in range(game.n):
            chips = icons.CHIP + str(game.chips[p])
            if game.over:  # first the points for chips alone, then the total with them
                columns = ((str(totals[p]), 2), (chips + " +%d" % (CHIP_BONUS * game.chips[p]), 28))
            else:
                columns = ((chips, 2), (str(totals[p]), 26))
            for words, right in columns:
                text_right(c, words, c.w - right, y)
            gained = "+%d" % points[p]
            left = c.w - (72 if game.over else 48) - c.width(gained)
            c.text(gained, left, y)
            if points[p]:
                c.tint("change", left, y, c.width(gained), LINE)
            c.text(c.fit(game.names[p], left - 2), 2, y)
            y += pitch
        text_centre(c, self._shared(game, done), c.h - 2 * LINE)
        if game.over:
            footer(c, (icons.OK, "royal.key.result"), (icons.UNDO, "key.back"))
        else:
            starts = about("royal.starts", game.names[game.first]).fit(c, c.w - 60)
            footer(c, (icons.OK + icons.UNDO, "key.next"), (starts, ""))

    def _shared(self, game, done):
        """Return the line about the chips that were shared out."""
        if len(game.shares) < done:
            return text("royal.bonus")
        share, carry = game.shares[done - 1]
        key = "royal.shared_few" if not share else "royal.shared_last" if game.over else "royal.shared"
        return text(key, share=share, carry=carry)

    def key(self, k):
        if k == OK:
            self.app.pop()
            if self.session.game.over:
                self.app.push(Ranking(self.app, self.session, self.app.leave_table))


TABLE = RoyalTable
