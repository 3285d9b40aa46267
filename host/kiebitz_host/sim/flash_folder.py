"""Manages the folder that is the flash of a simulated device: marked as ours, and used by one process at a time."""

import shutil
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ..outcome import Trouble
from ..system.folders import data_folder
from ..system.lock import InUse, is_locked, locked

MARK = ".kiebitz-flash"
LOCK = ".kiebitz-lock"  # held while a simulator runs on the folder
DATA = "data"  # the folder of the firmware's files
USB = ".kiebitz-usb"  # holds the path of the simulator's serial port
HARDWARE = ".kiebitz-board"  # holds the name of the hardware on the pins of the simulated Pico


def default_folder():
    """Return the folder in the user's data folder."""
    return data_folder() / "sim"


@contextmanager
def flash_folder(name, fresh=False):
    """Lock the folder, created if missing, and emptied of the device's files with `fresh`. Yields its path."""
    folder = Path(name).absolute()
    with ExitStack() as stack:
        try:
            _claim(folder)
            stack.enter_context(locked(folder / LOCK))
            if fresh and (folder / DATA).exists():
                shutil.rmtree(folder / DATA)
        except InUse:
            raise Trouble(
                f"another simulator plays on {folder}: end it, or give another folder with --flash."
            ) from None
        except OSError as trouble:
            raise Trouble(f"cannot use {folder} as the flash: {trouble.strerror}.") from None
        yield folder


def is_kept(folder):
    """Tell whether the games of this folder stay when the simulator ends."""
    return (Path(folder) / MARK).exists()


def usb_port(folder):
    """Return the serial port of the simulator that runs on this folder, or None if none is running."""
    try:
        port = (folder / USB).read_text()
        # What a simulator that was killed has left may be the port of another program now
        return port if port and is_locked(folder / LOCK) else None
    except OSError:
        return None


def tell_usb_port(folder, path):
    """Publish the port, so that other programs find it while the folder is in use."""
    (folder / USB).write_text(path)


def _claim(folder):
    """Mark the folder as a flash, created if missing; raises Trouble if it holds other files."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / MARK).exists() and any(path.name not in (HARDWARE, LOCK) for path in folder.iterdir()):
        raise Trouble(f"{folder} holds other files: the flash needs a folder of its own.")
    (folder / MARK).touch()
