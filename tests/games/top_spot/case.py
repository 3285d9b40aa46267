"""Provide the data of Top Spot, and check its invariants after every event, for the tests of all games."""

from helpers.play import ev, setup
from helpers.watch import Watch

NUMBERED = "TS"  # the beginning of its numbered cases
PLAYERS = (3, 5)
OPTIONS = {"turns": ("free", "follow"), "one_joker_each": ("off", "on")}
FIRST = (ev("point", p=0), ev("bonus", p=0, k=2))  # events with which a game may begin
BY_SEAT = ev("point")  # an event that takes any seat
SUMMARY = "points game_no dealer early"  # the keys that only its summary has
PHASES = ("TRICK", "TIEBREAK", "GAME_END", "MATCH_OVER")
# Each kind of entry, with long values: they must fit a line of the history
ENTRIES = [
    ev("point", p=0),
    ev("bonus", p=0, k=12),
    ev("trick", plays=[{"value": 12}] * 5),
] + [ev(name) for name in ("blank", "end_game", "next_game", "end_match")]


def short():
    """Return (set-up, events) of a short piece with everything a journal can hold; all events are taken."""
    play = {"cards": 1, "value": 3, "followed": True, "joker": False}
    return setup("top_spot", 3, level="expert", mode="assisted"), [
        ev("trick", plays=[dict(play, p=0), dict(play, p=1, value=5), dict(play, p=2, value=1)]),
        ev("undo"),
        ev("redo"),
    ]


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
