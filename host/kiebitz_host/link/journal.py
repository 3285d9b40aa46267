"""Reads the journal of a game as the device sends it: each line has its own number and checksum."""

import zlib
from collections.abc import Iterable, Iterator

from kiebitz.games import Refused
from kiebitz.link.wire import unescape
from kiebitz.store.replay import parse
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


def unsealed(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a recorded game; those of a device's journal are checked, and yielded in the replay form.

    A line of a journal that is damaged or not in its place is yielded unchanged, and the rules refuse it.
    """
    game_id = None
    for number, line in enumerate(lines):
        if not number:
            game_id = _journal_of(line)
        found = flash_line(game_id, line) if game_id else None
        yield found[1].encode() if found and found[0] == number else line


def _journal_of(line: bytes) -> str | None:
    """Return the id of the game whose journal begins with this line; None if it is not the first line of a journal."""
    try:
        game_id = parse(line.rsplit(b" ", 2)[0]).get("id")
    except Refused:
        return None
    return game_id if isinstance(game_id, str) and flash_line(game_id, line) else None


def sealed(game_id: str, number: int, text: str) -> bytes:
    """Return the line as the device's file stores it."""
    return seal(f"{text} {number}", game_id)


def mark(game_id: str, lines: list[str]) -> str:
    """Return the eight hex digits by which the device identifies these lines."""
    total = 0
    for number, text in enumerate(lines):
        total = zlib.crc32(sealed(game_id, number, text), total)
    return f"{total:08x}"
