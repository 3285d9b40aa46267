"""Check the invariants of Poch after every event."""

from helpers.watch import Watch


class PochWatch(Watch):
    def __init__(self, game):
        super().__init__(game)
        self.all_chips = game.n * (game.options["chips_total"] // game.n)
        self.antes = 0  # paid into POCHER since it was last won

    def before(self, event):
        super().before(event)
        g = self.game
        self.chips = list(g.chips)
        self.had_winner = g.poch_winner is not None
        self.claimed = list(g.cashed[:5])
        self.expected = None
        if event["ev"] == "end_round" and g.phase == "PLAYOUT" and 0 <= event["winner"] < g.n:
            left = {int(p): event["left"][p] for p in event["left"] if int(p) < g.n}
            self.expected = [a + b for a, b in zip(g.chips, g.settlement(event["winner"], left))]

    def after(self, event):
        super().after(event)
        g = self.game
        assert sum(g.chips) + sum(g.pools) + g.bank == self.all_chips
        assert g.in_debt or min(g.chips) >= 0
        assert min(g.pools) >= 0 and g.bank >= 0
        if event["ev"] == "start_round":
            self.antes += sum(g.active)
        elif g.poch_winner is not None and not self.had_winner:
            self.antes = 0
            assert g.bank == 0
        elif event["ev"] == "end_round":
            assert g.chips == self.expected
            for pool, claimer in zip(g.pools, self.claimed):
                assert pool == 0 or claimer is None
        if g.over and g.options["final_pools"] == "split":
            self.antes = 0
            assert g.bank < g.n
        assert g.pools[7] == self.antes


WATCH = PochWatch
