"""Creates and updates the tables of a club's database, by the same steps as those of a laptop's file."""

from collections.abc import Callable

from ..outcome import Trouble
from . import schema
from .club_database import CLUB, ClubDatabase

FIRST = 6  # the first version that a club's database can have
STEPS: dict[int, Callable[[ClubDatabase], None]] = {}  # version -> function that makes the next version


def prepare_club(db: ClubDatabase, rebuild: Callable[[], object], say: Callable[[str], None], create: bool) -> None:
    """Create the tables of a new database if `create` allows it, or update those of an old one.

    Raises Trouble for a database of another program or a newer Kiebitz.
    """
    version = _version(db)
    if version == schema.VERSION or (version == 0 and not create):
        return
    if not create:
        raise Trouble(f"{db.path} is of version {version}: whoever may write there brings it up to date first.")
    if version == 0:
        _create(db)
        return
    say(f"Bringing {db.path} from version {version} to {schema.VERSION} ...")
    while _version(db) < schema.VERSION:
        _step(db, rebuild, say)


def _version(db: ClubDatabase) -> int:
    """Return the version of the tables; raises Trouble if they are not ours, or those of a newer Kiebitz."""
    version = db.version()
    if version == 0:
        taken = [name for name in schema.table_names(schema.KEPT + schema.DERIVED) if db.has_table(name)]
        if taken:
            version = db.version()  # another laptop may have created them all in this moment
        if taken and version == 0:
            raise Trouble(
                f"{db.path} belongs to another program (it has a table {taken[0]}); name another database. "
                "Nothing was changed."
            )
    if version > schema.VERSION:
        raise Trouble(
            f"{db.path} was written by a newer Kiebitz (version {version}, this one knows {schema.VERSION}): "
            "update Kiebitz. Nothing was changed."
        )
    return version


def _create(db: ClubDatabase) -> None:
    """Create all tables; if another laptop does so at the same moment, one of the two does it."""
    try:
        with db.transaction():
            db.run(CLUB)
            for name, value in (("changes", 0), ("version", schema.VERSION)):
                db.run("INSERT INTO club (name, value) VALUES (?, ?)", name, value)
            db.create(schema.KEPT)
            db.create(schema.DERIVED)
    except db.already_there:
        if _version(db) != schema.VERSION:
            raise


def _step(db: ClubDatabase, rebuild: Callable[[], object], say: Callable[[str], None]) -> None:
    """Update by one version: copy the tables that are kept, change them, and after the last step derive all anew."""
    with db.transaction():
        version = _version(db)
        if version == schema.VERSION:
            return
        for name in schema.table_names(schema.KEPT):
            if db.has_table(name):
                db.run(f"CREATE TABLE {name}_v{version} AS SELECT * FROM {name}")
        say(f"Version {version} is kept in tables whose names end with _v{version}")
        STEPS[version](db)
        if version + 1 == schema.VERSION:
            db.script(schema.DROP_DERIVED)
            db.create(schema.DERIVED)
            rebuild()
        db.run("UPDATE club SET value = ? WHERE name = 'version'", version + 1)
