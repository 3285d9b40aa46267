"""The hardware as the app sees it: the only folder that knows pins, drivers and the modules of the Pico."""

import gc
import os
from binascii import hexlify

from ..machine_code import const
from ..store.sealed_lines import attempt
from .buzzer import Buzzer
from .clock import Clock
from .finding import choose
from .inputs import Inputs
from .profiles import PROFILES, pins_of
from .serial import Serial, Unplugged
from .watchdog import Watchdog

_COLLECT_EVERY = const(32_768)
_NAP_MS = const(40)  # of light sleep, after which the keys are looked at: it is not sure that a key ends it
_GPIO_IN = const(0xD0000004)  # register with the levels of all pins


class Board:
    """All hardware that the app may use, built from the modules `machine` and `time`, or from stand-ins for them.

    `console`, if given, is (binary input stream, binary output stream, the module `select`).
    """

    tree = ""  # the folder of a developer's tree, if it runs in place of the frozen firmware
    format = None  # function that erases the flash and makes a new file system; None without a flash
    leftovers = None  # function that removes one file of an older version, False when none is left; or None

    def __init__(self, machine, time, settings, storage, urandom=os.urandom, console=None, profiles=PROFILES):
        # "lost": there is no file system; "newer": the file system belongs to a newer version
        self.emergency = getattr(storage, "emergency", "")
        if settings.newer():
            self.emergency = "newer"
            storage = settings.hold()
        else:
            attempt(settings.claim)
        self.settings = settings
        self.storage = storage
        self.choice = choose(machine, settings, profiles)
        profile = profiles[self.choice.name]
        self.clock = Clock(machine, time)
        self.display, self.canvas = _display(machine, self.clock, profile.display)
        self.buzzer = Buzzer(machine, self.clock, profile.buzzer)
        self.watchdog = Watchdog(machine)
        self.serial = Unplugged()
        if console:
            stdin, stdout, select = console
            self.serial = Serial(stdin, stdout, select, self.clock, machine.mem32)
        self.device_id = hexlify(machine.unique_id()).decode()
        self.random = urandom
        self.reset = machine.reset
        self.bootloader = machine.bootloader
        self._supply_of = (machine, self.clock, profile)
        self._supply = None
        self._light_sleep = machine.lightsleep
        self._memory = machine.mem32
        gpios = [gpio for key in profile.keys for gpio in pins_of(key)]
        gpios += [] if profile.vbus is None else [profile.vbus]
        self._watched = sum([1 << gpio for gpio in gpios])  # a change of these pins ends a light sleep
        self._keys = Inputs(machine, time, profile.keys)
        self.read_keys = self._keys.read
        self.key_pressed = self._keys.pressed
        self._wait = self._keys.waiter(console[2]) if console else self.clock.sleep

    @property
    def supply(self):
        """The Supply, made at first use: the first picture comes sooner."""
        if self._supply is None:
            from .supply import Supply

            self._supply = Supply(*self._supply_of)
        return self._supply

    def rest(self, ms: int) -> None:
        """Wait `ms` milliseconds, or until a key is pressed; the processor sleeps, and the clocks of the chip go on."""
        self._wait(ms)

    def rest_dark(self, ms: int) -> None:
        """Wait `ms` milliseconds, or until a key or USB changes, in light sleep, in which the clocks of the chip stop.

        Only for a device on battery whose display is off: USB, the light of a display and a beep need their clocks.
        """
        memory, watched = self._memory, self._watched
        before = memory[_GPIO_IN] & watched
        while ms > 0 and not self._keys.pressed() and memory[_GPIO_IN] & watched == before:
            self._light_sleep(_NAP_MS)
            ms -= _NAP_MS

    def limit_garbage(self) -> None:
        """Collect after 32 KB at the latest: objects kept meanwhile would be scattered over the heap."""
        if hasattr(gc, "threshold"):
            gc.threshold(_COLLECT_EVERY)

    def clear_leftovers(self) -> None:
        """Remove one file of an older version, if any is left."""
        if self.leftovers and (self.emergency or not self.leftovers()):
            self.leftovers = None

    def memory_free(self) -> int:
        """Return how many bytes are free after a collection; 0 where the interpreter does not count them."""
        gc.collect()
        return gc.mem_free() if hasattr(gc, "mem_free") else 0


def _display(machine, clock, wiring):
    """Return (driver, canvas) of a display.

    The driver of the other display is not imported: with its fonts, it would cost every start 10 ms.
    """
    if wiring.controller == "st7789":
        from ..raster.large_canvas import LargeCanvas
        from .st7789 import St7789

        lcd = St7789(machine, clock, wiring)
        return lcd, LargeCanvas(lcd.width, lcd.height, lcd.buffer, lcd.tints)
    from ..raster.canvas import Canvas
    from .oled import Oled

    oled = Oled(wiring.open_bus(machine), clock, wiring, wiring.hold_reset(machine))
    return oled, Canvas(oled.width, oled.height, oled.buffer)
