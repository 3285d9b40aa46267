"""Import games from another database, corrupt or not, and diagnose corruption after an unexpected error."""

import os
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from typing import Any

from ..outcome import Trouble
from . import decisions, journals, people, query, schema
from .database import Database, connect, damaged, need_known_format
from .decisions import id_of, is_known_text
from .derive import Replay
from .file_tables import check_everything, format_of
from .journal_record import BadRecord, Record, decode, readable_part, unpacked
from .store import Store

NUMBER_MAX = 10_000_000  # a larger number is corrupt
_BEYOND = 100  # numbers to try after the last trace in a corrupt file: a page of a table has fewer


def _text(data: bytes) -> str | bytes:
    """Decode a text of the database; return its bytes if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


class OtherTables:
    """The tables of another database."""

    def __init__(self, connection: sqlite3.Connection):
        self.connection = connection
        self.connection.text_factory = _text
        self.sound = self._rows("PRAGMA quick_check") == [("ok",)]
        self._rows("PRAGMA writable_schema = ON")  # opens even a truncated file

    def _rows(self, sql: str, *values) -> list[tuple]:
        """Return as many rows as can be read."""
        found: list[tuple] = []
        try:
            for row in self.connection.execute(sql, values):
                found.append(row)
        except (sqlite3.Error, UnicodeDecodeError):
            pass  # UnicodeDecodeError: an error message may contain corrupt table names
        return found

    def readable(self) -> int:
        """Return the number of journals and tables that can be read."""
        asked = ("SELECT number FROM contents", "SELECT name FROM sqlite_master")
        return sum(len(self._rows(sql)) for sql in asked)

    def numbers(self) -> list[int]:
        """Return all numbers up to the highest one in any table, to find games in a corrupt part."""
        found = {row[0] for sql in _TRACES for row in self._rows(sql)}
        numbers = {number for number in found if type(number) is int and 0 < number < NUMBER_MAX}
        return list(range(1, max(numbers, default=0) + 1 + (0 if self.sound else _BEYOND)))

    def format(self) -> int:
        """Return the format of the tables from the header; 0 if unreadable."""
        found = self._rows("PRAGMA user_version")
        return found[0][0] if found else 0

    def is_listed(self, number: int) -> bool:
        """Return True if the table of journals has a game of this number."""
        return bool(self._rows("SELECT 1 FROM journals WHERE number = ?", number))

    def content(self, number: int) -> bytes | None:
        """Return the packed text of a journal, or None."""
        found = self._rows("SELECT data FROM contents WHERE number = ?", number)
        return found[0][0] if found and isinstance(found[0][0], bytes) else None

    def decisions(self) -> list[tuple[str, str]]:
        """Return (id, text) of the decisions."""
        rows = self._rows("SELECT id, content FROM decisions")
        return [(key, text) for key, text in rows if isinstance(key, str) and isinstance(text, str)]


_TRACES = (
    "SELECT number FROM journals",
    "SELECT number FROM contents",
    "SELECT max(number) FROM contents",
    "SELECT number FROM games",
    "SELECT max(number) FROM scores",
    "SELECT seq FROM sqlite_sequence WHERE name = 'journals'",
)

PAGE = 4096  # bytes; the page size of every store


def rescue(store: Store, source: str) -> dict:
    """Add the games that can be read. Returns {"new": games, "known": games, "lost": games not fully readable}."""
    path = Path(source)
    if not path.is_file():
        raise Trouble(f"cannot read {source}: there is no such file.")
    if isinstance(store.path, Path) and path.samefile(store.path):
        raise Trouble("a database cannot be imported into itself: move the damaged one aside, then name it here.")
    with closing(_opened(path)) as connection:
        found = Rescue(store, connection)
        if found.sound:
            need_known_format(source, found.tables.format(), schema.FORMAT)
            return found.run()
        with closing(_with_new_header(path)) as mended:
            return max(found, Rescue(store, mended), key=Rescue.readable).run()


def _opened(path: Path) -> sqlite3.Connection:
    """Open a database for reading. Returns the connection; raises Trouble if the file cannot be read."""
    try:
        return connect(path, "ro")
    except sqlite3.OperationalError as trouble:
        raise Trouble(f"cannot read {path}: {trouble}.") from None


def _with_new_header(path: Path) -> sqlite3.Connection:
    """Open a copy in memory with a valid header, for a file whose header is corrupt. Returns the connection."""
    try:
        data = path.read_bytes()
    except OSError as trouble:
        raise Trouble(f"cannot read {path}: {trouble.strerror}.") from None
    pages = -(-len(data) // PAGE)
    # Magic, page size, versions, fractions; counter, pages, free pages, cookie, format, cache, encoding UTF-8; counter
    fields = (b"SQLite format 3", PAGE, 1, 1, 0, 64, 32, 32, 1, pages, 0, 0, 1, 4, 0, 0, 1, 1)
    header = struct.pack(">16sH6B9I32xI4x", *fields)
    connection = sqlite3.connect(":memory:")
    connection.deserialize((header + data[len(header) :]).ljust(pages * PAGE, b"\0"))
    return connection


class Rescue:
    """Import what OtherTables can read, and count it.

    A journal with a valid checksum is imported unchanged. Of a corrupt one only the lines that the rules accept are
    imported.
    """

    def __init__(self, store: Store, connection: sqlite3.Connection):
        self.store = store
        self.tables = OtherTables(connection)
        self.sound = self.tables.sound
        self.lost = 0

    def readable(self) -> int:
        """Return the number of journals and tables that can be read."""
        return self.tables.readable()

    def run(self) -> dict:
        with self.store.batch():
            if not self.readable():
                raise Trouble("nothing can be read in this file: it is not a database, or it is empty.")
            words = [self._game(number) for number in self.tables.numbers()]
            made = [text for key, text in self.tables.decisions() if id_of(text) == key]
            self.store.add_decisions([text for text in made if is_known_text(text)])
        known = sum(word in ("same", "shorter", "longer", "apart") for word in words)
        return {"new": words.count("new") + words.count("namesake"), "known": known, "lost": self.lost}

    def _game(self, number: int) -> str | None:
        """Add one game. Returns the result of Store.add_journal(); None if no line can be read."""
        data = self.tables.content(number)
        if data is not None:
            return self._packed(data)
        self.lost += self.tables.is_listed(number)
        return None

    def _packed(self, data: bytes) -> str | None:
        """Add a compressed journal: the whole record, or the lines before its corruption."""
        try:
            return self._added(decode(unpacked(data)))
        except BadRecord:
            record = readable_part(data)
        lines = self._good(record.lines) if record else []
        self.lost += 1
        if record is None or not lines:
            return None
        device = {"id": record.device} if record.device else None
        damaged = not self._is_over(lines)
        return self.store.add_journal(record.own, lines, device, record.at, record.approximate, damaged)

    def _added(self, record: Record) -> str:
        (added,) = self.store.add_records([record])
        return added.word

    @staticmethod
    def _good(lines: list[str]) -> list[str]:
        """Return the lines before the first one that the rules refuse."""
        replay = Replay(line.encode("utf-8", "replace") for line in lines)
        return lines[: replay.line - 1] if replay.refused else lines

    @staticmethod
    def _is_over(lines: list[str]) -> bool:
        """Return False if the game may have lost its end."""
        table = Replay(line.encode() for line in lines).table
        return table is not None and table.game.over


def damage_of(place: Path | str) -> Trouble | None:
    """Check a whole database for invalid data. Returns a Trouble that describes it, or None."""
    try:
        if isinstance(place, str):
            return _damage_of_club(place)
        if not place.is_file() or not place.stat().st_size:
            return None
        with closing(Database(place, "ro")) as db:
            format_of(db)
            check_everything(db)
            _check_derived(db)
    except Trouble as trouble:
        return trouble
    except sqlite3.Error as error:
        return damaged(str(place), str(error))
    return None


def _damage_of_club(address: str) -> Trouble | None:
    with Store(address, create=False) as club:
        if not club.is_missing:
            _check_derived(club.db)
    return None


def _check_derived(db: Any) -> None:
    """Derive all results again in memory; raise Damaged if they differ from the stored ones.

    Rows of unreadable journals are ignored: only a club's database can have any.
    """
    with Store(Path(os.devnull, "nothing"), create=False) as copy:
        last = -1
        some = "SELECT number, game, received FROM journals WHERE number > ? ORDER BY number LIMIT 500"
        while rows := db.rows(some, last):
            last = rows[-1][0]
            records = journals.load_all(db, [number for number, _, _ in rows])
            with copy.batch():
                for number, game, received in rows:
                    if number in records:
                        journals.insert_as(copy.db, number, game, records[number], received)
        with copy.batch():
            made = [text for text in decisions.contents(db).values() if is_known_text(text)]
            decisions.add(copy.db, made)
            copy.db.now = db.now
            copy.rebuild()
        if _derived_rows(copy.db) != _derived_rows(db):
            raise db.damaged("its scores do not follow from its journals")
    try:
        query.league_with_history(db, query.Filter(finished=True, early=False))
        people.listed(db)
    except Exception:
        raise db.damaged("its league cache does not follow from its scores") from None


def _derived_rows(db: Any) -> list[list[tuple]]:
    return [
        db.rows("SELECT * FROM games ORDER BY number"),
        db.rows(
            "SELECT number, seat, spelling.spelling, name, score, rank, winner, starts FROM scores "
            "LEFT JOIN spellings spelling ON spelling.id = scores.spelling LEFT JOIN people ON people.id = person "
            "ORDER BY 1, 2"
        ),
    ]
