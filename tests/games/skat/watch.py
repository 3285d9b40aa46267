"""Check the invariants of a list of Skat after every event."""

from helpers.watch import Watch


class SkatWatch(Watch):
    def before(self, event):
        super().before(event)
        self.dealer, self.games = self.game.dealer, self.game.games

    def after(self, event):
        super().after(event)
        g = self.game
        rows = [g.row(k) for k in range(g.games)]
        for p in range(g.n):
            own = [row for row in rows if row.p == p]
            assert g.points[p] == sum([row.points for row in own])
            assert g.won[p] == len([row for row in own if row.game and row.points > 0])
            assert g.lost[p] == len([row for row in own if row.game and row.points < 0])
        alone = len([row for row in rows if row.game])
        assert sum(g.won) + sum(g.lost) == alone <= g.games
        if g.by_seeger:
            others = (40 if g.n == 3 else 30) * (g.n - 1) * sum(g.lost)
            assert sum(g.totals()) == sum(g.points) + 50 * (sum(g.won) - sum(g.lost)) + others
        else:
            assert g.totals() == g.points
        entered = event["ev"] in ("play", "passed", "ramsch")
        assert g.games - self.games == entered and (g.dealer - self.dealer) % g.n == entered
        assert g.early <= g.over and (not g.series or g.games <= g.series)


WATCH = SkatWatch
