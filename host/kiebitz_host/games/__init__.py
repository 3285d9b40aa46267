"""Finds what the laptop does with a game by its name: a game may have a file here, one without gets the defaults.

A file has the class of the game as GAME; the names are those of the folders in kiebitz.games.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from .base import GameOnLaptop


@cache
def on_laptop(kind: str) -> GameOnLaptop:
    """Return what the laptop does with a game: as the file of the game says, or the defaults if it has none."""
    name = f"{__name__}.{kind}"
    return import_module(name).GAME() if find_spec(name) else GameOnLaptop()


__all__ = ["GameOnLaptop", "on_laptop"]
