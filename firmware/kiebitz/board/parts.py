"""Drive the buzzer, the clock and the watchdog of a board."""

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


# The clock of a Pico starts in 2021; a time before 2025 has never been set.
_EARLIEST = const(1_735_689_600)


class Clock:
    """The clock of the board, with `ms` and `diff` for durations, now() for the time of day and `sleep`."""

    def __init__(self, machine, time):
        self._machine = machine
        self._time = time
        self.ms = time.ticks_ms  # wraps at 2**30: compare with diff() only
        self.diff = time.ticks_diff
        self.sleep = time.sleep_ms

    def now(self) -> int:
        """Return the seconds since 1970, or 0 if the clock was never set."""
        seconds = int(self._time.time())
        return seconds if seconds >= _EARLIEST else 0

    def set(self, unix: int) -> None:
        """Set the time of day; it is lost when the power goes."""
        days, seconds = unix // 86400, unix % 86400
        year, month, day = date_of(days)
        weekday = (days + 3) % 7  # 1970 began on a Thursday; Monday is 0
        self._machine.RTC().datetime((year, month, day, weekday, seconds // 3600, seconds // 60 % 60, seconds % 60, 0))


def date_of(days):
    """Return (year, month, day) of a number of days since 1970; gmtime() on the chip ends with the year 2037."""
    year = 1970
    while days >= 365 + _leap(year):
        days -= 365 + _leap(year)
        year += 1
    month = 1
    for length in (31, 28 + _leap(year), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31):
        if days < length:
            break
        days -= length
        month += 1
    return year, month, days + 1


def _leap(year):
    """Return 1 in a leap year, else 0. Valid until 2100, the last year that the link accepts."""
    return int(year % 4 == 0 and year != 2100)


TICK_MS = 1000
LIMIT = 20  # ticks without a turn of the app; the longest work in one turn takes a few seconds


class Watchdog:
    """A timer that resets the device if feed() is not called for LIMIT ticks.

    The watchdog of the chip cannot be stopped: it would restart a device on which somebody works at the prompt after
    Ctrl-C, or copies files. The callback of this timer runs between two steps of the program, so it waits while the
    flash is written.
    """

    def __init__(self, machine):
        self._machine = machine
        self._timer = None
        self._ticks = 0  # since the last feed()

    def start(self) -> None:
        """Start or restart the timer."""
        self.stop()
        self._ticks = 0
        timer = self._machine.Timer
        self._timer = timer(mode=timer.PERIODIC, period=TICK_MS, callback=self._tick)

    def feed(self) -> None:
        """Report that the app still runs. Call this in every turn of the loop."""
        self._ticks = 0

    def stop(self) -> None:
        """Stop the timer, if it runs."""
        if self._timer:
            self._timer.deinit()
            self._timer = None

    def _tick(self, _):
        self._ticks += 1
        if self._ticks >= LIMIT and self._timer:
            self._machine.reset()
