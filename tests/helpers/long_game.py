"""Games of any length for the tests and the benchmark: rounds and matches that are not allowed to end."""

from kiebitz.games import Refused

from helpers.dice import Dice
from helpers.play import setup
from helpers.random_game import legal_event

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
