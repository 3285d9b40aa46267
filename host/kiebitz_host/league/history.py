"""Record the history of leagues: ratings over time, best results and margins of each player in each league.

A history can be stored and continued, so the records of a million games are not searched from the beginning. Whether
the most or the fewest points win is known only from the last game of a league, so both records are kept.
"""

from itertools import accumulate
from typing import NamedTuple

from .columns import WINS
from .names import league_name
from .standings import NOBODY, League, Seat, Standing, ranking, with_names

COURSE_MAX = 160  # ratings of one player in one league: twice the steps of a curve


class Record(NamedTuple):
    """A best result: the points, the player, the game, and when it was played."""

    score: int
    person: int
    number: int
    at: int


class PlayerHistory:
    """The best results and the ratings of one player in one league; Standing counts the games."""

    __slots__ = ("course", "first", "highest", "last", "lowest", "standing", "width")

    def __init__(self, record: Record) -> None:
        self.standing = Standing()
        self.highest = self.lowest = record
        self.first = self.last = record.at
        self.width = 1  # seconds: the course keeps only the last game of each interval
        self.course: list[tuple[int, int]] = []  # (time, rating in tenths) after a game

    def rate(self, at: int, rating: float) -> None:
        """Record a rating; the course is thinned as it grows, in the same way on every laptop."""
        self.last = at
        course, width = self.course, self.width
        if course and course[-1][0] // width == at // width:
            course.pop()
        course.append((at, round(rating * 10)))
        while len(course) > COURSE_MAX:
            self.width *= 2
            by_time = {moment // self.width: (moment, value) for moment, value in course}
            course[:] = by_time.values()

    def rating_at(self, times: list[int]) -> list[float | None]:
        """Return the rating at each of these times, in order; None before the first game."""
        found: list[float | None] = []
        k, rating = 0, None
        for moment in times:
            while k < len(self.course) and self.course[k][0] <= moment:
                rating = self.course[k][1] / 10
                k += 1
            found.append(rating)
        return found

    def state(self) -> list:
        """Return all values for JSON."""
        times = [self.first, self.last, self.width]
        course = [_differences(values) for values in zip(*self.course, strict=True)]
        return [self.standing.state(), times, self.highest, self.lowest, *course]

    @classmethod
    def from_state(cls, state: list) -> "PlayerHistory":
        """Return the history from the result of state()."""
        standing, times, highest, lowest, *course = state
        history = cls(Record(*highest))
        history.standing = Standing.from_state(standing)
        history.lowest = Record(*lowest)
        history.first, history.last, history.width = times
        history.course = list(zip(*map(accumulate, course), strict=True))
        return history


def _differences(values: tuple[int, ...]) -> list[int]:
    """Return the first value and then the differences, which halves the size."""
    return [after - before for before, after in zip((0, *values), values, strict=False)]


class History:
    """The history of all leagues: of each player in each league, and the greatest margins."""

    def __init__(self) -> None:
        self.players: dict[tuple[int, str], PlayerHistory] = {}  # by person and league
        self.low: dict[str, int] = {}  # league -> True if the fewest points won in its last game
        # League -> the greatest margin between first and second, if the most points win, and if the fewest do
        self.margins: tuple[dict[str, Record], dict[str, Record]] = ({}, {})

    def note(self, number: int, at: int, low: int, league: str, seats: list[Seat], ratings: list[float]) -> None:
        """Record a game. This runs for every game, so it only records and compares."""
        self.low[league] = low
        shared = sum([won for _, _, _, won in seats]) > 1
        players = self.players
        for (person, score, rank, won), rating in zip(with_names(seats), ratings, strict=True):
            history = players.get((person, league))
            if history is None:
                history = players[person, league] = PlayerHistory(Record(score, person, number, at))
            history.standing.take(score, rank, bool(won), shared)
            if score > history.highest.score:
                history.highest = Record(score, person, number, at)
            elif score < history.lowest.score:
                history.lowest = Record(score, person, number, at)
            history.rate(at, rating)
        if len(seats) > 1:
            self._note_margins(number, at, league, seats)

    def _note_margins(self, number: int, at: int, league: str, seats: list[Seat]) -> None:
        scores = sorted([seat[1] for seat in seats])
        ends = ((scores[-1], scores[-1] - scores[-2]), (scores[0], scores[1] - scores[0]))
        for margins, (best, distance) in zip(self.margins, ends, strict=True):
            if distance and (league not in margins or distance > margins[league].score):
                winners = [person for person, score, _, won in seats if won and score == best]
                if winners and winners[0] != NOBODY:
                    margins[league] = Record(distance, winners[0], number, at)

    def state(self) -> dict:
        """Return all values for JSON."""
        return {
            "players": [[person, league, one.state()] for (person, league), one in self.players.items()],
            "low": self.low,
            "margins": self.margins,
        }

    @classmethod
    def from_state(cls, state: dict) -> "History":
        """Return the history from the result of state()."""
        history = cls()
        history.players = {
            (person, league): PlayerHistory.from_state(values) for person, league, values in state["players"]
        }
        history.low = state["low"]
        high, low = [{league: Record(*record) for league, record in one.items()} for one in state["margins"]]
        history.margins = (high, low)
        return history


class LeagueHistory:
    """A league with its part of the history, and the names of players and leagues."""

    def __init__(self, names: dict[int, str], titles: dict[str, str], league: League, history: History):
        self.names = names
        self.titles = titles
        self.league = league
        own = league.leagues
        self.low = {name for name, low in history.low.items() if low and name in own}
        self.players: dict[tuple[int, str], PlayerHistory] = {
            (person, name): one for (person, name), one in history.players.items() if name in own
        }
        # League -> the greatest margin between first and second
        self.margins: dict[str, Record] = {}
        for name in own:
            margin = history.margins[name in self.low].get(name)
            if margin:
                self.margins[name] = margin
        self.records = self._records()  # league -> the best result of all

    def best_of(self, person: int, league: str) -> Record:
        """Return the best result of a player in a league."""
        history = self.players[person, league]
        return history.lowest if league in self.low else history.highest

    def _records(self) -> dict[str, Record]:
        """Return the best result of each league, the earlier of two equal ones."""
        found: dict[str, Record] = {}
        for person, league in self.players:
            sign = -1 if league in self.low else 1
            best, other = found.get(league), self.best_of(person, league)
            if best is None or (sign * other.score, -other.at) > (sign * best.score, -best.at):
                found[league] = other
        return found

    def order(self, one: str | None, by: str = WINS) -> list[int]:
        """Return all persons, best first, as ranking() does."""
        return ranking(self.league, self.names, one, by, one in self.low)

    def name_of(self, league: str) -> str:
        """Return the display name of a league."""
        return league_name(league, self.titles)

    def curve(self, person: int, league: str, times: list[int]) -> list[float | None]:
        """Return the rating at each of these times, in order; None before the first game."""
        history = self.players.get((person, league))
        return history.rating_at(times) if history else [None] * len(times)

    def steps(self, count: int) -> list[int]:
        """Return evenly spaced times from the first game to the last one."""
        players = self.players.values()
        first, last = min(one.first for one in players), max(one.last for one in players)
        return [first + (last - first) * k // max(count - 1, 1) for k in range(count)]
