"""The colours of a colour display, each by what it means: bright on a dark ground, and calm.

Players who confuse red and green can tell them by their brightness, and no colour is the only sign of anything. Only
the canvas and the driver of such a display import this: screens name a colour, and an OLED ignores it.
"""

from ..machine_code import const

_WHITE = const((255, 244, 224))
_AMBER = const((255, 196, 88))
_RED = const((248, 80, 88))
_ORANGE = const((255, 144, 24))
_YELLOW = const((255, 224, 88))
_GREEN = const((56, 200, 144))
_BLUE = const((96, 152, 255))
_VIOLET = const((208, 168, 240))

DARK = (8, 12, 16)  # every pixel that is not lit
# The first one is the colour of everything that a screen gives no other
COLOURS = (
    ("plain", _WHITE),
    ("bar", _AMBER),
    ("leader", _YELLOW),
    ("change", _BLUE),
    ("refused", _ORANGE),
    ("red", _RED),
    ("orange", _ORANGE),
    ("yellow", _YELLOW),
    ("green", _GREEN),
    ("blue", _BLUE),
    ("violet", _VIOLET),
)

NUMBERS = {name: number for number, (name, _) in enumerate(COLOURS)}
