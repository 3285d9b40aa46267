"""Tells the story of the league: how ratings moved from game to game, and who holds which record."""

from . import leagues, query
from .database import Database
from .league import ranking
from .query import Filter
from .story import Record, Tally


class Chronicle:
    """The league of all wanted games, with everything that can be told about its course."""

    def __init__(self, db: Database, wanted: Filter):
        with db.reading():
            self.names: dict[int, str] = dict(db.rows("SELECT id, name FROM people"))
            self.titles = leagues.titles(db)
            self.league, story = query.league_with_story(db, wanted)
        own = self.league.leagues
        self.low = {league for league, low in story.low.items() if low and league in own}
        self.tallies: dict[tuple[int, str], Tally] = {
            (person, league): tally for (person, league), tally in story.tallies.items() if league in own
        }
        # League -> the greatest distance between first and second
        self.margins: dict[str, Record] = {}
        for league in own:
            margin = story.margins[league in self.low].get(league)
            if margin:
                self.margins[league] = margin
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
        return leagues.name_of(league, self.titles)

    def curve(self, person: int, league: str, times: list[int]) -> list[float | None]:
        """Return the rating at each of these times, in order; None before the first game."""
        tally = self.tallies.get((person, league))
        return tally.rating_at(times) if tally else [None] * len(times)

    def steps(self, count: int) -> list[int]:
        """Return moments from the first game to the last one, at equal distances."""
        tallies = self.tallies.values()
        first, last = min(tally.first for tally in tallies), max(tally.last for tally in tallies)
        return [first + (last - first) * k // max(count - 1, 1) for k in range(count)]
