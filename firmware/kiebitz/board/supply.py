"""Watch the supply (its voltage, whether USB is plugged in, whether a battery is low or empty).

A plain Pico measures a third of VSYS at the pin `vsys`, and its pin `vbus` is high while USB gives power. A Pico W uses
both for its radio: the divider reaches `vsys` only while GP25, the radio's select wire, is high, and `vbus` is a data
wire of the radio. The first measurement shows which of the two it is: no Pico runs with less than 1.8 V, so a voltage
near zero means a Pico W. The profile does not contain it, because every board takes either.
"""

from ..machine_code import const
from .serial import SOF_RD

_LOOK_MS = const(10_000)
_EMPTY_LOOK_MS = const(1000)  # while the battery is empty, because somebody who plugs in USB waits for the picture
_SAMPLES = const(8)  # samples per measurement, because the ADC and the switching regulator are noisy
_LOOKS = const(4)  # weight of a new measurement in the average, against dips by a beep
_EMPTY_LOOKS = const(3)  # consecutive measurements below `empty_mv` that make an empty battery
_HYSTERESIS_MV = const(150)  # a battery that rests recovers by less than this
# Cells that were empty do not recover to this. USB gives 4.4 V or more, and the Pico's diode takes 0.3 V of them
_CHARGER_MV = const(4000)
_FULL_SCALE_MV = const(9900)  # the Pico measures a third of the voltage, against 3.3 V
_RUNS_MV = const(1500)
_RADIO_SELECT = const(25)  # on a Pico W. A plain Pico has its LED there, and never drives it
_RADIO_CLOCK = const(29)  # and its clock wire, with which a plain Pico measures the supply
_SILENT_MS = const(1000)  # without a frame for this long, no USB host is connected


class Supply:
    """The supply of a board. `low` is True while the average voltage is below `low_mv` of the profile.

    `empty` is True after several consecutive measurements below `empty_mv`, until USB is back.
    """

    def __init__(self, machine, clock, profile):
        self.low = False
        self.empty = False
        self._machine = machine
        self._clock = clock
        self._low_mv = profile.low_mv
        self._empty_mv = profile.empty_mv
        self._gpio = profile.vsys
        self._vsys = None if profile.vsys is None else machine.ADC(profile.vsys)
        self._vbus = None if profile.vbus is None else machine.Pin(profile.vbus, machine.Pin.IN)
        self.wireless = profile.vsys == _RADIO_CLOCK and self._read(1) < _RUNS_MV
        if self.wireless:
            self._vbus = None
            if self._measure(1) < _RUNS_MV:
                self._vsys = None  # nothing to measure behind the transistor either
        self._average = None  # millivolts, of the last measurements on battery
        self._looked = None  # when it was measured last, in ticks
        self._below = 0  # consecutive measurements below `empty_mv`
        self._frame = machine.mem32[SOF_RD]
        self._framed = clock.ms()  # when the last frame was seen
        self._host = True  # until no frame has come for a while

    def millivolts(self) -> int:
        """Return the voltage now; 0 if the board cannot measure it."""
        return self._measure(1)

    def _measure(self, samples):
        """Return the mean of some samples in millivolts; 0 if the board cannot measure."""
        if self._vsys is None:
            return 0
        if not self.wireless:
            return self._read(samples)
        pin = self._machine.Pin
        pin(_RADIO_SELECT, pin.OUT, value=1)
        self._vsys = self._machine.ADC(self._gpio)
        self._read(1)  # the first sample may be low: the divider has to charge the pin
        found = self._read(samples)
        # As after power-on. The transistor is open again, and the clock wire of the radio does not float
        pin(_RADIO_SELECT, pin.IN, pin.PULL_DOWN)
        pin(self._gpio, pin.IN, pin.PULL_DOWN)
        return found

    def _read(self, samples):
        read = self._vsys.read_u16
        return sum([read() for _ in range(samples)]) * _FULL_SCALE_MV // 65535 // samples

    def on_battery(self) -> bool:
        """Return True if USB is not plugged in; False if the board cannot detect it.

        Call this in every turn of the loop, because a Pico W can only count the frames of a USB host. The voltage does
        not show it: three fresh AA cells reach up to 4.65 V at VSYS, and USB may give as little as 4.1 V there. At a
        charger without a host a Pico W sleeps as on battery, which does no harm.
        """
        if self._vbus is not None:
            return not self._vbus.value()
        if not self.wireless:
            return False
        frame, now = self._machine.mem32[SOF_RD], self._clock.ms()
        if frame != self._frame:
            self._frame = frame
            self._framed = now
            self._host = True
        elif self._host and self._clock.diff(now, self._framed) >= _SILENT_MS:
            self._host = False
        return not self._host

    def look(self, now: int) -> bool:
        """Measure the voltage, unless that was done a short time ago. Returns True if it was measured now."""
        pause = _EMPTY_LOOK_MS if self.empty else _LOOK_MS
        if self._looked is not None and 0 <= self._clock.diff(now, self._looked) < pause:
            return False
        self._looked = now
        if self._vsys is None or (self._knows_usb() and not self.on_battery()):
            self._charged()
            return True
        found = self._measure(_SAMPLES)
        if self.empty:
            if found >= _CHARGER_MV:
                self._charged()
            return True
        before = self._average or found
        self._average = before + (found - before) // _LOOKS
        self.low = self._average < self._low_mv + (_HYSTERESIS_MV if self.low else 0)
        self._below = self._below + 1 if found < self._empty_mv else 0
        self.empty = self._below >= _EMPTY_LOOKS
        return True

    def _knows_usb(self):
        return self.wireless or self._vbus is not None

    def _charged(self):
        """Forget the battery, because USB feeds the device."""
        self._average = None
        self._below = 0
        self.low = self.empty = False
