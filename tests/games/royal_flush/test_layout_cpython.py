"""Test that the header bar of Royal Flush never touches the line below it, on both displays."""

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


@pytest.mark.parametrize("board", [gallery.DEFAULT, gallery.OTHER_BOARD])
@pytest.mark.parametrize(("title", "hard"), SCENES)
def test_a_dark_row_is_between_the_header_and_the_first_line(board, title, hard):
    scene = next(scene for scene in scenes_of("royal", hard) if scene[0] == title)
    rows, palette = gallery.picture_of("en", scene, board)
    dark = palette.index(min(palette))
    begin = len(rows) // 16  # in the bar, and in the row of the first letters
    end = len(rows) * 10 // 64
    assert any(set(row) == {dark} for row in rows[begin:end])
