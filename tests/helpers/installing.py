"""Provide what an install needs in tests: serial ports and drives as folders, UF2 files, and a clock."""

import hashlib
import struct
from types import SimpleNamespace

import pytest
from kiebitz_host.cli.install import Install
from kiebitz_host.install.find_picos import INFO, Usb, copy

PICO = (0x2E8A, 0x0005)
PROBE = (0x2E8A, 0x000C)
MODEM = (0x1234, 0x5678)

INFO_RP2040 = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
INFO_RP2350 = "UF2 Bootloader v1.0\nModel: Raspberry Pi RP2350\nBoard-ID: RP2350\n"
INFO_OTHER = "UF2 Bootloader v2.0\nModel: Feather M0\nBoard-ID: SAMD21G18A\n"


class FakeUsb(Usb):
    """The USB ports of a laptop; plug() and drive() connect something, `folder` holds the drives."""

    def __init__(self, folder):
        self.folder = folder
        self.ports = []
        (folder / "labels").mkdir()
        super().__init__(lambda: self.ports, lambda: sorted(folder.glob("media*")), folder / "labels")

    def plug(self, name, usb=PICO, number=None):
        self.ports.append(SimpleNamespace(device=name, vid=usb[0], pid=usb[1], serial_number=number))

    def unplug(self, name):
        self.ports = [port for port in self.ports if port.device != name]

    def drive(self, name="media", info=INFO_RP2040):
        """Mount a drive. Returns its folder."""
        folder = self.folder / name
        folder.mkdir()
        (folder / INFO).write_text(info)
        return folder

    def unmounted_drive(self, label="RPI-RP2"):
        """Add a drive that nobody has mounted. Returns its device."""
        device = self.folder / "sdb1"
        device.touch()
        (self.folder / "labels" / label).symlink_to(device)
        return device.resolve()


class Clock:
    """A clock that advances only in sleep(); `events` are (moment, action)."""

    def __init__(self, *events):
        self.now = 0.0
        self._events = list(events)

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds
        due = [event for event in self._events if event[0] <= self.now]
        self._events = [event for event in self._events if event[0] > self.now]
        for _, action in due:
            action()


FLASH_START = 0x10000000
RP2040 = 0xE48BFF56
RP2350 = 0xE48BFF59
SIZE = 256


def flash(version="0.2.0", micropython="1.25.0", size=210_000):
    """Return the bytes of a firmware."""
    words = f"MicroPython v{micropython} on 2025-04-15\n"
    if version:
        words += f"kiebitz-image:{version}\n"
    return words.encode().ljust(size, b"\xa5")


def uf2(content, **how):
    """Return the file that puts this content into the flash of both chips, RP2350 first."""
    return part(content, family=RP2350, **how) + part(content, **how)


def part(content, start=FLASH_START, family=RP2040, payload=SIZE):
    """Return the blocks that put this content into the flash of one chip."""
    parts = [content[at : at + SIZE].ljust(SIZE, b"\x00") for at in range(0, len(content), SIZE)]
    blocks = []
    for number, part in enumerate(parts):
        head = (0x0A324655, 0x9E5D5157, 0x2000, start + number * SIZE, payload, number, len(parts), family)
        blocks.append(struct.pack("<8I", *head) + part.ljust(476, b"\x00") + struct.pack("<I", 0x0AB16F30))
    return b"".join(blocks)


def write(path, data, checksum=True):
    """Write a UF2 file, and its checksum beside it; returns the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if checksum:
        digest = hashlib.sha256(data).hexdigest()
        path.with_name(path.name + ".sha256").write_text(f"{digest}  {path.name}\n")
    return path


PORT = "/dev/null"  # which exists


class Scenario:
    """An install in which the Pico on PORT does what the test says."""

    def __init__(self, usb, before="0.1.0", after="0.2.0"):
        self.usb = usb
        self.before = before
        self.after = after
        self.board = "pico_oled"
        self.said = []
        self.shown = []
        self.clock = Clock()
        self.copy = copy

    def happens(self, moment, action):
        self.clock._events.append((moment, action))

    def enter(self, path):
        self.usb.unplug(path)
        return self.before, self.board

    def install(self, firmware, port=None, drive=None, board=None):
        parts = {"enter": self.enter, "copy": self.copy, "first_screen": lambda path: path() and self.after}
        doors = {"say": self.said.append, "progress": self.shown.append, "clock": self.clock, "sleep": self.clock.sleep}
        return Install(self.usb, **doors, **parts).run(firmware, port, drive, board)


def trouble(scenario, firmware, kind, words):
    with pytest.raises(kind, match=words) as told:
        scenario.install(firmware)
    assert scenario.shown[-1] == ""
    return str(told.value)


class FakeClient:
    def __init__(self, hello=None, update=None):
        self._hello = hello
        self._update = update
        self.updated = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def hello(self):
        if self._hello:
            raise self._hello
        return {"version": "0.1.0", "board": "picosystem"}

    def update(self):
        if self._update:
            raise self._update
        self.updated = True
