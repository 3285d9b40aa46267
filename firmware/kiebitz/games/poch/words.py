"""The entries of Poch in words."""

NAMED = {"pool": "pool.", "trump": "suit.", "dir": "dir."}  # whose values have names: argument -> prefix of their texts


def details(event, places):
    """Fill in what no argument gives. Returns the tail of the text's key, where an event has two sentences."""
    if event["ev"] == "showdown":
        return "" if places["name"] else ".nobody"
    if event["ev"] == "reveal":
        places["n"] = len(event["hands"])
    return ""
