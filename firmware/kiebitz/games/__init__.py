"""Find a game by its name. Each game has a folder here with its rules, its screens and its sentences.

A folder has at least `rules` with the class of the game as GAME, and `table` with the factory of its first screen as
TABLE. Modules named `rules*` are pure; all others may draw. The package may name two more modules: QUESTIONS has
`defaults` and `items`, which ask for more before a game; PRESETS has well-known titles, if games have titles.
"""

from .base import Refused, bad
from .names import NAMES as GAMES


def _module(kind, part):
    """Return a module of a game's folder, imported on first use."""
    return __import__("kiebitz.games." + kind + "." + part, None, None, ("*",))


def _named(kind, what):
    """Return the module that the package of a game names in this constant, or None."""
    part = getattr(__import__("kiebitz.games." + kind, None, None, ("*",)), what, None)
    return _module(kind, part) if part else None


def questions_of(kind):
    """Return the module with what is asked before a game of this kind, or None."""
    return _named(kind, "QUESTIONS")


def presets_of(kind):
    """Return the module with the well-known titles of this kind of game, or None if its games have no title."""
    return _named(kind, "PRESETS")


def game_class(kind):
    """Return the class of a game. Raises Refused for an unknown game."""
    if kind not in GAMES:
        raise bad("game")
    return _module(kind, "rules").GAME


def table_screen(app, session):
    """Return the table of the game in play, as a screen."""
    return _module(session.game.KIND, "table").TABLE(app, session)


def new_game(setup):
    """Begin a game from its set-up, the first line of a journal. Returns the game; Refused if the set-up is wrong."""
    if not isinstance(setup, dict):
        raise bad("game")
    return game_class(setup.get("game"))(setup)


__all__ = ["GAMES", "Refused", "game_class", "new_game", "presets_of", "questions_of", "table_screen"]
