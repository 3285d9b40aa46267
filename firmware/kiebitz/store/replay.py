"""The replay form: JSON lines in, a table out. What the journal holds, the command line reads and sync carries."""

import json

from ..games.base import bad, boolean
from .table import Table

LINE_MAX = 4096
EVENTS_MAX = 5000


def parse(line):
    """The JSON object of one line of bytes, or Refused."""
    if len(line) > LINE_MAX:
        raise bad("line")
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, UnicodeError, RuntimeError, MemoryError):
        raise bad("line") from None
    if not isinstance(value, dict):
        raise bad("line")
    return value


class Script:
    """A table that is fed line by line.

    `source`: the lines are those of a journal, kept as they are, and this reads them again.
    """

    def __init__(self, source=None):
        self._source = source
        self.table = None
        self.line = 0  # the number of the line read last, from 1
        self.events = 0  # event lines taken, undone ones and undo itself included

    def feed(self, line):
        """Take one line without its line end. Blank lines only count. Returns the notes; raises Refused."""
        self.line += 1
        if len(line) <= LINE_MAX and not line.strip():
            return []
        value = parse(line)
        if self.table is None:
            self.table = Table(value, self._source)
            return []
        if self.events >= EVENTS_MAX:
            raise bad("events")
        boolean(value.get("confirm", False), "confirm")
        notes = self.table.play(value, line if self._source else None)
        self.events += 1
        return notes

    def close(self):
        """Say that the last line was read: a file without a set-up is refused."""
        if self.table is None:
            self.line = 1
            raise bad("game")
