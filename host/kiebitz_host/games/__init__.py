"""Find the laptop's part of a game by its name: a game without a file here gets the defaults.

A file has the class of the game as GAME; the file names are those of the folders in kiebitz.games.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from .base import GameOnLaptop


@cache
def on_laptop(kind: str) -> GameOnLaptop:
    """Return the laptop's part of a game: the class in its file, or the defaults if the game has no file."""
    name = f"{__name__}.{kind}"
    return import_module(name).GAME() if find_spec(name) else GameOnLaptop()


__all__ = ["GameOnLaptop", "on_laptop"]
