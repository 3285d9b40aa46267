"""Provide the data of any other game, and check its invariants after every event, for the tests of all games."""

from helpers.play import ev, setup, sure
from helpers.watch import Watch
from kiebitz.games.base import COMMON


def join(name, **points):
    return dict(points, ev="join", name=name)


NUMBERED = "AG"  # the beginning of its numbered cases
PLAYERS = (2, 8)
OPTIONS = {
    "turns": ("free", "follow"),
    "entry": ("rounds", "counter", "exchange"),
    "wins": ("high", "low"),
    "end": ("open", "target", "rounds"),
    "limit": (None,),
    "start": (0,),
    "sits_out": ("nobody", "dealer"),
    "ender": ("off", "doubles"),
}
NUMBERS = ("limit", "start")  # house rules that are numbers
NEEDS = {
    ("end", "target"): {"limit": 5},
    ("end", "rounds"): {"limit": 5},
    ("ender", "doubles"): {"wins": "low"},
}  # (rule, value) -> other rules that it needs
FIRST = (ev("points", p=0, k=7), ev("points", p=2, k=-3))  # events with which a game may begin
BY_SEAT = ev("points", k=1)  # an event that takes any seat
SUMMARY = "title round rounds now dealer early present teams factor ender"  # the keys that only its summary has
PHASES = ("PLAY", "OVER")
# Each kind of entry, with long values: they must fit a line of the history
ENTRIES = [
    ev("points", p=1, k=-100000),
    ev("add", p=1, k=-100000),
    ev("exchange", winners=[0, 1, 2], k=100000),
    ev("double", k=32),
    ev("ended", p=1),
    ev("away", p=1),
    ev("back", p=1),
    join("Eva"),
    join("Eva", k=-100000),
    ev("end_round"),
    ev("end_game"),
]


def short():
    """Return a piece of a game that ends in the middle of its second round."""
    return setup("any_game", 3, title="Sk\u00ffjo", options={"wins": "low", "end": "target", "limit": 100}), [
        ev("points", p=1, k=12),
        ev("points", p=0, k=-2),
        sure(ev("end_round")),
        ev("points", p=2, k=40),
        ev("undo"),
        ev("redo"),
        ev("remove", at=1),
        ev("undo"),
        ev("correct", at=0, event=ev("points", p=1, k=21)),
        ev("points", p=0, k=0),
    ]


class AnyWatch(Watch):
    """Adds up all points that were entered, and finds when rounds and the game must be over."""

    def __init__(self, game):
        super().__init__(game)
        self.sums = [game.options["start"]] * game.n
        self.brought = game.n * game.options["start"]  # all points that players began with
        self.sheet = []  # the closed rounds
        self.column = {}  # the points of the running round by seat
        self.dealer = game.dealer
        self.gone = set()
        self.ender = None
        self.factors = []

    def after(self, event):
        super().after(event)
        g, name = self.game, event["ev"]
        if name in ("points", "add"):
            for q in self._team(event["p"]):
                self.sums[q] += event["k"]
                if name == "points":
                    assert q not in self.column
                    self.column[q] = event["k"]
        closes = name == "end_round"
        if name == "exchange":
            self._exchange(event)
            closes = True
        elif name == "double":
            for i in range(event["k"]):
                self.factors[i : i + 1] = [2 * (self.factors[i] if i < len(self.factors) else 1)]
        elif name == "ended":
            self.ender = event["p"]
        elif name == "away":
            self.gone.add(event["p"])
            if event["p"] == self.dealer:
                self._pass_deal()
        elif name == "back":
            self.gone.remove(event["p"])
        elif name == "join":
            self.sums.append(event.get("k", g.options["start"]))
            self.brought += self.sums[-1]
        if name in ("points", "away") and self.column:
            closes = all(p in self.column for p in self._playing())
        if closes:
            self._close(name == "exchange")
        self._check(g)
        if name not in COMMON:
            looked = closes or (name in ("add", "join") and g.options["entry"] == "counter")
            assert g.over == (name == "end_game" or (looked and self._ends()))

    def _check(self, g):
        """Compare the game with what was added up here."""
        wide = [points + [None] * (g.n - len(points)) for points in self.sheet]
        assert g.totals() == self.sums and g.dealer == self.dealer
        assert g.rounds == wide and g.now == [self.column.get(p) for p in range(g.n)]
        assert g.round == len(self.sheet) + 1 and g.n == len(g.names) == len(self.sums)
        assert g.dealer not in g.gone and set(g.gone) == self.gone and g.n - len(g.gone) >= 2
        best = min(self.sums) if g.options["wins"] == "low" else max(self.sums)
        assert g.leaders() == [p for p in range(g.n) if self.sums[p] == best]
        assert g.ender == self.ender and g.factors == self.factors and max(self.factors + [1]) <= 64
        if g.options["entry"] == "exchange":
            assert sum(self.sums) == self.brought

    def _team(self, p):
        teams = self.game.teams
        return [q for q in range(self.game.n) if teams[q] == teams[p]] if teams else [p]

    def _playing(self):
        """Return the seats that take part in the round before it closes."""
        here = [p for p in range(len(self.sums)) if p not in self.gone]
        sits = self.game.options["sits_out"] == "dealer" and len(here) >= 4
        return [p for p in here if not sits or p != self.dealer or p in self.column]

    def _pass_deal(self):
        self.dealer = (self.dealer + 1) % len(self.sums)
        while self.dealer in self.gone:
            self.dealer = (self.dealer + 1) % len(self.sums)

    def _exchange(self, event):
        playing, winners = self._playing(), event["winners"]
        losers = [p for p in playing if p not in winners]
        k = event["k"] * (self.factors[0] if self.factors else 1)
        for p in playing:
            mine, others = (winners, losers) if p in winners else (losers, winners)
            self.column[p] = (k if p in winners else -k) * max(1, len(others) // len(mine))

    def _close(self, exchange):
        points = [self.column.get(p) if exchange or p not in self._playing() else self.column.get(p, 0)
                  for p in range(len(self.sums))]  # fmt: skip
        if exchange:
            self.sums = [total + (k or 0) for total, k in zip(self.sums, points)]
        p = self.ender
        if p is not None and points[p] and points[p] > 0:
            if [q for q in range(len(points)) if q != p and points[q] is not None and points[q] <= points[p]]:
                self.sums[p] += points[p]
                points[p] *= 2
        self.sheet.append(points)
        self.column, self.ender, self.factors = {}, None, self.factors[1:]
        self._pass_deal()

    def _ends(self):
        """Return True if the rules end the game now."""
        options = self.game.options
        start, limit = options["start"], options["limit"]
        if options["end"] == "rounds":
            return len(self.sheet) == limit
        if options["end"] == "open":
            return False
        return max(self.sums) >= limit if limit >= start else min(self.sums) <= limit


WATCH = AnyWatch
