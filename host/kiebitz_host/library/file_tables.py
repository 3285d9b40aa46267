"""Create the tables of a database file, and find corruption in it, including what SQLite does not detect."""

import sqlite3
from collections.abc import Iterator

from ..outcome import Trouble
from . import schema
from .database import APPLICATION_ID, FORMAT_MAX, Database, need_known_format
from .decisions import id_of
from .journal_record import BadRecord, digest_of, unpacked


def prepare(db: Database, create: bool) -> None:
    """Create the tables of a new database if `create` is true.

    Raises Trouble for a corrupt file, or one of another program or a newer Kiebitz.
    """
    if format_of(db) == 0:
        if not create:
            raise db.damaged("it has no tables")
        _create(db)


def format_of(db: Database) -> int:
    """Return the format of the tables; 0 for a file without any.

    Raises Trouble if they are corrupt, or belong to another program or a newer Kiebitz.
    """
    tables = {name for (name,) in db.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    ours = db.value("PRAGMA application_id") == APPLICATION_ID
    found = db.value("PRAGMA user_version")
    if not ours and not tables:
        return 0
    if not ours and not tables.issuperset(schema.table_names(schema.KEPT)):
        raise Trouble(f"{db.path} belongs to another program; name another file with --db. Nothing was changed.")
    if not ours or not 0 < found < FORMAT_MAX:
        raise db.damaged("its header does not match its tables")
    need_known_format(str(db.path), found, schema.FORMAT)
    check_tables(db)
    return found


def _create(db: Database) -> None:
    with db.transaction():
        if format_of(db) == 0:  # check again: another process may have been faster
            db.create(schema.KEPT)
            db.create(schema.DERIVED)
            db.run(f"PRAGMA application_id = {APPLICATION_ID}")
            db.run(f"PRAGMA user_version = {schema.FORMAT}")


TIME_MAX = 253402300799  # the end of the year 9999
_SEQUENCE = "CREATE TABLE sqlite_sequence(name,seq)"  # SQLite's own table, for AUTOINCREMENT
_TIMES = ("journals.received", "journals.at", "devices.seen", "games.at")
_TYPES = {"INTEGER": "integer", "SMALLINT": "integer", "TEXT": "text", "BLOB": "blob"}


def check_tables(db: Database) -> None:
    """Raise Damaged if the tables are not those that this program creates."""
    stored = {name: _normal(sql or "") for name, sql in db.rows("SELECT name, sql FROM sqlite_master")}
    fits = all(stored.get(_name(sql)) == sql for sql in map(_normal, [*_statements(), _SEQUENCE]))
    if not fits:
        raise db.damaged(f"its tables are not those of format {schema.FORMAT}")


def _statements() -> list[str]:
    return [sql for sql in (schema.KEPT + schema.DERIVED).split(";") if sql.strip()]


def _normal(sql: str) -> str:
    """Return a statement without the differences that renaming a table leaves."""
    return " ".join(sql.replace('"', "").split())


def _name(sql: str) -> str:
    """Return the name of the table or index that a statement creates."""
    return sql.split()[2].partition("(")[0]


def check_everything(db: Database) -> None:
    """Raise Damaged if anything in the file is corrupt.

    This takes 50 ms per thousand games, so it runs before writing and to explain an error, but not before reading.
    """
    check_tables(db)
    try:
        with db.trouble():
            how = next(_findings(db), "")
    except sqlite3.Error as error:
        how = str(error)
    if how:
        raise db.damaged(how)


def _findings(db: Database) -> Iterator[str]:
    """Yield a short description of each finding."""
    for (line,) in db.connection.execute("PRAGMA integrity_check(1)"):
        if line != "ok":
            yield line.splitlines()[-1]
    if db.rows("PRAGMA foreign_key_check"):
        yield "it has entries that belong to no game"
    for table in (row[0] for row in db.rows("SELECT name FROM sqlite_master WHERE type = 'table'")):
        if not table.startswith("sqlite_"):
            yield from _values(db, table)
    yield from _contents(db)


def _values(db: Database, table: str) -> Iterator[str]:
    """Yield invalid values of a table: wrong types, times out of range, texts that are not UTF-8."""
    wrong = []
    for _, name, kind, not_null, _, key in db.rows(f'PRAGMA table_info("{table}")'):
        if kind in _TYPES:
            types = f"'{_TYPES[kind]}'" + ("" if not_null or key else ", 'null'")
            wrong.append(f'typeof("{name}") NOT IN ({types})')
        if f"{table}.{name}" in _TIMES:
            wrong.append(f'"{name}" NOT BETWEEN 0 AND {TIME_MAX}')
    if wrong and db.value(f'SELECT 1 FROM "{table}" WHERE {" OR ".join(wrong)} LIMIT 1'):
        yield f"table {table} has invalid values"
    for _ in db.connection.execute(f'SELECT * FROM "{table}"'):
        pass  # reading decodes every text


def _contents(db: Database) -> Iterator[str]:
    """Yield the journals and decisions whose content does not match their hash."""
    sql = "SELECT number, data, digest FROM journals LEFT JOIN contents USING (number)"
    for number, data, digest in db.connection.execute(sql):
        try:
            sound = data is not None and digest_of(unpacked(data)) == digest
        except BadRecord:
            sound = False
        if not sound:
            yield f"the journal of game {number} is not readable"
    for key, content in db.connection.execute("SELECT id, content FROM decisions"):
        if id_of(content) != key:
            yield "a decision is not readable"
