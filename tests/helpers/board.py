"""Provide changed board profiles, wrapping ticks and a check for allocations."""

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
