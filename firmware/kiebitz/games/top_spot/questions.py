"""Ask what a match of Top Spot needs before it begins: the level, how it is kept, and how many games it has."""

from ...machine_code import const
from ...text import later, text

_LEVELS = ("junior", "expert")
_MODES = ("tally", "assisted")
_GAMES_MAX = const(30)


def defaults(setup):
    """Fill in what a set-up starts with."""
    setup["level"] = _LEVELS[0]
    setup["mode"] = _MODES[0]
    setup["match_length"] = len(setup["players"])


def items(ready):
    """Return the lines of the menu, as (label, action)."""
    n = len(ready.setup["players"])
    lengths = [n * i for i in range(1, _GAMES_MAX // n + 1)]
    label = later("new.length", n=ready.setup["match_length"])
    mode, cycle = ready.choice("new.mode", "mode", _MODES)

    def change_mode():
        cycle()
        ready.app.toast(text("new.mode." + ready.setup["mode"]), 0)

    return [
        (mode, change_mode),
        ready.choice("new.level", "level", _LEVELS),
        (label, lambda: ready.cycle("match_length", lengths)),
    ]
