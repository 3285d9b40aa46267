"""Read journals from a device: check the number and checksum of each line, and collect the lines of a game."""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from kiebitz.games import Refused
from kiebitz.link.wire import unescape
from kiebitz.store.replay import EVENTS_MAX, parse
from kiebitz.store.sealed_lines import seal, unseal


def journal_line(game_id: str, line: bytes) -> tuple[int, str] | None:
    """Return (number, text) of a line of this game; None for any other or corrupt line."""
    try:
        return flash_line(game_id, unescape(line))
    except ValueError:
        return None


def flash_line(game_id: str, line: bytes) -> tuple[int, str] | None:
    """Return (number, text) of a line as stored in the device's file, without line end; else None."""
    try:
        data = unseal(line, game_id)
        if data is None:
            return None
        text, _, number = data.decode().rpartition(" ")
        return int(number), text
    except ValueError:
        return None


def unsealed(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a recorded game; check the lines of a device's journal and yield them in the replay format.

    A corrupt or misplaced line of a journal is yielded unchanged, and the rules refuse it.
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
    """Return the line as stored in the device's file."""
    return seal(f"{text} {number}", game_id)


def mark(game_id: str, lines: list[str]) -> str:
    """Return the eight hex digits by which the device identifies these lines."""
    total = 0
    for number, text in enumerate(lines):
        total = zlib.crc32(sealed(game_id, number, text), total)
    return f"{total:08x}"


# A line that arrives corrupt this many times in a row is corrupt on the device
ATTEMPTS = 3
# The longest game that the rules accept: set-up, events, and one more line, which they refuse
LINES_MAX = EVENTS_MAX + 2


class JournalDownload:
    """The lines of a game after the known ones, up to `most` in total.

    The caller must compare marks to check that the device has the same known lines.
    """

    def __init__(
        self,
        game_id: str,
        known: Sequence[str] = (),
        most: int | None = None,
    ):
        self.id = game_id
        self.lines: list[str] = []
        self.start = sum(len(sealed(game_id, number, text)) for number, text in enumerate(known))
        self.ended = False
        self.whole = False  # True: the device has no more. False: its next line is corrupt, or it lacks the known lines
        self.reached = 0  # one more than the highest line number in this answer; grows while the answer continues
        self.code = ""  # the error code of the device, if any
        self._known = len(known)
        self._most = most
        self._before = 0  # number of lines at the previous request
        self._fruitless = 0  # consecutive requests without a new line

    def hear(self, line: bytes) -> bool:
        """Add the line if it is the next one of this game. Returns True if it is any line of this game."""
        found = journal_line(self.id, line)
        if found is None:
            return False
        number, text = found
        self.reached = max(self.reached, min(number + 1, LINES_MAX))
        if not self.ended and number == self._known + len(self.lines):
            self.lines.append(text)
            self.start += len(sealed(self.id, number, text))
            self.whole = number + 1 == self._most
            self.ended = self.whole or number + 1 >= LINES_MAX
        return True

    def told(self, end: Any) -> None:
        """Process the device's answer: the offset where its lines end, or an error code.

        After ATTEMPTS answers without a new line the download ends.
        """
        self._fruitless = 0 if len(self.lines) > self._before else self._fruitless + 1
        self._before = len(self.lines)
        self.reached = 0
        if type(end) is int:
            self.whole = self.start == end
            self.ended = self.start >= end or self._fruitless == ATTEMPTS
        else:
            self.code = end
            self.ended = True
