"""The hardware as the app sees it: the only place that knows pins, drivers and the modules of the Pico."""

import os
from binascii import hexlify

from . import memory
from .buzzer import Buzzer
from .choice import NO_FILE, WITHOUT_OLED, chosen
from .clock import Clock
from .inputs import Inputs
from .profiles import PROFILES
from .serial import Serial, Unplugged
from .storage import Storage
from .watchdog import Watchdog


class Board:
    """Everything the app may touch, made of the modules `machine` and `time`, or of stand-ins for them.

    The console, if there is one, is its two binary streams and the module `select`.
    """

    # Or what board.txt says instead of a known name, None if there is no such file; the known names; the one in force
    unknown_profile = None

    def __init__(self, machine, time, profile, storage, urandom=os.urandom, console=None):
        self.clock = Clock(machine, time)
        self.display, self.canvas = _display(machine, self.clock, profile["display"])
        self.buzzer = Buzzer(machine, self.clock, profile["buzzer"])
        self.watchdog = Watchdog(machine)
        self.storage = storage
        self.serial = Unplugged()
        if console:
            stdin, stdout, select = console
            self.serial = Serial(stdin, stdout, select, self.clock, machine.mem32)
        self.device_id = hexlify(machine.unique_id()).decode()
        self.random = urandom
        self.reset = machine.reset
        self.memory_free = memory.free
        self.tidy = memory.tidy
        self.unload = memory.unload
        self._keys = Inputs(machine, time, profile["keys"])
        self.read_keys = self._keys.read
        self.key_pressed = self._keys.pressed
        self._vsys = None if profile["vsys"] is None else machine.ADC(profile["vsys"])

    def rest(self, ms: int) -> None:
        """Waits so long, but no longer than until a key is pressed."""
        while ms > 0 and not self._keys.pressed():
            self.clock.sleep(1)
            ms -= 1

    def vsys_mv(self) -> int:
        """The supply in millivolts, which the Pico divides by three; 0 if the board cannot tell."""
        return self._vsys.read_u16() * 9900 // 65535 if self._vsys else 0


def _display(machine, clock, wiring):
    """The driver of a display, and the surface that fits it."""
    if wiring["controller"] == "st7789":
        from ..ui.large_canvas import LargeCanvas as surface
        from .st7789 import St7789

        display = St7789(machine, clock, wiring)
    else:
        from ..ui.canvas import Canvas as surface
        from .oled import Oled

        display = Oled(_i2c(machine, wiring), clock, wiring)
    return display, surface(display.width, display.height, display.buffer)


def _answers(machine, wiring):
    """Whether there is an OLED."""
    try:
        _i2c(machine, wiring).writeto(wiring["address"], b"\x00\xe3")  # to do nothing
    except OSError:
        return False
    return True


def _i2c(machine, wiring):
    pin = machine.Pin
    return machine.I2C(wiring["bus"], sda=pin(wiring["sda"]), scl=pin(wiring["scl"]), freq=wiring["hz"])


def this_board():
    """The board this program runs on, as board.txt says; its data lie in the folder `data`."""
    import select
    import sys
    import time

    import machine

    name, said = chosen()
    if said is not None and not _answers(machine, PROFILES[name]["display"]):
        name = WITHOUT_OLED  # what is wrong can be read there
    console = (sys.stdin.buffer, sys.stdout.buffer, select)
    board = Board(machine, time, PROFILES[name], Storage("data"), console=console)
    if said is not None:
        board.unknown_profile = (None if said is NO_FILE else said, sorted(PROFILES), name)
    return board
