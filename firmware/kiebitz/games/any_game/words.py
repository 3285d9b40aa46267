"""The entries of any other game in words."""

from ...widgets.screen import signed


def details(event, places):
    """Fill in what no argument gives. Returns the tail of the text's key, where an event has two sentences."""
    if event["ev"] == "add":
        places["k"] = signed(event["k"])
    return ""
