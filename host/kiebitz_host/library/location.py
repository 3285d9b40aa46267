"""Choose and open the database: the --db option, then KIEBITZ_DB, then a file in the user data folder.

The store is imported inside functions, so that a command that only prints its help starts faster.
"""

import os
from pathlib import Path

from ..system import data_folder

NAME = "results.db"


def default_path() -> Path:
    """Return the path of the default database."""
    return data_folder() / NAME


def is_address(place: str | Path) -> bool:
    """Return True for the address of a club's database."""
    return isinstance(place, str) and place.startswith(("postgresql://", "postgres://"))


def db_path(args) -> Path | str:
    """Return the database for a command: the path of a file, or the address of a club's database."""
    chosen = getattr(args, "db", None) or os.environ.get("KIEBITZ_DB")
    if chosen and is_address(chosen):
        return chosen
    return Path(chosen).expanduser() if chosen else default_path()


def open_store(args):
    """Open the store for writing, and create it if missing. Returns the store."""
    from .store import Store

    return Store(db_path(args))


def read_store(args):
    """Open the store for reading.

    Returns the store. A missing file is not created; the store is then empty.
    """
    from .store import Store

    return Store(db_path(args), create=False)
