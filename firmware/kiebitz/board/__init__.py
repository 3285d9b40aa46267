"""The hardware as the app sees it: the only place that knows pins, drivers and the modules of the Pico."""

import gc
import os
from binascii import hexlify

from .buzzer import Buzzer
from .choice import chosen
from .clock import Clock
from .inputs import Inputs
from .oled import Oled
from .profiles import PROFILES
from .serial import Serial, Unplugged, usb_frame
from .storage import Storage
from .watchdog import Watchdog


class Board:
    """Everything the app may touch, made of the modules `machine` and `time`, or of stand-ins for them.

    The console, if there is one, is its two binary streams and the module `select`.
    """

    unknown_profile = None  # or what board.txt says instead of a known name, the known names, the one in force

    def __init__(self, machine, time, profile, storage, urandom=os.urandom, console=None):
        wiring = profile["display"]
        pin = machine.Pin
        bus = machine.I2C(wiring["bus"], sda=pin(wiring["sda"]), scl=pin(wiring["scl"]), freq=wiring["hz"])
        self.clock = Clock(machine, time)
        self.display = Oled(bus, self.clock, wiring)
        self.buzzer = Buzzer(machine, self.clock, profile["buzzer"])
        self.watchdog = Watchdog(machine)
        self.storage = storage
        self.serial = Unplugged()
        if console:
            stdin, stdout, select = console
            self.serial = Serial(stdin, stdout, select, self.clock, usb_frame(machine))
        self.device_id = hexlify(machine.unique_id()).decode()
        self.random = urandom
        self.reset = machine.reset
        self.read_keys = Inputs(machine, profile["keys"]).read
        self._vsys = None if profile["vsys"] is None else machine.ADC(profile["vsys"])

    def memory_free(self) -> int:
        """Bytes of heap that are free after a collection; 0 where nobody counts them."""
        gc.collect()
        return gc.mem_free() if hasattr(gc, "mem_free") else 0

    def vsys_mv(self) -> int:
        """The supply in millivolts, which the Pico divides by three; 0 if the board cannot tell."""
        return self._vsys.read_u16() * 9900 // 65535 if self._vsys else 0


def this_board():
    """The board this program runs on, as board.txt says; its data lie in the folder `data`."""
    import select
    import sys
    import time

    import machine

    name, said = chosen()
    console = (sys.stdin.buffer, sys.stdout.buffer, select)
    board = Board(machine, time, PROFILES[name], Storage("data"), console=console)
    if said is not None:
        board.unknown_profile = (said, sorted(PROFILES), name)
    return board
