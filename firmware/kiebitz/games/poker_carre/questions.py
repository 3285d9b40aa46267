"""Ask what a game of PokerCarre needs before it begins: how it is kept."""

from ...text import later

_MODES = ("score", "grid")


def defaults(setup):
    """Fill in what a set-up starts with."""
    setup["mode"] = _MODES[0]


def items(ready):
    """Return the lines of the menu, as (label, action)."""
    label = later("new.carre.grid" if ready.setup["mode"] == "grid" else "new.carre.score")
    return [(label, lambda: ready.cycle("mode", _MODES))]
