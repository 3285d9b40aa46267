"""Every screen of the device as a short story: a game to sit down to, what has happened in it, and keys to press.

A scene is (title, setup, events, keys); a function stands for the keys where keys cannot do it. Scenes with players are
told of a usual table, and of the hardest one to draw: longest names, most players, high numbers.
"""

from .carre import carre
from .device import device, table
from .poch import poch
from .royal import royal
from .spot import spot

SHORT = ["Anna", "Ben", "Cleo", "Dan"]
LONG = [
    "Maximiliane-Alexandrina",
    "Bartholomäus Schönfelder",
    "Cäcilie von Hohenzollern",
    "Wilhelmina Vanderbuilt",
    "Giovanni Battista Rossi",
]
MANY = [*LONG, "Dorothea Katharina Ünlü", "Ernst-Friedrich Großmann", "Françoise d'Haussonville"]

_WITH_PLAYERS = {"table": table, "royal": royal, "carre": carre, "poch": poch, "spot": spot}
GROUPS = ("device", *_WITH_PLAYERS)
HARD_GROUPS = tuple(_WITH_PLAYERS)


def scenes_of(group, hard=False):
    """The scenes of a group."""
    if group not in _WITH_PLAYERS:
        return device(SHORT)
    players = SHORT
    if hard:
        players = MANY if group == "poch" else LONG
    return _WITH_PLAYERS[group](players, hard)
