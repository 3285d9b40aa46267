"""Locate the folders of the user, lock files, and find the port of a running simulator."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from ..outcome import NO_HOME, Trouble

_NAME = "kiebitz"


def data_folder() -> Path:
    """Return the folder of Kiebitz in the user's data, whether it exists or not; XDG_DATA_HOME is respected."""
    return _found(platformdirs.user_data_path)


def cache_folder() -> Path:
    """Return the folder of Kiebitz in the user's caches, whether it exists or not; XDG_CACHE_HOME is respected."""
    return _found(platformdirs.user_cache_path)


def _found(look_up: Callable[..., Path]) -> Path:
    try:
        return look_up(_NAME, appauthor=False)
    except RuntimeError:  # neither the environment nor the system knows a home folder
        raise Trouble(NO_HOME) from None


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
    """Return True if somebody holds the lock."""
    try:
        with locked(path):
            return False
    except InUse:
        return True


# --- the simulator ---

SIMULATOR_LOCK = ".kiebitz-lock"  # held while a simulator runs on the folder
SIMULATOR_PORT = ".kiebitz-usb"  # holds the path of the simulator's serial port


def simulator_folder():
    """Return the default flash folder of the simulator."""
    return data_folder() / "sim"


def simulator_port(folder):
    """Return the serial port of the simulator that runs on this folder, or None if none is running."""
    try:
        port = (folder / SIMULATOR_PORT).read_text()
        # What a simulator that was killed has left may be the port of another program now
        return port if port and is_locked(folder / SIMULATOR_LOCK) else None
    except OSError:
        return None


def publish_simulator_port(folder, path):
    """Publish the port, so that other programs find it while the folder is in use."""
    (folder / SIMULATOR_PORT).write_text(path)
