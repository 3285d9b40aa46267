"""Check the invariants of Royal Flush after every event."""

from helpers.watch import Watch
from kiebitz.games.base import COMMON
from kiebitz.games.royal_flush.rules_boards import BOARDS


class RoyalWatch(Watch):
    def before(self, event):
        super().before(event)
        self.totals = self.game.totals()
        self.open = dict(self.game.open_boards(event["p"])) if event["ev"] == "score" else {}
        self.sharing = self.game.sharing()
        self.closed = len(self.game.round_points)

    def after(self, event):
        super().after(event)
        g = self.game
        assert sum(g.chips) + g.spent + g.carry == 5 * g.n
        assert min(g.chips) >= 0 and 0 <= min(g.jokers) <= max(g.jokers) <= 2
        for p in range(g.n):
            lying = sum([slots.count(p) for slots in g.slots])
            assert 0 <= g.pieces[p] and g.pieces[p] + lying == 5
        for board, slots in zip(g.boards, g.slots):
            assert len(slots) == len(BOARDS[board][0])
            free = slots.index(None) if None in slots else len(slots)
            assert slots[free:].count(None) == len(slots) - free, "a slot was left out on " + board
        assert g.early == (event["ev"] == "end_game") or event["ev"] in COMMON
        if event["ev"] == "score":
            self._scored(event)

    def _scored(self, event):
        g, p = self.game, event["p"]
        assert event["board"] in self.open
        self.totals[p] += self.open[event["board"]]
        if g.over:
            self.totals = [total + 2 * chips for total, chips in zip(self.totals, g.chips)]
        assert g.totals() == self.totals
        if len(g.round_points) > self.closed and not g.over:
            assert tuple(g.shares[-1]) == self.sharing and g.spent == 0
            assert g.first == (p + 1) % g.n


WATCH = RoyalWatch
