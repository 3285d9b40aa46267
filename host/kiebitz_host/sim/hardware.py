"""Simulate the hardware of a Pico: `machine` and `time`, with a display, keys and a controlled clock.

Simulator and tests share this module. It runs on CPython and on MicroPython, and implements only what the firmware may
use. Any other call, or an operation that a pin does not support, is an error.
"""

import time as host_time

from kiebitz.board import Board
from kiebitz.board.profiles import DEFAULT, PROFILES, I2cDisplay, SpiDisplay, family_of, pins_of
from kiebitz.board.serial import SOF_RD
from kiebitz.store.settings import Settings
from kiebitz.widgets.keys import NAMES

from .inner_parts import adc_class, rtc_class, timer_class
from .oled_model import OledModel
from .usb import FakeUsb

EIO = 5
IMAGE_HZ = 200_000_000  # the initial processor clock of the firmware image
RADIO_SELECT = 25  # the pin that connects the supply of a Pico W with its converter; the LED of a plain Pico

HOLD_MS = 800
CHORD_MS = 700  # more, on a board with chords: a key that may begin one counts later

_TICKS = 1 << 30
_BORN = 1_609_459_200  # a Pico's clock starts in 2021 until it is set


class PowerOff(BaseException):
    """Raised inside the running firmware when the power goes off."""


class Reset(BaseException):
    """The firmware has asked for a restart."""


class FakeTime:
    """The module `time`, with a clock that moves only when the program sleeps or advance() is called."""

    def __init__(self, unix=0, ticks=0):
        self.elapsed = 0  # milliseconds since power-on
        self._ticks = ticks
        self._unix = unix or _BORN
        self._todo = []
        self._count = 0

    def ticks_ms(self):
        return (self._ticks + self.elapsed) % _TICKS

    def ticks_diff(self, a, b):
        return (a - b + _TICKS // 2) % _TICKS - _TICKS // 2

    def sleep_ms(self, ms):
        self.advance(ms)

    def time(self):
        return self._unix + self.elapsed // 1000

    def gmtime(self, seconds):
        return tuple(host_time.gmtime(seconds))[:8]

    def set_unix(self, unix):
        self._unix = unix - self.elapsed // 1000

    def at(self, ms, action):
        """Schedule an action in `ms` milliseconds."""
        self._count += 1
        self._todo.append((self.elapsed + ms, self._count, action))
        self._todo.sort()

    def advance(self, ms):
        """Advance the clock by `ms`, and run every action that becomes due."""
        end = self.elapsed + ms
        while self._todo and self._todo[0][0] <= end:
            when, _, action = self._todo.pop(0)
            self.elapsed = max(when, self.elapsed)
            action()
        self.elapsed = max(end, self.elapsed)


def display_model(wiring, ms):
    """Return a model of a profile's display; ms() returns the time for the model."""
    if wiring.controller == "st7789":
        from .st7789_model import St7789Model

        return St7789Model(ms, wiring.direction, wiring.offset, wiring.visible)
    return OledModel(wiring.controller, wiring.width, wiring.height)


def switches_of(profile, key):
    """Return the pins that press a key: one of its own, or the two of a chord, the held one first."""
    for held, other, meant in profile.chords:
        if meant == key:
            return [pins_of(profile.keys[held])[0], pins_of(profile.keys[other])[0]]
    return [pins_of(profile.keys[key])[0]]


class Hardware:
    """One Pico with everything connected to its pins; its program imports `machine` and `time` from here."""

    def __init__(self, profile=PROFILES[DEFAULT], time=None, urandom=None, display=None):
        self.profile = profile
        self.profiles = dict(PROFILES)
        names = [name for name in PROFILES if PROFILES[name] is profile]
        self.family = family_of(names[0]) if names else ""
        self.hold_ms = HOLD_MS + (CHORD_MS if profile.chords else 0)  # until a pressed key counts as held
        if not names:  # a changed profile replaces those with the same display
            for name in PROFILES:
                if PROFILES[name].display.controller == profile.display.controller:
                    self.profiles[name] = profile
        self.time = time or FakeTime()
        self.oled = display or display_model(profile.display, lambda: self.time.elapsed)
        self.unique_id = b"\xe6\x61\xa4\xd1\x27\x5b\x3c\x0f"
        self.vsys_mv = 5000
        self.hz = IMAGE_HZ
        self.wireless = False  # a Pico W, whose radio uses the pins that measure the supply
        self.restarted = False  # by the program, since power-on
        self._outputs = {}  # the level of each pin that is an output
        self._noise = 0  # the level of an undriven radio wire
        self.slept_ms = 0  # in light sleep
        self.tone = 0  # the buzzer's pitch in Hz; 0 when it is silent
        self.beeps = 0
        self.bus_writes = 0
        self.bus_bytes = 0
        self._bytes_left = None  # bytes that the display still accepts; None: no limit
        self._grounded = set()
        self._interrupts = {}
        self._seed = 1
        self.urandom = urandom or self._pseudo_random
        self.usb = FakeUsb(self.time)
        self.machine = Machine(self)

    @property
    def usb_power(self):
        """True while USB supplies power. Frames come only from a host, and only with power."""
        return self.usb.powered

    @usb_power.setter
    def usb_power(self, powered):
        self.usb.powered = powered

    def board(self, storage):
        """Return the firmware's board on this hardware, with its files on this storage."""
        console = self.usb.console()
        settings = Settings(storage)
        return Board(self.machine, self.time, settings, storage, self.random, console, self.profiles, self.family)

    def random(self, n):
        """Return random bytes from the current `urandom`."""
        return self.urandom(n)

    def _pseudo_random(self, n):
        """Return pseudo-random bytes, the same in every run."""
        values = bytearray(n)
        for i in range(n):
            self._seed = (self._seed * 1103515245 + 12345) & 0x7FFFFFFF
            values[i] = self._seed >> 16 & 0xFF
        return bytes(values)

    # --- keys ---

    def press(self, key):
        """Press a key, given by number or name, until release(); use the first of several pins, or a chord."""
        for gpio in self._gpios(key):
            self.ground(gpio)

    def ground(self, gpio):
        """Connect a pin to ground."""
        if gpio in self._outputs:
            raise RuntimeError(f"GP{gpio} is an output, and a pressed key connects it to ground")
        if gpio not in self._grounded:
            self._grounded.add(gpio)
            if gpio in self._interrupts:
                self._interrupts[gpio]()

    def release(self, key):
        for gpio in reversed(self._gpios(key)):
            self.lift(gpio)

    def lift(self, gpio):
        self._grounded.discard(gpio)

    def tap(self, key, ms=60):
        """Press a key now and release it after `ms`."""
        self.press(key)
        self.time.at(ms, lambda: self.release(key))

    def bounce(self, key, down, ms=6):
        """Press or release a key that bounces every millisecond for `ms` before it settles."""
        for i in range(ms):
            self.time.at(i, lambda closed=(i % 2 == 0) == down: self._contact(key, closed))
        self.time.at(ms, lambda: self._contact(key, down))

    def _contact(self, key, closed):
        self.press(key) if closed else self.release(key)

    def _gpios(self, key):
        return switches_of(self.profile, NAMES.index(key.upper()) if isinstance(key, str) else key)

    # --- the display's connection ---

    def unplug_display(self, after=0):
        """Disconnect the display, at once or in the middle of a transfer, after `after` bytes."""
        self._bytes_left = after

    def plug_display(self):
        """Connect the display again; its registers and memory are lost."""
        self._bytes_left = None
        self.oled.power_on()

    def transfer(self, address, data):
        """Write to the bus. Raises OSError if no connected display has the address."""
        self.bus_writes += 1
        self._select(address)
        data = bytes(data)
        if self._bytes_left is None:
            self.bus_bytes += len(data)
            self.oled.write_all(data)
            return
        for byte in data:
            if self._bytes_left == 0:
                raise OSError(EIO)
            self._bytes_left -= 1
            self.bus_bytes += 1
            self.oled.write(byte)

    def _select(self, address):
        wiring = self.profile.display
        if not isinstance(wiring, I2cDisplay) or address != wiring.address or self._bytes_left == 0:
            raise OSError(EIO)
        if not self.oled.answers:
            raise OSError(EIO)
        self.oled.start()

    def receive(self, address):
        """Read a byte from the bus, which is the status of the display."""
        self._select(address)
        return self.oled.read()

    def send(self, data):
        """Write to the bus of a write-only display."""
        if not isinstance(self.profile.display, SpiDisplay):
            return  # no such display: the firmware is configured for another board
        self.bus_writes += 1
        self.bus_bytes += len(data)
        self.oled.write(data)

    # --- pins ---

    def level(self, gpio, pull):
        """Return the level of a pin: 0 if a pressed key connects it to ground, else the level of its pull-up.

        The USB sense pin is high while USB supplies power. On a Pico W it is a radio wire, which always toggles here
        (the worst case).
        """
        if gpio == self.profile.vbus:
            self._noise ^= 1
            return self._noise if self.wireless else int(self.usb_power)
        return 0 if gpio in self._grounded or not pull else 1

    def levels(self):
        """Return a bitmask of the pins that are high; all but the USB sense pin are pulled up."""
        return sum([self.level(gpio, True) << gpio for gpio in range(30)])

    def measured_mv(self):
        """Return the voltage at VSYS as measured by the converter, on a Pico W only while its radio is selected."""
        return self.vsys_mv if not self.wireless or self._outputs.get(RADIO_SELECT) else 0

    def set_mode(self, gpio, output):
        """Make a pin an output, initially low, or an input."""
        if not output:
            self._outputs.pop(gpio, None)
        elif gpio in self._grounded:
            raise RuntimeError(f"GP{gpio} is an output, and a pressed key connects it to ground")
        else:
            self._outputs.setdefault(gpio, 0)

    def set_level(self, gpio, level):
        """Set the level of a pin, and pass it to the display if it is connected there."""
        self._outputs[gpio] = level
        wiring = self.profile.display
        if isinstance(wiring, I2cDisplay):
            if gpio == wiring.reset:
                self.oled.reset(level)
        elif gpio == wiring.cs:
            self.oled.select(not level)
        elif gpio == wiring.dc:
            self.oled.data_follows(bool(level))
        elif gpio == wiring.reset and not level:
            self.oled.reset()

    def set_duty(self, gpio, hz, duty):
        """Set the PWM frequency of a pin, and its duty cycle in 1/65536."""
        wiring = self.profile.display
        if gpio == self.profile.buzzer:
            self.sound(hz if duty else 0)
        elif isinstance(wiring, SpiDisplay) and gpio == wiring.light:
            self.oled.shine(duty)

    def interrupt(self, gpio, handler):
        self._interrupts[gpio] = handler

    def sound(self, hz):
        self.beeps += hz > 0 and not self.tone
        self.tone = hz


class Machine:
    """The module `machine`."""

    PWRON_RESET = 1
    WDT_RESET = 3

    def __init__(self, hardware):
        self._hardware = hardware
        self.Pin = _pin_class(hardware)
        self.I2C = _i2c_class(hardware)
        self.SPI = _spi_class(hardware)
        self.PWM = _pwm_class(hardware)
        self.ADC = adc_class(hardware)
        self.RTC = rtc_class(hardware)
        usb = hardware.usb
        self.mem32 = Registers({SOF_RD: usb.frame, 0x50100090: usb.endpoint, 0xD0000004: hardware.levels})
        self.Timer = timer_class(hardware)

    def unique_id(self):
        return self._hardware.unique_id

    def freq(self, hz=0):
        """Set the processor clock, or return it; a light sleep resets it to that of the image."""
        if hz:
            self._hardware.hz = hz
        return self._hardware.hz

    def reset(self):
        self._hardware.restarted = True
        raise Reset()

    def reset_cause(self):
        return self.WDT_RESET if self._hardware.restarted else self.PWRON_RESET

    def bootloader(self):
        raise PowerOff()

    def lightsleep(self, ms):
        """Sleep for all of `ms`. No key ends the sleep, because the firmware must not rely on what some chips lack."""
        if self._hardware.usb_power:
            raise RuntimeError("USB may not answer any more after a light sleep")
        self._hardware.slept_ms += ms
        self._hardware.hz = IMAGE_HZ
        self._hardware.time.sleep_ms(ms)


class Registers:
    """Memory-mapped registers, of which only a few addresses are implemented."""

    def __init__(self, known):
        self._known = known

    def __getitem__(self, address):
        return self._known[address]()


def _pin_class(hardware):
    class Pin:
        IN = 0
        OUT = 1
        PULL_UP = 1
        PULL_DOWN = 2
        IRQ_FALLING = 4

        def __init__(self, gpio, mode=-1, pull=-1, value=None):
            if not 0 <= gpio <= 29:
                raise ValueError("invalid pin")
            self.gpio = gpio
            self._mode = mode
            self._pull = pull
            if mode != -1:
                hardware.set_mode(gpio, mode == Pin.OUT)
            if value is not None:
                self.value(value)

        def value(self, level=None):
            if level is not None:
                if self._mode != Pin.OUT:
                    raise ValueError("this pin is not an output")
                hardware.set_level(self.gpio, level)
                return None
            return hardware.level(self.gpio, self._pull == Pin.PULL_UP)

        def irq(self, handler, trigger, hard=False):
            if trigger != Pin.IRQ_FALLING:
                raise ValueError("only falling edges are known here")
            hardware.interrupt(self.gpio, lambda: handler(self))

    return Pin


def _i2c_class(hardware):
    class I2C:
        def __init__(self, bus, scl, sda, freq=400_000):
            # Even pins carry data, odd pins the clock, and the buses alternate by pairs of pins.
            for pin, clock in ((sda, 0), (scl, 1)):
                if pin.gpio % 4 != 2 * bus + clock:
                    raise ValueError("bad %s pin" % ("SCL" if clock else "SDA"))

        def writeto(self, address, data):
            hardware.transfer(address, data)
            return len(data)

        def readfrom(self, address, size):
            return bytes([hardware.receive(address) for _ in range(size)])

    return I2C


def _spi_class(hardware):
    class SPI:
        def __init__(self, bus, baudrate, sck, mosi, miso):
            # The pins alternate by fours, and the buses by eights.
            for pin, job, name in ((sck, 2, "SCK"), (mosi, 3, "MOSI")):
                if pin.gpio % 4 != job or pin.gpio // 8 % 2 != bus:
                    raise ValueError("bad pin of " + name)
            if miso is not None:
                raise ValueError("nothing comes back from this display")

        def write(self, data):
            hardware.send(memoryview(data).cast("B") if hasattr(data, "itemsize") else data)

    return SPI


def _pwm_class(hardware):
    class PWM:
        def __init__(self, pin, freq, duty_u16):
            self._gpio = pin.gpio
            self._hz = freq
            hardware.set_mode(pin.gpio, True)
            self.duty_u16(duty_u16)

        def freq(self, hz):
            if not 8 <= hz <= 62_500_000:
                raise ValueError("invalid freq")
            self._hz = hz

        def duty_u16(self, duty):
            hardware.set_duty(self._gpio, self._hz, duty)

    return PWM
