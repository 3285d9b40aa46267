"""Creates the tables of a club's database, and checks that those that are there are ours."""

from ..outcome import Trouble
from . import schema
from .club_database import CLUB, ClubDatabase
from .database import FORMAT_MAX, need_known_format


def prepare_club(db: ClubDatabase, create: bool) -> None:
    """Create the tables of a new database if `create` allows it.

    Raises Trouble for a database of another program or a newer Kiebitz.
    """
    if _format(db) == 0 and create:
        _create(db)


def _format(db: ClubDatabase) -> int:
    """Return the format of the tables, 0 without any.

    Raises Trouble if they are damaged, or belong to another program or a newer Kiebitz.
    """
    found = db.format()
    if found == 0:
        taken = [name for name in schema.table_names(schema.KEPT + schema.DERIVED) if db.has_table(name)]
        found = db.format()  # once more: another laptop may have created them between the two questions
        if taken and found == 0:
            raise Trouble(
                f"{db.path} belongs to another program (it has a table {taken[0]}); name another database. "
                "Nothing was changed."
            )
    need_known_format(str(db.path), found, schema.FORMAT)
    if not 0 <= found < FORMAT_MAX:
        raise Trouble(f"{db.path} is damaged (its format number is {found}). Nothing was changed.")
    return found


def _create(db: ClubDatabase) -> None:
    """Create all tables; if another laptop does so at the same moment, one of the two does it."""
    try:
        with db.transaction():
            db.run(CLUB)
            for name, value in (("changes", 0), ("format", schema.FORMAT)):
                db.run("INSERT INTO club (name, value) VALUES (?, ?)", name, value)
            db.create(schema.KEPT)
            db.create(schema.DERIVED)
    except db.already_there:
        if _format(db) != schema.FORMAT:
            raise
