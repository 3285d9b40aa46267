"""The show-down of Poch: the player with the best Poch is named, or every hand is entered."""

from ...raster import icons
from ...text import text
from ...widgets.keys import DOWN, OK, UP
from ...widgets.screen import ARROWS, LINE, footer, move, signed
from .state import POCHER
from .view import LEFT_W, PANE_X, ROWS, TOP, View, change, draw_rows, stake_text


def stakes(game, best):
    """Return (chips the highest bidder must add, chips the best one takes) if `best` is named."""
    if best is None:
        return 0, 0
    high = game.high_bidder
    paid = 0
    if best != high:
        paid = game.bank if game.in_debt else min(game.bank, game.chips[high])
    return paid, game.bank + paid + game.pools[POCHER]


class ShowView(View):
    """The contestants to choose from, then nobody, then a line that leads to the entry of the hands."""

    def __init__(self, table):
        super().__init__(table)
        self.at = 0

    def changed(self):
        """Put the cursor on the highest bidder, who needs no doubling."""
        self.at = self.game.contestants().index(self.game.high_bidder)

    def draw_left(self, c):
        game = self.game
        rows = [(game.names[p], stake_text(game, p)) for p in game.contestants()]
        rows += [(text("poch.nobody"), ""), (text("poch.hands"), "")]
        draw_rows(c, rows, self.at, 0, LEFT_W - 1, TOP, ROWS)
        c.vline(LEFT_W, TOP, ROWS * LINE - 1)

    def draw_pane(self, c):
        game = self.game
        seats = game.contestants()
        c.text(text("poch.bank", chips=game.bank), PANE_X, TOP)
        c.text(text("poch.pocher", chips=game.pools[POCHER]), PANE_X, TOP + LINE)
        best = seats[self.at] if self.at < len(seats) else None
        self._draw_effect(c, best)
        ok = "best" if best is not None else "nobody" if self.at == len(seats) else "hands"
        footer(c, (icons.OK, "poch.key." + ok), (ARROWS, ""), ("\u2190", "key.menu"))

    def _draw_effect(self, c, best):
        game = self.game
        w = c.w - PANE_X
        if best is None:
            if self.at == len(game.contestants()):
                c.text(text("poch.stays"), PANE_X, TOP + 3 * LINE)
            return
        paid, taken = stakes(game, best)
        after = game.chips[best] + taken
        rows = []
        if best != game.high_bidder:
            rows = [(text("poch.doubled"), ""), (game.names[game.high_bidder], signed(-paid))]
        rows += [(game.names[best], signed(taken)), ("", change(game.chips[best], after))]
        draw_rows(c, rows, None, PANE_X, w, TOP + (ROWS - len(rows)) * LINE, len(rows))

    def key(self, k):
        seats = self.game.contestants()
        if k in (UP, DOWN):
            self.at = move(k, self.at, len(seats) + 2)
        elif k == OK and self.at > len(seats):
            from .reveal import RevealScreen  # not at the top: that module imports stakes() from this one

            self.app.push(RevealScreen(self.table))
        elif k == OK:
            self.play.enter({"ev": "showdown", "best": seats[self.at] if self.at < len(seats) else None})
