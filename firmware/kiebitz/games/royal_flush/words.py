"""The entries of Royal Flush in words."""

NAMED = {"board": "board."}  # whose values have names: argument -> prefix of their texts
SHORT = {"board": "short."}  # the same where there is little room


def details(event, places):
    """Fill in what no argument gives. Returns the tail of the text's key, where an event has two sentences."""
    if event["ev"] == "take":
        places["k"] = event["swaps"] + event["buys"]
        return "" if places["k"] else ".free"
    return ""
