"""Implement the system functions on Windows, which has no terminal UI, only a page in the browser."""

import signal

from ..outcome import Trouble

HAS_TERMINAL_FRONT = False
LOST_TERMINAL = signal.SIGTERM  # Windows has no signal for it
ENDINGS = (signal.SIGINT, signal.SIGTERM)

_NO_TERMINAL = "the simulator cannot use this system's terminal: `kiebitz web --sim` shows it in the browser."


class RawTerminal:
    """A placeholder for the raw terminal; entering it raises Trouble."""

    def __init__(self, file: int):
        pass

    def __enter__(self):
        raise Trouble(_NO_TERMINAL)

    def __exit__(self, *_):
        pass

    def read(self, seconds: float) -> bytes:
        raise Trouble(_NO_TERMINAL)


def open_serial_pair() -> tuple[int, int, str]:
    """Raise Trouble, because Windows has no pseudo-terminals that a serial program could open."""
    raise Trouble(_NO_TERMINAL)


def read_now(end: int, size: int) -> bytes:
    raise Trouble(_NO_TERMINAL)


def write_now(end: int, data: bytes) -> int:
    raise Trouble(_NO_TERMINAL)


def group_of(path: str) -> str:
    """Return "", because Windows lets everybody open a port."""
    return ""


def raise_file_limit(files: int) -> int:
    """Return `files`, because sockets on Windows have no such limit."""
    return files
