"""Reads the journal of a game as the device sends it: each line has its own number and checksum."""

import zlib

from kiebitz.link.wire import unescape
from kiebitz.store.sealed_lines import seal, unseal


def journal_line(game_id: str, line: bytes) -> tuple[int, str] | None:
    """Return (number, text) of a line of this game; None for any other line, or one that is damaged."""
    try:
        return flash_line(game_id, unescape(line))
    except ValueError:
        return None


def flash_line(game_id: str, line: bytes) -> tuple[int, str] | None:
    """Return (number, text) of a line as the device's file stores it, without line end; else None."""
    try:
        data = unseal(line, game_id)
        if data is None:
            return None
        text, _, number = data.decode().rpartition(" ")
        return int(number), text
    except ValueError:
        return None


def sealed(game_id: str, number: int, text: str) -> bytes:
    """Return the line as the device's file stores it."""
    return seal(f"{text} {number}", game_id)


def mark(game_id: str, lines: list[str]) -> str:
    """Return the eight hex digits by which the device identifies these lines."""
    total = 0
    for number, text in enumerate(lines):
        total = zlib.crc32(sealed(game_id, number, text), total)
    return f"{total:08x}"
