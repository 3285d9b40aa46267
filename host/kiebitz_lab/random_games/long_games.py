"""Play games of any length for the tests and the benchmark: rounds and matches do not end."""

from kiebitz.games import Refused

from .any_kind import legal_event
from .dice import Dice
from .setups import setup

# The most players of each game, in each of its modes
SETUPS = {
    "royal_flush": setup("royal_flush", 5, turns="follow"),
    "poker_carre score": setup("poker_carre", 5),
    "poker_carre grid": setup("poker_carre", 5, mode="grid"),
    "poch": setup("poch", 8),
    "top_spot tally": setup("top_spot", 5, level="expert", match_length=1000),
    "top_spot assisted": setup("top_spot", 5, level="expert", mode="assisted", match_length=1000),
    "any_game rounds": setup("any_game", 8, title="Skyjo", wins="low"),
    "any_game counter": setup("any_game", 8, title="Life", entry="counter", start=20),
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
