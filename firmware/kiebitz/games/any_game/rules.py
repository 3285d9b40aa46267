"""Implement the rules of any other game: points by rounds or at any time, or what a round was worth to its winners."""

from ...machine_code import const
from ..base import REQUIRED, Refused, bad, best, check_name, count
from .rules_setup import POINTS_MAX, SITS_OUT, AnySetUp, change, different_seats, points, times, worth

FACTOR_MAX = const(64)
_PRESENT = const(2)  # the least number of players who stay
_SEAT = ("p", count, REQUIRED)


class AnyGame(AnySetUp):
    """The rules of any other game."""

    EVENTS = {
        "points": (_SEAT, ("k", points, REQUIRED)),
        "add": (_SEAT, ("k", change, REQUIRED)),
        "exchange": (("winners", different_seats, REQUIRED), ("k", worth, REQUIRED)),
        "double": (("k", times, REQUIRED),),
        "ended": (_SEAT,),
        "away": (_SEAT,),
        "back": (_SEAT,),
        "join": (("name", check_name, REQUIRED), ("k", points, None)),
        "end_round": (),
        "end_game": (),
    }
    FORMS = {check_name: str}
    SEATS = {"p": "name", "winners": "names"}
    FIELDS = ("phase", "dealer", "closed", "now", "sheet", "joined", "gone", "factors", "ender", "stopped")
    HISTORY = "sheet"

    @staticmethod
    def fill_places(event, places):
        if event["ev"] == "add":
            places["k"] = "%+d" % event["k"] if event["k"] else "0"
        return ".points" if event["ev"] == "join" and "k" in event else ""

    def start(self, confirm):
        self.low_wins = self.options["wins"] == "low"
        self.phase = "PLAY"
        self.closed = [self.options["start"]] * self.n  # points without the running round
        self.now = [None] * self.n  # points of the running round
        self.sheet = []  # points of all closed rounds in one flat list, which saves memory
        self.joined = []  # of each later seat: (rounds that were closed, points that it brought)
        self.gone = []  # seats that are away
        self.factors = []  # of the coming rounds that are doubled
        self.ender = None  # the seat that ended the running round
        self.stopped = False  # ended by hand

    def restore(self, snapshot):
        super().restore(snapshot)
        self.n = len(self.names)

    # --- who takes part ---

    @property
    def by_rounds(self):
        """True if there are rounds, False if points come at any time."""
        return self.options["entry"] != "counter"

    @property
    def shows_deal(self):
        """True if the players want to see who deals, or if that decides who sits out."""
        return self.by_rounds and (self.deals or self.options["sits_out"] == "dealer")

    @property
    def exchanges(self):
        """True if an entry is what a round was worth to its winners."""
        return self.options["entry"] == "exchange"

    @property
    def sitting_out(self):
        """The seat that sits out because it deals; None if everybody plays."""
        dealer = self.dealer
        if self.options["sits_out"] == "nobody" or self.n - len(self.gone) < SITS_OUT or self.now[dealer] is not None:
            return None
        return dealer

    def playing(self):
        """Return the seats that take part in the running round."""
        out = self.sitting_out
        return [p for p in range(self.n) if p not in self.gone and p != out]

    def missing(self):
        """Return the seats that take part and have no points in the running round."""
        return [p for p in self.playing() if self.now[p] is None]

    @property
    def begun(self):
        """True if somebody has points in the running round."""
        return len([k for k in self.now if k is not None]) > 0

    def team_of(self, p):
        """Return the seats that share their points with a seat, itself included."""
        teams = self.teams
        return [q for q in range(self.n) if teams[q] == teams[p]] if teams else [p]

    def _need_part(self, p):
        """Refuse a seat that takes no part in the running round."""
        self.need_seat(p)
        if p in self.gone:
            raise Refused("E_PLAYER", p=p, away=True)
        if p == self.sitting_out:
            raise Refused("E_PLAYER", p=p, sits_out=True)

    def _need_entry(self, *entries):
        """Refuse an event that belongs to another way of entering points."""
        if self.options["entry"] not in entries:
            raise Refused("E_PHASE", phase=self.phase, entry=True)

    # --- entries ---

    def do_points(self, p, k, confirm):
        """Give a player the points of this round; the last of them close the round."""
        self._need_entry("rounds")
        self._need_part(p)
        if self.now[p] is not None:
            if self.teams:
                raise Refused("E_TWICE", p=p, team=True)
            raise Refused("E_TWICE", p=p)
        for q in self.team_of(p):
            self.now[q] = k
        self._close_if_complete()

    def do_add(self, p, k, confirm):
        """Add points to a player's total, or take some off."""
        self._need_entry("counter")
        self._need_part(p)
        for q in self.team_of(p):
            self.closed[q] += k
        self._end_at_target()

    def do_exchange(self, winners, k, confirm):
        """Let the winners of a round get from the others what it was worth."""
        self._need_entry("exchange")
        self._close(self.shares(winners, k))

    def shares(self, winners, k):
        """Return by how much each seat would move in a round that was worth k, None for who takes no part."""
        playing = self.playing()
        if len(winners) >= len(playing) or [p for p in winners if p not in playing]:
            raise bad("winners")
        losers = len(playing) - len(winners)
        few, many = sorted((len(winners), losers))
        if many % few:
            raise Refused("E_SHARE", winners=len(winners), losers=losers)
        points = [None] * self.n
        for p in playing:
            side = len(winners) if p in winners else losers
            points[p] = (k if p in winners else -k) * self.factor * (many // few if side == few else 1)
        return points

    def do_double(self, k, confirm):
        """Double what the next k rounds are worth."""
        self._need_entry("exchange")
        factors = [factor * 2 for factor in self.factors[:k]] + [2] * (k - len(self.factors)) + self.factors[k:]
        if max(factors) > FACTOR_MAX:
            raise Refused("E_FACTOR", most=FACTOR_MAX)
        self.factors = factors

    def do_ended(self, p, confirm):
        """Note who ended the running round."""
        if self.options["ender"] == "off":
            raise Refused("E_PHASE", phase=self.phase, entry=True)
        self._need_part(p)
        if self.ender is not None:
            raise Refused("E_TWICE", p=self.ender, ended=True)
        self.ender = p

    def do_end_round(self, confirm):
        """Close the round. Raises a doubt if somebody without points would get 0."""
        self._need_entry("rounds")
        if not self.begun:
            raise Refused("E_PHASE", phase=self.phase)
        if self.missing() and not confirm:
            raise Refused("W_MISSING", seats=self.missing())
        self._close_round()

    def do_end_game(self, confirm):
        """End the game now. The points of the running round count."""
        if self.begun and self.missing() and not confirm:
            raise Refused("W_MISSING", seats=self.missing(), end=True)
        self.phase = "OVER"
        self.stopped = True

    def _close_if_complete(self):
        """Close the round if everybody who takes part has points."""
        if self.begun and not self.missing():
            self._close_round()

    def _close_round(self):
        """Close a round of single points; who ended it pays double unless nobody else has as few."""
        points = [None] * self.n
        for p in self.playing():
            points[p] = self.now[p] or 0
        p = self.ender
        if p is not None and (points[p] or 0) > 0:
            if len([k for k in points if k is not None and k <= points[p]]) > 1:
                points[p] *= 2
        self._close(points)

    def _close(self, points):
        """Add the points of the round, pass the deal on, and end the game if its end is reached."""
        self.sheet.extend(points)
        self.closed = [total + (k or 0) for total, k in zip(self.closed, points)]
        self.now = [None] * self.n
        self.ender = None
        self.factors = self.factors[1:]
        self._pass_deal()
        if self.options["end"] == "rounds" and self.rounds_over() == self.options["limit"]:
            self.phase = "OVER"
        self._end_at_target()

    def _pass_deal(self):
        """Give the deal to the next seat that is present."""
        self.dealer = self.left_of(self.dealer)
        while self.dealer in self.gone:
            self.dealer = self.left_of(self.dealer)

    def _end_at_target(self):
        """End the game if somebody has reached the target."""
        if self.options["end"] == "target" and min(self.to_target()) <= 0:
            self.phase = "OVER"

    # --- who is there ---

    def _need_no_teams(self):
        """Refuse an event that teams do not have."""
        if self.teams:
            raise Refused("E_PHASE", phase=self.phase, teams=True)

    def do_away(self, p, confirm):
        """Let a player leave or pause."""
        self._need_no_teams()
        self.need_seat(p)
        if p in self.gone:
            raise Refused("E_PLAYER", p=p, away=True)
        if self.now[p] is not None:
            raise Refused("E_TWICE", p=p, away=True)
        if self.n - len(self.gone) <= _PRESENT:
            raise Refused("E_PLAYERS", away=p, low=_PRESENT)
        self.gone = sorted(self.gone + [p])
        if p == self.dealer:
            self._pass_deal()
        self._close_if_complete()

    def do_back(self, p, confirm):
        """Let a player who was away take part again."""
        self._need_no_teams()
        self.need_seat(p)
        if p not in self.gone:
            raise Refused("E_PLAYER", p=p, back=True)
        self.gone = [q for q in self.gone if q != p]

    def do_join(self, name, k, confirm):
        """Give a new player a seat behind the last one."""
        self._need_no_teams()
        if name in self.names:
            raise bad("players")
        if self.n == self.PLAYERS[1]:
            raise Refused("E_PLAYERS", join=True, high=self.n)
        k = self.options["start"] if k is None else k
        self.joined = self.joined + [(self.rounds_over() or 0, k)]
        self.names = self.names + [name]
        self.n += 1
        self.closed.append(k)
        self.now.append(None)
        if not self.by_rounds:
            self._end_at_target()

    # --- what a screen asks ---

    @property
    def early(self):
        """True if a game with a target or a number of rounds was ended by hand."""
        return self.stopped and self.options["end"] != "open"

    @property
    def factor(self):
        """By how much the points of the coming round count."""
        return self.factors[0] if self.factors else 1

    @property
    def round(self):
        """The number of the running round, from 1."""
        return self.rounds_over() + 1 if self.by_rounds else 1

    @property
    def rounds(self):
        """The points of the closed rounds, each a list by seat; None for who took no part."""
        rounds, at = [], 0
        for number in range(self.rounds_over() or 0):
            later = len([1 for before, _ in self.joined if before > number])
            end = at + self.n - later
            rounds.append(self.sheet[at:end] + [None] * later)
            at = end
        return rounds

    def brought(self):
        """Return the points of each seat at its start."""
        first = self.n - len(self.joined)
        return [self.options["start"]] * first + [k for _, k in self.joined]

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
        if not self.by_rounds:
            return None
        # The rounds before a seat joined have a number less each
        return (len(self.sheet) + sum([before for before, _ in self.joined])) // self.n

    def legal(self):
        if self.over:
            return []
        names = [{"rounds": "points", "counter": "add", "exchange": "exchange"}[self.options["entry"]]]
        if self.exchanges and max(self.factors + [1]) < FACTOR_MAX:
            names.append("double")
        if self.options["ender"] == "doubles" and self.ender is None:
            names.append("ended")
        if self.begun:
            names.append("end_round")
        if not self.teams:
            if self.n - len(self.gone) > _PRESENT:
                names.append("away")
            if self.gone:
                names.append("back")
            if self.n < self.PLAYERS[1]:
                names.append("join")
        return names + ["end_game"]

    def details(self):
        return {
            "title": self.title,
            "round": self.round,
            "rounds": self.rounds,
            "now": list(self.now),
            "dealer": self.dealer,
            "early": self.early,
            "present": [p not in self.gone for p in range(self.n)],
            "teams": self.teams,
            "factor": self.factor,
            "ender": self.ender,
        }


GAME = AnyGame
__all__ = ["GAME", "POINTS_MAX", "AnyGame"]
