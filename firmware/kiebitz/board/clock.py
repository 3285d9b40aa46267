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
        days, seconds = unix // 86400, unix % 86400
        year, month, day = date_of(days)
        weekday = (days + 3) % 7  # 1970 began on a Thursday; Monday is 0
        self._machine.RTC().datetime((year, month, day, weekday, seconds // 3600, seconds // 60 % 60, seconds % 60, 0))


def date_of(days):
    """Return (year, month, day) of a number of days since 1970: gmtime() on the chip ends with the year 2037."""
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
    """Return 1 in a leap year, else 0; until 2100, which is no leap year and the last that the link accepts."""
    return int(year % 4 == 0 and year != 2100)
