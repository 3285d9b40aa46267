"""Provide the flash of a simulated device: a folder locked by one process, or memory."""

import io
import shutil
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ..outcome import Trouble
from ..system import SIMULATOR_LOCK, InUse, locked

MARK = ".kiebitz-flash"
DATA = "data"  # folder of the firmware's files
HARDWARE = ".kiebitz-board"  # holds the hardware profile of the simulated Pico


@contextmanager
def flash_folder(name, fresh=False):
    """Lock the folder; create it if missing, and clear the device's files with `fresh`. Yields its path."""
    folder = Path(name).absolute()
    with ExitStack() as stack:
        try:
            _claim(folder)
            stack.enter_context(locked(folder / SIMULATOR_LOCK))
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
    """Return True if the games of this folder persist after the simulator ends."""
    return (Path(folder) / MARK).exists()


def _claim(folder):
    """Mark the folder as a flash; create it if missing, raise Trouble if it holds other files."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / MARK).exists() and any(path.name not in (HARDWARE, SIMULATOR_LOCK) for path in folder.iterdir()):
        raise Trouble(f"{folder} holds other files: the flash needs a folder of its own.")
    (folder / MARK).touch()


_NO_ENTRY = 2
_FREE = 1_000_000


class MemoryStorage:
    """A device's files in memory, with the interface of its Storage; counts the modifying operations."""

    def __init__(self, files=()):
        self.files: dict[str, bytes] = dict(files)
        self.count = 0

    @classmethod
    def of(cls, files):
        """Return a storage with these files, given by their paths on the chip."""
        return cls({path.removeprefix(DATA + "/"): data for path, data in files.items()})

    def read(self, name, start=0, size=-1):
        data = self.files.get(name)
        if data is None:
            return None
        return data[start:] if size < 0 else data[start : start + size]

    def open(self, name):
        return io.BytesIO(self.files[name]) if name in self.files else None

    def append(self, name, data):
        self.write(name, self.files.get(name, b"") + data)

    def write(self, name, data):
        self.count += 1
        self.files[name] = data

    def rename(self, old, new):
        self.files[new] = self._taken(old)

    def remove(self, name):
        self._taken(name)

    def _taken(self, name):
        if name not in self.files:
            raise OSError(_NO_ENTRY)
        self.count += 1
        return self.files.pop(name)

    def names(self):
        return sorted(self.files)

    def sizes(self):
        return ((name, len(self.files[name])) for name in self.names())

    def size(self, name):
        return len(self.files[name]) if name in self.files else None

    def free(self):
        return _FREE
