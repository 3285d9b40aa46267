"""Check the invariants of Top Spot after every event."""

from helpers.watch import Watch


class SpotWatch(Watch):
    def before(self, event):
        super().before(event)
        self.points = list(self.game.points)

    def after(self, event):
        super().after(event)
        g = self.game
        limit = 12 if g.level == "junior" else 13
        assert max(g.points) <= limit
        if g.mode == "assisted":
            for points, cards in zip(g.points, g.hand):
                assert 0 <= cards and points + cards <= limit
            won = g.points != self.points and event["ev"] == "trick"
            assert not won or g.phase == "GAME_END" or len([cards for cards in g.hand if cards]) > 1
        closed = [sum([points[p] for points in g.history]) for p in range(g.n)]
        assert g.totals() == [a + b for a, b in zip(closed, g.points)]
        assert len(g.history) == g.game_no - (0 if g.over else 1)


WATCH = SpotWatch
