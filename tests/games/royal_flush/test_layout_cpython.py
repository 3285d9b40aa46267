"""Test that the header bar of Royal Flush never touches the line below it, on both displays."""

from itertools import groupby

import pytest
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


@pytest.mark.parametrize("board", [gallery.DEFAULT, gallery.OTHER_BOARD])
@pytest.mark.parametrize(("title", "hard"), SCENES)
def test_a_dark_row_is_between_the_header_and_the_first_line(board, title, hard):
    scene = next(scene for scene in scenes_of("royal", hard) if scene[0] == title)
    rows, palette = gallery.picture_of("en", scene, board)
    dark = palette.index(min(palette))
    begin = len(rows) // 16  # in the bar, and in the row of the first letters
    end = len(rows) * 10 // 64
    most = BESIDE_A_LETTER if board == gallery.DEFAULT else 0
    assert min(longest_light(row, dark) for row in rows[begin:end]) <= most


def longest_light(row, dark):
    """Return the length of the longest run of pixels that are not dark."""
    return max((len(list(run)) for is_dark, run in groupby(row, dark.__eq__) if not is_dark), default=0)
