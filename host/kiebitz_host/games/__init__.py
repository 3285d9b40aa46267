"""Find the laptop's part of a game by the name of its folder here; a game without a folder gets the defaults.

A folder has the class of the game as GAME, its laptop-only sentences as en.txt and so on, and optionally `live.py` and
`live.css`, which draw its table for a large screen.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base import GameOnLaptop


@cache
def on_laptop(kind: str) -> "GameOnLaptop":
    """Return the laptop's part of a game: an instance of the class in its folder, or of the default class."""
    from .base import GameOnLaptop  # imports rich, which a command that prints only its help does not need

    return getattr(part_of(kind), "GAME", GameOnLaptop)()


def part_of(kind: str, part: str = ""):
    """Import a module from the folder of a game, by default its package. Returns None if it does not exist."""
    folder = f"{__name__}.{kind}"
    if not find_spec(folder):
        return None
    name = f"{folder}.{part}" if part else folder
    return import_module(name) if find_spec(name) else None
