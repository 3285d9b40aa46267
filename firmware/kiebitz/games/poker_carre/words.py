"""The entries of PokerCarre in words."""

from ...text import text
from .grid import MIDDLE, points_of


def _place(right, down):
    """Return the way to a cell from the middle card of the first nine: numbers with an arrow."""
    words = "%d%s" % (abs(right), "\u2192" if right > 0 else "\u2190") if right else ""
    return words + ("%d%s" % (abs(down), "\u2193" if down > 0 else "\u2191") if down else "")


def details(event, places):
    """Fill in what no argument gives. Returns the tail of the text's key, where an event has two sentences."""
    name = event["ev"]
    if name == "place":
        if "items" not in event:
            places["where"] = _place(event["x"] - MIDDLE[0], event["y"] - MIDDLE[1])
            return ".card"
        places["points"] = points_of(event["items"])
        return ".items"
    if name in ("mark", "unmark"):
        places["points"] = text("rubric.%d" % event["rubric"])
    return ""
