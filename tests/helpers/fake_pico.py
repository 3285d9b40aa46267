"""Simulate a Pico at its prompt in memory, alone or as a Kiebitz with an app on the link."""

import binascii
import builtins
import io
import json
import os
from contextlib import chdir
from types import SimpleNamespace

from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.store.crash import keep_crash
from kiebitz_host.flash_layout import BLOCK, BLOCKS
from kiebitz_host.install.prompt_session import AGENT, Failed, Lost
from kiebitz_host.link.client import Client
from kiebitz_host.sim.flash_folder import MemoryStorage
from kiebitz_host.sim.hardware import Hardware

from helpers.cable import Cable
from helpers.device import Device


class FakePico:
    """`flash` is what its blocks hold; `spoils` counts, for a block, how many more times it arrives damaged."""

    path = "/dev/ttyFAKE"

    def __init__(self, files=None, kiebitz="0.1.0", flash=b""):
        self.files = files  # by path; None: no file system is mounted
        self.kiebitz = kiebitz
        self.flash = flash or bytes(BLOCK * BLOCKS)
        self.version = (1, 25, 0, "")
        self.machine = "Raspberry Pi Pico with RP2040"
        self.platform = "rp2"
        self.hz = 200_000_000
        self.sys_path = [".frozen", "", "/lib"]
        self.spoils = {}
        self.lost_after = None  # so many more times something is run before the cable is pulled
        self.restarts = 0
        self.in_bootloader = False

    # --- what a session does ---

    def session(self, path):
        """Return a session on this Pico, whatever the port is called."""
        self.path = path
        self._names = {"__builtins__": self._builtins(), "__name__": "__main__"}
        self.run(AGENT.read_text())
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.restarts += not self.in_bootloader

    def enter_bootloader(self):
        self.in_bootloader = True

    def run(self, code):
        if self.lost_after is not None:
            self.lost_after -= 1
            if self.lost_after < 0:
                raise Lost
        self._out = io.BytesIO()
        try:
            exec(code, self._names)
        except Exception as error:
            raise Failed(f"{type(error).__name__}: {error}") from None
        printed = self._out.getvalue().decode()
        return self._spoilt(printed) if code.startswith("blocks(") else printed

    # --- what its programs find ---

    def _builtins(self):
        known = {"os": self._os(), "sys": self._sys(), "json": json, "binascii": binascii}
        known["machine"] = SimpleNamespace(freq=lambda: self.hz)
        known["_rp2"] = SimpleNamespace(Flash=lambda: self)
        if self.kiebitz:
            known["kiebitz"] = SimpleNamespace(VERSION=self.kiebitz)
        known.update(self._modules())

        def importer(name, *how):
            if name.startswith("kiebitz."):
                return builtins.__import__(name, *how)
            if name not in known:
                raise ImportError(f"no module named '{name}'")
            return known[name]

        def say(*words, end="\n"):
            self._out.write((" ".join(map(str, words)) + end).encode())

        return {**vars(builtins), "__import__": importer, "open": self._open, "print": say}

    def _modules(self):
        """Return more modules, or others."""
        return {}

    def _sys(self):
        buffer = SimpleNamespace(write=lambda data: self._out.write(data))
        made = SimpleNamespace(name="micropython", version=self.version, _machine=self.machine)
        stdout = SimpleNamespace(buffer=buffer)
        return SimpleNamespace(stdout=stdout, path=self.sys_path, platform=self.platform, implementation=made)

    def _os(self):
        return SimpleNamespace(statvfs=self._statvfs, listdir=self._listdir)

    def _mounted(self):
        if self.files is None:
            raise OSError(19, "ENODEV")
        return self.files

    def _statvfs(self, _):
        used = sum(len(data) // BLOCK + 1 for data in self._mounted().values())
        return (BLOCK, BLOCK, BLOCKS, BLOCKS - used, BLOCKS - used, 0, 0, 0, 0, 255)

    def _listdir(self, folder):
        inside = folder.strip("/") + "/" if folder.strip("/") else ""
        names = {path[len(inside) :].split("/")[0] for path in self._mounted() if path.startswith(inside)}
        if inside and not names:
            raise OSError(2, "ENOENT")
        return sorted(names)

    def _open(self, path, mode):
        if path not in self._mounted():
            raise OSError(2, "ENOENT")
        return io.BytesIO(self.files[path])

    # --- its flash ---

    def ioctl(self, what, _):
        return {4: BLOCKS, 5: BLOCK}[what]

    def readblocks(self, number, buffer):
        buffer[:] = self.flash[number * BLOCK : (number + 1) * BLOCK]

    def _spoilt(self, printed):
        """Return what arrives of it, changed if something on the way changes it."""
        lines = printed.splitlines()
        for k, line in enumerate(lines):
            number = int(line.split(" ")[0])
            if self.spoils.get(number, 0) > 0:
                self.spoils[number] -= 1
                lines[k] = line[:-9] + "AAAA" + line[-5:]
        return "\n".join(lines)


FILE_TYPE, FOLDER_TYPE = 0x8000, 0x4000
READS = 1000  # of the flash, for each look at the counters of its cache
HITS = 990


class Stage:
    """The app that the scenario is played on, as a cable needs it; on_turn(app) is called after every turn."""

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

    cut: bytes after which the cable is pulled while the scenario is played. on_turn: see Stage.
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
        """The number of keys that were pressed in the scenario."""
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
