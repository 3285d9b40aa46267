"""Find the laboratory's data about a game by its name; a game without a file here gets the defaults.

A file has the class of the game as GAME; the file names are those of the folders in kiebitz.games.
"""

from importlib import import_module
from importlib.util import find_spec

from kiebitz.games import GAMES

from .base import GameInLab


def _find(kind: str) -> GameInLab:
    """Return the game as its file defines it, or the defaults without a file."""
    name = f"{__name__}.{kind}"
    return import_module(name).GAME() if find_spec(name) else GameInLab()


GAMES_IN_LAB = {kind: _find(kind) for kind in GAMES}  # in the order of menus

__all__ = ["GAMES_IN_LAB", "GameInLab"]
