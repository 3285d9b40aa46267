"""Where the results are kept: the --db option, then KIEBITZ_DB, then the user's data folder."""

import os
import sys
from pathlib import Path

NAME = "results.db"


def data_folder() -> Path:
    """The folder where this system keeps the data of programs."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    folder = Path(os.environ.get("XDG_DATA_HOME", ""))
    return folder if folder.is_absolute() else Path.home() / ".local" / "share"


def default_path() -> Path:
    """The database that is used unless another one is named."""
    return data_folder() / "kiebitz" / NAME


def add_db_option(parser, default: str | None = None) -> None:
    """Give a command the option --db."""
    where = "the database, instead of $KIEBITZ_DB or the user's data folder"
    parser.add_argument("--db", metavar="PATH", default=default, help=where)


def db_path(args) -> Path:
    """The database a command is to use."""
    chosen = getattr(args, "db", None) or os.environ.get("KIEBITZ_DB")
    return Path(chosen).expanduser() if chosen else default_path()


def open_store(args):
    """The store, for a command that changes something: created if it is not there."""
    from .store import Store

    return Store(db_path(args))


def read_store(args):
    """The store, for a command that only reads: a file that is not there is not created, the store is empty then."""
    from .store import Store

    return Store(db_path(args), create=False)
