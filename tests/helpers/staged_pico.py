"""A Kiebitz in memory on which a report can be made: an app for the link, and a prompt whose files are a folder."""

import os
from contextlib import chdir
from types import SimpleNamespace

from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.store.crash import keep_crash
from kiebitz_host.link.client import Client
from kiebitz_host.sim.flash_folder import MemoryStorage
from kiebitz_host.sim.hardware import Hardware

from helpers.cable import Cable
from helpers.device import Device
from helpers.fake_pico import FakePico

FILE_TYPE, FOLDER_TYPE = 0x8000, 0x4000
READS = 1000  # of the flash, for each look at the counters of its cache
HITS = 990


class Stage:
    """The app that the story is played on, as a cable needs it; on_turn(app) is called after every turn."""

    def __init__(self, app, hw, folder, on_turn):
        self.app = app
        self.hw = hw
        self._folder = folder
        self._on_turn = on_turn

    def wait(self, ms):
        with chdir(self._folder):
            for _ in range(ms // 5):
                if self.app:
                    self._turn()
                self.hw.time.advance(5)

    def _turn(self):
        try:
            self.app.step()
            self._on_turn(self.app)
        except Exception as error:  # as App.run() does; then nobody answers any more
            keep_crash(self.app.board.storage, error)
            self.app = None


class StagedPico(FakePico):
    """`device` is the running Kiebitz with the players' games; `folder` has the files that its prompt sees.

    cut: bytes after which the cable is pulled while the story is played. on_turn: see Stage.
    """

    def __init__(self, folder, language="en", board=DEFAULT):
        super().__init__({})
        self.device = Device(MemoryStorage(), language, board)
        self.board = board
        self.folder = folder
        self.cut = None
        self.on_turn = lambda app: None
        self.counts = True  # it has counters of a cache
        self.began = []
        (folder / "data").mkdir()
        (folder / "data" / "settings").write_bytes(b"precious")

    def connect(self, path):
        return Client(Cable(self.device))

    def session(self, path):
        self.hw = Hardware(PROFILES[self.board])
        return super().session(path)

    def run(self, code):
        with chdir(self.folder):
            return super().run(code)

    def begin(self, code):
        self.began.append(code)
        return Cable(Stage(self._names["app"], self.hw, self.folder, lambda app: self.on_turn(app)), cut=self.cut)

    def end(self):
        self.run("")

    @property
    def pressed(self):
        """The number of keys that were pressed in the story."""
        return len(self._names["press_us"])

    # --- what its programs find ---

    def _modules(self):
        return {
            "os": SimpleNamespace(
                statvfs=self._statvfs,
                listdir=lambda folder: os.listdir(self._real(folder)),
                ilistdir=self._ilistdir,
                remove=lambda path: os.remove(self._real(path)),
                rmdir=lambda path: os.rmdir(self._real(path)),
            ),
            "machine": Chip(self.hw.machine, self.counts),
            "time": Clock(self.hw.time),
            "select": self.hw.usb.select,
            "gc": SimpleNamespace(collect=lambda: None, mem_free=lambda: 120_000),
        }

    def _sys(self):
        made = super()._sys()
        made.stdin = self.hw.usb.sys.stdin
        made.stdout = self.hw.usb.sys.stdout
        made.modules = {}
        return made

    def _real(self, path):
        return self.folder / path.lstrip("/")

    def _ilistdir(self, folder):
        for entry in os.scandir(self._real(folder)):
            yield entry.name, FOLDER_TYPE if entry.is_dir() else FILE_TYPE, 0, 0

    def _open(self, path, mode):
        return open(self._real(path), mode)


class Chip:
    """The module `machine`, with the registers of the cache."""

    def __init__(self, machine, counts):
        self._machine = machine
        self._counts = counts
        self.mem32 = self

    def __getattr__(self, name):
        return getattr(self._machine, name)

    def __getitem__(self, address):
        if address >> 24 == 0x14:
            return {0x0C: HITS, 0x10: READS}[address & 0xFF] if self._counts else 0
        return self._machine.mem32[address]

    def __setitem__(self, address, value):
        assert address in (0x1400000C, 0x14000010)


class Clock:
    """The module `time`, which also counts microseconds."""

    def __init__(self, time):
        self._time = time

    def __getattr__(self, name):
        return getattr(self._time, name)

    def ticks_us(self):
        return self._time.ticks_ms() * 1000
