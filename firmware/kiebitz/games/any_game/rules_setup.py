"""Check the set-up of any other game, its house rules, and the arguments of its events."""

from ...machine_code import const
from ..base import Game, Refused, bad, check_name, count, integer

POINTS_MAX = const(100000)
SITS_OUT = const(4)  # with fewer players present nobody sits out
_TIMES_MAX = const(32)  # rounds that one `double` doubles
_ROUNDS_MAX = const(999)


def points(value, what):
    """Return the points of one entry."""
    return integer(value, what, -POINTS_MAX, POINTS_MAX)


def change(value, what):
    """Return a change of points, which is never 0."""
    if not points(value, what):
        raise bad(what)
    return value


def worth(value, what):
    """Return what a round was worth."""
    return integer(value, what, 0, POINTS_MAX)


def times(value, what):
    """Return how many rounds are doubled."""
    return integer(value, what, 1, _TIMES_MAX)


def different_seats(value, what):
    """Return a list of at least one seat, all different."""
    if not isinstance(value, list) or not value:
        raise bad(what)
    for p in value:
        if count(p, what) >= 0 and value.count(p) > 1:
            raise bad(what)
    return value


class AnySetUp(Game):
    """A game with the house rules of any other game."""

    KIND = "any_game"
    PLAYERS = (2, 8)
    OPTIONS = {
        "turns": ("free", "follow"),
        "entry": ("rounds", "counter", "exchange"),
        "wins": ("high", "low"),
        "end": ("open", "target", "rounds"),
        "limit": (None,),  # a number, with the two ends that need one
        "start": (0,),
        "sits_out": ("nobody", "dealer"),
        "ender": ("off", "doubles"),
    }

    def check_types(self, setup):
        self.title = check_name(setup.get("title", "Any game"), "title")
        self.deals = setup.get("deals") == 1  # kept for the screens
        self.teams = self._teams(setup["teams"]) if "teams" in setup else None

    def _teams(self, teams):
        """Return the checked number of each seat's team."""
        if not isinstance(teams, list) or len(teams) != self.n:
            raise bad("teams")
        many = max([count(team, "teams") for team in teams]) + 1 if teams else 0
        if not 2 <= many < self.n or len(set(teams)) != many:
            raise bad("teams")
        return teams

    def _read_options(self, given):
        options = super()._read_options(given)
        wrong = self._misfit(options)
        if wrong:
            raise Refused("E_SETTING", name=wrong, why="with_" + wrong)
        return options

    def _misfit(self, options):
        """Return the name of a house rule that does not go with the others; empty if all do."""
        entry, end, limit, teams = options["entry"], options["end"], options["limit"], self.teams
        if (limit is None) != (end == "open"):
            return "limit"
        if end == "rounds" and entry == "counter":
            return "end"
        if end == "rounds" and not 1 <= limit <= _ROUNDS_MAX:
            return "limit"
        if entry == "exchange" and (options["wins"] == "low" or teams):
            return "entry"
        if options["sits_out"] == "dealer" and (entry == "counter" or teams or self.n < SITS_OUT):
            return "sits_out"
        if options["ender"] == "doubles" and (entry != "rounds" or options["wins"] == "high" or teams):
            return "ender"
        return ""

    def option(self, name, value):
        if name not in ("limit", "start"):
            return super().option(name, value)
        if type(value) is not int or not -POINTS_MAX <= value <= POINTS_MAX:
            raise Refused("E_SETTING", name=name)
        return value

    @staticmethod
    def matters(name, setup, options):
        entry, teams = options["entry"], setup.get("teams")
        if name == "limit":
            return options["end"] != "open"
        if name == "wins":
            return entry != "exchange"
        if name == "sits_out":
            return entry != "counter" and not teams and len(setup["players"]) >= SITS_OUT
        if name == "ender":
            return entry == "rounds" and options["wins"] == "low" and not teams
        return name != "turns"

    @classmethod
    def option_range(cls, name, players):
        return -POINTS_MAX, POINTS_MAX
