"""Finds a game by its name: each game has a folder here, with its rules and its screens.

A folder has at least `rules` with the class of the game as GAME, and `table` with what makes its first screen as TABLE.
Its own MORE names what else there is: `questions` (what is asked before a game), `words` (entries in words) and
`presets` (its players give a game a title; well-known titles to begin with).
"""

from .base import Refused, bad
from .names import NAMES as GAMES


def _room(kind, part):
    """Return a module of a game's folder, imported when first needed: a device in play needs only one game."""
    return __import__("kiebitz.games." + kind + "." + part, None, None, ("*",))


def _more(kind, part):
    """Return a module that not every game has, None if this one has none."""
    room = __import__("kiebitz.games." + kind, None, None, ("*",))
    return _room(kind, part) if part in getattr(room, "MORE", ()) else None


def questions_of(kind):
    """Return the module with what is asked before a game of this kind, or None."""
    return _more(kind, "questions")


def words_of(kind):
    """Return the module that knows the entries of this kind of game in words, or None."""
    return _more(kind, "words")


def presets_of(kind):
    """Return the module with the well-known titles of this kind of game, or None if its games have no title."""
    return _more(kind, "presets")


def game_class(kind):
    """Return the class of a game; Refused if there is no such game."""
    if kind not in GAMES:
        raise bad("game")
    return _room(kind, "rules").GAME


def table_screen(app, session):
    """Return the table of the game in play, as a screen."""
    return _room(session.game.KIND, "table").TABLE(app, session)


def new_game(setup):
    """Begin a game from its set-up, the first line of a journal. Returns the game; Refused if the set-up is wrong."""
    if not isinstance(setup, dict):
        raise bad("game")
    return game_class(setup.get("game"))(setup)


__all__ = ["GAMES", "Refused", "game_class", "new_game", "presets_of", "questions_of", "table_screen", "words_of"]
