"""Watches the supply: its voltage, whether USB is plugged in, and whether a battery is nearly empty."""

from ..machine_code import const

_LOOK_MS = const(10_000)
_SAMPLES = const(8)  # in one look: the converter is noisy, and the switching regulator beside it too
_LOOKS = const(4)  # the average moves by this part of a new look: a beep or a bright picture is no low battery
_HYSTERESIS_MV = const(150)  # a battery that rests recovers by less than this
_FULL_SCALE_MV = const(9900)  # the Pico measures a third of the voltage, against 3.3 V
_RUNS_MV = const(1500)  # no Pico runs with less: one that measures less is a Pico W, whose radio has both pins


class Supply:
    """The supply of a board; `low` is True while the average voltage of a battery is below that of the profile."""

    def __init__(self, machine, clock, profile):
        self.low = False
        self._clock = clock
        self._low_mv = profile.low_mv
        self._vsys = None if profile.vsys is None else machine.ADC(profile.vsys)
        self._vbus = None if profile.vbus is None else machine.Pin(profile.vbus, machine.Pin.IN)
        if self._vsys and self.millivolts() < _RUNS_MV:
            self._vsys = self._vbus = None
        self._average = None  # millivolts, of the last looks on battery
        self._looked = None  # when it was measured last, in ticks

    def millivolts(self) -> int:
        """Return the voltage now; 0 if the board cannot measure it."""
        return self._vsys.read_u16() * _FULL_SCALE_MV // 65535 if self._vsys else 0

    def on_battery(self) -> bool:
        """Tell whether USB is not plugged in; False if the board cannot know."""
        return self._vbus is not None and not self._vbus.value()

    def look(self, now: int) -> bool:
        """Measure the voltage, unless that was done a short time ago. Returns True if it was measured now."""
        if self._looked is not None and 0 <= self._clock.diff(now, self._looked) < _LOOK_MS:
            return False
        self._looked = now
        if self._vsys is None or (self._vbus is not None and self._vbus.value()):
            self._average = None
            self.low = False
        else:
            found = sum([self.millivolts() for _ in range(_SAMPLES)]) // _SAMPLES
            before = self._average or found
            self._average = before + (found - before) // _LOOKS
            self.low = self._average < self._low_mv + (_HYSTERESIS_MV if self.low else 0)
        return True
