"""Provide what differs between Linux, macOS and Windows under the same names."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from ..outcome import NO_HOME, Trouble

if sys.platform == "win32":
    from .windows import (
        ENDINGS,
        HAS_TERMINAL_FRONT,
        LOST_TERMINAL,
        RawTerminal,
        group_of,
        open_serial_pair,
        raise_file_limit,
        read_now,
        write_now,
    )
else:
    from .posix import (
        ENDINGS,
        HAS_TERMINAL_FRONT,
        LOST_TERMINAL,
        RawTerminal,
        group_of,
        open_serial_pair,
        raise_file_limit,
        read_now,
        write_now,
    )

__all__ = [
    "ENDINGS",
    "HAS_TERMINAL_FRONT",
    "LOST_TERMINAL",
    "RawTerminal",
    "group_of",
    "open_serial_pair",
    "raise_file_limit",
    "read_now",
    "write_now",
]


_NAME = "kiebitz"


def data_folder() -> Path:
    """Return Kiebitz' folder in the user's data, existing or not; respect XDG_DATA_HOME."""
    return _found(platformdirs.user_data_path)


def cache_folder() -> Path:
    """Return Kiebitz' folder in the user's caches, existing or not; respect XDG_CACHE_HOME."""
    return _found(platformdirs.user_cache_path)


def _found(look_up: Callable[..., Path]) -> Path:
    try:
        return look_up(_NAME, appauthor=False)
    except RuntimeError:  # neither the environment nor the system has a home folder
        raise Trouble(NO_HOME) from None


class InUse(Exception):
    """The lock is held by another process, or elsewhere in this one."""


@contextmanager
def locked(path: Path, waiting: Callable[[], object] | None = None) -> Iterator[None]:
    """Hold the lock. If it is taken, call `waiting` and wait; without `waiting` raise InUse."""
    import filelock  # not at the top, because it imports asyncio, which slows down every command

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
    """Return True if the lock is held."""
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
        # The stale file of a killed simulator may name a port that belongs to another program now
        return port if port and is_locked(folder / SIMULATOR_LOCK) else None
    except OSError:
        return None


def publish_simulator_port(folder, path):
    """Publish the port, so that other programs find it while the folder is in use."""
    (folder / SIMULATOR_PORT).write_text(path)
