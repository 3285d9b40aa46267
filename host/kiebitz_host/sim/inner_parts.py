"""Simulate the on-chip peripherals without pins: converter, clock and timers."""


def adc_class(hardware):
    """Return the class ADC of the module `machine`."""

    class ADC:
        def __init__(self, gpio):
            if gpio != hardware.profile.vsys:
                raise ValueError("Pin doesn't have ADC capabilities")

        def read_u16(self):
            return hardware.measured_mv() * 65535 // 9900

    return ADC


def rtc_class(hardware):
    """Return the class RTC of the module `machine`."""

    class RTC:
        def datetime(self, moment):
            year, month, day, _, hour, minute, second, _ = moment
            days = _days_before(year, month) + day - 1
            hardware.time.set_unix(((days * 24 + hour) * 60 + minute) * 60 + second)

    return RTC


def timer_class(hardware):
    """Return the class Timer of the module `machine`."""

    class Timer:
        PERIODIC = 1

        def __init__(self, mode, period, callback):
            if mode != Timer.PERIODIC:
                raise ValueError("only periodic timers are known here")
            self._period = period
            self._callback = callback
            hardware.time.at(period, self._due)

        def _due(self):
            if self._callback:
                hardware.time.at(self._period, self._due)
                self._callback(self)

        def deinit(self):
            self._callback = None

    return Timer


def _days_before(year, month):
    """Return the number of days from 1970 to the first of a month."""
    months = year * 12 + month - 3  # counted from March, so that the leap day is last
    year, month = months // 12, months % 12
    return year * 365 + year // 4 - year // 100 + year // 400 + (month * 153 + 2) // 5 - 719468
