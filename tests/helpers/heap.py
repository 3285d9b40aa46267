"""Catches code that needs heap where it should not."""

try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython allocates whatever one does

    def heap_lock():
        pass

    def heap_unlock():
        pass


def without_allocating(action):
    """Calls the action; on MicroPython it fails with a MemoryError if it asks for any heap."""
    heap_lock()
    try:
        return action()
    finally:
        heap_unlock()
