"""Provide the data of games with bids, and check its invariants after every event, for the tests of all games."""

from helpers.play import ev, setup, sure
from helpers.watch import Watch

NUMBERED = "B"  # the beginning of its numbered cases
PLAYERS = (3, 8)
MANY = {7: {"points": "ten_plus"}, 8: {"points": "ten_plus"}}  # number of players -> the house rules that it needs
OPTIONS = {
    "turns": ("free", "follow"),
    "points": ("wizard", "ten_plus"),
    "cards": ("up", "down", "up_down"),
    "most": (None,),
    "sum": ("free", "not_equal"),
}
NUMBERS = ("most",)  # house rules that are numbers
DEFAULTS = {"most": 15}  # with four players
FIRST = (ev("bid", p=0, k=1), ev("bid", p=2, k=0))  # events with which a game may begin
BY_SEAT = ev("bid", k=1)  # an event that takes any seat
SUMMARY = "title round cards dealer bids tricks rounds early"  # the keys that only its summary has
PHASES = ("BID", "TRICKS", "OVER")
# Each kind of entry, with long values: they must fit a line of the history
ENTRIES = [ev("bid", p=0, k=20), ev("tricks", p=0, k=20), ev("end_game")]


def short():
    """Return (set-up, events) of a short piece with everything a journal can hold; all events are taken."""
    return setup("bids", 3, title="W\u00ffzard", options={"sum": "not_equal", "most": 5}), [
        ev("bid", p=0, k=1),
        ev("bid", p=2, k=0),
        ev("bid", p=1, k=1),
        ev("tricks", p=1, k=0),
        ev("tricks", p=0, k=1),
        ev("undo"),
        ev("redo"),
        sure(ev("tricks", p=2, k=1)),
        ev("bid", p=1, k=2),
        ev("remove", at=6),
        ev("undo"),
        ev("correct", at=4, event=ev("tricks", p=0, k=0)),
        ev("bid", p=0, k=2),
    ]


class BidsWatch(Watch):
    """Records the bids and the tricks of all rounds, and counts the points again."""

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
