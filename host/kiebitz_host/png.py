"""Encode pixels as PNG."""

import struct
import zlib
from collections.abc import Iterable, Sequence

Color = tuple[int, int, int]

SIGNATURE = b"\x89PNG\r\n\x1a\n"
TRUE_COLOR, INDEXED = 2, 3  # colour types


def png(width: int, height: int, lines: Iterable[bytes], palette: Sequence[Color] = ()) -> bytes:
    """Return a PNG of lines of palette indexes; without a palette, of lines of RGB triples."""
    header = struct.pack(">IIBBBBB", width, height, 8, INDEXED if palette else TRUE_COLOR, 0, 0, 0)
    colors = _chunk(b"PLTE", b"".join(bytes(color) for color in palette)) if palette else b""
    data = zlib.compress(b"".join([b"\0" + line for line in lines]), 9)
    return SIGNATURE + _chunk(b"IHDR", header) + colors + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
