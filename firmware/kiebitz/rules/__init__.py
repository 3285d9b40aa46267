"""The rules of the four games, pure: set-up and events in, states and refusals out."""

from .common import Refused, bad

GAMES = ("royal_flush", "poker_carre", "poch", "top_spot")


def game_class(kind):
    """The class of a game, imported when it is first asked for: a device in play needs one of the four."""
    if kind == "royal_flush":
        from .royal_flush import RoyalFlush as cls
    elif kind == "poker_carre":
        from .poker_carre import PokerCarre as cls
    elif kind == "poch":
        from .poch import Poch as cls
    elif kind == "top_spot":
        from .top_spot import TopSpot as cls
    else:
        raise bad("game")
    return cls


def new_game(setup):
    """A game from the first line of its replay form, or Refused."""
    if not isinstance(setup, dict):
        raise bad("game")
    return game_class(setup.get("game"))(setup)


__all__ = ["GAMES", "Refused", "game_class", "new_game"]
