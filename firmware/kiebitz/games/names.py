"""List the games by their folders. In the image, a generated module with the list replaces this one."""

import os

_FOLDER = __file__[: max(__file__.rfind("/"), __file__.rfind("\\")) + 1]


def _place(kind):
    """Return the sort key of a game in menus. A game without PLACE comes last."""
    return getattr(__import__("kiebitz.games." + kind, None, None, ("*",)), "PLACE", 1000), kind


def _games():
    """Return the names of the folders here that hold rules, in the order of menus."""
    return tuple(sorted([name for name in os.listdir(_FOLDER) if _is_game(name)], key=_place))


def _is_game(name):
    """Return True if a name is the folder of a game."""
    try:
        return "rules.py" in os.listdir(_FOLDER + name)
    except OSError:
        return False  # a module


NAMES = _games()
