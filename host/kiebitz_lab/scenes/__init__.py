"""Every screen of the device as a short story: a game to sit down to, what has happened in it, and keys to press.

A scene is (title, setup, events, keys); a function stands for the keys where keys cannot do it. Scenes with players are
told of a usual table, and of the hardest one to draw: longest names, most players, high numbers.
"""

from kiebitz.games import game_class

from ..games import GAMES_IN_LAB
from ..games.base import FOUR
from .device import device, table

LONG = [
    "Maximiliane-Alexandrina",
    "Bartholomäus Schönfelder",
    "Cäcilie von Hohenzollern",
    "Wilhelmina Vanderbuilt",
    "Giovanni Battista Rossi",
]
MANY = [*LONG, "Dorothea Katharina Ünlü", "Ernst-Friedrich Großmann", "Françoise d'Haussonville"]

_KINDS = {game.GROUP: kind for kind, game in GAMES_IN_LAB.items() if game.GROUP}
HARD_GROUPS = ("table", *_KINDS)
GROUPS = ("device", *HARD_GROUPS)


def scenes_of(group, hard=False):
    """Return the scenes of a group."""
    if group == "device":
        return device(FOUR)
    if group == "table":
        return table(LONG if hard else FOUR)
    kind = _KINDS[group]
    _, most = game_class(kind).PLAYERS
    return GAMES_IN_LAB[kind].scenes(MANY[:most] if hard else FOUR, hard)
