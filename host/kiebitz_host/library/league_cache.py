"""Cache leagues up to a point in time, so that a league of a million games need not be computed from the first game.

An entry of the cache (a row of the table `league_cache`) is the league of all games before `until`. Its scope is a kind
of game, a league, or "" for all games. The history of all leagues and the games played under each spelling are cached
the same way. Later games are added when a league is read. Changing a game invalidates the entries after it, and a
writer adds an entry when there are enough games after the last one. Results are the same without the cache, only
slower.
"""

import json
import zlib
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from ..league.columns import COUNTED
from ..league.history import History, PlayerHistory, Record
from ..league.names import guest_forms, is_guest
from ..league.standings import NOBODY, League, PlayedGame, Seat, Standing
from .database import Damaged, Database

T = TypeVar("T")

STEP = 2000  # games between two entries; adding this many takes 30 ms
# Imported results are stored as ended early, so that they do not count and a partial index finds them
IMPORTED = "early = 1 AND phase = 'imported'"
NOT_IMPORTED = "(early = 0 OR phase <> 'imported')"
LATE = 500  # newest games that no entry includes, so that a late sync does not invalidate the last entry
ALL = ""  # scope of all games
HISTORY = "/history"  # a scope that is not a league


_COMPRESSION = 3  # low, because entries are short-lived
_STATE_MAX = 1 << 28  # bytes
_COUNTED = "deleted = 0 AND finished = 1 AND early = 0"



class Played(NamedTuple):
    """Count the games of one player, finished or not, without deleted ones."""

    games: int
    finished: int
    won: int
    last: int  # time of the last game

    def plus(self, other: "Played") -> "Played":
        """Return the sum of two counts."""
        sums = (self.games + other.games, self.finished + other.finished, self.won + other.won)
        return Played(*sums, max(self.last, other.last))


NOTHING = Played(0, 0, 0, 0)


def players_scope() -> str:
    """Return the scope of the games played under each spelling, with a checksum of the contents of the cache.

    The checksum is that of all field names, and of the names of guests, who are not counted. Without a row of this
    scope the cache counts as empty, so a cache with other fields is rebuilt.
    """
    fields = [Standing.__slots__, PlayerHistory.__slots__, Record._fields, Played._fields]
    fields += [tuple(League().state()), tuple(History().state()), tuple(_NOBODY), tuple(key for key, _ in COUNTED)]
    fields.append(guest_forms())
    return f"/players/{zlib.crc32(repr(fields).encode()):08x}"


_NOBODY: dict[str, Any] = {"games": 0, "spellings": []}  # all games, and [spelling, *Played] of each spelling
PLAYERS = players_scope()


def forget_all(db: Database) -> None:
    """Drop the whole cache."""
    with db.transaction():
        db.run("DELETE FROM league_cache")


def forget(db: Database, at: int) -> None:
    """Invalidate the entries that include a game of this time."""
    db.run("DELETE FROM league_cache WHERE until > ?", at)


def forget_spellings(db: Database, spellings: list[int]) -> None:
    """Invalidate the entries that include a game of these spellings."""
    for spelling in spellings:
        sql = "SELECT min(at) FROM games JOIN scores USING (number) WHERE spelling = ?"
        first = db.value(sql, spelling)
        if first is not None:
            forget(db, first)


Times = tuple[int | None, int | None]  # a period: its first second, and the first one after it; None for no limit
ANY_TIME: Times = (None, None)


def league(db: Database, column: str = "", value: str = ALL, times: Times = ANY_TIME) -> League:
    """Return the league of all finished games that were not ended early; filter by `column` if it is given.

    The league of a period is not cached, but only its own games are read.
    """
    with db.reading():
        start, found = times[0] or 0, League()
        if times == ANY_TIME:
            start, found = _newest(db, lambda until: _league(db, value, until))
        for games, _ in _windows(db, start, times[1], column, value):
            found.take(games)
    return found


def league_with_history(
    db: Database, column: str = "", value: str = ALL, times: Times = ANY_TIME
) -> tuple[League, History]:
    """Return the league as league() does, and the history of the same games."""
    with db.reading():
        start, (found, history) = times[0] or 0, (League(), History())
        if times == ANY_TIME:
            start, (found, history) = _newest(db, lambda until: (_league(db, value, until), _history(db, until)))
        for games, facts in _windows(db, start, times[1], column, value):
            add_games(found, history, games, facts)
    return found, history


Facts = dict[int, tuple[int, int]]  # number of a game -> time played, and whether the fewest points win


def add_games(league: League, history: History, games: list[PlayedGame], facts: Facts) -> None:
    """Add games that were played after all others to a league and its history."""
    league.take(games, lambda number, name, seats, ratings: history.note(number, *facts[number], name, seats, ratings))


def count_games(db: Database) -> int:
    """Return the number of all games that are not deleted, without imported ones."""
    return _play_counts(db)["games"]


def played(
    db: Database, since: int | None = None, until: int | None = None, imported: bool = False
) -> dict[int, Played]:
    """Return {id of a spelling: games played under it} in a period, or at any time; with imported ones if wanted."""
    counts = _play_counts(db) if (since, until) == (None, None) else _with_games(db, _NOBODY, since or 0, until)
    if imported:
        counts = _with_games(db, counts, since or 0, until, IMPORTED)
    return {spelling: Played(*known) for spelling, *known in counts["spellings"]}


def _play_counts(db: Database) -> dict[str, Any]:
    with db.reading():
        until, counts = _newest(db, lambda until: _load(db, PLAYERS, until, _counts) or _NOBODY)
        return _with_games(db, counts, until, None)


def _with_games(
    db: Database, counts: dict[str, Any], start: int, end: int | None, which: str = NOT_IMPORTED
) -> dict[str, Any]:
    """Return the counts plus the games from `start` to before `end`."""
    window, values = f"deleted = 0 AND {which} AND at >= ?", [start]
    if end is not None:
        window, values = f"{window} AND at < ?", [start, end]
    spellings = {spelling: Played(*known) for spelling, *known in counts["spellings"]}
    for spelling, *more in db.rows(_PLAY_COUNTS.format(window=window), *values):
        spellings[spelling] = spellings.get(spelling, NOTHING).plus(Played(*more))
    games = counts["games"] + db.value(f"SELECT count(*) FROM games WHERE {window}", *values)
    return {"games": games, "spellings": [[spelling, *counts] for spelling, counts in spellings.items()]}


_PLAY_COUNTS = (
    "SELECT spelling, CAST(count(*) AS BIGINT), CAST(sum(finished) AS BIGINT), CAST(sum(winner) AS BIGINT), max(at) "
    "FROM games JOIN scores USING (number) WHERE {window} GROUP BY spelling"
)


def refresh(db: Database) -> bool:
    """Add an entry if there are enough games after the last one. Returns True if more may be due."""
    if _next(db, _last(db)) is None:  # most changes need no entry and skip the second transaction
        return False
    with db.transaction():
        until, step = _last(db), (db.value("SELECT max(step) FROM league_cache") or 0) + 1
        end = _next(db, until)
        if end is None:
            return False
        if not until:
            db.run("DELETE FROM league_cache")  # stale entries with other fields (see players_scope)
        known = dict(db.rows("SELECT scope, state FROM league_cache WHERE until = ?", until))
        values = [(scope, end, step, _packed(state)) for scope, state in _continued(db, known, until, end).items()]
        db.many("INSERT INTO league_cache (scope, until, step, state) VALUES (?, ?, ?, ?)", values)
        _thin_out(db, step)
    return True


def _continued(db: Database, known: dict[str, bytes], start: int, end: int) -> dict[str, Any]:
    """Advance the states of all scopes from the start of a window to its end. Returns the new states."""
    counts = _made(db, known[PLAYERS], _counts) if PLAYERS in known else _NOBODY
    history = _made(db, known[HISTORY], History.from_state) if HISTORY in known else History()
    own = {scope: state for scope, state in known.items() if scope not in (PLAYERS, HISTORY)}
    leagues = {scope: _made(db, state, League.from_state) for scope, state in own.items()}
    games, facts = _games(db, start, end)
    add_games(leagues.setdefault(ALL, League()), history, games, facts)
    for league in sorted({game[1] for game in games}):
        leagues.setdefault(league, League()).take([game for game in games if game[1] == league])
    for kind in sorted({_kind(game[1]) for game in games if _kind(game[1]) != game[1]}):
        leagues.setdefault(kind, League()).take([game for game in games if _kind(game[1]) == kind])
    return {scope: league.state() for scope, league in leagues.items()} | {
        HISTORY: history.state(),
        PLAYERS: _with_games(db, counts, start, end),
    }


def _thin_out(db: Database, last: int) -> None:
    """Thin out older entries exponentially: a change of the past then costs at most twice the replay it needs."""
    for (step,) in db.rows("SELECT DISTINCT step FROM league_cache"):
        apart = 1 << max((last - step).bit_length() - 2, 0)
        if step % apart:
            db.run("DELETE FROM league_cache WHERE step = ?", step)


def _next(db: Database, until: int) -> int | None:
    """Return the `until` of the next entry; None if it is not due yet."""
    end = _time_after(db, until, STEP)
    return None if end is None or _time_after(db, end, LATE) is None else end


def _time_after(db: Database, start: int, games: int) -> int | None:
    """Return the time of the n-th game after `start`; None if there are fewer."""
    sql = "SELECT at FROM games WHERE deleted = 0 AND at >= ? ORDER BY at LIMIT 1 OFFSET ?"
    found = db.value(sql, start, games)
    return start + 1 if found == start else found


def _last(db: Database) -> int:
    """Return the `until` of the last entry; 0 without any."""
    return db.value("SELECT max(until) FROM league_cache WHERE scope = ?", PLAYERS) or 0


def _newest(db: Database, load: Callable[[int], T]) -> tuple[int, T]:
    """Return (`until` of the last entry, what is loaded from it); ignore an invalid cache of a club's database."""
    until = _last(db)
    try:
        return until, load(until)
    except Damaged:
        if not db.is_shared:
            raise
        return 0, load(0)


def _league(db: Database, scope: str, until: int) -> League:
    return _load(db, scope, until, League.from_state) or League()


def _history(db: Database, until: int) -> History:
    return _load(db, HISTORY, until, History.from_state) or History()


def _counts(state: Any) -> dict[str, Any]:
    return {"games": int(state["games"]), "spellings": [[int(value) for value in row] for row in state["spellings"]]}


def _load(db: Database, scope: str, until: int, make: Callable[[Any], T]) -> T | None:
    """Return the cached state of a scope, passed through `make`; None if it is not cached."""
    packed = db.value("SELECT state FROM league_cache WHERE scope = ? AND until = ?", scope, until) if until else None
    return None if packed is None else _made(db, packed, make)


def _made(db: Database, packed: bytes, make: Callable[[Any], T]) -> T:
    """Unpack a state and pass it to `make`; raises Damaged if it is invalid."""
    try:
        unpacker = zlib.decompressobj()
        return make(json.loads(unpacker.decompress(packed, _STATE_MAX)))
    except (zlib.error, ValueError, RecursionError, KeyError, TypeError, AttributeError, OverflowError):
        raise db.damaged("its league cache is not readable") from None


def _packed(state: dict) -> bytes:
    return zlib.compress(json.dumps(state, separators=(",", ":")).encode(), _COMPRESSION)


def _kind(league: str) -> str:
    """Return the kind of the games in a league."""
    return league.partition(":")[0]


def _windows(
    db: Database, start: int, until: int | None, column: str, value: str
) -> Iterator[tuple[list[PlayedGame], Facts]]:
    """Yield the games from a time on and before `until`, in batches of some thousand."""
    end: int | None = start
    while end is not None and (until is None or end < until):
        start, end = end, _time_after(db, end, STEP)
        last = until if end is None or (until is not None and until < end) else end
        yield _games(db, start, last, column, value)


def _games(
    db: Database, start: int, end: int | None, column: str = "", value: str = ALL
) -> tuple[list[PlayedGame], Facts]:
    """Return the games in a window, in order of play, and the facts about them."""
    parts: list[tuple[str, int | str]] = [("games.at >= ?", start)]
    if end is not None:
        parts.append(("games.at < ?", end))
    if column:
        parts.append((f"{column} = ?", value))
    where = " AND ".join([_COUNTED, *[part for part, _ in parts]])
    rows = db.rows(_PLAYED.format(where=where), *[value for _, value in parts])
    games: list[PlayedGame] = []
    facts: Facts = {}
    nobody = guests(db)
    for (number, league, at, low), seats in groupby(rows, key=lambda row: row[:4]):
        games.append((number, league, without_guests([seat[4:] for seat in seats], nobody)))
        facts[number] = (at, low)
    return games, facts


def guests(db: Database) -> set[int]:
    """Return the ids of all guests. A guest who was given another name is a player like any other."""
    patterns = [form.format(n="%") for form in guest_forms()]
    where = " OR ".join(["name LIKE ?"] * len(patterns))
    rows = db.rows(f"SELECT id, name FROM people WHERE {where}", *patterns)
    return {person for person, name in rows if is_guest(name)}


def without_guests(seats: list[Seat], nobody: set[int]) -> list[Seat]:
    """Return the seats with NOBODY in place of guests."""
    return [(NOBODY, *seat[1:]) if seat[0] in nobody else seat for seat in seats] if nobody else seats


# Order games of the same second by id, so that every laptop counts in the same order
_PLAYED = (
    "SELECT number, league, games.at, low, person, score, rank, winner FROM games JOIN journals USING (number) "
    "JOIN scores USING (number) JOIN spellings ON spellings.id = scores.spelling "
    "WHERE {where} ORDER BY games.at, game, seat"
)
