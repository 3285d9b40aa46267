"""Pictures of the display: PNG files, and pixels as characters."""

import struct
import zlib

import pytest
from kiebitz_host.png import SIGNATURE
from kiebitz_host.sim.picture import (
    STYLES,
    braille,
    can_show,
    coloured,
    drawn,
    half_blocks,
    plain,
    shrunk,
    sizes,
    write_png,
)


def chunks(data):
    assert data.startswith(SIGNATURE)
    at = len(SIGNATURE)
    while at < len(data):
        (size,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size) == (zlib.crc32(kind + body),)
        yield kind, body
        at += 12 + size


def pixels(path):
    """Return width, height, palette and the rows of palette indexes."""
    found = dict(chunks(path.read_bytes()))
    width, height, depth, kind, *rest = struct.unpack(">IIBBBBB", found[b"IHDR"])
    assert (depth, kind, rest) == (8, 3, [0, 0, 0])
    lines = zlib.decompress(found[b"IDAT"])
    assert len(lines) == height * (width + 1)
    rows = [lines[y * (width + 1) : (y + 1) * (width + 1)] for y in range(height)]
    assert all(row[0] == 0 for row in rows)
    return width, height, found[b"PLTE"], [list(row[1:]) for row in rows]


def test_a_display_buffer_becomes_squares_of_the_scale(tmp_path):
    buffer = bytearray(4)
    buffer[1] = 0b00000101
    write_png(tmp_path / "a.png", 2, 16, buffer, 3)
    width, height, palette, rows = pixels(tmp_path / "a.png")
    assert (width, height, len(palette)) == (6, 48, 6)
    lit = [(x, y) for y in range(height) for x in range(width) if rows[y][x]]
    assert lit == [(x, y) for y in (0, 1, 2, 6, 7, 8) for x in (3, 4, 5)]


def test_rows_point_into_the_palette(tmp_path):
    colors = ((0, 0, 0), (255, 255, 255), (200, 0, 0))
    write_png(tmp_path / "a.png", 3, 2, [[0, 1, 2], [2, 1, 0]], palette=colors)
    assert pixels(tmp_path / "a.png") == (3, 2, bytes(sum(colors, ())), [[0, 1, 2], [2, 1, 0]])


def test_the_same_picture_is_the_same_file(tmp_path):
    for name in ("a.png", "b.png"):
        write_png(tmp_path / name, 8, 8, b"\x55" * 8, 2)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_picture_of_another_size_is_refused(tmp_path):
    for rows in ([[0, 1]], [[0, 1], [0]], [[0, 1], [0, 1], [1, 0]]):
        with pytest.raises(ValueError, match="2 x 2"):
            write_png(tmp_path / "a.png", 2, 2, rows)


# --- pixels as characters ---


def rows(*text):
    """Return rows of pixels from rows of # and dots."""
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
