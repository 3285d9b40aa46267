"""Writes small pictures as PNG files, using only zlib: screens, galleries and font specimens."""

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path

from .oled_model import PALETTE

Color = tuple[int, int, int]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
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
    lines = bytearray()
    for row in rows:
        line = b"".join(bytes((color,)) * scale for color in row)
        lines += (b"\0" + line) * scale
    header = struct.pack(">IIBBBBB", width * scale, height * scale, 8, 3, 0, 0, 0)
    colors = b"".join(bytes(color) for color in palette)
    Path(path).write_bytes(
        SIGNATURE
        + _chunk(b"IHDR", header)
        + _chunk(b"PLTE", colors)
        + _chunk(b"IDAT", zlib.compress(bytes(lines), 9))
        + _chunk(b"IEND", b"")
    )


def buffer_rows(width: int, height: int, buffer: bytes | bytearray | memoryview) -> list[list[int]]:
    """Return the pixels of a display buffer, row by row, as 0 and 1."""
    return [[buffer[y // 8 * width + x] >> y % 8 & 1 for x in range(width)] for y in range(height)]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
