"""Pixels as characters."""

import pytest
from kiebitz_host.sim.picture import STYLES, braille, can_show, coloured, drawn, half_blocks, plain, shrunk, sizes


def rows(*text):
    """Rows of pixels from rows of # and dots."""
    return [bytes(character == "#" for character in row) for row in text]


@pytest.mark.parametrize(
    "style, picture, lines",
    [
        (braille, rows("#.", "..", "..", ".."), ["⠁"]),
        (braille, rows("..", "..", "..", ".#"), ["⢀"]),
        (braille, rows("##", "##", "##", "##"), ["⣿"]),
        (braille, rows("#...", ".#..", "..#.", "...#"), ["⠑⢄"]),
        (half_blocks, rows("#..#", ".#.#"), ["▀▄ █"]),
        (plain, rows("#..#", ".#.#"), ["'. :"]),
    ],
)
def test_every_pixel_has_its_place(style, picture, lines):
    assert style(picture) == lines


@pytest.mark.parametrize("name", STYLES)
def test_the_size_is_as_promised(name):
    draw, across, down = STYLES[name]
    lines = draw([bytes(128)] * 64)
    assert len(lines) == 64 // down and {len(line) for line in lines} == {128 // across}


def test_not_every_stream_has_the_characters():
    assert can_show("utf-8")
    for encoding in ("ascii", "latin-1", "cp437", None, "no such encoding"):
        assert not can_show(encoding)


def test_a_large_picture_can_be_drawn_smaller_and_a_small_one_never_is():
    rows = [bytes([1, 0, 0, 0]), bytes([1, 0, 0, 1]), bytes([1, 1, 0, 0]), bytes([1, 1, 0, 0])]
    assert shrunk(rows, 1) is rows
    assert shrunk(rows, 2) == [bytes([1, 0]), bytes([1, 0])]
    assert sizes(128) == (1,) and sizes(240) == (1, 2)
    assert [len(drawn([bytes(width)] * 64, "braille")[0]) for width in (128, 240)] == [64, 60]


DARK, WHITE, RED = (8, 12, 16), (255, 244, 224), (248, 80, 88)


@pytest.mark.parametrize(
    "lines, picture, text",
    [
        (["▀▄ █"], ["1002", "0102"], ["\x1b[38;5;230m▀▄ \x1b[38;5;203m█"]),
        (["  ▀"], ["000000", "000000", "000022", "000000"], ["  \x1b[38;5;203m▀"]),
        (["█"], ["12", "22"], ["\x1b[38;5;230m█"]),
        (["▀", "█"], ["2", "0", "1", "1"], ["\x1b[38;5;203m▀", "\x1b[38;5;230m█"]),
    ],
)
def test_a_character_has_the_colour_of_its_brightest_pixel_and_a_blank_one_none(lines, picture, text):
    assert coloured(lines, [[int(pixel) for pixel in row] for row in picture], [DARK, WHITE, RED]) == text
