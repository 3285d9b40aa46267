"""Short beeps from a passive buzzer that never make the app wait."""

from ..machine_code import const

_HALF = const(32768)


class Buzzer:
    """A passive buzzer; without a pin every beep is silent."""

    def __init__(self, machine, clock, gpio):
        self._clock = clock
        self._pwm = None if gpio is None else machine.PWM(machine.Pin(gpio), freq=1000, duty_u16=0)
        self._since = 0
        self._ms = 0  # length of the beep that sounds now; 0 while the buzzer is quiet

    @property
    def sounds(self) -> bool:
        """True while a beep sounds."""
        return self._ms > 0

    def beep(self, hz: int, ms: int) -> None:
        """Start a beep, in place of the one that may still sound."""
        if self._pwm and ms > 0:
            self._pwm.freq(hz)
            self._pwm.duty_u16(_HALF)
            self._since = self._clock.ms()
            self._ms = ms

    def tick(self) -> None:
        """End the beep when its time is over. Call this in every turn of the loop."""
        if self._ms and self._clock.diff(self._clock.ms(), self._since) >= self._ms:
            self.quiet()

    def quiet(self) -> None:
        """End the beep now."""
        if self._pwm and self._ms:
            self._ms = 0
            self._pwm.duty_u16(0)
