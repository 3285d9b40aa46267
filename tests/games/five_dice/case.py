"""Provide the data of Kniffel, and check its invariants after every event, for the tests of all games."""

from helpers.play import ev, setup
from helpers.watch import Watch
from kiebitz.games.five_dice.rules import BOXES, entries

NUMBERED = "FD"  # the beginning of its numbered cases
PLAYERS = (2, 8)
OPTIONS = {"turns": ("free", "follow"), "extra": ("fifty", "hundred", "off")}
# Events with which a game may begin
FIRST = (ev("write", p=0, box="chance", k=5), ev("write", p=1, box="sixes", k=0))
BY_SEAT = ev("write", box="ones", k=1)  # an event that takes any seat
SUMMARY = "title dealer boxes bonus extra turn early"  # the keys that only its summary has
PHASES = ("PLAY", "OVER")
# Each kind of entry, with long values: they must fit a line of the history
ENTRIES = [
    ev("write", p=0, box="small_straight", k=30),
    ev("write", p=0, box="large_straight", k=0),
    ev("again", p=0),
    ev("end_game"),
]


def short():
    """Return (set-up, events) of a short piece with everything a journal can hold; all events are taken."""
    return setup("five_dice", 3, title="Kn\u00ffffel", options={"extra": "hundred"}), [
        ev("write", p=0, box="five_kind", k=50),
        ev("write", p=2, box="sixes", k=18),
        ev("undo"),
        ev("redo"),
        ev("again", p=0),
        ev("write", p=0, box="chance", k=30),
        ev("remove", at=1),
        ev("undo"),
        ev("correct", at=1, event=ev("write", p=2, box="fives", k=0)),
        ev("write", p=1, box="ones", k=3),
    ]


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
