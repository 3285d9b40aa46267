"""What was entered, in a few words: for the history, the UNDO message and logs."""

from . import player, text

_SEATS = {"p": "name", "winner": "name", "best": "name", "from": "name", "to": "other"}
_NAMED = {"board": "board.", "pool": "pool.", "trump": "suit.", "dir": "dir."}


def describe(event, names, brief=False):
    """An event of the replay form in words: one line of the display, as long as names are short; brief: shorter yet."""
    places = {}
    for key in event:
        value = event[key]
        if key in _SEATS:
            places[_SEATS[key]] = "" if value is None else player(value, names)
        else:
            named = _NAMED.get(key)
            if brief and key == "board":
                named = "short."
            places[key] = text(named + value) if named else value
    return text("ev." + event["ev"] + _detail(event, places), **places)


def _detail(event, places):
    """Work out the places that no argument gives, and return the tail of the key where an event has two sentences."""
    name = event["ev"]
    if name == "take":
        places["k"] = event["swaps"] + event["buys"]
        return "" if places["k"] else ".free"
    if name == "place":
        if "items" not in event:
            return ".card"
        from ..games.poker_carre.grid import points_of

        places["points"] = points_of(event["items"])
        return ".items"
    if name == "mark" or name == "unmark":
        places["points"] = text("rubric.%d" % event["rubric"])
    elif name == "showdown":
        return "" if places["name"] else ".nobody"
    elif name == "reveal":
        places["n"] = len(event["hands"])
    elif name == "trick":
        places["values"] = " ".join([str(play["value"]) for play in event["plays"]])
    elif name == "correct":
        places["k"] = event["at"] + 1
    return ""
