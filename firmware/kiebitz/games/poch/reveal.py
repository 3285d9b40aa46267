"""Enter the hands of a Poch show-down one by one and find the best."""

from ...machine_code import const
from ...raster import icons
from ...text import rank_text, text
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, SIDES, Screen, footer, header, signed
from ..base import RED_SUITS
from .rules_bidding import RANKS, best_hand
from .view import ROWS, TOP
from .views import stakes

_COUNT, _RANK, _TRUMP = range(3)
_X = (74, 90, 110)  # of the three columns
_W = const(16)
_NAME_W = const(38)  # width of each of two names on the line of the result
_NONE = "\u2013"


class RevealScreen(Screen):
    """The hands of the contestants, as number of cards and rank. Trump is asked for only between equal hands."""

    def __init__(self, table):
        super().__init__(table.app)
        self.table = table
        self.session = table.session
        game = table.game
        self.seats = game.contestants()
        self.counts = [0] + list(range(1 if game.options["no_poch"] == "high_card" else 2, 5))
        self.count = {p: 0 for p in self.seats}
        self.rank = {p: len(RANKS) - 1 for p in self.seats}
        self.trump = {p: False for p in self.seats}
        self.at = (self.seats[0], _COUNT)

    def _equals(self, p):
        """Return the contestants with the same cards, this one among them."""
        return [q for q in self.seats if self.count[q] == self.count[p] and self.rank[q] == self.rank[p]]

    def _asks_trump(self, p):
        """Return True if the trump card decides between this player and another one."""
        return self.count[p] in (1, 2) and len(self._equals(p)) > 1

    def _has_trump(self, p):
        """Return True if a player is known to have the trump card."""
        return self._asks_trump(p) and [q for q in self._equals(p) if self.trump[q]] == [p]

    def _undecided(self):
        """Return the players with equal pairs, one of which must have the trump card, unless it is known which."""
        pairs = [p for p in self.seats if self.count[p] == 2 and self._asks_trump(p)]
        return [p for p in pairs if not any([self._has_trump(q) for q in self._equals(p)])]

    def _cells(self):
        """Return every cell that can be changed now, in the order the cursor visits them."""
        cells = []
        for p in self.seats:
            cells.append((p, _COUNT))
            if self.count[p]:
                cells.append((p, _RANK))
            if self._asks_trump(p):
                cells.append((p, _TRUMP))
        return cells

    def hands(self):
        """Return the Pochs as the rules compare them: {seat: (count, rank, has trump)}."""
        return {p: (self.count[p], self.rank[p], self._has_trump(p)) for p in self.seats if self.count[p]}

    def draw(self, c):
        game = self.session.game
        header(c, text("poch.hands_title"), self._suit())
        lines = ROWS - 2
        first = max(0, min(self.seats.index(self.at[0]) - lines // 2, len(self.seats) - lines))
        pitch = 9 if len(self.seats) > 3 else 12
        y = TOP + 2
        for p in self.seats[first : first + lines]:
            c.text(c.fit(game.names[p], _X[0] - 4), 1, y)
            self._draw_hand(c, p, y)
            y += pitch
        c.text(c.fit(self._result(), c.w), 0, c.h - 2 * LINE)
        ok = "key.enter" if self.at == self._cells()[-1] else "poch.key.next"
        footer(c, (ARROWS, "key.change"), (icons.OK, ok), (SIDES, "key.field"), (icons.UNDO, "key.back"))

    def _draw_hand(self, c, p, y):
        parts = [_NONE]
        if self.count[p]:
            parts = ["%d\u00d7" % self.count[p], rank_text(RANKS[self.rank[p]])]
        if self._asks_trump(p):
            unknown = "?" if p in self._undecided() else _NONE
            parts.append(self._suit() if self._has_trump(p) else unknown)
        for i, part in enumerate(parts):
            c.text(part, _X[i] + 2, y)
        if self._has_trump(p) and self.session.game.trump in RED_SUITS:
            c.tint("red", _X[_TRUMP], y, _W, LINE)
        if p == self.at[0]:
            c.invert(_X[self.at[1]], y, _W, LINE)

    def _suit(self):
        """Return the sign of the trump suit."""
        return text("suit." + self.session.game.trump)

    def _question(self):
        """Return the question for the trump card that decides between two pairs."""
        rank = self.rank[self._undecided()[0]]
        return text("poch.who_trump", card=rank_text(RANKS[rank]) + self._suit())

    def _result(self):
        """Return a line with the chips that these hands would move, or the question that decides between them."""
        game = self.session.game
        if self._undecided():
            return self._question()
        best = best_hand(self.hands())
        if best is None:
            return text("poch.nobody_best")
        fit = self.app.canvas.fit
        paid, taken = stakes(game, best)
        result = fit(game.names[best], _NAME_W) + " " + signed(taken)
        if paid:
            result += "  " + fit(game.names[game.high_bidder], _NAME_W) + " " + signed(-paid)
        return result

    def key(self, k):
        if k in (UP, DOWN):
            self._change(1 if k == UP else -1)
            return
        cells = self._cells()
        at = cells.index(self.at)
        if k == LEFT:
            self.at = cells[max(0, at - 1)]
        elif k == RIGHT or (k == OK and at < len(cells) - 1):
            self.at = cells[min(at + 1, len(cells) - 1)]
        elif k == OK and self._undecided():
            self.at = (self._undecided()[0], _TRUMP)
            self.app.refuse(self._question())
        elif k == OK:
            hands = self.hands()
            shown = {str(p): [hands[p][0], RANKS[hands[p][1]], hands[p][2]] for p in hands}
            self.table.session.enter({"ev": "reveal", "hands": shown})

    def _change(self, step):
        """Change the cell at the cursor by one step."""
        p, column = self.at
        if column == _COUNT:
            self.count[p] = self.counts[(self.counts.index(self.count[p]) + step) % len(self.counts)]
        elif column == _RANK:
            self.rank[p] = (self.rank[p] + step) % len(RANKS)
        else:
            self._give_trump(p)

    def _give_trump(self, p):
        """Give the trump card to this player, or from this player to the other of an equal pair."""
        had = self._has_trump(p)
        for q in self._equals(p):
            self.trump[q] = (q != p and self.count[p] == 2) if had else q == p
