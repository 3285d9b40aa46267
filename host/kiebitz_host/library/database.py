"""Open a database, run statements and transactions on it, and convert its errors to readable messages."""

import os
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..outcome import Trouble


class AnyDatabase(ABC):
    """A connection that raises Trouble for engine errors; every change happens inside transaction()."""

    engine = ""  # name of the engine
    begins = "BEGIN"  # statement that begins a transaction
    is_shared = False  # True: other people write to it, so that an invalid row is left out instead of ending a command

    def __init__(self, path: Path | str):
        self.path = path
        self.now: Callable[[], float] = time.time
        self.connection: Any = None
        self._depth = 0

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    @abstractmethod
    def trouble(self) -> AbstractContextManager[None]:
        """Convert engine errors to Trouble."""

    @abstractmethod
    def damaged(self, how: str) -> "Damaged":
        """Return a Trouble about invalid data."""

    # --- transactions ---

    @property
    def is_changing(self) -> bool:
        """True inside a transaction."""
        return self._depth > 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a block as one transaction, or as part of the transaction that is already open.

        If the block raises Trouble after another process has changed the database, the message names the conflict.
        """
        if self._depth:
            yield
            return
        self.run(self.begins)
        self._depth = 1
        try:
            self._enter()
            yield
            self._commit()
        except Trouble as trouble:
            self._roll_back()
            if type(trouble) is Trouble and self._is_overtaken():
                raise Trouble(f"another program has changed {self.path} meanwhile: {trouble}") from None
            raise
        except BaseException:
            self._roll_back()
            raise
        finally:
            self._depth = 0

    def _enter(self) -> None:  # noqa: B027 - a file needs nothing
        """Run what must come first in every transaction."""

    def _commit(self) -> None:
        self.run("COMMIT")

    @abstractmethod
    def _roll_back(self) -> None:
        """Roll back the open transaction, if there is one; raise nothing."""

    @abstractmethod
    def _is_overtaken(self) -> bool:
        """Return True if another process has changed the database since it was opened here."""

    # --- statements ---

    @abstractmethod
    def rows(self, sql: str, *values) -> list[tuple]:
        """Return all rows of a query."""

    @abstractmethod
    def run(self, sql: str, *values) -> None:
        """Execute a statement that returns no rows."""

    def row(self, sql: str, *values) -> tuple | None:
        """Return the first row, or None."""
        found = self.rows(sql, *values)
        return found[0] if found else None

    def value(self, sql: str, *values):
        """Return the first column of the first row, or None."""
        found = self.row(sql, *values)
        return found[0] if found else None

    def create(self, sql: str) -> None:
        """Execute the statements that create tables."""
        self.script(sql)

    def script(self, sql: str) -> None:
        """Execute several statements within the open transaction."""
        for statement in sql.split(";"):
            if statement.strip():
                self.run(statement)


WAIT_S = 5.0  # timeout for another process that is writing
SYNCHRONOUS = "EXTRA"  # because data confirmed to a device must survive a power loss
CACHE_KIB = 65536  # a transaction that fits into the cache does not block readers before its end
POLL_S = 0.2  # polling interval for changes by other processes
APPLICATION_ID = 0x4B69655A  # "KieZ": identifies our files

FORMAT_MAX = 1000  # a higher number in a header is corrupt

_UNTOUCHED = "Nothing was changed."
_MAGIC = b"SQLite format 3\0"
_HEADER = 100  # bytes


class Damaged(Trouble):
    """The file is a corrupt database."""


def damaged(path: str, how: str) -> Damaged:
    return Damaged(
        f"{path} is damaged ({how}). {_UNTOUCHED} Move it aside; "
        "then `kiebitz rebuild --from FILE` imports every game that can still be read in it or in a backup."
    )


def need_known_format(path: str, found: int, known: int) -> None:
    """Raise Trouble if the data has a newer format than this program supports."""
    if known < found < FORMAT_MAX:
        raise Trouble(
            f"{path} was written by a newer Kiebitz (format {found}, this one supports {known}): "
            f"update Kiebitz. {_UNTOUCHED}"
        )


def is_newer(found: object, known: int) -> bool:
    """Return True if the format number belongs to a newer Kiebitz; for data with a checksum."""
    return type(found) is int and found > known


def sentence(error: sqlite3.Error, path: str) -> Trouble:
    """Return a Trouble with a readable message for an SQLite error."""
    code = getattr(error, "sqlite_errorcode", 0)
    kind = code & 0xFF
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Trouble(f"another Kiebitz is writing to {path}; try again when it has finished. {_UNTOUCHED}")
    if kind == sqlite3.SQLITE_FULL:
        return Trouble(f"the disk with {path} is full: free some space and try again. {_UNTOUCHED}")
    if kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return Trouble(f"{path} cannot be written (read-only disk, or no permission). {_UNTOUCHED}")
    if kind == sqlite3.SQLITE_CANTOPEN:
        return Trouble(f"{path} cannot be opened, or nothing can be written beside it: check the folder. {_UNTOUCHED}")
    if kind == sqlite3.SQLITE_NOTADB:
        if _was_a_store(path):
            return damaged(path, "its header is invalid")
        return Trouble(f"{path} is not a database; name another file with --db. {_UNTOUCHED}")
    if kind == sqlite3.SQLITE_CORRUPT:
        return damaged(path, str(error))
    if kind == sqlite3.SQLITE_IOERR:
        return Trouble(f"the disk with {path} has failed ({error}). {_UNTOUCHED}")
    if "decode" in str(error):
        return damaged(path, str(error))
    raise error  # corruption that only damage_of() detects, or a bug


def _was_a_store(path: str) -> bool:
    """Return True if the header of a file has traces of our databases."""
    with open(path, "rb") as file:
        header = file.read(_HEADER)
    return header.startswith(_MAGIC) or header[68:72] == APPLICATION_ID.to_bytes(4, "big")


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open a database in autocommit mode. Returns the connection; mode is SQLite's "ro", "rw", "rwc" or "memory"."""
    name = quote(os.fsencode(path))  # as bytes, because file names need not be UTF-8
    return sqlite3.connect(f"file:{name}?mode={mode}", timeout=WAIT_S, isolation_level=None, uri=True)


def _settle(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")


class Database(AnyDatabase):
    """A laptop's database file; a committed transaction is on disk."""

    engine = "sqlite"
    begins = "BEGIN IMMEDIATE"
    path: Path

    def __init__(self, path: Path, mode: str):
        super().__init__(path)
        with self.trouble():
            self.connection = connect(path, mode)
        try:
            with self.trouble():
                _settle(self.connection)
                if mode != "memory":
                    self._check_length()
                self._version_at_start = self._version_heard = self._data_version()
        except Trouble:
            self.close()
            raise

    def damaged(self, how: str) -> Damaged:
        """Return a Trouble about a corrupt file."""
        return damaged(str(self.path), how)

    def _check_length(self) -> None:
        """Detect a truncated last page, which SQLite would read as if padded with zeros."""
        self.connection.execute("BEGIN")
        self.connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # takes the read lock: no writer from here on
        (page,) = self.connection.execute("PRAGMA page_size").fetchone()
        cut = self.path.stat().st_size % page
        self.connection.execute("COMMIT")
        if cut:
            raise self.damaged("its end is missing")

    def _data_version(self) -> int:
        """Return a number that changes whenever another connection changes the file."""
        return self.connection.execute("PRAGMA data_version").fetchone()[0]

    def wait_for_change(self, seconds: float) -> bool:
        """Wait until another connection has changed the file. Returns False after a timeout."""
        end = time.monotonic() + seconds
        while True:
            with self.trouble():
                version = self._data_version()
            if version != self._version_heard:
                self._version_heard = version
                return True
            if time.monotonic() >= end:
                return False
            time.sleep(min(POLL_S, max(0.0, end - time.monotonic())))

    @contextmanager
    def trouble(self) -> Iterator[None]:
        """Convert SQLite errors to Trouble."""
        try:
            yield
        except sqlite3.Error as error:
            raise sentence(error, str(self.path)) from None
        except UnicodeDecodeError:  # in an error message: even the table names are corrupt
            raise self.damaged("its tables are corrupt") from None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Run a block on one snapshot of the database."""
        if self.connection.in_transaction:
            yield
            return
        self.run("BEGIN")
        try:
            yield
        finally:
            self._roll_back()

    def _is_overtaken(self) -> bool:
        return self._data_version() != self._version_at_start

    def _roll_back(self) -> None:
        try:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
        except sqlite3.Error:
            pass  # the next process that opens the file rolls back; the first error is more useful

    def rows(self, sql: str, *values) -> list[tuple]:
        """Return all rows of a query."""
        with self.trouble():
            return self.connection.execute(sql, values).fetchall()

    def run(self, sql: str, *values) -> None:
        """Execute a statement that returns no rows."""
        with self.trouble():
            self.connection.execute(sql, values)

    def many(self, sql: str, rows: Iterable[tuple]) -> None:
        with self.trouble():
            self.connection.executemany(sql, rows)
