"""Show the list of Skat; the key of a player begins the game that this player has played alone."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import Stepper, TableScreen, initials, lead_text, leading
from ...session import entry_line
from ...text import later, note, said, text
from ...widgets.fitting import about
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, Menu, Screen, footer, header, header_end, move, part, signed, text_right
from .play_entry import PlayEntry
from .rules import RAMSCH_MOST, short

_KEYS = (LEFT, UP, RIGHT, DOWN)  # of the seats, clockwise round the table
_ARROWS = "\u2190\u2191\u2192\u2193"
_LABEL_W = const(40)  # columns of what was played in the whole list
_MEDIUM = const(12)  # rows of digits
_LAST = const(2)  # games on the table


class SkatTable(TableScreen):
    """The last games, the totals, and how many games each player has won and lost."""

    _down = None  # LEFT, which acts on release because holding it shows the scoreboard

    def changed(self):
        self._down = None
        if self.game.over:
            self.show_ranking()

    # --- drawing ---

    def draw(self, c):
        game = self.game
        leaders = leading(game)
        self._rows = None
        if game.over:
            self._draw_result(c, leaders)
            return
        title, lead = self._title(), lead_text(game, leaders)
        if game.sits_out is not None and len(leaders) > 1:
            lead = icons.CROWN + str(len(leaders))  # who sits out needs the space
        elif leaders and c.width(said(title)) + c.width(said(lead)) > header_end(c) - 6:
            lead = icons.CROWN + initials(game.names)[leaders[0]]
        header(c, title, lead, True)
        self._draw_names(c)
        y = 2 * LINE
        for k in range(max(0, game.games - _LAST), game.games):
            row = game.row(k)
            points = signed(row.points) if row.points else ""
            text_right(c, points, c.w - 1, y)
            words = entry_line(row.event(), game.names, game.KIND)
            c.text(words.fit(c, c.w - c.width(points) - 4), 0, y)
            if k == game.games - 1:
                c.tint("change", 0, y, c.w, LINE)
            y += LINE
        self._draw_totals(c, leaders)
        arrows = "".join([_ARROWS[p] for p in range(game.n) if p != game.sits_out])
        footer(c, (arrows, "skat.key.declarer"), (icons.OK, "key.menu"), *self.undo_hints())

    def _title(self):
        """Return the number of the game to come, and who sits out."""
        game = self.game
        number = "%d/%d" % (game.games + 1, game.series) if game.series else str(game.games + 1)
        if game.sits_out is None:
            return text("skat.game", n=number)
        return about("skat.sits", game.names[game.sits_out], n=number)

    def _draw_names(self, c):
        """Draw the names with their keys; the dealer has a sign, which of four takes the place of the key."""
        game = self.game
        width = c.w // game.n
        for p, name in enumerate(game.names):
            dealer = icons.DEALER if p == game.dealer else ""
            signs = dealer if p == game.sits_out else _ARROWS[p] + dealer
            c.text(signs + c.fit(name, width - c.width(signs) - 3), p * width, LINE)

    def _draw_totals(self, c, leaders):
        """Draw the totals below the names, then the games that each player has won and lost."""
        game = self.game
        width = c.w // game.n
        y = 4 * LINE + 3
        totals = [str(total) for total in game.totals()]
        large = max([c.digits_width(total, _MEDIUM) for total in totals]) < width - 2
        c.hline(0, y - 2, c.w)
        for p, total in enumerate(totals):
            counts = "%d\u2713 %d\u2717" % (game.won[p], game.lost[p])
            if c.width(counts) > width - 3:
                counts = "%d/%d" % (game.won[p], game.lost[p])
            c.text(counts, p * width, 6 * LINE)
            if large:
                c.digits(total, p * width, y, _MEDIUM)
            else:
                c.text(total, p * width, y + 2)
            if p in leaders:
                c.tint("leader", p * width, y, width, _MEDIUM)

    def _draw_result(self, c, leaders):
        """Draw the end of a list; under Seeger-Fabian with the parts of the totals."""
        game = self.game
        columns = []
        for p in range(game.n):
            counts = "%d/%d" % (game.won[p], game.lost[p])
            columns.append([counts, str(game.totals()[p])])
        self.draw_over(c, leaders, columns, (26, 34))

    # --- keys ---

    def key(self, k):
        game = self.game
        if game.over:
            if k == OK:
                self.show_ranking()
            return super().key(k)
        if k == OK:
            self.open_menu()
        elif k == LEFT:
            self._down = k
        elif k in _KEYS[: game.n]:
            self._alone(_KEYS.index(k))
        return None

    def release(self, k):
        if k == self._down:
            self._down = None
            self._alone(_KEYS.index(k))

    def hold(self, k):
        self._down = None

    def _alone(self, p):
        """Enter the game of this player."""
        if p == self.game.sits_out:
            self.app.refuse(note("E_SITS", {"p": p}, self.session.names))
        else:
            self.app.push(PlayEntry(self.app, self.session, p))

    # --- menu ---

    def menu_items(self):
        game, items = self.game, []
        if not game.over:
            items.append((later("skat.menu.passed"), lambda: self.session.enter({"ev": "passed"})))
            if game.options["ramsch"] == "on":
                items.append((later("skat.menu.ramsch"), self._ramsch))
        if self.takes_back:  # not while an earlier game is changed
            items.append((later("skat.menu.list"), lambda: self.app.push(WholeList(self.app, self.session))))
        return items

    def ending_items(self):
        return [] if self.game.over else [(later("menu.end"), lambda: self.ask_to_end({"ev": "end_game"}))]

    def _ramsch(self):
        """Ask who has lost the Ramsch, and how many points."""
        game, app = self.game, self.app

        def points(p):
            def enter(k):
                if k:
                    self.session.enter({"ev": "ramsch", "p": p, "k": k})
                else:
                    app.refuse(text("skat.ramsch.none"))

            def effect(k):
                before = game.totals()[p]
                return text("skat.ramsch.effect", before=before, after=before - k)

            app.push(Points(app, about("skat.ramsch.points", game.names[p]), 0, 0, RAMSCH_MOST, enter, effect))

        seats = [p for p in range(game.n) if p != game.sits_out]
        items = [(game.names[p], lambda p=p: points(p)) for p in seats]
        app.push(Menu(app, later("skat.ramsch.who"), items))


class Points(Stepper):
    """A number whose ones change with UP and DOWN, its tens with RIGHT and LEFT."""

    def draw(self, c):
        super().draw(c)
        keys = ((ARROWS + "\u00b11", ""), ("\u2190\u2192\u00b110", ""), (icons.OK, "key.enter"))
        footer(c, *keys, (icons.UNDO, "key.back"))

    def key(self, k):
        if k in (LEFT, RIGHT):
            self.value = max(self.low, min(self.high, self.value + (10 if k == RIGHT else -10)))
        else:
            super().key(k)


class WholeList(Screen):
    """All games with the running totals, as on paper. OK opens the entry of a game."""

    def __init__(self, app, session):
        super().__init__(app)
        self.session = session
        self.at = max(0, session.game.games - 1)

    def draw(self, c):
        game = self.session.game
        self._draw_line(c, 0, "%d/%d" % (self.at + 1, game.games) if game.games else "", initials(game.names))
        c.invert(0, 0, c.w, LINE)
        c.tint("bar", 0, 0, c.w, LINE)
        part(c)
        most = c.h // LINE - 2
        first = max(0, min(self.at - most // 2, game.games - most))
        totals = [0] * game.n
        for k in range(min(first + most, game.games)):
            row = game.row(k)
            cells = [""] * game.n
            if row.p is not None:
                totals[row.p] += row.points
                cells[row.p] = str(totals[row.p])
            if k >= first:
                y = (k - first + 1) * LINE
                self._draw_line(c, y, label_of(row), cells)
                if k == self.at:
                    c.invert(0, y, c.w, LINE)
        keys = [("\u2190" + icons.UNDO, "key.back")]
        if game.games:
            keys = [(ARROWS, "skat.key.games"), (icons.OK, "skat.key.entry")] + keys
        else:
            c.text(text("history.none"), 0, LINE)
        footer(c, *keys)

    def _draw_line(self, c, y, label, cells):
        """Draw a line with a label and a cell for each seat."""
        c.text(label, 0, y)
        width = (c.w - _LABEL_W) // len(cells)
        for p, cell in enumerate(cells):
            text_right(c, cell, _LABEL_W + (p + 1) * width - 1, y)

    def key(self, k):
        games = self.session.game.games
        if k == LEFT:
            self.back()
        elif k in (UP, DOWN):
            self.at = move(k, self.at, max(1, games))
        elif k == OK and games:
            from ...screens.history import History

            self.app.push(History(self.app, self.session, entry_of(self.session.table, self.at)))


def label_of(row):
    """Return a game of the list in a few signs."""
    if row.p is None:
        return "\u2013"
    if row.game is None:
        return text("skat.menu.ramsch")
    kind = row.game if row.game in "GN" else text("skat." + row.game)
    signs = short(row.mods)
    return kind + (str(row.tops) if row.tops else "") + (" " + signs if signs else "")


def entry_of(table, game):
    """Return the number of the event, counted from 0, that is this game of the list."""
    for k in range(len(table)):
        if table.event(k)["ev"] in ("play", "passed", "ramsch"):
            if not game:
                return k
            game -= 1
    return None


TABLE = SkatTable
