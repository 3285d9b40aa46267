"""Check the invariants of Kniffel after every event."""

from helpers.watch import Watch
from kiebitz.games.five_dice.rules import BOXES, entries


class DiceWatch(Watch):
    def after(self, event):
        super().after(event)
        g = self.game
        for p in range(g.n):
            sheet = g.sheets[p]
            assert all([k is None or k in entries(at) for at, k in enumerate(sheet)])
            upper = sum([k or 0 for k in sheet[:6]])
            assert g.totals()[p] == sum([k or 0 for k in sheet]) + (35 if upper >= 63 else 0) + g.extra(p)
            assert not g.further[p] or sheet[BOXES.index("five_kind")] == 50
        if g.follows and not g.early:
            filled = [13 - sheet.count(None) for sheet in g.sheets]
            assert max(filled) - min(filled) <= 1


WATCH = DiceWatch
