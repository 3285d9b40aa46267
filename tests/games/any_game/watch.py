"""Check the invariants of any other game after every event."""

from helpers.watch import Watch
from kiebitz.games.base import COMMON


class AnyWatch(Watch):
    """Adds up all points that were entered, and finds when the game must be over."""

    def __init__(self, game):
        super().__init__(game)
        self.sums = [game.options["start"]] * game.n
        self.sheet = []  # the closed rounds
        self.column = {}  # the points of the running round by seat
        self.dealer = game.dealer

    def after(self, event):
        super().after(event)
        g, name = self.game, event["ev"]
        if name in ("points", "add"):
            self.sums[event["p"]] += event["k"]
        closes = name == "end_round"
        if name == "points":
            assert event["p"] not in self.column
            self.column[event["p"]] = event["k"]
            closes = len(self.column) == g.n
        if closes:
            self.sheet.append([self.column.get(p, 0) for p in range(g.n)])
            self.column = {}
            self.dealer = (self.dealer + 1) % g.n
        assert g.totals() == self.sums and g.dealer == self.dealer
        assert g.rounds == self.sheet and g.now == [self.column.get(p) for p in range(g.n)]
        assert g.round == len(self.sheet) + 1
        best = min(self.sums) if g.options["wins"] == "low" else max(self.sums)
        assert g.leaders() == [p for p in range(g.n) if self.sums[p] == best]
        if name not in COMMON:
            assert g.over == (name == "end_game" or ((closes or name == "add") and self._ends()))

    def _ends(self):
        """Return True if the rules end the game now."""
        options = self.game.options
        start, limit = options["start"], options["limit"]
        if options["end"] == "rounds":
            return len(self.sheet) == limit
        if options["end"] == "open":
            return False
        return max(self.sums) >= limit if limit >= start else min(self.sums) <= limit


WATCH = AnyWatch
