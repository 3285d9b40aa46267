"""The table of Poch: the board with its pools, and for each phase of a round the view that enters its events."""

from ...raster import icons
from ...screens.table_screen import Ranking, TableScreen
from ...text import later, text
from ...widgets.keys import LEFT, OK
from ...widgets.screen import LINE, footer, signed
from .bid_view import BidView
from .cash_view import CashView
from .playout_view import PlayoutView
from .ready_view import ReadyView
from .showdown_view import ShowView
from .state import POCHER
from .view import END, PANE_X, ROWS, TOP, View, draw_chips, draw_header, has_jackpot


class PochTable(TableScreen):
    """The table: the header, and below it the view of the phase."""

    def __init__(self, app, play):
        super().__init__(app, play)
        self.phase = ""
        self.view = View(self)
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
            self.app.push(Ranking(self.app, self.play, self.app.leave_table))

    def _outcome(self):
        """Return a sentence about the end of the bidding."""
        game = self.game
        winner = game.poch_winner
        if winner is None:
            return text("poch.nobody_wins", bank=game.bank, pool=game.pools[POCHER])
        return text("poch.wins", name=game.names[winner], change=signed(self.play.delta[winner]))


class OverView(View):
    """The end of the game: the winners, and everybody's chips."""

    def draw_pane(self, c):
        game = self.game
        y = TOP
        for p in game.winners()[:2]:
            c.text(c.fit(icons.TROPHY + game.names[p], c.w - PANE_X), PANE_X, y)
            y += LINE
        draw_chips(c, self.play, PANE_X, c.w - PANE_X, y, ROWS - (y - TOP) // LINE)
        footer(c, (icons.OK, "poch.key.ranking"), ("\u2190", "key.menu"))

    def key(self, k):
        if k == OK:
            self.app.push(Ranking(self.app, self.play, self.app.leave_table))


_VIEWS = {
    "READY": ReadyView,
    "CASH": CashView,
    "BID": BidView,
    "SHOW": ShowView,
    "PLAYOUT": PlayoutView,
    "OVER": OverView,
}


TABLE = PochTable
