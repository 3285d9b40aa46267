"""Play the first evening of a new device by keys: from power-on with an empty flash to the first entry of a game.

`kiebitz_lab.bench.presses` counts the presses, with guests and with names that are written.
"""

from kiebitz.games import GAMES
from kiebitz.screens.letters import GROUP, KEYS, MORE, pages_of
from kiebitz.text.casing import upper
from kiebitz.widgets import keys as key_numbers

from .games import GAMES_IN_LAB
from .games.base import FOUR, lines_of

GUESTS_MOST = 14
NAMES_MOST = 45


def spelled(name, lang="en"):
    """Return the keys that write a name."""
    return " ".join([_letter(upper(char), pages_of(lang)) for char in name])


def _letter(char, pages):
    """Return the keys that choose a letter, through as many pages as it takes."""
    keys = []
    for page in pages:
        found = char in page
        at = page.index(char if found else MORE)
        keys += [key_numbers.NAMES[KEYS[place]].lower() for place in (at // GROUP, at % GROUP)]
        if found:
            return " ".join(keys)
    raise LookupError(char)


def choose_game(kind):
    """Return the keys that choose a game from the list; it goes round."""
    down = GAMES.index(kind)
    up = len(GAMES) - down
    return "down " * down + "ok" if down <= up else "up " * up + "ok"


def first_entry(kind):
    """Return the keys of the first entry of a sample game of this kind."""
    samples = GAMES_IN_LAB[kind].SAMPLES
    return lines_of(samples[sorted(samples)[-1]][1])[0]


def to_first_entry(kind, names=None, lang="en"):
    """Return the keys from power-on to the first entry, with four guests, or with names that are written."""
    keys = ["ok", "ok", choose_game(kind)]  # the language, New game
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
