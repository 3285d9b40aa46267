"""Numbers and dates as the language in use writes them."""

from ..machine_code import const
from . import text

_DAY_S = const(86400)
_EPOCH_DAYS = const(719468)  # from the first of March of year 0 to 1970


def decimal_text(digits):
    """A number written with a point, with the mark of the language instead."""
    return digits.replace(".", text("decimal"))


def date_text(unix):
    """The day of a time in unix seconds."""
    year, month, day = _day(unix)
    return text("date", y=year, m="%02d" % month, d="%02d" % day)


def _day(unix):
    """(year, month, day) in the calendar. Years begin in March here, so that the leap day comes last."""
    days = unix // _DAY_S + _EPOCH_DAYS
    era, days = divmod(days, 146097)
    years = (days - days // 1460 + days // 36524 - days // 146096) // 365
    days -= 365 * years + years // 4 - years // 100
    month = (5 * days + 2) // 153
    day = days - (153 * month + 2) // 5 + 1
    month = month + 3 if month < 10 else month - 9
    return 400 * era + years + (month < 3), month, day
