"""Format numbers and dates for the language in use."""

from ..machine_code import const
from . import text

_DAY_S = const(86400)
_HOUR_MIN = const(60)
_EPOCH_DAYS = const(719468)  # from the first of March of year 0 to 1970


def decimal_text(digits):
    """Return a number, written with a point, with the decimal mark of the language instead."""
    return digits.replace(".", text("decimal"))


def minutes_text(minutes):
    """Return a number of minutes in words, as hours and minutes from one hour on."""
    if minutes < _HOUR_MIN:
        return text("time.minutes", n=minutes)
    return text("time.hours", h=minutes // _HOUR_MIN, n="%02d" % (minutes % _HOUR_MIN))


def date_text(unix):
    """Return the date of a time in unix seconds, in words."""
    year, month, day = _day(unix)
    return text("date", y=year, m="%02d" % month, d="%02d" % day)


def day_text(unix):
    """Return the day and month of a time in unix seconds, as short as possible."""
    _, month, day = _day(unix)
    return text("day", m=month, d=day)


def _day(unix):
    """Return (year, month, day) of a time. The calculation begins years in March, so that the leap day comes last."""
    days = unix // _DAY_S + _EPOCH_DAYS
    era, days = divmod(days, 146097)
    years = (days - days // 1460 + days // 36524 - days // 146096) // 365
    days -= 365 * years + years // 4 - years // 100
    month = (5 * days + 2) // 153
    day = days - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    return 400 * era + years + (month < 3), month, day
