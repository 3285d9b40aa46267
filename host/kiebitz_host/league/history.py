"""Notes how a league went, game by game: results and ratings of each player in each league, and the records.

A story can be written down and continued, so the records of a million games are not looked for from the beginning.
Whether the most or the fewest points win is known from the last game of a league only, so both are noted.
"""

from itertools import accumulate
from typing import NamedTuple

from .names import league_name
from .standings import League, Seat, ranking

COURSE_MAX = 160  # ratings of one player in one league: twice as many as a curve has steps


class Record(NamedTuple):
    """A best result: the points, whose they were, in which game, and when it was played."""

    score: int
    person: int
    number: int
    at: int


class Tally:
    """The results of one player in one league."""

    __slots__ = ("course", "first", "highest", "last", "lowest", "played", "points", "width", "wins")

    def __init__(self, record: Record) -> None:
        self.played = 0
        self.wins = 0  # shared or not
        self.points = 0
        self.highest = self.lowest = record
        self.first = self.last = record.at
        self.width = 1  # seconds: of the games in so much time the course has only the last
        self.course: list[tuple[int, int]] = []  # (time, rating in tenths) after a game

    @property
    def average(self) -> float:
        return self.points / self.played

    def rate(self, at: int, rating: float) -> None:
        """Note a rating; the course becomes coarser as it grows longer, the same way on every laptop."""
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
        sums = [self.played, self.wins, self.points, self.first, self.last, self.width]
        return [sums, self.highest, self.lowest, *[_differences(values) for values in zip(*self.course, strict=True)]]

    @classmethod
    def from_state(cls, state: list) -> "Tally":
        """Return the results that state() has described."""
        sums, highest, lowest, *course = state
        tally = cls(Record(*highest))
        tally.lowest = Record(*lowest)
        tally.played, tally.wins, tally.points, tally.first, tally.last, tally.width = sums
        tally.course = list(zip(*map(accumulate, course), strict=True))
        return tally


def _differences(values: tuple[int, ...]) -> list[int]:
    """Return the first value and then how far each is from the one before: half as many bytes."""
    return [after - before for before, after in zip((0, *values), values, strict=False)]


class Story:
    """The results of all players in all leagues, in the order of play."""

    def __init__(self) -> None:
        self.tallies: dict[tuple[int, str], Tally] = {}  # by person and league
        self.low: dict[str, int] = {}  # league -> whether the fewest points won in its last game
        # League -> the greatest distance between first and second, if the most points win, and if the fewest do
        self.margins: tuple[dict[str, Record], dict[str, Record]] = ({}, {})

    def note(self, number: int, at: int, low: int, league: str, seats: list[Seat], ratings: list[float]) -> None:
        """Take note of a game; it is called for every game, so it only notes and compares."""
        self.low[league] = low
        tallies = self.tallies
        for (person, score, _, won), rating in zip(seats, ratings, strict=True):
            tally = tallies.get((person, league))
            if tally is None:
                tally = tallies[person, league] = Tally(Record(score, person, number, at))
            tally.played += 1
            tally.wins += won
            tally.points += score
            if score > tally.highest.score:
                tally.highest = Record(score, person, number, at)
            elif score < tally.lowest.score:
                tally.lowest = Record(score, person, number, at)
            tally.rate(at, rating)
        if len(seats) > 1:
            self._note_margins(number, at, league, seats)

    def _note_margins(self, number: int, at: int, league: str, seats: list[Seat]) -> None:
        scores = sorted([seat[1] for seat in seats])
        ends = ((scores[-1], scores[-1] - scores[-2]), (scores[0], scores[1] - scores[0]))
        for margins, (best, distance) in zip(self.margins, ends, strict=True):
            if distance and (league not in margins or distance > margins[league].score):
                winners = [person for person, score, _, won in seats if won and score == best]
                if winners:
                    margins[league] = Record(distance, winners[0], number, at)

    def state(self) -> dict:
        """Return everything as values for JSON."""
        return {
            "tallies": [[person, league, tally.state()] for (person, league), tally in self.tallies.items()],
            "low": self.low,
            "margins": self.margins,
        }

    @classmethod
    def from_state(cls, state: dict) -> "Story":
        """Return the story that state() has described."""
        story = cls()
        story.tallies = {(person, league): Tally.from_state(values) for person, league, values in state["tallies"]}
        story.low = state["low"]
        high, low = [{league: Record(*record) for league, record in one.items()} for one in state["margins"]]
        story.margins = (high, low)
        return story


class Chronicle:
    """The league of all wanted games, with everything that can be told about its course."""

    def __init__(self, names: dict[int, str], titles: dict[str, str], league: League, story: Story):
        self.names = names
        self.titles = titles
        self.league = league
        own = self.league.leagues
        self.low = {name for name, low in story.low.items() if low and name in own}
        self.tallies: dict[tuple[int, str], Tally] = {
            (person, name): tally for (person, name), tally in story.tallies.items() if name in own
        }
        # League -> the greatest distance between first and second
        self.margins: dict[str, Record] = {}
        for name in own:
            margin = story.margins[name in self.low].get(name)
            if margin:
                self.margins[name] = margin
        self.records = self._records()  # league -> the best result of all
        self.last: dict[int, int] = {}  # person -> time of the last game
        for (person, _), tally in self.tallies.items():
            self.last[person] = max(tally.last, self.last.get(person, 0))

    def best_of(self, person: int, league: str) -> Record:
        """Return the best result of a player in a league."""
        tally = self.tallies[person, league]
        return tally.lowest if league in self.low else tally.highest

    def _records(self) -> dict[str, Record]:
        """Return the best result of each league; of two equal ones the earlier."""
        found: dict[str, Record] = {}
        for person, league in self.tallies:
            sign = -1 if league in self.low else 1
            best, other = found.get(league), self.best_of(person, league)
            if best is None or (sign * other.score, -other.at) > (sign * best.score, -best.at):
                found[league] = other
        return found

    def order(self, one: str | None) -> list[int]:
        """Return all persons, best first: by Elo in one league, by wins over several."""
        return ranking(self.league, self.names, one)

    def name_of(self, league: str) -> str:
        return league_name(league, self.titles)

    def curve(self, person: int, league: str, times: list[int]) -> list[float | None]:
        """Return the rating at each of these times, in order; None before the first game."""
        tally = self.tallies.get((person, league))
        return tally.rating_at(times) if tally else [None] * len(times)

    def steps(self, count: int) -> list[int]:
        """Return moments from the first game to the last one, at equal distances."""
        tallies = self.tallies.values()
        first, last = min(tally.first for tally in tallies), max(tally.last for tally in tallies)
        return [first + (last - first) * k // max(count - 1, 1) for k in range(count)]
