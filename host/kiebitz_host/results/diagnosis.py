"""Explains an unexpected error of a command: by damage in the database, if there is any."""

import sqlite3
from contextlib import closing
from pathlib import Path

from ..outcome import Trouble
from .damage import check_everything
from .database import Database, damaged
from .file_tables import format_of
from .store import Store


def damage_of(path: Path) -> Trouble | None:
    """Look for damage anywhere in a database. Returns the trouble that describes it; None if there is none."""
    if not path.is_file() or not path.stat().st_size:
        return None
    try:
        with closing(Database(path, "ro")) as db:
            format_of(db)
            check_everything(db)
            _check_derived(db)
    except Trouble as trouble:
        return trouble
    except sqlite3.Error as error:
        return damaged(str(path), str(error))
    return None


def _check_derived(db: Database) -> None:
    """Raise Damaged if games or scores do not follow from the journals: a copy in memory derives them anew."""
    with Store.copy_of(db) as copy:
        stored = _derived_rows(copy.db)
        copy.rebuild()
        if _derived_rows(copy.db) != stored:
            raise damaged(str(db.path), "its scores do not follow from its journals")


def _derived_rows(db: Database) -> list[list[tuple]]:
    return [
        db.rows("SELECT * FROM games ORDER BY number"),
        db.rows(
            "SELECT number, seat, spelling.spelling, name, score, rank, winner, starts FROM scores "
            "JOIN spellings spelling ON spelling.id = scores.spelling JOIN people ON people.id = person ORDER BY 1, 2"
        ),
    ]
