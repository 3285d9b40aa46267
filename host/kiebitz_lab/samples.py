"""A whole game of each kind in key presses, from the first entry to the final ranking: one entry on each line.

The benchmark counts the presses, and the emulated chip must end with the same screen and the same journal.
"""

from .games import GAMES_IN_LAB

# name -> the typical entry, as players make it most often, with the keys it takes
TYPICAL = {name: entry for game in GAMES_IN_LAB.values() for name, entry in game.TYPICAL.items()}
# name -> (set-up, keys)
SAMPLES = {name: sample for game in GAMES_IN_LAB.values() for name, sample in game.SAMPLES.items()}


def play(device, name):
    """Play a sample on a device; returns (presses, entries)."""
    setup, keys = SAMPLES[name]
    device.sit_down(setup)
    before = device.presses
    device.keys(keys)
    return device.presses - before, device.app.games.journal.lines - 1
