"""The journal of a game as it comes from the device: lines that carry their own number and checksum."""

import zlib

from kiebitz.link.wire import unescape
from kiebitz.store.sealed_lines import seal, unseal


def journal_line(game_id: str, line: bytes) -> tuple[int, str] | None:
    """Number and text of a line of this game, or None if it is anything else, or not whole and unchanged."""
    try:
        return flash_line(game_id, unescape(line))
    except ValueError:
        return None


def flash_line(game_id: str, line: bytes) -> tuple[int, str] | None:
    """Returns the same of a line as it stands in the device's file, without its line end."""
    try:
        data = unseal(line, game_id)
        if data is None:
            return None
        text, _, number = data.decode().rpartition(" ")
        return int(number), text
    except ValueError:
        return None


def sealed(game_id: str, number: int, text: str) -> bytes:
    """The line as it stands in the device's file."""
    return seal(f"{text} {number}", game_id)


def mark(game_id: str, lines: list[str]) -> str:
    """The eight hex digits by which the device knows these lines."""
    total = 0
    for number, text in enumerate(lines):
        total = zlib.crc32(sealed(game_id, number, text), total)
    return f"{total:08x}"
