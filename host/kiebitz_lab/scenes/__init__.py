"""Describe every screen of the device as a scene: the set-up of a game, the events before, and keys to press.

A scene is (title, setup, events, keys). Where keys are not enough, `keys` is a function that takes the device. Scenes
with players exist for usual players, and for those hardest to draw: longest names, most players, high numbers.
"""

from kiebitz.games import game_class

from ..games import GAMES_IN_LAB
from ..games.base import FOUR
from .device import device
from .table import EIGHT, scoreboards, table, turn_clocks

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
    """Return the scenes of a group; hard: with the players that are hardest to draw."""
    if group == "device":
        return device(FOUR)
    if group == "table":
        players, eight = (LONG, MANY) if hard else (FOUR, EIGHT)
        return [*table(players), *scoreboards(eight), *turn_clocks(players, eight)]
    kind = _KINDS[group]
    _, most = game_class(kind).PLAYERS
    return GAMES_IN_LAB[kind].scenes(MANY[:most] if hard else FOUR, hard)
