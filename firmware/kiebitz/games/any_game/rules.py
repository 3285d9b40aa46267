"""Implement the rules of any other game, with points by rounds or at any time and three ways to end."""

from ...machine_code import const
from ..base import REQUIRED, Game, Refused, bad, best, check_name, count, integer

POINTS_MAX = const(100000)
_ROUNDS_MAX = const(999)
_SEAT = ("p", count, REQUIRED)


def points(value, what):
    """Return the points of one entry."""
    return integer(value, what, -POINTS_MAX, POINTS_MAX)


def change(value, what):
    """Return a change of points, which is never 0."""
    if not points(value, what):
        raise bad(what)
    return value


class AnyGame(Game):
    """The rules of any other game."""

    KIND = "any_game"
    PLAYERS = (2, 8)
    OPTIONS = {
        "turns": ("free", "follow"),
        "entry": ("rounds", "counter"),
        "wins": ("high", "low"),
        "end": ("open", "target", "rounds"),
        "limit": (None,),  # a number, with the two ends that need one
        "start": (0,),
    }
    EVENTS = {
        "points": (_SEAT, ("k", points, REQUIRED)),
        "add": (_SEAT, ("k", change, REQUIRED)),
        "end_round": (),
        "end_game": (),
    }
    FIELDS = ("phase", "dealer", "closed", "now", "sheet")
    HISTORY = "sheet"

    @staticmethod
    def fill_places(event, places):
        if event["ev"] == "add":
            places["k"] = "%+d" % event["k"] if event["k"] else "0"
        return ""

    def check_types(self, setup):
        self.title = check_name(setup.get("title", "Any game"), "title")

    def _read_options(self, given):
        options = super()._read_options(given)
        end, limit = options["end"], options["limit"]
        if (limit is None) != (end == "open"):
            raise Refused("E_SETTING", name="limit")
        if end == "rounds" and (options["entry"] == "counter" or not 1 <= limit <= _ROUNDS_MAX):
            raise Refused("E_SETTING", name="limit" if options["entry"] == "rounds" else "end")
        return options

    def option(self, name, value):
        if name not in ("limit", "start"):
            return super().option(name, value)
        if type(value) is not int or not -POINTS_MAX <= value <= POINTS_MAX:
            raise Refused("E_SETTING", name=name)
        return value

    @staticmethod
    def matters(name, setup, options):
        return name != "turns" and (name != "limit" or options["end"] != "open")

    @classmethod
    def option_range(cls, name, players):
        return -POINTS_MAX, POINTS_MAX

    def start(self, confirm):
        self.low_wins = self.options["wins"] == "low"
        self.phase = "PLAY"
        self.closed = [self.options["start"]] * self.n  # points without the running round
        self.now = [None] * self.n  # points of the running round
        self.sheet = []  # points of all closed rounds in one flat list, which saves memory

    # --- entries ---

    @property
    def by_rounds(self):
        """True if everybody gets points once a round, False if points come at any time."""
        return self.options["entry"] == "rounds"

    def _need_entry(self, by_rounds):
        """Refuse an event that belongs to the other way of entering points."""
        if self.by_rounds != by_rounds:
            raise Refused("E_PHASE", phase=self.phase)

    def do_points(self, p, k, confirm):
        """Give a player the points of this round; the last of them close the round."""
        self._need_entry(True)
        self.need_seat(p)
        if self.now[p] is not None:
            raise Refused("E_TWICE", p=p)
        self.now[p] = k
        if not self.missing():
            self._close_round()

    def do_add(self, p, k, confirm):
        """Add points to a player's total, or take some off."""
        self._need_entry(False)
        self.need_seat(p)
        self.closed[p] += k
        self._end_at_target()

    def do_end_round(self, confirm):
        """Close the round. Raises a doubt if somebody without points would get 0."""
        self._need_entry(True)
        missing = self.missing()
        if len(missing) == self.n:
            raise Refused("E_PHASE", phase=self.phase)
        if missing and not confirm:
            raise Refused("W_MISSING", seats=missing)
        self._close_round()

    def do_end_game(self, confirm):
        """End the game now. The points of the running round count."""
        self.phase = "OVER"

    def _close_round(self):
        """Add the points of the round, pass the deal on, and end the game if its end is reached."""
        points = [k or 0 for k in self.now]
        self.sheet.extend(points)
        self.closed = [total + k for total, k in zip(self.closed, points)]
        self.now = [None] * self.n
        self.dealer = self.left_of(self.dealer)
        if self.options["end"] == "rounds" and self.rounds_over() == self.options["limit"]:
            self.phase = "OVER"
        self._end_at_target()

    def _end_at_target(self):
        """End the game if somebody has reached the target."""
        if self.options["end"] == "target" and min(self.to_target()) <= 0:
            self.phase = "OVER"

    # --- what a screen asks ---

    @property
    def round(self):
        """The number of the running round, from 1."""
        return self.rounds_over() + 1 if self.by_rounds else 1

    @property
    def rounds(self):
        """The points of the closed rounds, each a list by seat."""
        return [self.sheet[k : k + self.n] for k in range(0, len(self.sheet), self.n)]

    def missing(self):
        """Return the seats without points in the running round."""
        return [p for p in range(self.n) if self.now[p] is None]

    def distance(self, total):
        """Return how many points are missing from this total to the target, 0 or less when it is reached."""
        limit = self.options["limit"]
        return limit - total if limit >= self.options["start"] else total - limit

    def to_target(self):
        """Return distance() of every seat."""
        return [self.distance(total) for total in self.totals()]

    def totals(self):
        return [total + (k or 0) for total, k in zip(self.closed, self.now)]

    def best_of(self, totals):
        """Return the seats that would lead with these totals."""
        return best([-total for total in totals] if self.low_wins else totals)

    def leaders(self):
        return self.best_of(self.totals())

    def rounds_over(self):
        return len(self.sheet) // self.n if self.by_rounds else None

    def legal(self):
        if self.over:
            return []
        if not self.by_rounds:
            return ["add", "end_game"]
        return ["points"] + ([] if len(self.missing()) == self.n else ["end_round"]) + ["end_game"]

    def details(self):
        return {
            "title": self.title,
            "round": self.round,
            "rounds": self.rounds,
            "now": list(self.now),
            "dealer": self.dealer,
        }


GAME = AnyGame
