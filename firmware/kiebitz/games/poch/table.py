"""Show the table of Poch, the board with its pools and the view of the current phase."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import Ranking, Stepper, TableScreen
from ...text import later, text
from ...widgets.fitting import TextWithNames, about
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, MOVED, Menu, Notice, footer, move, signed
from ..base import RED_SUITS, SUITS
from .rules_bidding import ANTE, POCHER
from .view import END, PANE_X, ROWS, TOP, PhaseView, change, draw_chips, draw_header, draw_rows, has_jackpot
from .views import BidView, CashView, PlayoutView, ShowView

_SUIT_H = const(12)


def short_of_ante(game):
    """Return the seats that cannot pay the ante."""
    if game.in_debt:
        return []
    return [p for p in range(game.n) if game.active[p] and game.chips[p] < ANTE]


def _for_seat(action, p):
    """Return the action of a menu item: action(p)."""
    return lambda: action(p)


class PochTable(TableScreen):
    """The table, with the header and below it the view of the phase."""

    def __init__(self, app, session):
        super().__init__(app, session)
        self.phase = ""
        self.view = PhaseView(self)
        self._star_told = has_jackpot(self.game)
        self.changed()

    def draw(self, c):
        draw_header(c, self.game)
        self.view.draw(c)

    def redraw(self, c):
        c.rect(PANE_X, TOP, c.w - PANE_X, ROWS * LINE, 0)
        self.view.draw_pane(c)
        return True

    def key(self, k):
        if k == LEFT:
            self.open_menu()
            return None
        return self.view.key(k)

    def menu_items(self):
        return self.view.menu_items()

    def ending_items(self):
        if self.phase == "OVER":
            return []
        if self.phase == "READY":
            return [(later("menu.end"), lambda: self.ask_to_end(END))]
        return [(later("menu.end"), lambda: self.app.refuse(text("poch.end_later")))]

    def changed(self):
        """Show the view of the phase; a new phase begins with a new view."""
        before, self.phase = self.phase, self.game.phase
        if self.phase != before:
            self.view = _VIEWS[self.phase](self)
        self.view.changed()
        if self.phase == "PLAYOUT" and before in ("BID", "SHOW"):
            self.app.toast(self._outcome())
        elif self.phase == "READY" and before == "PLAYOUT" and not self._star_told and has_jackpot(self.game):
            self._star_told = True
            self.app.toast(text("poch.star"), 0)
        elif self.phase == "OVER" and before:
            self.show_ranking()

    def _outcome(self):
        """Return a sentence about the end of the bidding."""
        game = self.game
        winner = game.poch_winner
        if winner is None:
            return text("poch.nobody_wins", bank=game.bank, pool=game.pools[POCHER])
        return text("poch.wins", name=game.names[winner], change=signed(self.session.delta[winner]))


class ReadyView(PhaseView):
    """The trump suits, of which the dealer names one; everybody pays the ante."""

    def __init__(self, table):
        super().__init__(table)
        self.at = SUITS.find(self.session.corrected.get("trump") or "?")  # -1: no suit is chosen

    def draw_pane(self, c):
        short = short_of_ante(self.game)
        if short:
            self._draw_short(c, short)
            return
        pitch = (c.w - PANE_X) // len(SUITS)
        for i in range(len(SUITS)):
            x = PANE_X + i * pitch
            sign = text("suit." + SUITS[i])
            c.digits(sign, x + 2, TOP + 2, _SUIT_H)
            if SUITS[i] in RED_SUITS:
                c.tint("red", x, TOP + 1, pitch, 2 * LINE - 2)
            if i == self.at:
                c.invert(x, TOP + 1, pitch, 2 * LINE - 2)
        draw_chips(c, self.session, PANE_X, c.w - PANE_X, TOP + 2 * LINE, ROWS - 2)
        self._draw_keys(c, (ARROWS, "poch.key.trump"), (icons.OK, "poch.key.ante"))  # a suit has to be chosen first

    def _draw_keys(self, c, *first):
        """Draw the footer; the hints in `first` are followed by those of the other keys."""
        footer(c, *first, ("\u2190", "key.menu"), ("\u2192", "poch.key.all"), *self.table.undo_hints())

    def _draw_short(self, c, short):
        game = self.game
        c.text(icons.WARNING + text("poch.under_ante", n=ANTE), PANE_X, TOP)
        rows = [(game.names[p], str(game.chips[p])) for p in short]
        draw_rows(c, rows, None, PANE_X, c.w - PANE_X, TOP + LINE, ROWS - 1)
        self._draw_keys(c, (icons.OK, "poch.key.help"))

    def key(self, k):
        if k in (UP, DOWN):
            self.at = move(k, max(self.at, 0 if k == UP else -1), len(SUITS))
            return MOVED
        if k == RIGHT:
            self.app.push(Ranking(self.app, self.session))
        elif k == OK:
            short = short_of_ante(self.game)
            if short:
                self._help(short)
            elif self.at < 0:
                self.app.refuse(text("poch.which_trump"))
            else:
                self.session.enter({"ev": "start_round", "trump": SUITS[self.at]})
        return None

    def _help(self, short):
        """Open a menu for players who cannot pay, to lend, retire or end the game."""
        names = self.game.names
        borrowers = [p for p in short if self._givers(p)]
        items = [(about("poch.lend_to", names[p]), _for_seat(self._who_lends, p)) for p in borrowers]
        items += [(self._retires(p), _for_seat(self._retire, p)) for p in short]
        items.append((later("menu.end"), lambda: self.table.ask_to_end(END)))
        self.app.push(Menu(self.app, later("poch.short_title"), items))

    def menu_items(self):
        return [
            (later("poch.menu.loan"), self._who_borrows),
            (later("poch.menu.retire"), self._who_retires),
        ]

    def _choose(self, title, seats, action):
        """Open a menu of players; calls action(seat)."""
        items = [(self._with_chips(p), _for_seat(action, p)) for p in seats]
        self.app.push(Menu(self.app, title, items))

    def _with_chips(self, p):
        """Return the label of a player with name and chips."""
        chips = " (%d)" % self.game.chips[p]
        return TextWithNames(lambda names: names[0] + chips, [self.game.names[p]])

    def _seats(self):
        """Return the seats of the active players."""
        return [p for p in range(self.game.n) if self.game.active[p]]

    def _who_borrows(self):
        poorest = sorted(self._seats(), key=lambda p: (self.game.chips[p], p))
        self._choose(later("poch.who_borrows"), poorest, self._who_lends)

    def _givers(self, taker):
        """Return the seats that can lend to a player, the richest first."""
        chips = self.game.chips
        givers = [p for p in self._seats() if p != taker and chips[p] > 0]
        return sorted(givers, key=lambda p: (-chips[p], p))

    def _who_lends(self, taker):
        givers = self._givers(taker)
        if not givers:
            self.app.refuse(text("poch.nobody_lends"))
            return
        title = about("poch.who_lends", self.game.names[taker])
        self._choose(title, givers, lambda giver: self._how_much(giver, taker))

    def _how_much(self, giver, taker):
        chips = self.game.chips

        def enter(k):
            self.table.session.enter({"ev": "loan", "from": giver, "to": taker, "k": k})

        def effect(k):
            return change(chips[giver], chips[giver] - k) + "   " + change(chips[taker], chips[taker] + k)

        names = [self.game.names[giver], self.game.names[taker]]
        title = TextWithNames(lambda names: text("poch.lends", name=names[0], other=names[1]), names)
        # An ante, if the giver keeps one too; at least what the taker lacks
        offer = max(1, ANTE - chips[taker], min(ANTE, chips[giver] - ANTE))
        self.app.push(Stepper(self.app, title, min(offer, chips[giver]), 1, chips[giver], enter, effect))

    def _who_retires(self):
        self._choose(later("poch.who_retires"), self._seats(), self._retire)

    def _retires(self, p):
        """Return the label about a player who retires."""
        return about("poch.retires", self.game.names[p])

    def _retire(self, p):
        game = self.game
        key = "poch.retire_ends" if sum(game.active) < 3 else "poch.retire_sure"
        message = later(key, name=game.names[p], chips=game.chips[p])
        event = {"ev": "retire", "p": p}
        self.app.push(Notice(self.app, self._retires(p), message, lambda: self.table.session.enter(event)))


class OverView(PhaseView):
    """The end of the game with the winners and everybody's chips."""

    def draw_pane(self, c):
        game = self.game
        y = TOP
        for p in game.winners()[:2]:
            c.text(c.fit(icons.TROPHY + game.names[p], c.w - PANE_X), PANE_X, y)
            y += LINE
        draw_chips(c, self.session, PANE_X, c.w - PANE_X, y, ROWS - (y - TOP) // LINE)
        footer(c, (icons.OK, "poch.key.ranking"), ("\u2190", "key.menu"), *self.table.undo_hints())

    def key(self, k):
        if k == OK:
            self.table.show_ranking()


_VIEWS = {
    "READY": ReadyView,
    "CASH": CashView,
    "BID": BidView,
    "SHOW": ShowView,
    "PLAYOUT": PlayoutView,
    "OVER": OverView,
}


TABLE = PochTable
