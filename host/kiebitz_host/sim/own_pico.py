"""Fits out the simulated Pico of a flash folder: its board, its language, its own id, and a clock of real time."""

import hashlib
import os
import time
from pathlib import Path

from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.board.storage import Storage
from kiebitz.store.settings import Settings

from ..outcome import Trouble
from .flash_folder import DATA, HARDWARE
from .hardware import FakeTime, Hardware


def set_language(flash, lang, default=None):
    """Set the language of the device; the default only if the players have not chosen one."""
    settings = Settings(Storage(str(Path(flash) / DATA)))
    if not settings.chosen("language"):
        lang = lang or default
    if lang:
        settings.set("language", lang)


def set_board(flash, name):
    """Store beside the flash which board it belongs to; without a name, keep the stored board."""
    path = Path(flash) / HARDWARE
    try:
        if name or not path.exists():
            path.write_text(f"{name or DEFAULT}\n")
    except OSError as trouble:
        raise Trouble(f"{path} cannot be written: {trouble.strerror}.") from None


def board_of(flash):
    """Return the name of the board that this flash belongs to: the default, if no known one is stored."""
    try:
        name = (Path(flash) / HARDWARE).read_text("utf-8").strip()
    except (OSError, ValueError):
        return DEFAULT
    return name if name in PROFILES else DEFAULT


def pico_of(flash, clock, unique=True):
    """Return the hardware for a flash; unique: it is a device of its own, with ids of its own for its games."""
    hardware = Hardware(PROFILES[board_of(flash)], clock, os.urandom if unique else None)
    if unique:
        hardware.unique_id = hashlib.sha256(os.fsencode(flash)).digest()[:8]
    return hardware


class LiveTime(FakeTime):
    """The clock of the host; while the firmware sleeps, `wait` serves the player."""

    def __init__(self):
        super().__init__(int(time.time()))
        self._start = time.monotonic()
        self.wait = self.advance

    def catch_up(self):
        self.advance(int((time.monotonic() - self._start) * 1000) - self.elapsed)

    def ticks_ms(self):
        self.catch_up()
        return super().ticks_ms()

    def sleep_ms(self, ms):
        self.wait(ms)
