"""The games by their folders. In the image, a module with the list itself is in the place of this one."""

import os

_FOLDER = __file__[: max(__file__.rfind("/"), __file__.rfind("\\")) + 1]


def _place(kind):
    """Return what games are sorted by in menus: what the folder says, or behind all others."""
    return getattr(__import__("kiebitz.games." + kind, None, None, ("*",)), "PLACE", 1000), kind


def _rooms():
    """Return the games that have a folder here with rules in it, in the order of menus."""
    return tuple(sorted([name for name in os.listdir(_FOLDER) if _is_room(name)], key=_place))


def _is_room(name):
    try:
        return "rules.py" in os.listdir(_FOLDER + name)
    except OSError:
        return False  # a module


NAMES = _rooms()
