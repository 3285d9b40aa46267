"""Encode events and other values identically on both interpreters, and store events in memory."""

import json
import sys
from collections import OrderedDict

# The changes of the past, and by how much each moves the events after it
CHANGES = {"correct": 0, "insert": 1, "remove": -1}

# The order of keys on a line, the same on both interpreters; other keys follow in alphabetical order
_ORDER = ("ev", "game", "p", "from", "to", "winner", "cards", "board", "card", "x", "y", "value", "followed")
# Letters beyond ASCII are not escaped: MicroPython never escapes them
_AS_IT_IS = {} if sys.implementation.name == "micropython" else {"ensure_ascii": False}


def encode(value):
    """Return the value as JSON on one line without blanks, byte for byte the same on both interpreters."""
    return json.dumps(_ordered(value), separators=(",", ":"), **_AS_IT_IS)


def _ordered(value):
    """Return the value with the keys of all objects in order.

    Writing the keys one by one instead takes three times as long.
    """
    if isinstance(value, dict):
        keys = [key for key in _ORDER if key in value]
        if len(keys) < len(value):
            keys += sorted([key for key in value if key not in _ORDER])
        made = OrderedDict()
        for key in keys:
            made[key] = _ordered(value[key])
        return made
    if isinstance(value, list):
        return [_ordered(item) for item in value]
    return value


class EventsInMemory:
    """The events of a game without a journal, as lines. The place of an event is its offset."""

    def __init__(self):
        self._lines = bytearray()

    def append(self, value):
        """Keep an event and return its place."""
        place = len(self._lines)
        self._lines.extend(encode(value).encode() + b"\n")
        return place

    def read(self, place):
        """Return the event at a place."""
        return json.loads(bytes(self._lines[place : self._lines.find(b"\n", place)]))
