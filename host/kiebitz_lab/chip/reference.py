"""Run a reference device on CPython with fake hardware that answers like the emulated chip, to compare both."""

from kiebitz.board.profiles import DEFAULT
from kiebitz.store.journal_files import JournalFiles
from kiebitz.store.settings import Settings
from kiebitz_host.sim.flash_folder import DATA, MemoryStorage
from kiebitz_host.sim.hardware import Hardware

from ..handheld import ScriptedDevice

CHIP_ID = b"\xff" * 8
CHIP_RANDOM = b"*"  # all that the emulated chip's random generator returns


def settled(files):
    """Return these files of a device, each journal with its newest lines, which may be in a file of their own."""
    storage = MemoryStorage.of(files)
    journals = JournalFiles(storage)
    journals.settle()
    return {f"{DATA}/{name}": storage.files[name] for name, _ in journals.sizes()}


def in_use(board=DEFAULT):
    """Return the files of a device that has been in use, with a chosen language and a known display."""
    return ReferenceDevice(board=board).files()


class ReferenceDevice(ScriptedDevice):
    """A device switched on with these files, given by their paths on the chip, or with this storage.

    Without either the device has been in use, with this language unless it is None, and a known display.
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
        """Restart with only what is on flash."""
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
