"""Describe entries in a few words for the history, the UNDO message and logs."""

from ..games import game_class
from ..games.base import REQUIRED
from . import has, listed, player, text, value_text


def describe(event, names, kind, brief=False):
    """Return an event of a game of this kind in words.

    The words fit one line of the display if names are short; brief: an even shorter text.
    """
    game = game_class(kind)
    try:
        return _sentence(event, event, names, game, brief)
    except KeyError:  # an argument is missing, as a replay file may have it; show its default
        arguments = game.EVENTS.get(event["ev"], ())
        values = {key: default for key, _, default in arguments if default is not REQUIRED}
        values.update(event)
        return _sentence(event, values, names, game, brief)


def _sentence(event, values, names, game, brief):
    """Return the sentence of an event with these values of its arguments; KeyError if the sentence needs another."""
    if event["ev"] == "option":
        rule = text("opt." + event["name"])
        value = value_text(event["value"], game.KIND, event["name"])
        return rule if brief else text("ev.option", rule=rule, value=value)
    seats, named = game.SEATS, game.NAMED
    short = game.SHORT if brief else {}
    places = {}
    for key in values:
        value = values[key]
        if value is None:
            places[seats.get(key, key)] = ""
        elif key in seats:
            several = isinstance(value, list)
            places[seats[key]] = listed([player(p, names) for p in value]) if several else player(value, names)
        elif key == "players":
            places[key] = ", ".join(value)
        else:
            prefix = short.get(key) or named.get(key)
            places[key] = text(prefix + str(value)) if prefix else value
    if "at" in event:
        places["k"] = event["at"] + 1
        return text("ev." + event["ev"], **places)
    key = "ev." + event["ev"] + game.fill_places(event, places)
    kind = "." + game.KIND  # after the key of an event that is named in the folder of its game
    if brief and has(key + ".brief" + kind):
        key += ".brief"
    return text(key + kind if has(key + kind) else key, **places)
