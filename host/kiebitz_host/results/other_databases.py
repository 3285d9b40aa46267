"""Takes over games from another database: a backup, that of another laptop, or a damaged one."""

import sqlite3
import struct
from contextlib import closing
from pathlib import Path

from ..outcome import Trouble
from . import schema
from .database import connect, need_known_format
from .decisions import id_of, is_known_text
from .journal_record import BadRecord, Record, decode, readable_part, unpacked
from .other_tables import OtherTables
from .replay import Replay
from .store import Store

PAGE = 4096  # bytes; the size that every store has


def rescue(store: Store, source: str) -> dict:
    """Add the games that can be read. Returns {"new": games, "known": games, "lost": games not readable completely}."""
    path = Path(source)
    if not path.is_file():
        raise Trouble(f"cannot read {source}: there is no such file.")
    if isinstance(store.path, Path) and path.samefile(store.path):
        raise Trouble("a database cannot be taken over from itself: move the damaged one aside, then name it here.")
    with closing(_opened(path)) as connection:
        found = Rescue(store, connection)
        if found.sound:
            need_known_format(source, found.tables.format(), schema.FORMAT)
            return found.run()
        with closing(_with_new_header(path)) as mended:
            return max(found, Rescue(store, mended), key=Rescue.readable).run()


def _opened(path: Path) -> sqlite3.Connection:
    """Open a database for reading. Returns the connection; raises Trouble if the system cannot read the file."""
    try:
        return connect(path, "ro")
    except sqlite3.OperationalError as trouble:
        raise Trouble(f"cannot read {path}: {trouble}.") from None


def _with_new_header(path: Path) -> sqlite3.Connection:
    """Open a copy in memory whose header is that of a store, for a file whose header is damaged. Returns it."""
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
    """Takes over what OtherTables can read, and counts it.

    A journal that is whole by its checksum is taken unchanged. Of a damaged one only the lines that the rules accept
    are taken.
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
                raise Trouble("nothing can be read in this file: it is no database, or nothing is left of it.")
            words = [self._game(number) for number in self.tables.numbers()]
            made = [text for key, text in self.tables.decisions() if id_of(text) == key]
            self.store.add_decisions([text for text in made if is_known_text(text)])
        known = sum(word in ("same", "shorter", "longer", "apart") for word in words)
        return {"new": words.count("new") + words.count("namesake"), "known": known, "lost": self.lost}

    def _game(self, number: int) -> str | None:
        """Add one game. Returns the word for it as Store.add_journal() does, None if no line can be read."""
        data = self.tables.content(number)
        if data is not None:
            return self._packed(data)
        self.lost += self.tables.is_listed(number)
        return None

    def _packed(self, data: bytes) -> str | None:
        """Add a journal that is one text: the whole record, or the lines before its damage."""
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
        """Return False for a game that may have lost its end."""
        table = Replay(line.encode() for line in lines).table
        return table is not None and table.game.over
