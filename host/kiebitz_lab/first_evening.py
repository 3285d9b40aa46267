"""Play the first evening of a new device by keys: from power-on with an empty flash to the first entry of a game.

`kiebitz_lab.bench.presses` counts the presses, with guests and with names that are written.
"""

from kiebitz.games import GAMES, presets_of

from .games import GAMES_IN_LAB
from .games.base import FOUR, lines_of
from .spelling import spelled

GUESTS_MOST = 14
NAMES_MOST = 45


def choose_game(kind):
    """Return the keys that choose a game from the list, which goes round, and the first of its titles if it has any."""
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
        keys.append("hold:ok")
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
