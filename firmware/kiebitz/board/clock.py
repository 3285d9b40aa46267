"""Ticks to measure durations, and the time of day if somebody has set it."""

from ..machine_code import const

# The clock of a Pico starts in 2021; a time before 2025 has never been set.
_EARLIEST = const(1_735_689_600)


class Clock:
    """The clock of the board: `ms` and `diff` for durations, now() for the time of day, `sleep` to wait."""

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
        year, month, day, hour, minute, second, weekday = self._time.gmtime(unix)[:7]
        self._machine.RTC().datetime((year, month, day, weekday, hour, minute, second, 0))
