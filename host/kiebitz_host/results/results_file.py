"""Chooses the file of the results: the --db option, then KIEBITZ_DB, then the user's data folder."""

import os
import sys
from pathlib import Path

NAME = "results.db"


def data_folder() -> Path:
    """Return the folder where this system keeps the data of programs."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    folder = Path(os.environ.get("XDG_DATA_HOME", ""))
    return folder if folder.is_absolute() else Path.home() / ".local" / "share"


def default_path() -> Path:
    """Return the database that is used unless another one is named."""
    return data_folder() / "kiebitz" / NAME


def add_db_option(parser, default: str | None = None) -> None:
    """Add the option --db to a command."""
    where = "the database, instead of $KIEBITZ_DB or the user's data folder"
    parser.add_argument("--db", metavar="PATH", default=default, help=where)


def db_path(args) -> Path:
    """Return the database for a command."""
    chosen = getattr(args, "db", None) or os.environ.get("KIEBITZ_DB")
    return Path(chosen).expanduser() if chosen else default_path()


def open_store(args):
    """Open the store for a command that changes something, and create it if missing. Returns the store."""
    from .store import Store

    return Store(db_path(args))


def read_store(args):
    """Open the store for a command that only reads.

    Returns the store; a missing file is not created, the store is empty.
    """
    from .store import Store

    return Store(db_path(args), create=False)
