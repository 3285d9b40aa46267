"""Writes and reads the journals in the database: each is one row of facts and one compressed text with all its lines.

A game is known by the id that its device has given. If another game came with the same id (the two begin with different
set-ups), one of them is called by the id alone and the others get letters made from their set-up, as in "id~1f2e".
Which one follows from the set-ups, so every laptop calls them alike.
"""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from .database import Database, damaged
from .journal_record import BadRecord, Record, digest_of, key_of, packed, parse, unpacked
from .known_games import word_for

_TWIN = "~"  # between an id that several games have and its letters; no device has it in an id
_FILE = "file-"  # ids of games from files begin so
_CHUNK = 100  # rows that one statement inserts, or journals that one reads
_SOUGHT = 500  # values that one statement looks for


class Added(NamedTuple):
    """Tells what became of a journal: `word` as Store.add_journal() returns it, `changed` if it is to be derived."""

    word: str
    number: int
    record: Record
    changed: bool
    earlier: int | None = None  # the time that the game had before


def own_id(game_id: str) -> str:
    """Return the id that the device has given, of the id under which a game is listed."""
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
    """Yield (number, text) of journals, as they are exchanged; many at once, because a server may be far away."""
    for start in range(0, len(numbers), _CHUNK):
        some = numbers[start : start + _CHUNK]
        places = ", ".join("?" * len(some))
        found = dict(db.rows(f"SELECT number, data FROM contents WHERE number IN ({places})", *some))
        for number in some:
            try:
                yield number, unpacked(found.get(number, b""))
            except BadRecord as bad:
                raise damaged(str(db.path), f"the journal of game {number}: {bad}") from None


def _read(db: Database, number: int, data: bytes | None) -> Record:
    try:
        return parse(unpacked(data or b""))
    except BadRecord as bad:
        raise damaged(str(db.path), f"the journal of game {number}: {bad}") from None


def _parts(values: list) -> Iterable[list]:
    return (values[start : start + _SOUGHT] for start in range(0, len(values), _SOUGHT))


# --- finding ---


def under(db: Database, own: str) -> list[tuple[int, str, bytes]]:
    """Return (number, id, digest) of the games that came with this id."""
    return under_all(db, [own]).get(own, [])


def under_all(db: Database, owns: list[str]) -> dict[str, list[tuple[int, str, bytes]]]:
    """Return {id: [(number, id under which it is listed, digest), ...]} of the games that came with these ids."""
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
    """Add journals whose ids are all different. Returns what became of each, in their order."""
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
    """Insert journals, each under its own id or the name given for it. Returns {own id: number}."""
    numbers = {}
    for start in range(0, len(records), _CHUNK):
        some = records[start : start + _CHUNK]
        contents = [record.encode() for record in some]
        games = [(names or {}).get(record.own, record.own) for record in some]
        values = [
            (game, *_facts(record, text), now) for game, record, text in zip(games, some, contents, strict=True)
        ]
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
    """Insert a journal under a number and an id that no other has."""
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
    """Return the columns of a journal that follow from its content."""
    return (
        record.device,
        record.at,
        int(record.approximate),
        int(record.histories[0].damaged),
        digest_of(text),
    )


def _unite(db: Database, record: Record, known: list[tuple[int, str, bytes]], now: int) -> Added:
    """Add a journal whose id is known: to the game with the same set-up, or as another game."""
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
    """Call all games with one id as their set-ups ask for."""
    for number in records:  # the names must be free while they change
        db.run("UPDATE journals SET game = ? WHERE number = ?", f"{own}{_TWIN}{_TWIN}{number}", number)
    db.run("DELETE FROM aliases WHERE alias = ?", own)
    for number, name in names_of_namesakes(own, {n: record.lines[0] for n, record in records.items()}).items():
        db.run("UPDATE journals SET game = ? WHERE number = ?", name, number)
        if name != own:
            db.run("INSERT INTO aliases (alias, number) VALUES (?, ?)", own, number)


def names_of_namesakes(own: str, setups: dict[int, str]) -> dict[int, str]:
    """Return {number: id} for the games that came with one id."""
    first, *others = sorted(setups, key=setups.__getitem__)
    letters = {number: key_of(own, setups[number]).rpartition("/")[2] for number in others}
    short = {number: letters[number][:4] for number in others}
    unique = len(set(short.values())) == len(others)
    return {first: own} | {number: f"{own}{_TWIN}{(short if unique else letters)[number]}" for number in others}
