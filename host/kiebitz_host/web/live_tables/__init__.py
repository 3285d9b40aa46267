"""Find the live table of a game by its name: a game without a file here gets the default.

A file has the class of the game as TABLE; the file names are those of the folders in kiebitz.games.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from .base import LiveTable


@cache
def live_table(kind: str) -> LiveTable:
    """Return the live table of a game: the class in its file, or the default if the game has no file."""
    name = f"{__name__}.{kind}"
    return import_module(name).TABLE() if find_spec(name) else LiveTable()


__all__ = ["LiveTable", "live_table"]
