"""Manages the folder that is the flash of a simulated device: marked as ours, and used by one process at a time."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

from ..outcome import Trouble

MARK = ".kiebitz-flash"
DATA = "data"  # the folder of the firmware's files
USB = ".kiebitz-usb"  # holds the path of the simulator's serial port
HARDWARE = ".kiebitz-board"  # holds the name of the hardware on the pins of the simulated Pico


def default_folder():
    """Return the folder in the user's data folder, as the XDG rules define it."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "kiebitz" / "sim"


@contextmanager
def flash_folder(name, fresh=False):
    """Lock the folder, created if missing, and emptied of the device's files with `fresh`. Yields its path."""
    folder = Path(name).absolute()
    try:
        mark = _claim(folder)
        if fresh and (folder / DATA).exists():
            shutil.rmtree(folder / DATA)
    except OSError as trouble:
        raise Trouble(f"cannot use {folder} as the flash: {trouble.strerror}.") from None
    with mark:
        yield folder


def is_kept(folder):
    """Tell whether the games of this folder stay when the simulator ends."""
    return (Path(folder) / MARK).exists()


def usb_port(folder):
    """Return the serial port of the simulator that runs on this folder, or None if none is running."""
    try:
        with open(folder / MARK, "rb") as mark:
            if not _is_locked(mark):
                return None  # left by a simulator that was killed: the port may belong to another program now
        return (folder / USB).read_text() or None
    except OSError:
        return None


def tell_usb_port(folder, path):
    """Publish the port, so that other programs find it while the folder is in use."""
    (folder / USB).write_text(path)


def _is_locked(file):
    try:
        _lock(file)
    except OSError:
        return True
    return False


def _claim(folder):
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / MARK).exists() and any(path.name != HARDWARE for path in folder.iterdir()):
        raise Trouble(f"{folder} holds other files: the flash needs a folder of its own.")
    mark = open(folder / MARK, "ab")  # noqa: SIM115 - held open as long as the folder is in use
    try:
        _lock(mark)
    except OSError:
        mark.close()
        raise Trouble(f"another simulator plays on {folder}: end it, or give another folder with --flash.") from None
    return mark


def _lock(file):
    """Lock the file until it is closed; on systems without such locks, do nothing."""
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
