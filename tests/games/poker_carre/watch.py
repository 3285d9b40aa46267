"""Check the invariants of PokerCarre after every event."""

from helpers.watch import Watch
from kiebitz.games.poker_carre.rules_grid import RUBRIC_POINTS

MOST_ITEMS = 6
MOST_POINTS = 27


class CarreWatch(Watch):
    def before(self, event):
        super().before(event)
        self.counts = [list(counts) for counts in self.game.counts]
        self.offered = None
        if event["ev"] == "place" and event.get("card") in self.game.unplayed() and any(self.game.cells):
            x, y = event["x"], event["y"]
            self.offered = (x, y) in self.game.fits(event["card"])
            assert self.offered == (event["card"] in self.game.cards_for(x, y))

    def after(self, event):
        super().after(event)
        g = self.game
        weighted = [sum([a * b for a, b in zip(counts, RUBRIC_POINTS)]) for counts in g.counts]
        assert g.totals() == weighted
        assert g.placed + g.stock + sum(g.held) == g.to_place
        if event["ev"] == "place":
            self._placed(event)
        if g.cells and any(g.cells):
            cards = list(g.summary()["grid"].values())
            assert len(cards) == len(set(cards)) and not set(cards) & set(g.unplayed())
            x0, y0, x1, y1 = g.box()
            assert x1 - x0 < 7 and y1 - y0 < 7

    def _placed(self, event):
        g, p = self.game, event["p"]
        new = [b - a for a, b in zip(self.counts[p], g.counts[p])]
        assert min(new) >= 0 and sum(new) <= MOST_ITEMS
        assert sum([a * b for a, b in zip(new, RUBRIC_POINTS)]) <= MOST_POINTS
        if "card" in event:
            assert self.offered
            needs_new = g.options["straight_needs_new_value"] == "on"
            assert new == crossed_off(g.summary()["grid"], event["x"], event["y"], needs_new)


def crossed_off(grid, x, y, needs_new_value):
    """Return how many fields of each category the card at x, y has just crossed off, in plain steps of the rules."""
    card = grid["%d,%d" % (x, y)]
    fields = [0] * 5
    for axis in (0, 1):
        line = [grid[cell] for cell in grid if int(cell.split(",")[1 - axis]) == (y, x)[axis]]
        value = int(card[1])
        values = [int(other[1]) for other in line]
        low = high = value
        while low - 1 in values:
            low -= 1
        while high + 1 in values:
            high += 1
        if high - low + 1 >= 4 and not (needs_new_value and values.count(value) > 1):
            fields[{4: 0, 5: 1, 6: 2, 7: 3}[high - low + 1]] += 1
        if values.count(value) >= 3:
            fields[{3: 1, 4: 2, 5: 3, 6: 4, 7: 4}[values.count(value)]] += 1
        alike = len([other for other in line if other[0] == card[0]])
        if alike >= 3:
            fields[alike - 3] += 1
    return fields


WATCH = CarreWatch
