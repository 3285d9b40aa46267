"""The entries of PokerCarre in words."""

from ...text import text
from .grid import points_of


def details(event, places):
    """Fill in what no argument gives. Returns the tail of the text's key, where an event has two sentences."""
    name = event["ev"]
    if name == "place":
        if "items" not in event:
            return ".card"
        places["points"] = points_of(event["items"])
        return ".items"
    if name in ("mark", "unmark"):
        places["points"] = text("rubric.%d" % event["rubric"])
    return ""
