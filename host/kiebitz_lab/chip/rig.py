"""Run an emulated Pico with the hardware of a board on its pins, as the firmware's profile describes it.

rig = Rig(flash_with(current_image())).boot()
rig.keys("ok down*2 hold:undo")
rig.frame(), rig.files("data"), rig.power_cut().boot()
"""

import random
from collections import deque
from collections.abc import Callable
from functools import partial

from kiebitz.board.profiles import DEFAULT, PROFILES, I2cDisplay, Profile, pins_of
from kiebitz.widgets.keys import NAMES
from kiebitz_host.sim.hardware import CHORD_MS, HOLD_MS, display_model, switches_of
from kiebitz_host.sim.picture import write_png

from ..handheld import SETTLE_MS, presses
from ..hardware.pico import ADC_CHANNEL
from .buses import I2cBus, SpiBus
from .flash import ERASE_MS, PROGRAM_MS, NorFlash, read_files
from .pico import NS_PER_MS, Pico, TimeUp
from .usb import UsbHost

TAP_MS = 50
PAUSE_MS = 50
BOUNCE_MS = 3.0
BOOT_LIMIT_MS = 5000

_STEP_MS = 10.0
_STILL_STEPS = 2  # after this many steps in a row without work the device waits for the next key
_RESTING = 0.5  # load below which only the idle loop is running

_VSYS_CHANNEL = 3
_FULL_SCALE_MV = 3 * 3300  # VSYS reaches the converter through a divider by three
_ADC_MAX = 4095
_RADIO_SELECT, _RADIO_DATA = 25, 24  # pins of a Pico W
_NOISE_MS = 7  # between two changes of a wire that nobody drives
_HIGH = 1  # the state of a pin that the program drives high
_SILENCE_NS = 20 * NS_PER_MS  # after this long without an edge the buzzer is silent


class Rig:
    """An emulated device, switched on with this flash.

    The conditions also hold for the rigs that power_cut() makes. With `wireless` it is a Pico W.
    """

    def __init__(self, flash: bytes, profile: str = DEFAULT, **conditions):
        self._profile = profile
        self._conditions = conditions
        self._set_up(flash, PROFILES[profile], **conditions)

    def _set_up(
        self,
        flash,
        profile: Profile,
        usb=True,
        erase_ms=ERASE_MS,
        program_ms=PROGRAM_MS,
        bounce_ms=BOUNCE_MS,
        seed=0,
        cache=False,
        wireless=False,
    ):
        wiring = profile.display
        self.pico = Pico(flash, cache=cache)
        self.oled = display_model(wiring, lambda: self.pico.ms)
        self.bus: I2cBus | SpiBus = (
            I2cBus(self.pico, wiring.bus, wiring.address, self.oled, wiring.reset)
            if isinstance(wiring, I2cDisplay)
            else SpiBus(self.pico, wiring, self.oled)
        )
        self.flash = NorFlash(self.pico, erase_ms, program_ms, seed)
        self.serial = UsbHost(self.pico, plugged=usb, sense=None if wireless else profile.vbus)
        self._radio = Radio(self.pico, seed) if wireless else None
        self.buzzer = Buzzer(self.pico, profile.buzzer)
        gpios = [pins_of(key) for key in profile.keys]
        self.pins = {gpio: Button(self.pico, gpio, bounce_ms, seed) for key in gpios for gpio in key}
        # The pins that press a key: one if the key has several, both of a chord
        self.buttons = [[self.pins[gpio] for gpio in switches_of(profile, key)] for key in range(len(gpios))]
        self._has_chords = bool(profile.chords)
        self._adc_channel = None if profile.vsys is None else ADC_CHANNEL[profile.vsys]
        self.set_vsys(5000)
        self.started_ms = 0.0  # time of power-on or of the last reset
        self.pico.on_reset.append(self._started)

    def _started(self) -> None:
        self.started_ms = self.ms

    # --- time ---

    @property
    def ms(self) -> float:
        """Emulated milliseconds since power-on."""
        return self.pico.ms

    def run_ms(self, ms: float) -> "Rig":
        self.pico.run_ms(ms)
        return self

    def boot(self, limit_ms: float = BOOT_LIMIT_MS) -> "Rig":
        """Run until the first screen is complete. Returns this rig, raises TimeUp if no screen comes."""
        try:
            self.pico.run_until(lambda: self.oled.lit and self.bus.drawn_ms > self.started_ms, limit_ms)
        except TimeUp:
            printed = self.serial.out[-1000:].decode("utf-8", "replace")
            raise TimeUp(f"no first screen within {limit_ms} ms; on USB stood: {printed}") from None
        return self.settle()

    def settle(self, limit_ms: float = 5000) -> "Rig":
        """Run until processor, bus and flash are idle.

        Returns this rig, raises TimeUp if it stays busy.
        """
        end = self.ms + limit_ms
        still = 0
        while still < _STILL_STEPS and self.pico.powered:
            if self.ms > end:
                raise TimeUp(f"the device is still busy after {limit_ms} ms")
            before = (len(self.flash.operations), self.bus.drawn_ms)
            cycles = self.pico.cycles
            self.run_ms(_STEP_MS)
            load = self.pico.load(self.pico.cycles - cycles, _STEP_MS)
            same = before == (len(self.flash.operations), self.bus.drawn_ms)
            still = still + 1 if same and load < _RESTING and not self.flash.busy else 0
        return self

    # --- keys ---

    def press(self, key) -> None:
        """Press a key, by number or name, until release(); its contact bounces."""
        for button in self.buttons[_number(key)]:
            button.press()

    def release(self, key) -> None:
        for button in reversed(self.buttons[_number(key)]):
            button.release()

    def tap(self, key, ms: float = TAP_MS) -> "Rig":
        """Press a key briefly, then wait until the device has processed it. Returns this rig."""
        self.press(key)
        self.run_ms(ms)
        self.release(key)
        return self.run_ms(PAUSE_MS + (SETTLE_MS if self._has_chords else 0)).settle()

    def hold(self, key) -> "Rig":
        return self.tap(key, HOLD_MS + (CHORD_MS if self._has_chords else 0))

    def keys(self, script: str) -> "Rig":
        """Press keys as in "up ok*3 hold:undo wait:500". Returns this rig."""
        for word in presses(script):
            kind, _, rest = word.partition(":")
            if kind == "wait":
                self.run_ms(int(rest))
            elif kind == "hold":
                self.hold(rest)
            else:
                self.tap(word)
        return self

    # --- display ---

    def frame(self) -> list[bytes]:
        """Return the rows of the display, with a byte of 0 or 1 for each pixel."""
        return self.oled.frame()

    def shot(self, path, scale: int = 4) -> None:
        rows, palette = self.oled.picture()
        write_png(str(path), self.oled.width, self.oled.height, rows, scale, palette)

    # --- flash and power ---

    def files(self, folder: str = "") -> dict[str, bytes]:
        """Return the files on the flash by path, or only those in a folder."""
        return read_files(self.pico.flash_content(), folder)

    def power_cut(self) -> "Rig":
        """Cut the power now, if it is still on. Returns a new rig, switched on, with the flash of this one."""
        if self.pico.powered:
            self.flash.cut_now()
        return Rig(self.pico.flash_content(), self._profile, **self._conditions)

    def with_flash(self, flash: bytes) -> "Rig":
        """Return another rig under the same conditions, with another flash."""
        return Rig(flash, self._profile, **self._conditions)

    # --- supply and display ---

    def set_vsys(self, mv: int) -> None:
        """Set the supply voltage; the program can only measure a third of it."""
        converted = round(mv * _ADC_MAX / _FULL_SCALE_MV)
        if self._radio:
            self._radio.supply = converted
        elif self._adc_channel is not None:
            self.pico.mcu.adc.channel_values[self._adc_channel] = converted

    def unplug_display(self) -> None:
        self.bus.plugged = False

    def plug_display(self) -> None:
        """Connect the display again; its registers and memory are lost."""
        self.oled.power_on()
        self.bus.plugged = True


class Radio:
    """The radio of a Pico W, which is never switched on, on the pins with which a Pico measures its supply.

    The converter is connected to the supply only while the select pin is high; otherwise it measures a pin that nobody
    drives. The pin that senses USB on a Pico is a data wire of the radio, and its level means nothing.
    """

    def __init__(self, pico: Pico, seed: int):
        self.supply = 0  # the result of a conversion while the converter is connected
        self._pico = pico
        self._select = pico.mcu.gpio[_RADIO_SELECT]
        self._data = pico.mcu.gpio[_RADIO_DATA]
        self._adc = pico.mcu.adc
        self._convert, self._adc.on_adc_read = self._adc.on_adc_read, self._conversion
        self._chance = random.Random(seed)
        self._change_data()

    def _conversion(self, channel: int) -> None:
        if channel == _VSYS_CHANNEL:
            noise = self._chance.randrange(_ADC_MAX // 20)
            self._adc.channel_values[channel] = self.supply if self._select.value == _HIGH else noise
        self._convert(channel)

    def _change_data(self) -> None:
        self._data.set_input_value(self._chance.random() < 0.5)
        self._pico.at(_NOISE_MS, self._change_data)


class Button:
    """A switch from a pin to ground. Its contact bounces irregularly but deterministically."""

    def __init__(self, pico: Pico, gpio: int, bounce_ms: float, seed: int):
        self._pico = pico
        self._gpio = gpio
        self._pin = pico.mcu.gpio[gpio]
        self._bounce_ms = bounce_ms
        self._chance = random.Random(seed * 100 + gpio)
        self._alarms: list = []
        self.edges = 0
        self.on_contact: Callable[[int, bool], None] | None = None  # called for each edge, with the pin

    def press(self) -> None:
        self._move(True)

    def release(self) -> None:
        self._move(False)

    def _move(self, closed: bool) -> None:
        for alarm in self._alarms:
            alarm.cancel()
        self._contact(closed)
        self._alarms = []
        moments = sorted(self._chance.uniform(0, self._bounce_ms) for _ in range(4 if self._bounce_ms else 0))
        for i, moment in enumerate(moments):
            contact = closed if i % 2 else not closed
            self._alarms.append(self._pico.at(moment, partial(self._contact, contact)))

    def _contact(self, closed: bool) -> None:
        self.edges += 1
        if self.on_contact:
            self.on_contact(self._gpio, closed)
        if closed:
            self._pin.set_input_value(False)
        else:
            self._pin.release_input()


class Buzzer:
    """A recorder for the pin of the buzzer, if there is one."""

    def __init__(self, pico: Pico, gpio: int | None):
        self.beeps = 0
        self._pico = pico
        self._rises: deque[float] = deque([-_SILENCE_NS] * 2, 2)  # times of the last rising edges
        if gpio is not None:
            pico.mcu.gpio[gpio].add_listener(self._changed)

    def _changed(self, value, _before) -> None:
        if value == 1:
            now = self._pico.ns
            if now - self._rises[-1] > _SILENCE_NS:
                self.beeps += 1
            self._rises.append(now)

    @property
    def tone(self) -> int:
        """The current pitch in Hz; 0 when the buzzer is silent."""
        before, last = self._rises
        period = last - before
        return round(1e9 / period) if period < _SILENCE_NS and self._pico.ns - last < _SILENCE_NS else 0


def _number(key) -> int:
    return NAMES.index(key.upper()) if isinstance(key, str) else key
