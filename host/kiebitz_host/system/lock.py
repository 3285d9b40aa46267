"""Locks a file against other processes; the system releases the lock of a process that is killed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


class InUse(Exception):
    """Another process, or another place in this one, holds the lock."""


@contextmanager
def locked(path: Path, waiting: Callable[[], object] | None = None) -> Iterator[None]:
    """Hold the lock; if another process has it, call `waiting` and wait, or raise InUse without `waiting`."""
    import filelock  # not at the top: it imports asyncio, and every command that looks for a port would start slower

    lock = filelock.FileLock(path)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        if waiting is None:
            raise InUse(path) from None
        waiting()
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def is_locked(path: Path) -> bool:
    """Tell whether somebody holds the lock."""
    try:
        with locked(path):
            return False
    except InUse:
        return True
