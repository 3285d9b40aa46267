"""Open and create a club's database on PostgreSQL, with the same interface as a laptop's SQLite file.

Statements use SQLite's placeholders, and only SQL that a distributed PostgreSQL supports. Every writer first increments
a counter in the table `club`. This serializes writers as on a laptop, and notifies all listeners at the commit.
"""

import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from ..outcome import Trouble
from . import schema
from .database import FORMAT_MAX, AnyDatabase, Damaged, need_known_format

WAIT_S = 60  # timeout for other writers
CONNECT_S = 10
CHANNEL = "kiebitz"
CLUB = "CREATE TABLE club (name TEXT PRIMARY KEY, value BIGINT NOT NULL)"
# Detect a dead server after half a minute instead of a quarter of an hour
_ALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 4, "tcp_user_timeout": 30_000}
_UNTOUCHED = "Nothing was changed."


def driver() -> ModuleType:
    """Import and return psycopg; raise Trouble with installation advice if it is missing."""
    try:
        import psycopg  # only clubs need it
    except ImportError:
        raise Trouble(
            "a club's database needs the package psycopg: install it with `pipx inject kiebitz 'psycopg[binary]'`, or "
            "without pipx with `pip install 'psycopg[binary]'`."
        ) from None
    return psycopg


def without_password(address: str) -> str:
    """Return the address without its password; raise Trouble if it is not an address."""
    try:
        parts = urlsplit(address)
    except ValueError:
        raise Trouble("the address of the club's database is not valid: check it, above all its brackets.") from None
    user, at, host = parts.netloc.rpartition("@")
    return urlunsplit((parts.scheme, f"{user.partition(':')[0]}{at}{host}", parts.path, "", ""))


@cache
def _translated(sql: str) -> str:
    """Return the statement with psycopg's placeholders."""
    return sql.replace("%", "%%").replace("?", "%s")


def _plain(value: Any) -> Any:
    """Return the value as a column stores it; booleans become 0 or 1, as in SQLite."""
    return int(value) if isinstance(value, bool) else value


_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")


def _sanitized(value: Any) -> Any:
    """Return the value with "?" for each control character: Kiebitz stores none, but other programs may."""
    return _CONTROLS.sub("?", value) if type(value) is str and not value.isprintable() else value


class ClubDatabase(AnyDatabase):
    """A club's database on a server; every commit notifies all listeners."""

    engine = "postgresql"
    begins = "BEGIN ISOLATION LEVEL READ COMMITTED"  # writers queue for the counter instead of failing to serialize
    is_shared = True
    path: str

    def __init__(self, address: str):
        super().__init__(without_password(address))
        self._psycopg = driver()
        self._reading = False
        self._overtaken = False
        self._listens = False
        self._seen: int | None = None  # the last change number seen by this connection
        self._counted: int | None = None  # the change number of the open transaction
        with self.trouble():
            self.connection = self._psycopg.connect(
                address, autocommit=True, connect_timeout=CONNECT_S, application_name="kiebitz", **_ALIVE
            )
        self.is_distributed = bool(self.connection.info.parameter_status("crdb_version"))
        try:
            with self.trouble():
                self.connection.execute(f"SET lock_timeout = '{WAIT_S}s'; SET client_min_messages = 'warning'")
            self._seen = self.change_count()
        except Trouble:
            self.close()
            raise

    def change_count(self) -> int | None:
        """Return the change number of the database, the same for every client; None before the tables exist."""
        if not self._has_tables():
            return None
        return self._fact("changes")

    def _has_tables(self) -> bool:
        """Return True if the tables exist; cache a positive answer, because tables are never dropped."""
        return self._seen is not None or self.has_table("club")

    def has_table(self, name: str) -> bool:
        """Return True if a table of this name exists in the search path."""
        return bool(self.value("SELECT to_regclass(?) IS NOT NULL", name))

    def format(self) -> int:
        """Return the format of the tables; 0 if there are none."""
        return self._fact("format") if self._has_tables() else 0

    def _fact(self, name: str) -> int:
        """Return a value of the table `club`."""
        return self._needed(name, self.value("SELECT value FROM club WHERE name = ?", name))

    def _needed(self, name: str, value: Any) -> int:
        if type(value) is not int:
            raise self.damaged(f"its table club has no row {name!r}")
        return value

    def damaged(self, how: str) -> Damaged:
        """Return a Trouble about an invalid database."""
        return Damaged(
            f"{self.path} is damaged ({how}). {_UNTOUCHED} `kiebitz rebuild` derives all results again from the games; "
            "its administrator can restore the rest from a backup."
        )

    # --- trouble ---

    @contextmanager
    def trouble(self) -> Iterator[None]:
        """Convert PostgreSQL errors to Trouble."""
        try:
            yield
        except self._psycopg.Error as error:
            raise self._sentence(error) from None

    def _sentence(self, error: Any) -> Trouble:
        """Return a Trouble with a readable message for an error."""
        kind = error.sqlstate or ""
        reason = " ".join(str(error).split())
        if self.connection is None or self.connection.closed or kind[:2] == "08" or kind[:3] == "57P":
            return self._no_connection(reason)
        if kind == "42501":
            return Trouble(f"this user may only read {self.path}, or not do this: ask its administrator. {_UNTOUCHED}")
        if kind == "25006":
            return Trouble(f"{self.path} can only be read (is it a replica?): name the main server. {_UNTOUCHED}")
        if kind in ("55P03", "40001", "40P01", "57014"):
            return Trouble(f"another Kiebitz is writing to {self.path}; try again when it has finished. {_UNTOUCHED}")
        if kind in ("53100", "53200"):
            return Trouble(f"the server of {self.path} is out of disk space: free some and try again. {_UNTOUCHED}")
        if kind[:2] in ("", "22", "23", "54", "P0"):
            return Trouble(f"{self.path} rejects this request: {reason}. {_UNTOUCHED}")
        if kind[:2] in ("XX", "58", "42"):
            return Trouble(f"{self.path} is damaged, or its tables were changed ({reason}). {_UNTOUCHED}")
        raise error

    def _no_connection(self, reason: str) -> Trouble:
        if self.connection is not None:
            return Trouble(
                f"the connection to {self.path} was lost. What was not finished is not stored; run it again when the "
                "server answers: nothing is stored twice."
            )
        if "password" in reason or "authentication" in reason:
            return Trouble(f"{self.path} does not accept this user or password: check the address. {_UNTOUCHED}")
        if "does not exist" in reason:
            return Trouble(f"{self.path} has no such database or user ({reason}). {_UNTOUCHED}")
        return Trouble(f"{self.path} does not answer: is the server running, and the address right? {_UNTOUCHED}")

    # --- transactions ---

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Run a block on one snapshot of the database."""
        if self._depth or self._reading:
            yield
            return
        self.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        self._reading = True
        try:
            yield
        finally:
            self._reading = False
            self._roll_back()

    def _enter(self) -> None:
        """Increment the change counter, which waits for all other writers; do nothing before the tables exist."""
        self._counted = None
        if self._has_tables():
            sql = "UPDATE club SET value = value + 1 WHERE name = 'changes' RETURNING value"
            count = self._needed("changes", self.value(sql))
            self._overtaken = self._overtaken or (self._seen is not None and count - 1 != self._seen)
            self._counted = count

    def _commit(self) -> None:
        if self._counted is not None and not self.is_distributed:
            self.rows("SELECT pg_notify(?, ?)", CHANNEL, str(self._counted))
        super()._commit()
        self._seen = self._counted

    def _is_overtaken(self) -> bool:
        return self._overtaken

    def _roll_back(self) -> None:
        try:
            self.connection.execute("ROLLBACK")
        except self._psycopg.Error:
            pass  # the server has already rolled back; the first error is more useful

    # --- statements ---

    def rows(self, sql: str, *values) -> list[tuple]:
        """Return all rows of a query."""
        with self.trouble():
            found = self.connection.execute(_translated(sql), [_plain(value) for value in values]).fetchall()
        return [tuple(map(_sanitized, row)) for row in found]

    def run(self, sql: str, *values) -> None:
        """Execute a statement that returns no rows."""
        with self.trouble():
            self.connection.execute(_translated(sql), [_plain(value) for value in values])

    def many(self, sql: str, rows: Iterable[tuple]) -> None:
        """Execute a statement for each row."""
        values = [[_plain(value) for value in row] for row in rows]
        if values:
            with self.trouble(), self.connection.cursor() as cursor:
                cursor.executemany(_translated(sql), values)

    def create(self, sql: str) -> None:
        """Execute the statements that create tables."""
        self.script(schema.for_postgresql(sql))

    # --- changes of others ---

    def wait_for_change(self, seconds: float) -> bool:
        """Wait until the database has changed. Returns False after a timeout.

        Poll every second if the server cannot notify.
        """
        end = time.monotonic() + seconds
        with self.trouble():
            if not self.is_distributed and not self._listens:
                self.connection.execute(f"LISTEN {CHANNEL}")
                self._listens = True
            while True:
                count = self.change_count()
                if count != self._seen:
                    self._seen = count
                    return True
                left = end - time.monotonic()
                if left <= 0:
                    return False
                if self.is_distributed:
                    time.sleep(min(left, 1.0))
                else:
                    next(iter(self.connection.notifies(timeout=left, stop_after=1)), None)


def prepare_club(db: ClubDatabase, create: bool) -> None:
    """Create the tables of a new database if `create` is true.

    Raises Trouble for a database of another program or of a newer Kiebitz.
    """
    if _format(db) == 0 and create:
        _create(db)


def _format(db: ClubDatabase) -> int:
    """Return the format of the tables; 0 if there are none.

    Raises Trouble if they are corrupt, or belong to another program or a newer Kiebitz.
    """
    found = db.format()
    if found == 0:
        taken = [name for name in schema.table_names(schema.KEPT + schema.DERIVED) if db.has_table(name)]
        found = db.format()  # check again: another laptop may have created the tables between the two queries
        if taken and found == 0:
            raise Trouble(
                f"{db.path} belongs to another program (it has a table {taken[0]}); name another database. "
                "Nothing was changed."
            )
    need_known_format(str(db.path), found, schema.FORMAT)
    if not 0 <= found < FORMAT_MAX:
        raise db.damaged(f"its format number is {found}")
    return found


def _create(db: ClubDatabase) -> None:
    """Create all tables; tolerate another laptop that creates them at the same time."""
    try:
        with db.transaction():
            db.run(CLUB)
            for name, value in (("changes", 0), ("format", schema.FORMAT)):
                db.run("INSERT INTO club (name, value) VALUES (?, ?)", name, value)
            db.create(schema.KEPT)
            db.create(schema.DERIVED)
    except Trouble:
        if _format(db) != schema.FORMAT:
            raise
