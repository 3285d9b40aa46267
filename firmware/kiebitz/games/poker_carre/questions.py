"""Ask what a game of PokerCarre needs before it begins: how it is kept."""

_MODES = ("score", "grid")


def defaults(setup):
    """Fill in what a set-up starts with."""
    setup["mode"] = _MODES[0]


def items(ready):
    """Return the lines of the menu, as (label, action)."""
    return [ready.choice("new.mode", "mode", _MODES)]
