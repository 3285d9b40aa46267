"""One game that is being read from a device: its lines, each checked, in whatever order and how often answers come."""

from collections.abc import Callable, Sequence
from typing import Any

from .journal import journal_line, sealed

# A line of a game that comes damaged so many times in a row is damaged on the device
ATTEMPTS = 3


class Reading:
    """The lines of a game after those that are known, up to `most` in all. `on_line` is called for each.

    That the known ones are the same on the device as here must be checked with a mark.
    """

    def __init__(
        self,
        game_id: str,
        known: Sequence[str] = (),
        most: int | None = None,
        on_line: Callable[[], None] = lambda: None,
    ):
        self.id = game_id
        self.lines: list[str] = []
        self.start = sum(len(sealed(game_id, number, text)) for number, text in enumerate(known))
        self.ended = False
        self.whole = False  # the device has no more; else the next line is damaged, or it does not have the known ones
        self.code = ""  # why there is no more, if the device has told
        self._known = len(known)
        self._most = most
        self._on_line = on_line
        self._before = 0  # lines, at the last request
        self._fruitless = 0  # requests in a row

    def hear(self, line: bytes) -> bool:
        """Whether it is a line of this game; the next one is taken."""
        found = journal_line(self.id, line)
        if found and not self.ended and found[0] == self._known + len(self.lines):
            self.lines.append(found[1])
            self.start += len(sealed(self.id, *found))
            self.ended = self.whole = self._known + len(self.lines) == self._most
            self._on_line()
        return found is not None

    def told(self, end: Any) -> None:
        """The device says where its lines end, or why there are none; if answers bring nothing, this is all."""
        self._fruitless = 0 if len(self.lines) > self._before else self._fruitless + 1
        self._before = len(self.lines)
        if type(end) is int:
            self.whole = self.start == end
            self.ended = self.start >= end or self._fruitless == ATTEMPTS
        else:
            self.code = str(end)
            self.ended = True
