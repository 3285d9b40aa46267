"""Collect a whole game of each kind as key presses, from the first entry to the final ranking, one entry per line.

The benchmark counts the presses, and the emulated chip must end with the same screen and the same journal.
"""

from .games import GAMES_IN_LAB

# name -> (the entry that players make most often, its keys)
TYPICAL = {name: entry for game in GAMES_IN_LAB.values() for name, entry in game.TYPICAL.items()}
# name -> entries in a round
ROUNDS = {name: entries for game in GAMES_IN_LAB.values() for name, entries in game.ROUNDS.items()}
# name -> (set-up, keys)
SAMPLES = {name: sample for game in GAMES_IN_LAB.values() for name, sample in game.SAMPLES.items()}


def play(device, name):
    """Play a sample on a device. Returns (number of key presses, number of entries)."""
    setup, keys = SAMPLES[name]
    device.sit_down(setup)
    before = device.presses
    device.keys(keys)
    return device.presses - before, device.app.library.journal.lines - 1
