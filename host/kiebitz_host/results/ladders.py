"""Keeps leagues up to a moment, so that a league of a million games is continued and not computed from its beginning.

A ladder is the league of all games before `until`; its scope is a kind of game, a league, or "" for all games. The
story of all leagues and the counts of all players are kept the same way. Games after a ladder are added when a league
is asked for. Whoever changes a game forgets the ladders after it, and a writer makes new ones when too many games lie
behind the last. A ladder is only a shortcut: without any, every league is the same.
"""

import json
import zlib
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from . import play_counts as counting
from .database import Database
from .league import League, Played, Standing
from .play_counts import PlayCounts
from .story import Record, Story, Tally

STEP = 2000  # games between two ladders; as many are added in 30 ms
LATE = 500  # games before the newest that no ladder includes: devices that are synced late change nothing else
ALL = ""  # the scope of all games
STORY = "/story"  # a scope that is not a league


def players_scope() -> str:
    """Return the scope of what everybody has played, with a checksum of all field names in the cache.

    Without a row of this scope the cache counts as empty, so one with other fields is never read but rebuilt.
    """
    fields = [Standing.__slots__, Tally.__slots__, Record._fields, counting.Played._fields]
    fields += [tuple(new.state()) for new in (League(), Story(), PlayCounts())]
    return f"/players/{zlib.crc32(repr(fields).encode()):08x}"


PLAYERS = players_scope()
_COMPRESSION = 3  # a ladder soon gives way to the next one
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
        until = _last(db)
        found = _league(db, value, until)
        for games, _ in _windows(db, until, column, value):
            found.take(games)
    return found


def league_with_story(db: Database, column: str = "", value: str = ALL) -> tuple[League, Story]:
    """Return a league as league() does, and its story; of the story only what is about the games of the league."""
    with db.reading():
        until = _last(db)
        found, story = _league(db, value, until), Story.from_state(_load(db, STORY, until) or Story().state())
        for games, facts in _windows(db, until, column, value):
            take_both(found, story, games, facts)
    return found, story


Facts = dict[int, tuple[int, int]]  # number of a game -> when it was played, and whether the fewest points win


def take_both(league: League, story: Story, games: list[Played], facts: Facts) -> None:
    """Add games that were played after all others to a league and its story."""
    league.take(games, lambda number, name, seats, ratings: story.note(number, *facts[number], name, seats, ratings))


def play_counts(db: Database) -> PlayCounts:
    """Return what was played under each spelling."""
    with db.reading():
        until = _last(db)
        counts = PlayCounts.from_state(_load(db, PLAYERS, until) or PlayCounts().state())
        counts.take(db, until, None)
    return counts


def refresh(db: Database) -> bool:
    """Make the next ladder if enough games lie behind the last one. Returns True if more may be due."""
    if _next(db, _last(db)) is None:  # most changes need none: they are spared a second transaction
        return False
    with db.transaction():
        until, step = _last(db), (db.value("SELECT max(step) FROM ladders") or 0) + 1
        end = _next(db, until)
        if end is None:
            return False
        if not until:
            db.run("DELETE FROM ladders")  # those with other fields (see players_scope)
        known = dict(db.rows("SELECT scope, state FROM ladders WHERE until = ?", until))
        states = {scope: _unpacked(state) for scope, state in known.items()}
        values = [(scope, end, step, _packed(state)) for scope, state in _continued(db, states, until, end).items()]
        db.many("INSERT INTO ladders (scope, until, step, state) VALUES (?, ?, ?, ?)", values)
        _thin_out(db, step)
    return True


def _continued(db: Database, states: dict[str, Any], start: int, end: int) -> dict[str, Any]:
    """Return the states of all scopes at the end of a window, from those at its start."""
    counts = PlayCounts.from_state(states.pop(PLAYERS, None) or PlayCounts().state())
    story = Story.from_state(states.pop(STORY, None) or Story().state())
    leagues = {scope: League.from_state(state) for scope, state in states.items()}
    games, facts = _games(db, start, end)
    take_both(leagues.setdefault(ALL, League()), story, games, facts)
    for league in sorted({game[1] for game in games}):
        own = [game for game in games if game[1] == league]
        leagues.setdefault(league, League()).take(own)
    for kind in sorted({_kind(game[1]) for game in games if _kind(game[1]) != game[1]}):
        own = [game for game in games if _kind(game[1]) == kind]
        leagues.setdefault(kind, League()).take(own)
    counts.take(db, start, end)
    return {scope: league.state() for scope, league in leagues.items()} | {
        STORY: story.state(),
        PLAYERS: counts.state(),
    }


def _thin_out(db: Database, last: int) -> None:
    """Keep the last ladders, and of the earlier ones fewer and fewer: a change of the past costs at most double."""
    for (step,) in db.rows("SELECT DISTINCT step FROM ladders"):
        apart = 1 << max((last - step).bit_length() - 2, 0)
        if step % apart:
            db.run("DELETE FROM ladders WHERE step = ?", step)


def _next(db: Database, until: int) -> int | None:
    """Return the time until which the ladder after the last one goes; None if it is not due yet."""
    end = _time_after(db, until, STEP)
    return None if end is None or _time_after(db, end, LATE) is None else end


def _time_after(db: Database, start: int, games: int) -> int | None:
    """Return the time of the game that comes so many games after a moment; None if there are fewer."""
    sql = "SELECT at FROM games WHERE deleted = 0 AND at >= ? ORDER BY at LIMIT 1 OFFSET ?"
    found = db.value(sql, start, games)
    return start + 1 if found == start else found


def _last(db: Database) -> int:
    """Return the time until which the last ladders go; 0 without any."""
    return db.value("SELECT max(until) FROM ladders WHERE scope = ?", PLAYERS) or 0


def _league(db: Database, scope: str, until: int) -> League:
    state = _load(db, scope, until)
    return League() if state is None else League.from_state(state)


def _load(db: Database, scope: str, until: int) -> Any:
    """Return the state of a scope at a moment; None if there is none."""
    packed = db.value("SELECT state FROM ladders WHERE scope = ? AND until = ?", scope, until) if until else None
    return None if packed is None else _unpacked(packed)


def _packed(state: dict) -> bytes:
    return zlib.compress(json.dumps(state, separators=(",", ":")).encode(), _COMPRESSION)


def _unpacked(packed: bytes) -> Any:
    return json.loads(zlib.decompress(packed))


def _kind(league: str) -> str:
    """Return the kind of the games in a league."""
    return league.partition(":")[0]


def _windows(db: Database, start: int, column: str, value: str) -> Iterator[tuple[list[Played], Facts]]:
    """Yield the games from a time on, some thousand at once."""
    end: int | None = start
    while end is not None:
        start, end = end, _time_after(db, end, STEP)
        yield _games(db, start, end, column, value)


def _games(
    db: Database, start: int, end: int | None, column: str = "", value: str = ALL
) -> tuple[list[Played], Facts]:
    """Return the games in a window, in order of play, and the facts about them."""
    parts: list[tuple[str, int | str]] = [("games.at >= ?", start)]
    if end is not None:
        parts.append(("games.at < ?", end))
    if column:
        parts.append((f"{column} = ?", value))
    where = " AND ".join([_COUNTED, *[part for part, _ in parts]])
    rows = db.rows(_PLAYED.format(where=where), *[value for _, value in parts])
    games: list[Played] = []
    facts: Facts = {}
    for (number, league, at, low), seats in groupby(rows, key=lambda row: row[:4]):
        games.append((number, league, [seat[4:] for seat in seats]))
        facts[number] = (at, low)
    return games, facts


# Games that began in the same second are ordered by id, so that every laptop counts in the same order
_PLAYED = (
    "SELECT number, league, games.at, low, person, score, rank, winner FROM games JOIN journals USING (number) "
    "JOIN scores USING (number) JOIN spellings ON spellings.id = scores.spelling "
    "WHERE {where} ORDER BY games.at, game, seat"
)
