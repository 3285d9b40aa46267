"""Collect key presses to play: a whole game of each kind, one entry per line, and the first evening of a new device."""

from kiebitz.games import GAMES, game_class, presets_of

from .games import GAMES_IN_LAB
from .games.base import FOUR, lines_of
from .handheld import spelled

# name -> (the entry that players make most often, its keys)
TYPICAL = {name: entry for game in GAMES_IN_LAB.values() for name, entry in game.TYPICAL.items()}
# name -> (entries in a round, most presses a round on average)
ROUNDS = {name: entries for game in GAMES_IN_LAB.values() for name, entries in game.ROUNDS.items()}
# name -> the events that the players mean with the keys
SAID = {name: events for game in GAMES_IN_LAB.values() for name, events in game.SAID.items()}
# name -> (set-up, keys)
SAMPLES = {name: sample for game in GAMES_IN_LAB.values() for name, sample in game.SAMPLES.items()}


def play(device, name):
    """Play a sample on a device. Returns (number of key presses, number of entries)."""
    setup, keys = SAMPLES[name]
    device.sit_down(setup)
    before = device.presses
    device.keys(keys)
    return device.presses - before, device.app.library.journal.lines - 1


GUESTS_MOST = 14
NAMES_MOST = 45


def choose_game(kind):
    """Return the keys that choose a game from the list, which wraps around, and its first title if it has any."""
    down = GAMES.index(kind)
    up = len(GAMES) - down
    keys = "down " * down + "ok" if down <= up else "up " * up + "ok"
    return keys + " ok" if presets_of(kind) else keys


def first_entry(kind):
    """Return the keys of the first entry of a sample game of this kind; of a game with titles, of the typical one."""
    if presets_of(kind):
        return GAMES_IN_LAB[kind].TYPICAL[kind][1]
    samples = GAMES_IN_LAB[kind].SAMPLES
    return lines_of(samples[sorted(samples)[-1]][1])[0]


def to_first_entry(kind, names=None, lang="en"):
    """Return the keys from power-on to the first entry, with four guests, or with names that are written."""
    keys = ["ok", choose_game(kind)]  # the language
    if names:
        keys.append("down ok")
        keys += [spelled(name, lang) + " hold:ok" for name in names]
        # After the last possible name no further one is asked for
        keys.append("hold:ok" if len(names) < game_class(kind).PLAYERS[1] else "right")
    else:
        keys += ["ok"] * len(FOUR)
        keys.append("right")
    keys += ["ok", first_entry(kind)]
    return " ".join(keys)


def first_entry_presses(new_device):
    """Return {kind: {"guests": presses, "names": presses}}; new_device() returns a device with an empty flash."""
    counted: dict = {}
    for kind in GAMES_IN_LAB:
        counted[kind] = {}
        for who, names in (("guests", None), ("names", FOUR)):
            device = new_device().keys(to_first_entry(kind, names))
            assert len(device.table) == 1, (kind, who)
            assert not names or device.game.names == names, kind
            counted[kind][who] = device.presses
    return counted
