"""Replay JSON lines into a table, for the journal, the command line and sync."""

import json

from ..games.base import LIMIT, bad, boolean
from .table import Table

LINE_MAX = 4096
EVENTS_MAX = 5000
NESTING_MAX = 60


def is_too_nested(line):
    """Return True if a line of bytes has more than NESTING_MAX brackets outside its texts, far more than any event.

    Parsing such a line depends on the free stack, so it would be valid in one place and invalid in another.
    """
    if line.count(b"[") + line.count(b"{") <= NESTING_MAX:
        return False
    parts = line.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
    outside = b"".join([parts[k] for k in range(0, len(parts), 2)])
    return outside.count(b"[") + outside.count(b"{") > NESTING_MAX


def parse(line):
    """Return the JSON object of one line of bytes; raises Refused if the line has none."""
    if len(line) > LINE_MAX or is_too_nested(line):
        raise bad("line")
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, UnicodeError, RuntimeError):
        raise bad("line") from None
    if not isinstance(value, dict):
        raise bad("line")
    return value


def minutes_in(value):
    """Return the minutes at the table that a line carries in its key `min`; 0 without them, or if they are not a count.

    They are not part of the event, so the rules do not see them and undo does not take them back.
    """
    minutes = value.get("min", 0)
    return minutes if type(minutes) is int and 0 < minutes <= LIMIT else 0


class ReplayedTable:
    """A table that is fed line by line. `events` as in Table."""

    def __init__(self, events=None):
        self._events = events
        self.table = None
        self.line = 0  # the number of the line read last, from 1
        self.events = 0  # event lines taken, undone ones and undo itself included
        self.minutes = 0  # at the table until the last line that was taken; 0: nobody has counted them

    def feed(self, line, place=None):
        """Apply one line, without its line end. Returns the notes; raises Refused. Blank lines are only counted.

        place: where the line is stored already.
        """
        self.line += 1
        if len(line) <= LINE_MAX and not line.strip():
            return []
        try:
            value = parse(line)
        except MemoryError:
            if self._events is not None:
                raise  # the line is in a journal: it is good, and the memory is short
            raise bad("line") from None
        if self.table is None:
            self.table = Table(value, self._events)
            return []
        if self.events >= EVENTS_MAX:
            raise bad("events")
        boolean(value.get("confirm", False), "confirm")
        notes = self.table.play(value, place)
        self.events += 1
        self.minutes = minutes_in(value) or self.minutes
        return notes

    def close(self):
        """Raise Refused if there was no set-up. Call this after the last line."""
        if self.table is None:
            self.line = 1
            raise bad("game")
