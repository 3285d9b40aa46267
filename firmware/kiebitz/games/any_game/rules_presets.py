"""List well-known titles with their rules for entry, winning and the end of the game."""

PLAYERS = 4  # enough players to check every option of a preset: with fewer, nobody sits out
STEPS = (1, 5, 10)  # points that one press may stand for
# What a preset keeps of a set-up besides title and options, with its values, the default first: points a press,
# whether the deal is shown, and how many teams there are
KEPT = {"step": STEPS, "deals": (0, 1), "sides": (0, 2, 3, 4)}

_EXCHANGE = {"entry": "exchange"}
_DEALS = {"deals": 1}


def _low(limit=None, **more):
    """Return the options of a game that the fewest points win, with a target or an open end."""
    options = {"wins": "low"}
    options.update(_to(limit) if limit else {})
    options.update(more)
    return options


def _to(limit):
    """Return the options of a game that ends at a target."""
    return {"end": "target", "limit": limit}


# Title -> options, and what else it keeps. The phases decide Phase 10 and the tiles Qwirkle: both end by hand
_FACTS = (
    ("Skyjo", _low(100, ender="doubles"), {}),
    ("Rummy", _low(), _DEALS),
    ("Uno", _to(500), _DEALS),
    ("Doppelkopf", _EXCHANGE, _DEALS),
    ("Schafkopf", _EXCHANGE, _DEALS),
    ("Tarot", _EXCHANGE, _DEALS),
    ("Canasta", _to(5000), {"deals": 1, "sides": 2, "step": 5}),
    ("Phase 10", _low(), {"deals": 1, "step": 5}),
    ("Hearts", _low(100), _DEALS),
    ("Gin Rummy", _to(100), _DEALS),
    ("Qwirkle", {}, {}),
    ("Farkle", _to(10000), {"step": 10}),
    ("Points", {}, {}),
)
TITLES = tuple([facts[0] for facts in _FACTS])


def options_for(title, players):
    """Return the options of a built-in title, without those at their defaults."""
    return dict(_FACTS[TITLES.index(title)][1])


def kept_for(title):
    """Return what a title keeps besides its options; nothing for a title that is not built in."""
    return _FACTS[TITLES.index(title)][2] if title in TITLES else {}


def fitting(title, options, players):
    """Return the options of a preset, the same for any number of players."""
    return options
