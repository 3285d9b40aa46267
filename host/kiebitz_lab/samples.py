"""A whole game of each kind in key presses, from the first entry to the final ranking: one entry on each line.

The benchmark counts the presses, and the emulated chip must end with the same screen and the same journal.
"""

_FOUR = ["Anna", "Ben", "Cleo", "Dan"]

# The typical entry of each game, as players make it most often, with the keys it takes
TYPICAL = {
    "royal_flush": ("a piece on a board", "ok up ok"),
    "poker_carre pad": ("one combination", "ok up ok ok"),
    "poker_carre grid": ("a card in the next cell", "down ok ok"),
    "poch": ("a pool cashed", "down ok"),
    "top_spot": ("a trick won", "up"),
}

_ROYAL_ROUND = """
ok left ok
right right ok
ok up ok
right ok
ok up right ok
ok ok
ok up left ok
ok down ok
right right right ok
ok right ok
ok left ok
ok down right ok ok
"""

_PAD = """
ok ok ok
ok up ok ok
ok ok ok
ok down ok ok
ok right ok ok
ok ok ok
ok up ok ok
ok down ok ok
ok up right ok ok
ok ok up*2 ok ok
ok down right ok ok
ok ok ok
left up*2 ok
"""

_GRID_LAYOUT = "ok" + " ok right ok down" * 4 + " ok ok\n"
_GRID_CARDS = """
down ok ok
ok down ok
ok left ok
ok left ok
ok left ok
ok ok
ok right ok
ok ok
"""

_POCH_ROUND = """
down ok
down ok
up ok
ok
ok
down*2 ok
ok
ok ok
down*3 ok
down*3 ok
ok
down ok
down ok
down ok right ok right*2 ok ok
"""

_SPOT_GAME = """
up
left
up
right
down
up
up
left
ok down ok
ok
"""

# name -> (set-up, keys)
SAMPLES = {
    "royal_flush": ({"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}, _ROYAL_ROUND * 3),
    "poker_carre pad": ({"game": "poker_carre", "players": _FOUR}, _PAD),
    "poker_carre grid": (
        {"game": "poker_carre", "players": _FOUR, "mode": "grid"},
        _GRID_LAYOUT + _GRID_CARDS * 5,
    ),
    "poch": ({"game": "poch", "players": _FOUR}, _POCH_ROUND * 2 + "left up*2 ok ok\n"),
    "top_spot": ({"game": "top_spot", "players": _FOUR}, _SPOT_GAME * 4 + "ok\n"),
}


def play(device, name):
    """Play a sample on a device; returns (presses, entries)."""
    setup, keys = SAMPLES[name]
    device.sit_down(setup)
    before = device.presses
    device.keys(keys)
    return device.presses - before, device.app.games.journal.lines - 1
