"""Play games of any length for the tests and the benchmark: rounds and matches do not end."""

from kiebitz.games import Refused

from . import NAMES
from .any_kind import legal_event
from .dice import Dice

# The keys beside "options" in a set-up; every other keyword of setup() is a house rule.
_SETUP_KEYS = ("boards", "child", "dealer", "mode", "level", "match_length", "confirm", "players")


def setup(kind, n, options=None, **keys):
    """Return the set-up of a game for n players; keywords that are no set-up keys are house rules.

    Poch has a house rule with the same name as the set-up key `dealer`: pass this rule in `options`.
    """
    line = {"game": kind, "players": list(NAMES[:n])}
    chosen = dict(options or {})
    for key in keys:
        if key in _SETUP_KEYS:
            line[key] = keys[key]
        else:
            chosen[key] = keys[key]
    line["options"] = chosen
    return line


# The most players of each game, in each of its modes
SETUPS = {
    "royal_flush": setup("royal_flush", 5, turns="follow"),
    "poker_carre score": setup("poker_carre", 5),
    "poker_carre grid": setup("poker_carre", 5, mode="grid"),
    "poch": setup("poch", 8),
    "top_spot tally": setup("top_spot", 5, level="expert", match_length=1000),
    "top_spot assisted": setup("top_spot", 5, level="expert", mode="assisted", match_length=1000),
}


def play_on(table, length, seed=1):
    """Play until `length` events are in force."""
    dice = Dice(seed)
    while len(table) < length:
        assert not table.game.over
        try:
            table.play(legal_event(table.game, dice, endless=True))
        except Refused:
            pass
