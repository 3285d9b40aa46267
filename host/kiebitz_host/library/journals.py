"""Store and load journals: each is one row of metadata and one compressed text with all its lines.

A game is identified by the id that its device has given. If another game arrives with the same id but another set-up,
one of them keeps the plain id and the others get a suffix derived from their set-up, as in "id~1f2e". The set-ups
decide which one, so the ids are the same on every laptop. A game from a file without an id gets one derived from its
content.
"""

import hashlib
import secrets
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from .database import Database
from .journal_record import (
    DIGEST_BYTES,
    PACKED_MAX,
    BadRecord,
    NewerRecord,
    Record,
    decode,
    digest_of,
    key_of,
    packed,
    unpacked,
)

if TYPE_CHECKING:
    pass  # which imports this module


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


TOO_LONG = "too long"  # the result of adding lines that a record cannot hold
_TWIN = "~"  # separates a shared id and its suffix; no device uses it in an id
_FILE = "file-"  # prefix of the ids of games from files
NUMBER_MIN = -(1 << 31)  # in the tables derived in a club, whose owner can write any number
_CHUNK = 100  # rows per INSERT, and journals per SELECT
_SOUGHT = 500  # values per WHERE ... IN
_PART_CHARACTERS = 16_000_000  # of journals that are loaded together


class Added(NamedTuple):
    """The result of adding a journal: `word` from Store.add_journal(), `changed` if it must be derived again."""

    word: str
    number: int
    record: Record
    changed: bool
    earlier: int | None = None  # the previous time of the game
    left_out: int = 0  # histories that a record cannot hold


def own_id(game_id: str) -> str:
    """Return the id given by the device, without the suffix of a shared id."""
    return game_id.partition(_TWIN)[0]


def load(db: Database, number: int) -> Record:
    """Return the journal of a game; raises Damaged if it cannot be read."""
    for _, record in _read(db, [number]):
        if isinstance(record, Record):
            return record
        raise db.damaged(f"the journal of game {number}: {record}")
    raise db.damaged(f"game {number} has no journal")


def load_all(db: Database, numbers: list[int]) -> dict[int, Record]:
    """Return {number: journal} of these games; unreadable ones as in load_parts()."""
    return {number: record for part in load_parts(db, numbers) for number, record in part.items()}


def load_parts(db: Database, numbers: list[int]) -> Iterator[dict[int, Record]]:
    """Yield {number: journal} of these games, in parts that fit into memory however long the journals are.

    An unreadable journal raises Damaged in a file; in a club's database, anybody may have written it, and it is left
    out.
    """
    found: dict[int, Record] = {}
    size = 0
    for number, record in _read(db, numbers):
        if isinstance(record, Record):
            found[number] = record
            size += sum(sum(map(len, history.lines)) for history in record.histories)
            if size > _PART_CHARACTERS:
                yield found
                found, size = {}, 0
        elif not db.is_shared:
            raise db.damaged(f"the journal of game {number}: {record}")
    if found:
        yield found


def _read(db: Database, numbers: list[int]) -> Iterable[tuple[int, Record | BadRecord]]:
    """Yield (number, journal, or why it is unreadable)."""
    for number, game, digest, content in _contents(db, numbers):
        is_whole = digest_of(content) == digest
        yield number, _of_game(game, content) if is_whole else BadRecord("its content does not match its hash")


def _of_game(game: str, content: bytes) -> Record | BadRecord:
    """Return the journal of a game, or why it is unreadable."""
    try:
        record = decode(content)
    except BadRecord as bad:
        return bad
    return record if record.own == own_id(game) else BadRecord("it belongs to another game")


def contents(db: Database, numbers: list[int]) -> Iterable[tuple[int, bytes]]:
    """Yield (number, text) of journals as they are exchanged; the text is empty if it cannot be unpacked."""
    return ((number, content) for number, _, _, content in _contents(db, numbers))


def _contents(db: Database, numbers: list[int]) -> Iterable[tuple[int, str, bytes, bytes]]:
    """Yield (number, id, digest, text), in batches because a server may be far away."""
    for start in range(0, len(numbers), _CHUNK):
        some = numbers[start : start + _CHUNK]
        for number, game, digest, data in db.rows(_ROWS.format(places=", ".join("?" * len(some))), *some):
            try:
                yield number, game, digest, unpacked(data or b"")
            except BadRecord:
                yield number, game, digest, b""


# A content that is too long is not even read
_ROWS = (
    f"SELECT number, game, digest, CASE WHEN length(data) <= {PACKED_MAX} THEN data END "
    "FROM journals LEFT JOIN contents USING (number) WHERE number IN ({places}) ORDER BY number"
)


def digests(db: Database) -> dict[int, bytes]:
    """Return {number: digest} of all journals, in the order of their numbers."""
    return dict(db.rows("SELECT number, digest FROM journals ORDER BY number"))


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
        for row in dict.fromkeys(rows):
            found.setdefault(own_id(row[1]), []).append(row)
    return found


def from_files(db: Database, setup: str) -> list[tuple[int, str]]:
    """Return (number, id) of the games from files that begin with this line."""
    sql = "SELECT number, game FROM aliases JOIN journals USING (number) WHERE alias = ? ORDER BY number"
    return db.rows(sql, _alias(setup))


def from_files_all(db: Database, setups: list[str]) -> dict[str, list[tuple[int, str, bool]]]:
    """Return {first line: [(number, id, deleted)]} of the games from files that begin with one of these lines."""
    aliases = {_alias(setup): setup for setup in setups}
    found: dict[str, list[tuple[int, str, bool]]] = {}
    for some in _parts(list(aliases)):
        places = ", ".join("?" * len(some))
        for alias, number, game, deleted in db.rows(_FROM_FILES.format(places=places), *some):
            found.setdefault(aliases[alias], []).append((number, game, bool(deleted)))
    return found


_FROM_FILES = (
    "SELECT alias, number, game, deleted FROM aliases JOIN journals USING (number) JOIN games USING (number) "
    "WHERE alias IN ({places}) ORDER BY number"
)


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
        both = zip(games, some, strict=True)
        files = [(_alias(record.lines[0]), given[game]) for game, record in both if record.own.startswith(_FILE)]
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
    stored: dict[int, Record] = {}
    for number, found in _read(db, [number for number, _, _ in known]):
        if isinstance(found, NewerRecord):
            return Added("same", number, record, False)
        if isinstance(found, Record):
            stored[number] = found
        elif not db.is_shared:
            raise db.damaged(f"the journal of game {number}: {found}")
    for number, _, stored_digest in known:
        old = stored.get(number)
        if old is not None and stored_digest == digest:
            return Added("same", number, old, False)
        if old is not None and old.lines[0] == record.lines[0]:
            return _extend(db, number, old, record)
    for number, _, _ in known:
        if number not in stored:  # somebody has overwritten it, so that it is no longer readable
            _rewrite(db, number, record)
            return Added("longer", number, record, True, 0)
    number = _insert(db, [record], now, {record.own: _unused(record.own)})[record.own]
    _name(db, record.own, {n: one.lines[0] for n, one in {**stored, number: record}.items()})
    return Added("namesake", number, record, True)


def _extend(db: Database, number: int, old: Record, record: Record) -> Added:
    """Merge a journal with the stored one of the same game."""
    new, left_out = old.merged(record)
    word = word_for([history.lines for history in old.histories], record.lines)
    if left_out and word_for([history.lines for history in new.histories], record.lines) not in ("same", "shorter"):
        word = TOO_LONG
    if new != old:
        _rewrite(db, number, new)
    return Added(word, number, new, new != old, old.at, left_out)


def _rewrite(db: Database, number: int, record: Record) -> None:
    text = record.encode()
    db.run(
        "UPDATE journals SET device = ?, at = ?, approximate = ?, damaged = ?, digest = ? WHERE number = ?",
        *_facts(record, text),
        number,
    )
    sql = "INSERT INTO contents (number, data) VALUES (?, ?) ON CONFLICT (number) DO UPDATE SET data = excluded.data"
    db.run(sql, number, packed(text))


def mend(db: Database) -> None:
    """Derive ids and metadata of all journals from their contents again, in a database in which others may change them.

    An unreadable journal loses its digest, so that the next exchange replaces it.
    """
    last = NUMBER_MIN - 1
    some = "SELECT number FROM journals WHERE number > ? ORDER BY number LIMIT ?"
    while numbers := [number for (number,) in db.rows(some, last, _SOUGHT)]:
        last = numbers[-1]
        places = ", ".join("?" * len(numbers))
        stored = {number: tuple(facts) for number, *facts in db.rows(_FACTS.format(places=places), *numbers)}
        for number, game, _, content in _contents(db, numbers):
            record = _of_game(game, content)
            if isinstance(record, NewerRecord):
                continue
            if isinstance(record, BadRecord):
                db.run("UPDATE journals SET digest = ? WHERE number = ?", bytes(DIGEST_BYTES), number)
            elif stored[number] != _facts(record, content):
                _rewrite(db, number, record)
    shared: dict[str, list[int]] = {}
    for number, game in db.rows("SELECT number, game FROM journals WHERE game LIKE ?", f"%{_TWIN}%"):
        shared.setdefault(own_id(game), []).append(number)
    for own, others in shared.items():
        plain = db.rows("SELECT number FROM journals WHERE game = ?", own)
        _mend_shared(db, own, sorted([*others, *[number for (number,) in plain]]))


def _mend_shared(db: Database, own: str, numbers: list[int]) -> None:
    """Rename the games that share an id, and merge journals of the same game.

    A journal that was merged into another one loses its digest and is left out: members cannot delete it.
    """
    first: dict[str, int] = {}  # set-up -> number
    for number, record in _read(db, numbers):
        if not isinstance(record, Record):
            continue
        kept = first.setdefault(record.lines[0], number)
        if kept != number:
            _rewrite(db, kept, load(db, kept).merged(record)[0])
            db.run("UPDATE journals SET digest = ? WHERE number = ?", bytes(DIGEST_BYTES), number)
    if first:
        _name(db, own, {number: setup for setup, number in first.items()})


_FACTS = "SELECT number, device, at, approximate, damaged, digest FROM journals WHERE number IN ({places})"


def _unused(own: str) -> str:
    """Return an id that nobody can have taken."""
    return f"{own}{_TWIN}{secrets.token_hex(16)}"


def _name(db: Database, own: str, setups: dict[int, str]) -> None:
    """Rename all games that share an id to the names that their set-ups require."""
    names = names_of_namesakes(own, setups)
    places = ", ".join("?" * len(names))
    taken = {number for (number,) in db.rows(f"SELECT number FROM journals WHERE game IN ({places})", *names.values())}
    for number in taken | setups.keys():  # free the names before they are reassigned
        db.run("UPDATE journals SET game = ? WHERE number = ?", _unused(own), number)
        if names.get(number) != own:
            db.run("INSERT INTO aliases (alias, number) VALUES (?, ?) ON CONFLICT DO NOTHING", own, number)
    for number, name in names.items():
        db.run("UPDATE journals SET game = ? WHERE number = ?", name, number)


def names_of_namesakes(own: str, setups: dict[int, str]) -> dict[int, str]:
    """Return {number: id} for games that share an id."""
    first, *others = sorted(setups, key=setups.__getitem__)
    letters = {number: key_of(own, setups[number]).rpartition("/")[2] for number in others}
    short = {number: letters[number][:4] for number in others}
    unique = len(set(short.values())) == len(others)
    return {first: own} | {number: f"{own}{_TWIN}{(short if unique else letters)[number]}" for number in others}
