"""Store and load journals: each is one row of metadata and one compressed text with all its lines.

A game is identified by the id that its device has given. If another game arrives with the same id but another set-up,
one of them keeps the plain id and the others get a suffix derived from their set-up, as in "id~1f2e". The set-ups
decide which one, so the ids are the same on every laptop. A game from a file without an id gets one derived from its
content.
"""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from kiebitz.games.base import bad

from .database import Database, damaged
from .journal_record import TIME_MAX, BadRecord, Record, digest_of, key_of, packed, parse, unpacked

if TYPE_CHECKING:
    from .store import Store  # which imports this module


def _begins(short: list[str], long: list[str]) -> bool:
    """Return True if the short history is a prefix of the long one, or equal to it."""
    return long[: len(short)] == short


def word_for(histories: list[list[str]], lines: list[str]) -> str:
    """Classify lines that arrive for the histories of a game, of which the first one is the game.

    All have the same set-up. "same" and "shorter": all lines are already stored; "longer": the game continues; "apart":
    another history of the same game.
    """
    for held in histories:
        if _begins(lines, held):
            return "same" if len(lines) == len(held) else "shorter"
    return "longer" if _begins(histories[0], lines) else "apart"


_TWIN = "~"  # separates a shared id and its suffix; no device uses it in an id
_FILE = "file-"  # prefix of the ids of games from files
_CHUNK = 100  # rows per INSERT, and journals per SELECT
_SOUGHT = 500  # values per WHERE ... IN


class Added(NamedTuple):
    """The result of adding a journal: `word` from Store.add_journal(), `changed` if it must be derived again."""

    word: str
    number: int
    record: Record
    changed: bool
    earlier: int | None = None  # the previous time of the game


def own_id(game_id: str) -> str:
    """Return the id given by the device, without the suffix of a shared id."""
    return game_id.partition(_TWIN)[0]


def load(db: Database, number: int) -> Record:
    """Return the journal of a game; raises Damaged if it cannot be read."""
    data = db.value("SELECT data FROM contents WHERE number = ?", number)
    return _read(db, number, data)


def load_all(db: Database, numbers: list[int]) -> dict[int, Record]:
    """Return {number: journal} of these games."""
    found = {}
    for some in _parts(numbers):
        places = ", ".join("?" * len(some))
        for number, data in db.rows(f"SELECT number, data FROM contents WHERE number IN ({places})", *some):
            found[number] = _read(db, number, data)
    return found


def contents(db: Database, numbers: list[int]) -> Iterable[tuple[int, bytes]]:
    """Yield (number, text) of journals as they are exchanged, in batches because a server may be far away."""
    for start in range(0, len(numbers), _CHUNK):
        some = numbers[start : start + _CHUNK]
        places = ", ".join("?" * len(some))
        found = dict(db.rows(f"SELECT number, data FROM contents WHERE number IN ({places})", *some))
        for number in some:
            try:
                yield number, unpacked(found.get(number, b""))
            except BadRecord as bad:
                raise damaged(str(db.path), f"the journal of game {number}: {bad}") from None


def digests(db: Database) -> dict[int, bytes]:
    """Return {number: digest} of all journals, in the order of their numbers."""
    return dict(db.rows("SELECT number, digest FROM journals ORDER BY number"))


def _read(db: Database, number: int, data: bytes | None) -> Record:
    try:
        return parse(unpacked(data or b""))
    except BadRecord as bad:
        raise damaged(str(db.path), f"the journal of game {number}: {bad}") from None


def _parts(values: list) -> Iterable[list]:
    return (values[start : start + _SOUGHT] for start in range(0, len(values), _SOUGHT))


# --- finding ---


def under(db: Database, own: str) -> list[tuple[int, str, bytes]]:
    """Return (number, id, digest) of the games that arrived with this id."""
    return under_all(db, [own]).get(own, [])


def under_all(db: Database, owns: list[str]) -> dict[str, list[tuple[int, str, bytes]]]:
    """Return {id: [(number, listed id, digest), ...]} of the games that arrived with these ids."""
    found: dict[str, list[tuple[int, str, bytes]]] = {}
    for some in _parts(owns):
        places = ", ".join("?" * len(some))
        rows = db.rows(f"SELECT number, game, digest FROM journals WHERE game IN ({places})", *some)
        rows += db.rows(
            f"SELECT number, game, digest FROM aliases JOIN journals USING (number) WHERE alias IN ({places})", *some
        )
        for number, game, digest in rows:
            found.setdefault(own_id(game), []).append((number, game, digest))
    return found


def from_files(db: Database, setup: str) -> list[tuple[int, str]]:
    """Return (number, id) of the games from files that begin with this line."""
    sql = "SELECT number, game FROM aliases JOIN journals USING (number) WHERE alias = ? ORDER BY number"
    return db.rows(sql, _alias(setup))


def _alias(setup: str) -> str:
    return _FILE + hashlib.sha256(setup.encode()).hexdigest()[:24]


# --- adding ---


def add(db: Database, records: list[Record], now: int) -> list[Added]:
    """Add journals with distinct ids. Returns the result for each, in order."""
    known = under_all(db, [record.own for record in records])
    fresh = [record for record in records if record.own not in known]
    numbers = _insert(db, fresh, now)
    added = []
    for record in records:
        if record.own in numbers:
            added.append(Added("new", numbers[record.own], record, True))
        else:
            added.append(_unite(db, record, known[record.own], now))
    return added


def _insert(db: Database, records: list[Record], now: int, names: dict[str, str] | None = None) -> dict[str, int]:
    """Insert journals, each under its own id or the name given in `names`. Returns {own id: number}."""
    numbers = {}
    for start in range(0, len(records), _CHUNK):
        some = records[start : start + _CHUNK]
        contents = [record.encode() for record in some]
        games = [(names or {}).get(record.own, record.own) for record in some]
        values = [(game, *_facts(record, text), now) for game, record, text in zip(games, some, contents, strict=True)]
        sql = (
            "INSERT INTO journals (game, device, at, approximate, damaged, digest, received) VALUES "
            + ", ".join(["(?, ?, ?, ?, ?, ?, ?)"] * len(some))
            + " RETURNING game, number"
        )
        given = dict(db.rows(sql, *[value for row in values for value in row]))
        rows = [(given[game], packed(text)) for game, text in zip(games, contents, strict=True)]
        db.many("INSERT INTO contents (number, data) VALUES (?, ?)", rows)
        files = [(_alias(record.lines[0]), given[record.own]) for record in some if record.own.startswith(_FILE)]
        db.many("INSERT INTO aliases (alias, number) VALUES (?, ?)", files)
        numbers.update({record.own: given[game] for record, game in zip(some, games, strict=True)})
    return numbers


def insert_as(db: Database, number: int, game: str, record: Record, received: int) -> None:
    """Insert a journal under an unused number and id."""
    text = record.encode()
    db.run(
        "INSERT INTO journals (number, game, device, at, approximate, damaged, digest, received) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        number,
        game,
        *_facts(record, text),
        received,
    )
    db.run("INSERT INTO contents (number, data) VALUES (?, ?)", number, packed(text))
    if record.own.startswith(_FILE):
        db.run("INSERT INTO aliases (alias, number) VALUES (?, ?)", _alias(record.lines[0]), number)


def _facts(record: Record, text: bytes) -> tuple:
    """Return the columns of a journal that are derived from its content."""
    return (
        record.device,
        record.at,
        int(record.approximate),
        int(record.histories[0].damaged),
        digest_of(text),
    )


def _unite(db: Database, record: Record, known: list[tuple[int, str, bytes]], now: int) -> Added:
    """Add a journal whose id is known, to the game with the same set-up or as another game."""
    digest = digest_of(record.encode())
    stored = load_all(db, [number for number, _, _ in known])
    for number, _, stored_digest in known:
        old = stored[number]
        if stored_digest == digest:
            return Added("same", number, old, False)
        if old.lines[0] == record.lines[0]:
            new = old.merged(record)
            word = word_for([history.lines for history in old.histories], record.lines)
            if new != old:
                _rewrite(db, number, new)
            return Added(word, number, new, new != old, old.at)
    number = _insert(db, [record], now, {record.own: f"{record.own}{_TWIN}"})[record.own]
    db.run("INSERT INTO aliases (alias, number) VALUES (?, ?)", record.own, number)
    _name(db, record.own, {**stored, number: record})
    return Added("namesake", number, record, True)


def _rewrite(db: Database, number: int, record: Record) -> None:
    text = record.encode()
    db.run(
        "UPDATE journals SET device = ?, at = ?, approximate = ?, damaged = ?, digest = ? WHERE number = ?",
        *_facts(record, text),
        number,
    )
    db.run("UPDATE contents SET data = ? WHERE number = ?", packed(text), number)


def _name(db: Database, own: str, records: dict[int, Record]) -> None:
    """Rename all games that share an id to the names that their set-ups require."""
    for number in records:  # free the names before they are reassigned
        db.run("UPDATE journals SET game = ? WHERE number = ?", f"{own}{_TWIN}{_TWIN}{number}", number)
    db.run("DELETE FROM aliases WHERE alias = ?", own)
    for number, name in names_of_namesakes(own, {n: record.lines[0] for n, record in records.items()}).items():
        db.run("UPDATE journals SET game = ? WHERE number = ?", name, number)
        if name != own:
            db.run("INSERT INTO aliases (alias, number) VALUES (?, ?)", own, number)


def names_of_namesakes(own: str, setups: dict[int, str]) -> dict[int, str]:
    """Return {number: id} for games that share an id."""
    first, *others = sorted(setups, key=setups.__getitem__)
    letters = {number: key_of(own, setups[number]).rpartition("/")[2] for number in others}
    short = {number: letters[number][:4] for number in others}
    unique = len(set(short.values())) == len(others)
    return {first: own} | {number: f"{own}{_TWIN}{(short if unique else letters)[number]}" for number in others}


def add_file(store: "Store", lines: list[str], setup: dict, modified: int | None) -> tuple[str, str]:
    """Add the lines of a replayed recording. Returns (the result of store.add_journal, its id there).

    modified: the file's modification time, for a game that does not record when it was played.
    """
    game_id = _own_id(setup) or _known(store, lines) or _new_id(lines)
    at = played_at(setup)
    word = store.add_journal(game_id, lines, source_of(setup), at or modified, at is None)
    return word, store.id_for(game_id, lines[0])


def played_at(setup: dict) -> int | None:
    """Return the time in a set-up: unix seconds, or a date like 2026-01-31 or 2026-01-31 20:15 in local time.

    A day without a time is its noon. Returns None without a date (a device whose clock is not set writes 0); raises
    Refused for any other value.
    """
    at = setup.get("at", 0)
    if isinstance(at, str):
        try:
            moment = datetime.fromisoformat(at)
            at = int((moment.replace(hour=12) if len(at) <= _DAY_LETTERS else moment).timestamp())
        except (ValueError, OverflowError, OSError):
            at = -1
    if type(at) is not int or not 0 <= at < TIME_MAX:
        raise bad("date")
    return at or None


_DAY_LETTERS = len("2026-01-31")


def source_of(setup: dict) -> dict | None:
    """Return the device named in a set-up, as store.add_journal() takes it; None if there is none."""
    device = setup.get("device")
    return {"id": device} if isinstance(device, str) and device and device.isprintable() else None


def _own_id(setup: dict) -> str | None:
    """Return the id given by the device, or None."""
    own = setup.get("id")
    return own if isinstance(own, str) and 4 <= len(own) <= 64 and own.isascii() and own.isprintable() else None


def _new_id(lines: list[str]) -> str:
    """Return an id derived from the content, so that the same file is the same game on every laptop."""
    return "file-" + hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _known(store: "Store", lines: list[str]) -> str | None:
    """Return the id of a stored game from a file that extends these lines or is extended by them; else None."""
    for number, game in from_files(store.db, lines[0]):
        held = store.histories(number)[0]
        common = min(len(held), len(lines))
        if common > 1 and held[:common] == lines[:common]:
            return game
    return None
