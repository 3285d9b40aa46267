"""The second phase of a Poch round: seat by seat pass, hold or bid, with the price of each choice."""

from ...machine_code import const
from ...raster import icons
from ...text import text
from ...widgets.keys import DOWN, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, MOVED, footer
from .state import POCHER
from .view import LEFT_W, PANE_X, ROWS, TOP, View, change, draw_rows, stake_text

_LEAP = const(5)  # steps of the cursor with RIGHT
_SHOWN = const(3)  # visible lines of choices


class BidView(View):
    """The stakes of the player to bid, the higher one above: pass is the lowest, then hold, then every bid."""

    def __init__(self, table):
        super().__init__(table)
        self.at = 0

    def changed(self):
        self.at = 0
        corrected = self.play.corrected
        if corrected.get("ev") in ("bid", "hold"):
            stake = corrected.get("k", self.game.high)
            self.at = max(0, min(stake - self.game.high + self._holds(), self._count() - 1))

    def _holds(self):
        """Return 1 if the player can hold, which is then the second choice, else 0."""
        game = self.game
        return 1 if game.high and game.to_hold(game.turn) <= game.chips[game.turn] else 0

    def _count(self):
        """Return how many choices there are: a bid of one chip more costs one chip more than to hold."""
        game = self.game
        bids = game.chips[game.turn] - game.to_hold(game.turn)
        return 1 + self._holds() + max(0, bids)

    def _choice(self, at):
        """Return (event name, stake, price) of a choice, counted from pass."""
        game = self.game
        if not at:
            return "pass", 0, 0
        stake = game.high + at - self._holds()
        return ("bid" if stake > game.high else "hold"), stake, game.price(game.turn, stake)

    def draw_left(self, c):
        game = self.game
        order = game.seats()
        rows = [(game.names[q], self._said(q)) for q in order]
        draw_rows(c, rows, order.index(game.turn), 0, LEFT_W - 1, TOP, ROWS)
        c.vline(LEFT_W, TOP, ROWS * LINE - 1)

    def draw_pane(self, c):
        game, p = self.game, self.game.turn
        name, _, price = self._choice(self.at)
        bank = text("poch.bank", chips=change(game.bank, game.bank + price))
        if c.width(bank) > c.w - PANE_X:
            bank = text("poch.bank", chips=game.bank + price)
        c.text(bank, PANE_X, TOP)
        c.text(text("poch.pocher", chips=game.pools[POCHER]), PANE_X, TOP + LINE)
        top = min(max(self.at + 1, _SHOWN - 1), self._count() - 1)
        choices = [self._choice(i) for i in range(top, max(top - _SHOWN, -1), -1)]
        rows = [(self._label(each[0]), str(each[1]) if each[1] else "") for each in choices]
        draw_rows(c, rows, top - self.at, PANE_X, c.w - PANE_X, TOP + 2 * LINE, _SHOWN)
        c.text(icons.CHIP + change(game.chips[p], game.chips[p] - price), PANE_X, TOP + 5 * LINE)
        ok = (icons.OK, "poch.key." + name)
        footer(c, ok, (ARROWS, ""), ("\u2192", "poch.key.leap"), ("\u2190", "key.menu"))

    def _label(self, name):
        """Return the words for a choice; a bid above another one is a raise."""
        return text("poch.choice." + ("raise" if name == "bid" and self.game.high else name))

    def _said(self, p):
        """Return what a player has done so far: the stake, a pass, or nothing."""
        if self.game.passed[p]:
            return text("poch.passed")
        return stake_text(self.game, p)

    def key(self, k):
        if k in (UP, DOWN, RIGHT):
            step = {UP: 1, DOWN: -1, RIGHT: _LEAP}[k]
            self.at = max(0, min(self.at + step, self._count() - 1))
        elif k == OK:
            name, stake, _ = self._choice(self.at)
            ev = {"ev": name, "p": self.game.turn}
            if name == "bid":
                ev["k"] = stake
            self.play.enter(ev)
            return None
        return MOVED
