"""Games of any length for the tests and the benchmark: rounds and matches that are not allowed to end."""

from kiebitz.games import Refused

from . import NAMES
from .any_kind import legal_event
from .dice import Dice

# The keys beside "options" in a set-up; every other keyword of setup() is a house rule.
_SETUP_KEYS = ("boards", "child", "dealer", "mode", "level", "match_length", "confirm", "players")


def setup(kind, n, options=None, **keys):
    """The first replay line: n players; words that are no set-up keys are house rules.

    Poch has a house rule that is called like the set-up key `dealer`: that one goes into `options`.
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


# The largest table each game knows, in each of its modes
SETUPS = {
    "royal_flush": setup("royal_flush", 5, turns="follow"),
    "poker_carre score": setup("poker_carre", 5),
    "poker_carre grid": setup("poker_carre", 5, mode="grid"),
    "poch": setup("poch", 8),
    "top_spot tally": setup("top_spot", 5, level="expert", match_length=1000),
    "top_spot assisted": setup("top_spot", 5, level="expert", mode="assisted", match_length=1000),
}


def play_on(table, length, seed=1):
    """Play until so many events are in force."""
    dice = Dice(seed)
    while len(table) < length:
        assert not table.game.over
        try:
            table.play(legal_event(table.game, dice, endless=True))
        except Refused:
            pass
