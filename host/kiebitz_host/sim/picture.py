"""Draw the display in the terminal, and write it as a PNG file."""

from collections.abc import Sequence
from pathlib import Path

from ..png import Color, png
from .oled_model import PALETTE

AUTO = "auto"  # the style that suits the terminal

# The bits of a braille character from U+2800 on, row by row
_BRAILLE = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_HALVES = " ▀▄█"
_DOTS = " '.:"
_BLANK = " \u2800"
_STEPS = (0, 95, 135, 175, 215, 255)


def braille(rows):
    """Return lines with two by four pixels per character: 128 x 64 become 64 x 16, and pixels stay square."""
    lines = []
    for y in range(0, len(rows), 4):
        cells = [0x2800] * (len(rows[0]) // 2)
        for row, (left, right) in zip(rows[y : y + 4], _BRAILLE, strict=True):
            cells = [cell | left * a | right * b for cell, a, b in zip(cells, row[::2], row[1::2], strict=True)]
        lines.append("".join(map(chr, cells)))
    return lines


def half_blocks(rows):
    """Return lines with one by two pixels per character: 128 x 64 become 128 x 32, large and easy to read."""
    return _pairs(rows, _HALVES)


def plain(rows):
    """Return the lines of half_blocks(), in ASCII."""
    return _pairs(rows, _DOTS)


def _pairs(rows, characters):
    return [
        "".join(characters[upper | lower << 1] for upper, lower in zip(rows[y], rows[y + 1], strict=True))
        for y in range(0, len(rows), 2)
    ]


# Name -> (drawing function, pixel columns per character, pixel rows per character)
STYLES = {
    "braille": (braille, 2, 4),
    "half": (half_blocks, 1, 2),
    "plain": (plain, 1, 2),
}


_WIDE = 128  # a wider picture takes too many characters


def sizes(width):
    """Return the allowed shrink factors for a picture of this width; only a large picture stays readable."""
    return (1, 2) if width > _WIDE else (1,)


def shrunk(rows, times):
    """Return the picture shrunk by the factor `times`; a pixel is lit if half of its source pixels are lit."""
    if times == 1:
        return rows
    half = times * times / 2
    lines = []
    for y in range(0, len(rows), times):
        columns = [sum(column) for column in zip(*rows[y : y + times], strict=True)]
        lines.append(bytes([sum(columns[x : x + times]) >= half for x in range(0, len(columns), times)]))
    return lines


def drawn(rows, style):
    """Return the lines of text for a picture, at a size that suits a page."""
    return STYLES[style][0](shrunk(rows, sizes(len(rows[0]))[-1]))


def coloured(lines, rows, palette):
    """Return the lines of a picture with escape codes that give each character the colour of its brightest pixel.

    `rows` and `palette` are the same picture in colour; its pixels are palette indexes.
    """
    order = sorted(range(len(palette)), key=lambda number: sum(palette[number]))
    ranks = bytes(order.index(number) for number in range(len(palette))).ljust(256, b"\0")  # 0 for the darkest
    codes = [f"\x1b[38;5;{_terminal_colour(palette[number])}m" for number in order]
    down, across = len(rows) // len(lines), len(rows[0]) // len(lines[0])
    found = []
    for y, line in enumerate(lines):
        block = [bytes(row).translate(ranks) for row in rows[y * down : (y + 1) * down]]
        columns = [max(column) for column in zip(*block, strict=True)]
        cells = [max(columns[x : x + across]) for x in range(0, len(columns), across)]
        now, text = -1, ""
        for cell, character in zip(cells, line, strict=True):
            if cell != now and character not in _BLANK:
                now = cell
                text += codes[cell]
            text += character
        found.append(text)
    return found


def _terminal_colour(shade):
    """Return the nearest colour of the 6 x 6 x 6 colour cube of terminals."""
    red, green, blue = [min(range(6), key=lambda step: abs(_STEPS[step] - part)) for part in shade]
    return 16 + 36 * red + 6 * green + blue


def can_show(encoding):
    """Return True if this encoding can represent the characters of the finer styles."""
    try:
        (_HALVES + chr(0x28FF)).encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


OLED: tuple[Color, ...] = PALETTE


def write_png(
    path: str | Path,
    width: int,
    height: int,
    rows_or_buffer: bytes | bytearray | memoryview | Sequence[Sequence[int]],
    scale: int = 1,
    palette: Sequence[Color] = OLED,
) -> None:
    """Write a picture, each pixel as a square of `scale` pixels.

    `rows_or_buffer` is a display buffer (pages of eight rows, one byte for each column, lowest bit on top), or rows of
    indexes into the palette of up to 256 colours.
    """
    if isinstance(rows_or_buffer, (bytes, bytearray, memoryview)):
        rows: Sequence[Sequence[int]] = buffer_rows(width, height, rows_or_buffer)
    else:
        rows = rows_or_buffer
    if len(rows) != height or any(len(row) != width for row in rows):
        raise ValueError(f"the picture is not {width} x {height} pixels")
    lines = []
    for row in rows:
        lines += [b"".join(bytes((color,)) * scale for color in row)] * scale
    Path(path).write_bytes(png(width * scale, height * scale, lines, palette))


def buffer_rows(width: int, height: int, buffer: bytes | bytearray | memoryview) -> list[list[int]]:
    """Return the pixels of a display buffer, row by row, as 0 and 1."""
    return [[buffer[y // 8 * width + x] >> y % 8 & 1 for x in range(width)] for y in range(height)]
