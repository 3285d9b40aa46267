"""Finds games in the store and returns them as plain dictionaries, for --json and for the tables."""

from collections.abc import Iterable, Sequence

from ..outcome import Trouble
from . import derived_tables, ladders, leagues, people
from .database import Database
from .league import League, Played
from .story import Story

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
    """A choice of games: `game` is what leagues.find() takes; times are in unix seconds, `until` not included."""

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
        parts: list[tuple[str, list]] = [(_ALL_GAMES, [int(self.deleted)])]
        if self.game is not None:
            column, value = leagues.find(db, self.game)
            parts.append((f"{column} = ?", [value]))
        if self.since is not None:
            parts.append(("games.at >= ?", [self.since]))
        if self.until is not None:
            parts.append(("games.at < ?", [self.until]))
        if self.finished is not None:
            parts.append((f"finished = {int(self.finished)}", []))
        if self.early is not None:
            parts.append((f"early = {int(self.early)}", []))  # a number, so that the index of such games is used
        for name in self.players:
            parts.append((_TOOK_PART, [people.find(db, name)]))
        return " AND ".join(part for part, _ in parts), [value for _, values in parts for value in values]


_ALL_GAMES = "deleted = ?"
_TOOK_PART = (
    "number IN (SELECT number FROM spellings JOIN scores ON scores.spelling = spellings.id WHERE person = ?)"
)


def count(db: Database, wanted: Filter) -> int:
    """Return how many games are wanted; all games are not counted one by one."""
    where, values = wanted.where(db)
    if where == _ALL_GAMES and not wanted.deleted:
        return ladders.play_counts(db).games
    return db.value(f"SELECT count(*) FROM games WHERE {where}", *values)


def games(db: Database, wanted: Filter, limit: int | None = None, skip: int = 0) -> list[dict]:
    """Return the wanted games, newest first, without the first `skip` of them."""
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


_AT_ONCE = 500  # games whose scores are read at once
_SCORES = (
    "SELECT number, name, score, rank, winner, starts FROM scores JOIN spellings ON spellings.id = scores.spelling "
    "JOIN people ON people.id = person WHERE number IN ({places}) ORDER BY number, seat"
)


def _game(row: tuple) -> dict:
    game = dict(zip(_KEYS, row, strict=True))
    for flag in _FLAGS:
        game[flag] = bool(game[flag])
    game["scores"] = []
    return game


def league_games(db: Database, wanted: Filter) -> list[Played]:
    """Return (number, league, seats) of the wanted games, in order of play; a seat is (person, score, rank, winner).

    Games that began in the same second are ordered by id, so that every laptop counts in the same order. The scores
    are joined here and not in the database, which would sort all of them by the text of the id.
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
    return [(number, league, seats[number]) for number, league in played]


def league(db: Database, wanted: Filter) -> League:
    """Return the league of the wanted games; that of all games, or of all of one kind, is continued from a ladder."""
    if _is_kept(wanted):
        return ladders.league(db, *_scope(db, wanted))
    return League(league_games(db, wanted))


def league_with_story(db: Database, wanted: Filter) -> tuple[League, Story]:
    """Return the league of the wanted games, as league() does, and its story."""
    if _is_kept(wanted):
        return ladders.league_with_story(db, *_scope(db, wanted))
    found, story = League(), Story()
    where, values = wanted.where(db)
    rows = db.rows(f"SELECT number, at, low FROM games WHERE {where}", *values)
    facts = {number: (at, low) for number, at, low in rows}
    ladders.take_both(found, story, league_games(db, wanted), facts)
    return found, story


def _is_kept(wanted: Filter) -> bool:
    """Return True for a league of which there are ladders."""
    limits = (wanted.players, wanted.since, wanted.until, wanted.deleted)
    return limits == ((), None, None, False) and (wanted.finished, wanted.early) == (True, False)


def _scope(db: Database, wanted: Filter) -> tuple[str, str]:
    return ("", ladders.ALL) if wanted.game is None else leagues.find(db, wanted.game)


def rounds(db: Database, number: int) -> list[tuple[str, list[int]]]:
    """Return the score sheet as (label, points by seat) of each row."""
    return [(label, list(points)) for label, points in derived_tables.replayed(db, number).rows()]


def find(db: Database, word: str) -> int:
    """Return the number of a game from its number, or from the beginning of its id or of the id's last part."""
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
