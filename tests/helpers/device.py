"""Provide a whole device for tests that can restart, changed profiles, wrapping ticks, and a check for allocations."""

from kiebitz.board.profiles import DEFAULT
from kiebitz.text import said
from kiebitz_lab import handheld

from helpers.faulty_storage import FaultyStorage


class Device(handheld.ScriptedDevice):
    def __init__(self, storage=None, language="en", board=DEFAULT):
        super().__init__(storage or FaultyStorage(), language, board)

    def restart(self):
        """Restart with only what is on flash."""
        self.app = None
        self.storage = self.storage.restart()
        self.on()

    def pick(self, label):
        """Choose the line with this label from the menu that is open."""
        labels = self.app.top.labels()
        lines = [said(labels[i]) for i in range(len(labels))]
        self.app.top.at = lines.index(label)
        self.keys("ok")

    def journal(self):
        """Return the lines of the running game as they are on flash."""
        games = self.app.library
        return games.files.read(games.journal.name)


def at_table(setup, events=(), storage=None, board=DEFAULT):
    """Return a device whose running game was begun with this set-up and has these events."""
    return Device(storage, board=board).sit_down(setup, events)


try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython always allocates

    def heap_lock():
        pass

    def heap_unlock():
        pass


MINUTE = 60_000
TICKS = 1 << 30


def changed(thing, **changes):
    """Return a copy of a profile, or of its display, with some facts changed."""
    return type(thing)(**dict(thing.__dict__, **changes))


def without_allocating(action):
    """Call the action. On MicroPython it raises MemoryError if the action allocates on the heap."""
    heap_lock()
    try:
        return action()
    finally:
        heap_unlock()


class Watch:
    """A board clock that only has ticks."""

    def __init__(self, start=0):
        self.at = start

    def ms(self):
        return self.at

    def diff(self, end, start):
        return ((end - start + TICKS // 2) & (TICKS - 1)) - TICKS // 2

    def go(self, ms):
        self.at = (self.at + ms) % TICKS
