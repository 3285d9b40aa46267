"""Test that the header bar of Royal Flush never touches the line below it, on both displays."""

from itertools import groupby

import pytest
from kiebitz.widgets.screen import LINE
from kiebitz_lab import gallery
from kiebitz_lab.scenes import scenes_of

# Scene, and whether it is the one with the longest names and five players
SCENES = (
    ("table in play", True),
    ("table in play", False),
    ("round over", True),
    ("round over", False),
    ("last round over", True),
    ("boards of a player", True),
    ("boards", False),
)


BESIDE_A_LETTER = 2  # pixels: what stays lit in the dark row beside a descender, so that a g does not look like an o


@pytest.mark.parametrize(("title", "hard"), SCENES)
def test_a_dark_row_is_between_the_header_and_the_first_line(title, hard):
    rows, light = picture(title, hard, gallery.DEFAULT)
    assert 0 < longest_light(rows[LINE - 2], light)
    assert longest_light(rows[LINE - 1], light) <= BESIDE_A_LETTER or not longest_light(rows[LINE], light)


@pytest.mark.parametrize(("title", "hard"), SCENES)
def test_a_dark_row_is_between_the_header_and_the_first_line_of_the_large_display(title, hard):
    rows, light = picture(title, hard, gallery.OTHER_BOARD)
    begin = len(rows) // 16  # in the bar, and in the row of the first letters
    end = len(rows) * 10 // 64
    assert any(not longest_light(row, light) for row in rows[begin:end])


def picture(title, hard, board):
    """Return the pixels of a scene, and a set of the colours that are not the darkest."""
    scene = next(scene for scene in scenes_of("royal", hard) if scene[0] == title)
    rows, palette = gallery.picture_of("en", scene, board)
    return rows, set(range(len(palette))) - {palette.index(min(palette))}


def longest_light(row, light):
    """Return the length of the longest run of lit pixels."""
    return max((len(list(run)) for is_lit, run in groupby(row, light.__contains__) if is_lit), default=0)
