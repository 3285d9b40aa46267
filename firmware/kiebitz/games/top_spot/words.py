"""The entries of Top Spot in words."""


def details(event, places):
    """Fill in what no argument gives. Returns the tail of the text's key, where an event has two sentences."""
    if event["ev"] == "trick":
        places["values"] = " ".join([str(play["value"]) for play in event["plays"]])
    return ""
