"""Creates the tables of a laptop's file, and checks that those that are there are ours."""

from ..outcome import Trouble
from . import schema
from .damage import check_tables
from .database import APPLICATION_ID, FORMAT_MAX, Database, damaged, need_known_format


def prepare(db: Database, create: bool) -> None:
    """Create the tables of a new database if `create` allows it.

    Raises Trouble for a damaged file, or one of another program or a newer Kiebitz.
    """
    if format_of(db) == 0:
        if not create:
            raise damaged(str(db.path), "it has no tables")
        _create(db)


def format_of(db: Database) -> int:
    """Return the format of the tables, 0 for a file without any.

    Raises Trouble if they are damaged, or belong to another program or a newer Kiebitz.
    """
    tables = {name for (name,) in db.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    ours = db.value("PRAGMA application_id") == APPLICATION_ID
    found = db.value("PRAGMA user_version")
    if not ours and not tables:
        return 0
    if not ours and not tables.issuperset(schema.table_names(schema.KEPT)):
        raise Trouble(f"{db.path} belongs to another program; name another file with --db. Nothing was changed.")
    if not ours or not 0 < found < FORMAT_MAX:
        raise damaged(str(db.path), "its header is not that of its tables")
    need_known_format(str(db.path), found, schema.FORMAT)
    check_tables(db)
    return found


def _create(db: Database) -> None:
    with db.transaction():
        if format_of(db) == 0:  # still: another process may have been quicker
            db.create(schema.KEPT)
            db.create(schema.DERIVED)
            db.run(f"PRAGMA application_id = {APPLICATION_ID}")
            db.run(f"PRAGMA user_version = {schema.FORMAT}")
