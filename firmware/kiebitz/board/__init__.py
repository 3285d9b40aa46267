"""Give the app its hardware. No other package uses pins, drivers or the modules of the Pico."""

import gc
import os
from binascii import hexlify

from ..machine_code import const
from ..store.sealed_lines import attempt
from .family import FAMILY
from .finding import Asking, choose
from .inputs import Chords, Inputs
from .parts import Buzzer, Clock, Watchdog
from .profiles import FAMILIES, PROFILES, pins_of
from .serial import Serial, Unplugged

_COLLECT_EVERY = const(65_536)  # more than an entry allocates, so that no entry waits 10 ms for a collection
_NAP_MS = const(40)  # of light sleep between two polls of the keys, because a key may fail to end it
_GPIO_IN = const(0xD0000004)  # register with the levels of all pins


class Board:
    """All hardware that the app may use, built from the modules `machine` and `time`, or from fakes.

    `console`, if given, is (binary input stream, binary output stream, the module `select`). `names` are the profiles
    that a player may choose from.
    """

    tree = ""  # the folder of a developer's tree, if it runs in place of the frozen firmware
    format = None  # function that erases the flash and makes a new file system; None without a flash

    def __init__(
        self, machine, time, settings, storage, urandom=os.urandom, console=None, profiles=PROFILES, family=FAMILY
    ):
        # "lost" without a file system, "newer" if a newer version has written it
        self.emergency = getattr(storage, "emergency", "")
        self.settings = settings
        self.storage = storage
        if settings.newer():
            self.hold_flash()
        else:
            attempt(settings.claim)
        self.names = FAMILIES[family]
        self.choice = choose(machine, settings, profiles, family)
        profile = profiles[self.choice.name]
        self._frequency = machine.freq
        self._hz_most = profile.mhz * 1_000_000
        self._limit_clock()  # before the buses, which divide it
        self.clock = Clock(machine, time)
        self.display, self.canvas = _display(machine, self.clock, profile.display)
        self.canvas.labels = profile.labels
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
        self._key_pins = sum([1 << gpio for key in profile.keys for gpio in pins_of(key)])
        self._asking = Asking(machine, self.clock, profiles) if self.choice.guessed else None
        self._switched_on = machine.reset_cause() == machine.PWRON_RESET  # else the program has restarted
        self._keys = Inputs(machine, time, profile.keys)
        self.read_keys = Chords(profile.chords, time, self._keys).read if profile.chords else self._keys.read
        self.key_pressed = self._keys.pressed
        self._wait = self._keys.waiter(console[2]) if console else self.clock.sleep

    def hold_flash(self) -> None:
        """Leave all files alone from now on, because a newer version has written some of them."""
        self.emergency = "newer"
        self.storage = self.settings.hold()

    @property
    def supply(self):
        """The Supply, created on first use."""
        if self._supply is None:
            from .supply import Supply

            self._supply = Supply(*self._supply_of)
        return self._supply

    def _limit_clock(self):
        """Slow the processor down to the clock of the profile, if the image runs it faster."""
        if self._frequency() > self._hz_most:
            self._frequency(self._hz_most)

    def rest(self, ms: int) -> None:
        """Wait `ms` milliseconds, or until a key is pressed; the processor sleeps, and the clocks of the chip go on."""
        self._wait(ms)

    def rest_dark(self, ms: int) -> None:
        """Wait `ms` milliseconds, or until a key changes or USB comes, in light sleep.

        Only for a device on battery whose display is off, because USB, backlight and buzzer need the clocks.
        """
        memory, pressed, on_battery = self._memory, self._keys.pressed, self.supply.on_battery
        before = memory[_GPIO_IN] & self._key_pins
        while ms > 0 and not pressed() and memory[_GPIO_IN] & self._key_pins == before and on_battery():
            self._light_sleep(_NAP_MS)
            self._limit_clock()  # MicroPython sets the clock of the image after a light sleep
            ms -= _NAP_MS

    def held_at_power_on(self, key: int) -> bool:
        """Return True if this key is down when the device is switched on, with USB.

        False after a restart by the program, because a key that is down then is meant for the game; and on battery,
        because the boot loader never sleeps.
        """
        return self._switched_on and self._keys.read() >> key & 1 == 1 and not self.supply.on_battery()

    def oled_came(self, now: int) -> bool:
        """Return True if an OLED answers that did not at power-on, and the display was only guessed."""
        return self._asking is not None and self._asking.answered(now)

    def limit_garbage(self) -> None:
        """Collect garbage after 64 KB at the latest, to limit fragmentation of the heap."""
        if hasattr(gc, "threshold"):
            gc.threshold(_COLLECT_EVERY)

    def memory_free(self) -> int:
        """Return how many bytes are free after a collection; 0 where the interpreter does not count them."""
        gc.collect()
        return gc.mem_free() if hasattr(gc, "mem_free") else 0


def _display(machine, clock, wiring):
    """Return (driver, canvas) of a display."""
    if wiring.controller == "st7789":
        from ..raster.large_canvas import LargeCanvas
        from .st7789 import St7789

        lcd = St7789(machine, clock, wiring)
        return lcd, LargeCanvas(lcd.width, lcd.height, lcd.buffer, lcd.tints)
    from ..raster.canvas import Canvas
    from .oled import Oled

    oled = Oled(wiring.open_bus(machine), clock, wiring, wiring.hold_reset(machine))
    return oled, Canvas(oled.width, oled.height, oled.buffer)
