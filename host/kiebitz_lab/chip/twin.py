"""Runs the emulated chip's twin on CPython: fake hardware that answers like the chip, so both must do the same."""

import io

from kiebitz.board.profiles import DEFAULT
from kiebitz.store.journal_files import JournalFiles
from kiebitz.store.settings import Settings
from kiebitz_host.sim.flash_folder import DATA
from kiebitz_host.sim.hardware import Hardware

from ..handheld import Device

CHIP_ID = b"\xff" * 8
CHIP_RANDOM = b"*"  # all that the emulated chip's random generator returns

_NO_ENTRY = 2
_FREE = 1_000_000


class MemoryStorage:
    """A device's files in memory, with the operations of its Storage; counts the operations that change something."""

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


def settled(files):
    """Return these files of a device, each journal with its newest lines, which may be in a file of their own."""
    storage = MemoryStorage.of(files)
    journals = JournalFiles(storage)
    journals.settle()
    return {f"{DATA}/{name}": storage.files[name] for name, _ in journals.sizes()}


def in_use(board=DEFAULT):
    """Return the files of a device that has been in use: the language was chosen, and its display is known."""
    return Twin(board=board).files()


class Twin(Device):
    """A device switched on with these files, given by their paths on the chip, or with this storage.

    Without either the device has been in use: the language was chosen, unless it is None, and its display is known.
    """

    def __init__(self, files=None, language="en", board=DEFAULT, storage=None):
        self.seen = None  # a function to call after every turn of the app
        if files is None and storage is None:
            storage = MemoryStorage()
            if language:
                Settings(storage).set("language", language)
                Settings(storage).set("found", board)
        super().__init__(storage or MemoryStorage.of(files), None, board)

    def on(self, hw=None):
        hw = Hardware(self.profile, urandom=lambda n: CHIP_RANDOM * n)
        hw.unique_id = CHIP_ID
        super().on(hw)

    def restart(self):
        """Pull the battery and put it back: only what is on flash remains."""
        self.on()

    def _turn(self):
        super()._turn()
        if self.seen:
            self.seen()

    def frame(self):
        return self.hw.oled.frame()

    def files(self):
        """Return the files on the flash, by their paths on the chip."""
        return {f"{DATA}/{name}": self.storage.files[name] for name in self.storage.names()}
