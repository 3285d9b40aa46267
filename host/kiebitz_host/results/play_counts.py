"""Counts what was played under each spelling: of all games, finished or not, without those that were deleted."""

from typing import NamedTuple

from .database import Database


class Played(NamedTuple):
    """Counts what somebody has played; deleted games do not count."""

    games: int
    finished: int
    won: int
    last: int  # time of the last game

    def plus(self, other: "Played") -> "Played":
        """Return the sum of two counts."""
        sums = (self.games + other.games, self.finished + other.finished, self.won + other.won)
        return Played(*sums, max(self.last, other.last))


NOTHING = Played(0, 0, 0, 0)


class PlayCounts:
    """All games before a moment, and what was played under each spelling, by its id."""

    def __init__(self) -> None:
        self.games = 0
        self.by_spelling: dict[int, Played] = {}

    def take(self, db: Database, start: int, end: int | None) -> None:
        """Add the games from `start` on, before `end`."""
        window, values = "deleted = 0 AND at >= ?", [start]
        if end is not None:
            window, values = f"{window} AND at < ?", [start, end]
        self.games += db.value(f"SELECT count(*) FROM games WHERE {window}", *values)
        for spelling, *counts in db.rows(_PLAYED.format(window=window), *values):
            self.by_spelling[spelling] = self.by_spelling.get(spelling, NOTHING).plus(Played(*counts))

    def state(self) -> dict:
        """Return everything as values for JSON."""
        return {"games": self.games, "spellings": [[key, *played] for key, played in self.by_spelling.items()]}

    @classmethod
    def from_state(cls, state: dict) -> "PlayCounts":
        """Return the counts that state() has described."""
        counts = cls()
        counts.games = state["games"]
        counts.by_spelling = {spelling: Played(*played) for spelling, *played in state["spellings"]}
        return counts


_PLAYED = (
    "SELECT spelling, CAST(count(*) AS BIGINT), CAST(sum(finished) AS BIGINT), CAST(sum(winner) AS BIGINT), max(at) "
    "FROM games JOIN scores USING (number) WHERE {window} GROUP BY spelling"
)
