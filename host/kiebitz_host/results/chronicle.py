"""Tells the story of the league: how ratings moved from game to game, and who holds which record."""

from typing import NamedTuple

from . import leagues, query
from .database import Database
from .league import League, Seat, ranking
from .query import Filter


class Record(NamedTuple):
    """A best result: the points, whose they were, and in which game."""

    score: int
    person: int
    number: int


class Tally:
    """The results of one player in one league."""

    __slots__ = ("best", "course", "game", "played", "points", "wins")

    def __init__(self, score: int, number: int) -> None:
        self.played = 0
        self.wins = 0  # shared or not
        self.points = 0
        self.best = score  # the best result
        self.game = number  # the game in which it was
        self.course: list[tuple[int, float]] = []  # (time, rating) after each game

    @property
    def average(self) -> float:
        return self.points / self.played


class Chronicle:
    """The league of all wanted games, with everything that can be told about its course."""

    def __init__(self, db: Database, wanted: Filter):
        self.names: dict[int, str] = dict(db.rows("SELECT id, name FROM people"))
        self.titles = leagues.titles(db)
        self.low = leagues.low_leagues(db)
        self.played_at = query.played_at(db, wanted)
        self.margins: dict[str, Record] = {}  # league -> the greatest distance between first and second
        self.tallies: dict[tuple[int, str], Tally] = {}
        self.league = League(query.league_games(db, wanted), self._watch)
        self.records = self._records()  # league -> the best result of all
        self.last: dict[int, int] = {}  # person -> time of the last game
        for (person, _), tally in self.tallies.items():
            self.last[person] = max(tally.course[-1][0], self.last.get(person, 0))

    def _watch(self, number: int, league: str, seats: list[Seat], ratings: list[float]) -> None:
        """Take note of a game. This is called for every game ever played, so it only notes and compares."""
        at = self.played_at[number]
        low = league in self.low
        tallies = self.tallies
        for (person, score, _, won), rating in zip(seats, ratings, strict=True):
            tally = tallies.get((person, league))
            if tally is None:
                tally = tallies[person, league] = Tally(score, number)
            tally.played += 1
            tally.wins += won
            tally.points += score
            tally.course.append((at, rating))
            if score != tally.best and (score < tally.best) == low:
                tally.best, tally.game = score, number
        scores = sorted([seat[1] for seat in seats], reverse=not low)
        distance = abs(scores[0] - scores[1]) if len(scores) > 1 else 0
        if distance and (league not in self.margins or distance > self.margins[league].score):
            winners = [person for person, score, _, won in seats if won and score == scores[0]]
            if winners:
                self.margins[league] = Record(distance, winners[0], number)

    def _records(self) -> dict[str, Record]:
        """Return the best result of each league; of two equal ones the earlier."""
        found: dict[str, Record] = {}
        for (person, league), tally in self.tallies.items():
            sign = -1 if league in self.low else 1
            best = found.get(league)
            if best is None or self._better(sign * tally.best, tally.game, sign * best.score, best.number):
                found[league] = Record(tally.best, person, tally.game)
        return found

    def _better(self, points: int, number: int, other: int, other_number: int) -> bool:
        return (points, -self.played_at[number]) > (other, -self.played_at[other_number])

    def order(self, one: str | None) -> list[int]:
        """Return all persons, best first: by Elo in one league, by wins over several."""
        return ranking(self.league, self.names, one)

    def name_of(self, league: str) -> str:
        return leagues.name_of(league, self.titles)

    def curve(self, person: int, league: str, times: list[int]) -> list[float | None]:
        """Return the rating at each of these times, in order; None before the first game."""
        found: list[float | None] = []
        tally = self.tallies.get((person, league))
        course = tally.course if tally else []
        k, rating = 0, None
        for moment in times:
            while k < len(course) and course[k][0] <= moment:
                rating = course[k][1]
                k += 1
            found.append(rating)
        return found

    def steps(self, count: int) -> list[int]:
        """Return moments from the first game to the last one, at equal distances."""
        first, last = min(self.played_at.values()), max(self.played_at.values())
        return [first + (last - first) * k // max(count - 1, 1) for k in range(count)]
