"""List well-known titles with their rules for winning and the end of the game."""

from ...machine_code import const

STEPS = (1, 5, 10)  # points that one press may stand for
KEPT = {"step": STEPS}  # what a preset keeps of a set-up besides title and options, with its values, the default first

_CARDS = const(60)  # of Wizard: all of them are dealt in the last round

# Title -> who wins, how the game ends, and at how many points or rounds; Wizard's rounds depend on the players.
# The phases decide Phase 10 and the tiles Qwirkle: both end by hand
_FACTS = (
    ("Skyjo", "low", "target", 100),
    ("Wizard", "high", "rounds", _CARDS),
    ("Hearts", "low", "target", 100),
    ("Canasta", "high", "target", 5000),
    ("Gin Rummy", "high", "target", 100),
    ("Phase 10", "low", "open", None),
    ("Qwirkle", "high", "open", None),
    ("Farkle", "high", "target", 10000),
    ("Points", "high", "open", None),
)
TITLES = tuple([facts[0] for facts in _FACTS])


def options_for(title, players):
    """Return the options of a built-in title for n players, without those at their defaults."""
    _, wins, end, limit = _FACTS[TITLES.index(title)]
    options = {}
    if wins == "low":
        options["wins"] = wins
    if end != "open":
        options["end"] = end
        options["limit"] = limit // players if end == "rounds" else limit
    return options


def fitting(title, options, players):
    """Return the options of a preset for n players, with the usual number of rounds adjusted to n."""
    if title in TITLES:
        for n in range(2, 9):
            if options == options_for(title, n):
                return options_for(title, players)
    return options
