"""Check the invariants of games with bids after every event."""

from helpers.watch import Watch


class BidsWatch(Watch):
    """Keeps the bids and the tricks of all rounds, and counts the points anew."""

    def __init__(self, game):
        super().__init__(game)
        self.points = [0] * game.n
        self.dealer = game.dealer
        self.now = {"bid": {}, "tricks": {}}
        self.closed = 0

    def after(self, event):
        super().after(event)
        g, name = self.game, event["ev"]
        if name in self.now:
            assert event["p"] not in self.now[name] and 0 <= event["k"] <= g.hands[self.closed]
            self.now[name][event["p"]] = event["k"]
        bids, made = self.now["bid"], self.now["tricks"]
        if name == "bid" and len(bids) == g.n and g.options["sum"] == "not_equal":
            assert sum(bids.values()) != g.hands[self.closed]
        if len(made) == g.n:
            for p in range(g.n):
                if g.options["points"] == "wizard":
                    self.points[p] += 20 + 10 * made[p] if made[p] == bids[p] else -10 * abs(made[p] - bids[p])
                else:
                    self.points[p] += 10 + made[p] if made[p] == bids[p] else 0
            self.now = {"bid": {}, "tricks": {}}
            self.closed += 1
            self.dealer = (self.dealer + 1) % g.n
        assert g.totals() == self.points and g.rounds_over() == self.closed and g.dealer == self.dealer
        assert [sum(points) for points in zip(*g.summary()["rounds"])] == (self.points if self.closed else [])
        assert g.over == (g.early or self.closed == len(g.hands))


WATCH = BidsWatch
