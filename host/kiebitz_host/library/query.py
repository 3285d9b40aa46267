"""Query games, leagues and evenings; games are returned as plain dictionaries, for --json and for tables."""

from collections.abc import Iterable, Sequence

from kiebitz.games import GAMES

from ..league.evenings import bounds, day_of
from ..league.history import History, LeagueHistory
from ..league.names import folded, joined
from ..league.standings import League, PlayedGame
from ..outcome import Trouble
from . import league_cache, people, schema
from .database import Database
from .league_cache import IMPORTED, NOT_IMPORTED

_GAME = """
SELECT number, game, kind, title, league, low, phase, finished, early, events, fixes, flaw, deleted, games.at,
    approximate, damaged, device, received
FROM games JOIN journals USING (number)
"""
_FLAGS = ("low", "finished", "early", "deleted", "approximate", "damaged")
_KEYS = (
    "number", "id", "game", "title", "league", "low", "phase", "finished", "early", "events", "fixes", "flaw",
    "deleted", "at", "approximate", "damaged", "device", "received",
)  # fmt: skip


class Filter:
    """Select games; `game` is an argument of find_league(); times are in unix seconds, `until` is exclusive.

    Imported results are left out unless `imported` is None (with all others) or True (only these).
    """

    def __init__(
        self,
        game: str | None = None,
        players: Sequence[str] = (),
        since: int | None = None,
        until: int | None = None,
        deleted: bool = False,
        finished: bool | None = None,
        early: bool | None = None,
        imported: bool | None = False,
    ):
        self.game = game
        self.players = players
        self.since = since
        self.until = until
        self.deleted = deleted
        self.finished = finished
        self.early = early
        self.imported = imported

    def where(self, db: Database) -> tuple[str, list]:
        """Return (SQL condition, its values)."""
        parts: list[tuple[str, list]] = [(_ALL_GAMES, [int(self.deleted)])]
        if self.game is not None:
            column, value = find_league(db, self.game)
            parts.append((f"{column} = ?", [value]))
        if self.since is not None:
            parts.append(("games.at >= ?", [self.since]))
        if self.until is not None:
            parts.append(("games.at < ?", [self.until]))
        if self.finished is not None:
            parts.append((f"finished = {int(self.finished)}", []))
        parts += [(part, []) for part in self._flags()]
        for name in self.players:
            parts.append((_TOOK_PART, [people.find(db, name)]))
        return " AND ".join(part for part, _ in parts), [value for _, values in parts for value in values]


    def _flags(self) -> list[str]:
        """Return the conditions on games that were ended early, and on imported ones."""
        if self.imported:
            return [IMPORTED]
        if self.early is None:
            return [] if self.imported is None else [NOT_IMPORTED]
        early = f"early = {int(self.early)}"  # a literal, so that the partial index is used
        if self.imported is None and not self.early:
            return [f"({early} OR phase = 'imported')"]
        return [early, NOT_IMPORTED] if self.early else [early]


_ALL_GAMES = "deleted = ?"
_TOOK_PART = "number IN (SELECT number FROM spellings JOIN scores ON scores.spelling = spellings.id WHERE person = ?)"


def count(db: Database, wanted: Filter) -> int:
    """Return how many games match; use the cached total if there is no filter."""
    where, values = wanted.where(db)
    if where in (_ALL_GAMES, f"{_ALL_GAMES} AND {NOT_IMPORTED}") and not wanted.deleted:
        more = count(db, Filter(imported=True)) if wanted.imported is None else 0
        return league_cache.count_games(db) + more
    return db.value(f"SELECT count(*) FROM games WHERE {where}", *values)


def games(db: Database, wanted: Filter, limit: int | None = None, skip: int = 0) -> list[dict]:
    """Return the matching games, newest first, without the first `skip` of them."""
    where, values = wanted.where(db)
    order = "ORDER BY games.at DESC, number DESC"
    if limit is not None:
        order, values = order + " LIMIT ? OFFSET ?", [*values, limit, skip]
    return _with_scores(db, db.rows(f"{_GAME} WHERE {where} {order}", *values))


def by_number(db: Database, numbers: Iterable[int]) -> list[dict]:
    """Return the games with these numbers, in this order."""
    rows = [db.row(f"{_GAME} WHERE number = ?", number) for number in numbers]
    return _with_scores(db, [row for row in rows if row])


def one(db: Database, number: int) -> dict:
    return by_number(db, [number])[0]


def has_journals(db: Database) -> bool:
    """Return True if the database has any game, deleted or not."""
    return bool(db.value("SELECT 1 FROM journals LIMIT 1"))


def last_games(db: Database, since: int, until: int) -> list[tuple[str, int, int, bytes, int]]:
    """Return (device, finished, number, digest, fixes) of games begun in a period on a known device, newest first."""
    return db.rows(_LAST_GAMES, since, until)


_LAST_GAMES = (
    "SELECT device, finished, number, digest, fixes FROM games JOIN journals USING (number) WHERE deleted = 0 "
    "AND games.at BETWEEN ? AND ? AND device IS NOT NULL ORDER BY games.at DESC, number DESC LIMIT 1000"
)


def _with_scores(db: Database, rows: list[tuple]) -> list[dict]:
    found = {row[0]: _game(row) for row in rows}
    numbers = list(found)
    for start in range(0, len(numbers), _AT_ONCE):
        some = numbers[start : start + _AT_ONCE]
        places = ", ".join("?" * len(some))
        for number, name, score, rank, winner, starts in db.rows(_SCORES.format(places=places), *some):
            found[number]["scores"].append(
                {"name": name, "score": score, "rank": rank, "winner": bool(winner), "starts": bool(starts)}
            )
    return list(found.values())


_AT_ONCE = 500  # games per query of scores
_SCORES = (
    "SELECT number, name, score, rank, winner, starts FROM scores JOIN spellings ON spellings.id = scores.spelling "
    "JOIN people ON people.id = person WHERE number IN ({places}) ORDER BY number, seat"
)


def _game(row: tuple) -> dict:
    game = dict(zip(_KEYS, row, strict=True))
    for flag in _FLAGS:
        game[flag] = bool(game[flag])
    game["imported"] = game["early"] and game["phase"] == "imported"
    game["early"] = game["early"] and not game["imported"]
    game["scores"] = []
    return game


def league_games(db: Database, wanted: Filter) -> list[PlayedGame]:
    """Return (number, league, seats) of the matching games, in order of play; a seat is (person, score, rank, winner).

    Games of the same second are ordered by id, so that every laptop counts in the same order. The scores are joined in
    Python, because the database would sort all of them by the text of the id.
    """
    where, values = wanted.where(db)
    played = db.rows(
        f"SELECT number, league FROM games JOIN journals USING (number) WHERE {where} ORDER BY games.at, game", *values
    )
    seats: dict[int, list[Sequence[int]]] = {number: [] for number, _ in played}
    for number, person, score, rank, winner in db.rows(
        "SELECT number, person, score, rank, winner FROM scores JOIN spellings ON spellings.id = scores.spelling "
        "ORDER BY number, seat"
    ):
        if number in seats:
            seats[number].append((person, score, rank, winner))
    nobody = league_cache.guests(db)
    return [(number, league, league_cache.without_guests(seats[number], nobody)) for number, league in played]


def league(db: Database, wanted: Filter) -> League:
    """Return the league of the matching games, from the cache if it covers all games or all of one kind."""
    if _is_plain(wanted):
        return league_cache.league(db, *_scope(db, wanted), (wanted.since, wanted.until))
    return League(league_games(db, wanted))


def league_with_history(db: Database, wanted: Filter) -> tuple[League, History]:
    """Return the league as league() does, and its history."""
    if _is_plain(wanted):
        return league_cache.league_with_history(db, *_scope(db, wanted), (wanted.since, wanted.until))
    found, history = League(), History()
    where, values = wanted.where(db)
    rows = db.rows(f"SELECT number, at, low FROM games WHERE {where}", *values)
    facts = {number: (at, low) for number, at, low in rows}
    league_cache.add_games(found, history, league_games(db, wanted), facts)
    return found, history


def is_low(db: Database, league: str, wanted: Filter) -> bool:
    """Return True if the fewest points won in the last matching game of a league."""
    where, values = wanted.where(db)
    return bool(db.value(_LOW.format(where=where), *values, league))


_LOW = (
    "SELECT low FROM games JOIN journals USING (number) WHERE {where} AND league = ? "
    "ORDER BY games.at DESC, game DESC LIMIT 1"
)


def league_history(db: Database, wanted: Filter) -> LeagueHistory:
    """Return the league with its history, and the names to display."""
    with db.reading():
        return LeagueHistory(people.names_by_id(db), titles(db), *league_with_history(db, wanted))


def _is_plain(wanted: Filter) -> bool:
    """Return True if all games count that usually do, at any time or in a period."""
    flags = (wanted.deleted, wanted.finished, wanted.early, wanted.imported)
    return not wanted.players and flags == (False, True, False, False)


def _scope(db: Database, wanted: Filter) -> tuple[str, str]:
    return ("", league_cache.ALL) if wanted.game is None else find_league(db, wanted.game)


def rounds(db: Database, number: int) -> list[tuple[str, list[int]]]:
    """Return the score sheet as (label, points by seat) of each row."""
    return [(label, list(points)) for label, points in schema.replayed(db, number).rows()]


def find(db: Database, word: str) -> int:
    """Return the number of a game, given its number, or a prefix of its id or of the id's last part."""
    if word.isascii() and word.isdigit() and not word.startswith("0"):
        found = db.value("SELECT number FROM journals WHERE number = ?", int(word)) if len(word) < 18 else None
        if found is None:
            raise Trouble(f"there is no game {word}; `kiebitz games` lists them with their numbers.")
        return found
    rows = db.rows("SELECT number, game FROM journals WHERE game = ?", word)
    if not rows and word:
        pattern = "".join(f"!{letter}" if letter in "!%_" else letter for letter in word) + "%"
        sql = "SELECT number, game FROM journals WHERE game LIKE ? ESCAPE '!' OR game LIKE ? ESCAPE '!'"
        rows = [row for row in db.rows(sql, pattern, f"%-{pattern}") if _is_called(row[1], word)]
    if len(rows) > 1:
        raise Trouble(f"{len(rows)} games begin with {word!r}: write more of the id, or the number of the game.")
    if not rows:
        raise Trouble(f"there is no game {word!r}; `kiebitz games` lists them with their numbers.")
    return rows[0][0]


def _is_called(game: str, word: str) -> bool:
    return game.startswith(word) or game.rpartition("-")[2].startswith(word)


def evenings(db: Database, most: int) -> list[tuple[str, int]]:
    """Return (day, number of games) of the last days with games, newest first.

    Skip from day to day by the index of times, so that only the games of these days are read.
    """
    found: list[tuple[str, int]] = []
    before = _NEVER
    while len(found) < most and (at := db.value(f"{_LAST} AND at < ?", before)) is not None:
        day = day_of(at)
        since = min(bounds(day)[0], at)
        found.append((day, db.value(f"{_COUNT} AND at >= ? AND at < ?", since, before)))
        before = since
    return found


def neighbours(db: Database, day: str) -> tuple[str | None, str | None]:
    """Return the last day with games before a day, and the first one after it; None for a missing one."""
    since, until = bounds(day)
    before, after = db.value(f"{_LAST} AND at < ?", since), db.value(f"{_FIRST} AND at >= ?", until)
    return (None if before is None else day_of(before)), (None if after is None else day_of(after))


_NEVER = 1 << 62  # later than every game
_LAST, _FIRST, _COUNT = [f"SELECT {what} FROM games WHERE deleted = 0" for what in ("max(at)", "min(at)", "count(*)")]


def titles(db: Database) -> dict[str, str]:
    """Return {id of a league: its title in the latest game} for all leagues with a title.

    Skip from league to league by the index of titles, so that a million games are not scanned for a few titles.
    """
    found: dict[str, str] = {}
    league = ""
    while league := db.value("SELECT min(league) FROM games WHERE title <> '' AND league > ?", league):
        if league in found:  # only a row that was not written by Kiebitz is not greater
            raise db.damaged("a league has an invalid id")
        found[league] = db.value(_LAST_TITLE, league)
    return found


_LAST_TITLE = (
    "SELECT title FROM games JOIN journals USING (number) WHERE title <> '' AND league = ? "
    "ORDER BY games.at DESC, game DESC LIMIT 1"
)


def find_league(db: Database, word: str) -> tuple[str, str]:
    """Return (column, value) of a kind of game, or of a league by its title or its id.

    A unique prefix of a name is enough. A kind takes precedence over a title of the same name, which is still found by
    its id. Raises Trouble unless exactly one matches.
    """
    known = titles(db)
    for matches in (str.__eq__, str.startswith):
        kinds = [("kind", kind) for kind in GAMES if matches(kind, joined(word))]
        named = [("league", league) for league, title in known.items() if matches(folded(title), folded(word))]
        named += [("league", league) for league in known if league == folded(word)]
        found = (kinds or named) if matches is str.__eq__ else kinds + named
        if len(found) == 1 and word.strip():
            return found[0]
    raise Trouble(f"there is no game {word!r}; choose from {', '.join([*GAMES, *known.values()])}.")
