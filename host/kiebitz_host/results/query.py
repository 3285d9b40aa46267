"""Finds games in the store and returns them as plain dictionaries, for --json and for the tables."""

import json
from collections.abc import Iterable, Sequence

from ..outcome import Trouble
from . import people
from .database import Database

_GAME = """
SELECT number, game, kind, phase, finished, early, events, fixes, flaw, deleted, games.at, approximate, damaged, device,
    received
FROM games JOIN journals USING (number)
"""
_FLAGS = ("finished", "early", "deleted", "approximate", "damaged")
_KEYS = (
    "number", "id", "game", "phase", "finished", "early", "events", "fixes", "flaw", "deleted", "at", "approximate",
    "damaged", "device", "received",
)  # fmt: skip


class Filter:
    """A choice of games; times in unix seconds, `until` not included."""

    def __init__(
        self,
        game: str | None = None,
        players: Sequence[str] = (),
        since: int | None = None,
        until: int | None = None,
        deleted: bool = False,
        finished: bool | None = None,
        early: bool | None = None,
    ):
        self.game = game
        self.players = players
        self.since = since
        self.until = until
        self.deleted = deleted
        self.finished = finished
        self.early = early

    def where(self, db: Database) -> tuple[str, list]:
        """Return (SQL condition, its values)."""
        parts: list[tuple[str, list]] = [("deleted = ?", [int(self.deleted)])]
        if self.game:
            parts.append(("kind = ?", [self.game]))
        if self.since is not None:
            parts.append(("games.at >= ?", [self.since]))
        if self.until is not None:
            parts.append(("games.at < ?", [self.until]))
        if self.finished is not None:
            parts.append(("finished = ?", [int(self.finished)]))
        if self.early is not None:
            parts.append(("early = ?", [int(self.early)]))
        for name in self.players:
            parts.append(("number IN (SELECT number FROM scores WHERE person = ?)", [people.find(db, name)]))
        return " AND ".join(part for part, _ in parts), [value for _, values in parts for value in values]


def count(db: Database, wanted: Filter) -> int:
    where, values = wanted.where(db)
    return db.value(f"SELECT count(*) FROM games WHERE {where}", *values)


def games(db: Database, wanted: Filter, limit: int | None = None) -> list[dict]:
    """Return the wanted games, newest first."""
    where, values = wanted.where(db)
    order = "ORDER BY games.at DESC, number DESC LIMIT ?"
    return _with_scores(db, db.rows(f"{_GAME} WHERE {where} {order}", *values, -1 if limit is None else limit))


def by_number(db: Database, numbers: Iterable[int]) -> list[dict]:
    """Return the games with these numbers, in this order."""
    rows = [db.row(f"{_GAME} WHERE number = ?", number) for number in numbers]
    return _with_scores(db, [row for row in rows if row])


def one(db: Database, number: int) -> dict:
    return by_number(db, [number])[0]


def _with_scores(db: Database, rows: list[tuple]) -> list[dict]:
    found = {row[0]: _game(row) for row in rows}
    if len(found) > 500:
        where, values = "", ()
    else:
        where, values = f"WHERE number IN ({','.join('?' * len(found))})", tuple(found)
    sql = f"SELECT number, name, score, rank, winner, starts FROM scores JOIN people ON id = person {where}"
    for number, name, score, rank, winner, starts in db.rows(f"{sql} ORDER BY number, seat", *values):
        if number in found:
            found[number]["scores"].append(
                {"name": name, "score": score, "rank": rank, "winner": bool(winner), "starts": bool(starts)}
            )
    return list(found.values())


def _game(row: tuple) -> dict:
    game = dict(zip(_KEYS, row, strict=True))
    for flag in _FLAGS:
        game[flag] = bool(game[flag])
    game["scores"] = []
    return game


def league_rows(db: Database, wanted: Filter) -> list[tuple]:
    """Return (number, kind, person, score, rank, winner) of the wanted games, in order of play.

    Games that began in the same second are ordered by id, so that every laptop counts in the same order.
    """
    where, values = wanted.where(db)
    return db.rows(
        "SELECT number, kind, person, score, rank, winner FROM games JOIN journals USING (number) "
        f"JOIN scores USING (number) WHERE {where} ORDER BY games.at, game, seat",
        *values,
    )


def rounds(db: Database, number: int) -> list[tuple[str, list[int]]]:
    """Return the score sheet as (label, points by seat) of each row."""
    rows = db.rows("SELECT label, points FROM rounds WHERE number = ? ORDER BY n", number)
    return [(label, json.loads(points)) for label, points in rows]


def find(db: Database, word: str) -> int:
    """Return the number of a game from its number, or from the beginning of its id or of the id's last part."""
    if word.isascii() and word.isdigit() and not word.startswith("0"):
        found = db.value("SELECT number FROM journals WHERE number = ?", int(word)) if len(word) < 18 else None
        if found is None:
            raise Trouble(f"there is no game {word}; `kiebitz games` lists them with their numbers.")
        return found
    rows = db.rows("SELECT number, game FROM journals")
    exact = [number for number, game in rows if game == word]
    alike = exact or [number for number, game in rows if word and _is_called(game, word)]
    if len(alike) > 1:
        raise Trouble(f"{len(alike)} games begin with {word!r}: write more of the id, or the number of the game.")
    if not alike:
        raise Trouble(f"there is no game {word!r}; `kiebitz games` lists them with their numbers.")
    return alike[0]


def _is_called(game: str, word: str) -> bool:
    return game.startswith(word) or game.rpartition("-")[2].startswith(word)
