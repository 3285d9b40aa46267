"""Implement the system functions on Linux and macOS: raw terminal, pseudo-terminal, file groups, signals."""

import grp
import os
import resource
import select
import signal
import sys
import termios
import tty

assert sys.platform != "win32"  # so that mypy for Windows stops here

HAS_TERMINAL_FRONT = True  # `kiebitz sim` plays in the terminal
LOST_TERMINAL = signal.SIGHUP  # the signal for a closed terminal
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # signals that ask a program to exit


class RawTerminal:
    """A context in which the terminal is in raw mode: each key is sent at once and not echoed."""

    def __init__(self, file: int):
        self._in = file

    def __enter__(self):
        self._modes = termios.tcgetattr(self._in)
        modes = termios.tcgetattr(self._in)
        modes[3] &= ~(termios.ICANON | termios.ECHO)
        modes[6][termios.VSUSP] = b"\0"  # Ctrl-Z would leave the terminal in this state
        termios.tcsetattr(self._in, termios.TCSADRAIN, modes)
        return self

    def __exit__(self, *_):
        try:
            termios.tcsetattr(self._in, termios.TCSAFLUSH, self._modes)
        except (OSError, termios.error):
            pass  # the terminal itself is gone

    def read(self, seconds: float) -> bytes:
        """Wait at most `seconds` for keys. Returns their bytes, b"" if none; raises OSError without a terminal."""
        if not select.select([self._in], [], [], max(seconds, 0))[0]:
            return b""
        data = os.read(self._in, 1024)
        if not data:
            raise OSError("the terminal is gone")
        return data


def open_serial_pair() -> tuple[int, int, str]:
    """Return (near end, far end, path of the far end) of a pseudo-terminal that programs open like a Pico's port."""
    near, far = os.openpty()
    tty.setraw(far)
    os.set_blocking(near, False)
    return near, far, os.ttyname(far)


def read_now(end: int, size: int) -> bytes:
    """Return at most `size` bytes received by the near end, without waiting."""
    try:
        return os.read(end, size)
    except BlockingIOError:
        return b""


def write_now(end: int, data: bytes) -> int:
    """Send as many bytes as the near end accepts without waiting. Returns how many."""
    try:
        return os.write(end, data)
    except BlockingIOError:
        return 0


def group_of(path: str) -> str:
    """Return the group that may open a port; "" if joining the group would not help."""
    try:
        state = os.stat(path)
        return grp.getgrgid(state.st_gid).gr_name if state.st_gid and state.st_mode & 0o060 == 0o060 else ""
    except (OSError, KeyError):
        return ""


def raise_file_limit(files: int) -> int:
    """Raise the limit of file descriptors to `files` if it is lower. Returns how many of them there are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= files:
        return files
    wanted = files if hard == resource.RLIM_INFINITY else min(files, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        return soft
    return wanted
