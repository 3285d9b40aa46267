"""Test that the colours are distinguishable, also for colour-blind players, and readable on the dark."""

from itertools import combinations
from math import dist

import pytest
from kiebitz.games.poker_carre.card_entry import TINTS
from kiebitz.games.poker_carre.rules_grid import COLOURS as CARDS
from kiebitz.raster.tints import COLOURS, DARK

SHADES = dict(COLOURS)
APART = 15  # two colours at this distance, as people see them, are clearly different
# What is left of red, green and blue light in an eye (Machado, Oliveira and Fernandes, 2009)
EYES = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "no green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "no blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def light(part):
    """Return how much light a part of a colour gives, from 0 to 1."""
    part /= 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def brightness(shade):
    red, green, blue = map(light, shade)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def seen(shade, eye):
    """Return a colour in CIE Lab, where distances are as people see them."""
    lights = [light(part) for part in shade]
    red, green, blue = (min(1, max(0, sum(a * b for a, b in zip(row, lights, strict=True)))) for row in EYES[eye])
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize(
    "names", [TINTS, ("plain", "bar", "leader", "change", "refused", "red")], ids=["cards", "roles"]
)
def test_colours_on_one_screen_can_be_told_apart(eye, names):
    least = APART if names == TINTS else APART / 2  # a bar is a bar in any colour
    for one, other in combinations(names, 2):
        assert dist(seen(SHADES[one], eye), seen(SHADES[other], eye)) > least, (one, other)


@pytest.mark.parametrize("name", SHADES)
def test_every_colour_stands_out_from_the_dark(name):
    """By the measure for letters on a web page, of which 4.5 is the least."""
    assert (brightness(SHADES[name]) + 0.05) / (brightness(DARK) + 0.05) > 4.5


def test_each_card_colour_of_poker_carre_has_a_tint_of_its_own():
    assert len(set(TINTS)) == len(TINTS) == len(CARDS) and set(TINTS) <= set(SHADES)
