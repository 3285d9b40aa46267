"""The folder that stands for the flash of a simulated device: marked as ours, and used by one process at a time."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

from ..outcome import Trouble

MARK = ".kiebitz-flash"
DATA = "data"  # where the firmware keeps its files
USB = ".kiebitz-usb"  # tells where the serial port of the simulator is
HARDWARE = ".kiebitz-board"  # tells what hangs on the pins of the simulated Pico


def default_folder():
    """In the user's data folder, as the XDG rules have it."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "kiebitz" / "sim"


@contextmanager
def flash_folder(name, fresh=False):
    """The folder, made if need be, and with `fresh` emptied of what the device has kept."""
    folder = Path(name).absolute()
    try:
        mark = _claim(folder)
        if fresh and (folder / DATA).exists():
            shutil.rmtree(folder / DATA)
    except OSError as trouble:
        raise Trouble(f"cannot use {folder} as the flash: {trouble.strerror}.") from None
    with mark:
        yield folder


def usb_port(folder):
    """The serial port of the simulator that plays on this folder, or None if none is playing."""
    try:
        with open(folder / MARK, "rb") as mark:
            if not _is_locked(mark):
                return None  # left behind by one that was killed: the port may be somebody else's by now
        return (folder / USB).read_text() or None
    except OSError:
        return None


def tell_usb_port(folder, path):
    """Let others find the port as long as the folder is in use."""
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
    """Ours until the file is closed; where there are no such locks, everybody may."""
    try:
        import fcntl
    except ImportError:
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
