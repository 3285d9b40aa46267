"""Keeps leagues up to a moment, so that a league of a million games is continued and not computed from its beginning.

A ladder is the league of all games before `until`; its scope is a kind of game, a league, or "" for all games. Games
after it are added when a league is asked for. Whoever changes a game forgets the ladders after it, and a writer makes
new ones when too many games lie behind the last. A ladder is only a shortcut: without any, every league is the same.
"""

import json
import zlib
from collections.abc import Iterator
from itertools import groupby

from .database import Database
from .league import League, Played

STEP = 2000  # games between two ladders; as many are added in 30 ms
LATE = 500  # games before the newest that no ladder includes: devices that are synced late change nothing else
ALL = ""  # the scope of all games
_COUNTED = "deleted = 0 AND finished = 1 AND early = 0"


def forget(db: Database, at: int) -> None:
    """Forget the ladders that include a game of this time."""
    db.run("DELETE FROM ladders WHERE until > ?", at)


def forget_spellings(db: Database, spellings: list[int]) -> None:
    """Forget the ladders that include a game of these spellings."""
    for spelling in spellings:
        sql = "SELECT min(at) FROM games JOIN scores USING (number) WHERE spelling = ?"
        first = db.value(sql, spelling)
        if first is not None:
            forget(db, first)


def league(db: Database, column: str = "", value: str = ALL) -> League:
    """Return the league of all finished games that were not ended early; only where `kind` or `league` has a value."""
    with db.reading():
        found, until = _last(db, value)
        for games in _windows(db, until, column, value):
            found.take(games)
    return found


def refresh(db: Database) -> bool:
    """Make the next ladder if enough games lie behind the last one. Returns True if more may be due."""
    with db.transaction():
        until, step = db.row("SELECT max(until), max(step) FROM ladders WHERE scope = ?", ALL) or (None, None)
        until, step = until or 0, (step or 0) + 1
        end = _time_after(db, until, STEP)
        if end is None or _time_after(db, end, LATE) is None:
            return False
        known = [scope for (scope,) in db.rows("SELECT scope FROM ladders WHERE until = ?", until)]
        leagues = {scope: _load(db, scope, until) for scope in (known or [ALL])}
        games = _games(db, until, end)
        leagues[ALL].take(games)
        for league in sorted({game[1] for game in games}):
            own = [game for game in games if game[1] == league]
            leagues.setdefault(league, League()).take(own)
        for kind in sorted({_kind(game[1]) for game in games if _kind(game[1]) != game[1]}):
            own = [game for game in games if _kind(game[1]) == kind]
            leagues.setdefault(kind, League()).take(own)
        values = [(scope, end, step, _packed(league)) for scope, league in leagues.items()]
        db.many("INSERT INTO ladders (scope, until, step, state) VALUES (?, ?, ?, ?)", values)
        _thin_out(db, step)
    return True


def _thin_out(db: Database, last: int) -> None:
    """Keep the last ladders, and of the earlier ones fewer and fewer: a change of the past costs at most double."""
    for (step,) in db.rows("SELECT DISTINCT step FROM ladders"):
        apart = 1 << max((last - step).bit_length() - 2, 0)
        if step % apart:
            db.run("DELETE FROM ladders WHERE step = ?", step)


def _time_after(db: Database, start: int, games: int) -> int | None:
    """Return the time of the game that comes so many games after a moment; None if there are fewer."""
    sql = "SELECT at FROM games WHERE deleted = 0 AND at >= ? ORDER BY at LIMIT 1 OFFSET ?"
    found = db.value(sql, start, games)
    return start + 1 if found == start else found


def _last(db: Database, scope: str) -> tuple[League, int]:
    """Return (the last ladder of a scope, the time until which it goes)."""
    until = db.value("SELECT max(until) FROM ladders WHERE scope = ?", ALL) or 0
    return _load(db, scope, until), until


def _load(db: Database, scope: str, until: int) -> League:
    state = db.value("SELECT state FROM ladders WHERE scope = ? AND until = ?", scope, until)
    return League() if state is None else League.from_state(json.loads(zlib.decompress(state)))


def _packed(league: League) -> bytes:
    return zlib.compress(json.dumps(league.state(), separators=(",", ":")).encode())


def _kind(league: str) -> str:
    """Return the kind of the games in a league."""
    return league.partition(":")[0]


def _windows(db: Database, start: int, column: str, value: str) -> Iterator[list[Played]]:
    """Yield the games from a time on, some thousand at once."""
    end: int | None = start
    while end is not None:
        start, end = end, _time_after(db, end, STEP)
        yield _games(db, start, end, column, value)


def _games(db: Database, start: int, end: int | None, column: str = "", value: str = ALL) -> list[Played]:
    """Return the games in a window, in order of play."""
    parts: list[tuple[str, int | str]] = [("games.at >= ?", start)]
    if end is not None:
        parts.append(("games.at < ?", end))
    if column:
        parts.append((f"{column} = ?", value))
    where = " AND ".join([_COUNTED, *[part for part, _ in parts]])
    rows = db.rows(_PLAYED.format(where=where), *[value for _, value in parts])
    return [(*game, [seat[2:] for seat in seats]) for game, seats in groupby(rows, key=lambda row: row[:2])]


# Games that began in the same second are ordered by id, so that every laptop counts in the same order
_PLAYED = (
    "SELECT number, league, person, score, rank, winner FROM games JOIN journals USING (number) "
    "JOIN scores USING (number) JOIN spellings ON spellings.id = scores.spelling "
    "WHERE {where} ORDER BY games.at, game, seat"
)
