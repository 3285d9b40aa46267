"""The first phase of a Poch round: pool by pool, the player who shows the card takes the chips."""

from ...raster import icons
from ...text import text
from ...widgets.keys import DOWN, OK, RIGHT, UP
from ...widgets.screen import LINE, MOVED, footer, move, text_right, wrap
from .state import KING, MARRIAGE, POCHER, POOLS, QUEEN
from .view import BANK, PANE_X, ROWS, TOP, View, chips_text, draw_board, draw_rows, pool_label

# Pools in the order of the questions. The Marriage comes as soon as the holders of its two cards are known; before
# its cards if a card cannot cash both pools.
_ORDER = (0, KING, QUEEN, MARRIAGE, 3, 4, 6)
_NO_OVERLAP = (0, MARRIAGE, KING, QUEEN, 3, 4, 6)
_NOBODY = None


def takers(game, pool):
    """Return the seats that can still cash a pool; none if it is cashed or other players hold its cards."""
    if game.cashed[pool] is not None:
        return []
    others = {MARRIAGE: (KING, QUEEN), KING: (MARRIAGE,), QUEEN: (MARRIAGE,)}.get(pool, ())
    holders = [game.cashed[other] for other in others if game.cashed[other] is not None]
    if holders and game.options["overlap_cash"] == "off":
        return []
    return [p for p in range(game.n) if game.active[p] and holders in ([], [p], [p, p])]


class CashView(View):
    """Asks for the player who takes each pool, then ends the phase."""

    def __init__(self, table):
        super().__init__(table)
        self.left = self._before_corrected()  # pools that the players have left as they are
        self.pool = BANK
        self.choices = []
        self.at = 0

    def _before_corrected(self):
        """Return the pools that were left before the one whose entry is being corrected."""
        order = [POOLS[i] for i in self._order()]
        pool = self.play.corrected.get("pool")
        return list(self._order()[: order.index(pool)]) if pool in order else []

    def _order(self):
        """Return the pools in the order of the questions."""
        return _ORDER if self.game.options["overlap_cash"] == "on" else _NO_OVERLAP

    def changed(self):
        """Go to the first pool that is neither cashed nor left; nobody takes the pool unless a player is chosen."""
        game = self.game
        pools = [i for i in self._order() if i not in self.left and takers(game, i)]
        self.pool = pools[0] if pools else BANK
        if not pools:
            self.choices = []
            return
        self.choices = [_NOBODY] + takers(game, self.pool)
        self.at = 1 if self._has_both() else 0
        corrected = self.play.corrected
        if corrected.get("pool") == POOLS[self.pool] and corrected["p"] in self.choices:
            self.at = self.choices.index(corrected["p"])

    def _has_both(self):
        """Return True if King and Queen went to one player, who then has the Marriage too."""
        cashed = self.game.cashed
        return self.pool == MARRIAGE and cashed[KING] is not None and cashed[KING] == cashed[QUEEN]

    def draw_left(self, c):
        draw_board(c, self.game, self.pool)

    def draw_pane(self, c):
        if self.pool == BANK:
            self._draw_end(c)
            return
        game, w = self.game, c.w - PANE_X
        chips = game.pools[self.pool]
        text_right(c, icons.CHIP + str(chips), c.w - 1, TOP)
        c.text(text("pool." + POOLS[self.pool]), PANE_X, TOP)
        rows = []
        for i, p in enumerate(self.choices):
            if p is _NOBODY:
                rows.append((text("poch.nobody"), ""))
            else:
                gain = chips if i == self.at else 0
                rows.append((game.names[p], chips_text(game.chips[p] + gain, gain)))
        draw_rows(c, rows, self.at, PANE_X, w, TOP + LINE, ROWS - 1)
        if self._has_both():
            c.text(text("poch.has_both"), PANE_X, TOP + 4 * LINE)
        if self.choices[self.at] is _NOBODY:
            footer(c, (icons.OK, "poch.key.leave"), ("\u2190", "key.menu"))
        else:
            footer(c, (icons.OK, "poch.key.cash"), ("\u2192", "poch.key.leave"), ("\u2190", "key.menu"))

    def _draw_end(self, c):
        game = self.game
        full = [pool_label(POOLS[i]) for i in range(POCHER) if game.pools[i]]
        message = text("poch.stay", pools=" ".join(full)) if full else text("poch.all_cashed")
        y = TOP
        for line in wrap(c, message, c.w - PANE_X):
            c.text(line, PANE_X, y)
            y += LINE
        footer(c, (icons.OK, "poch.key.bidding"), ("\u2192", "poch.key.again"), ("\u2190", "key.menu"))

    def key(self, k):
        if self.pool == BANK:
            if k == OK:
                self.play.enter({"ev": "end_cash"})
            elif k == RIGHT:
                self.left = []
                self.changed()
        elif k in (UP, DOWN):
            self.at = move(k, self.at, len(self.choices))
            return MOVED
        elif k == RIGHT or (k == OK and self.choices[self.at] is _NOBODY):
            self.left.append(self.pool)
            self.changed()
        elif k == OK:
            self.play.enter({"ev": "cash", "p": self.choices[self.at], "pool": POOLS[self.pool]})
        return None
