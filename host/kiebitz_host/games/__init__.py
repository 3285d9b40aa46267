"""Find what the laptop knows of a game by the name of its folder here; a game without a folder gets the defaults.

A folder has the class of the game as GAME, its sentences that only the laptop needs as en.txt and so on, and possibly
`live.py`, which draws its table for a large screen.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from .base import GameOnLaptop


@cache
def on_laptop(kind: str) -> GameOnLaptop:
    """Return the laptop's part of a game: the class in its folder, or the defaults."""
    return getattr(part_of(kind), "GAME", GameOnLaptop)()


def part_of(kind: str, part: str = ""):
    """Return a module in the folder of a game, by default its package; None if there is no such module."""
    folder = f"{__name__}.{kind}"
    if not find_spec(folder):
        return None
    name = f"{folder}.{part}" if part else folder
    return import_module(name) if find_spec(name) else None


__all__ = ["GameOnLaptop", "on_laptop", "part_of"]
