"""Describe entries in a few words for the history, the UNDO message and logs, and format numbers and dates."""

from ..games import game_class
from ..games.base import REQUIRED
from ..machine_code import const
from . import has, listed, player, text, value_text


def describe(event, names, kind, brief=False):
    """Return an event of a game of this kind in words.

    The words fit one line of the display if names are short; brief: an even shorter text.
    """
    game = game_class(kind)
    try:
        return _sentence(event, event, names, game, brief)
    except KeyError:  # an argument is missing, as a replay file may have it; show its default
        arguments = game.EVENTS.get(event["ev"], ())
        values = {key: default for key, _, default in arguments if default is not REQUIRED}
        values.update(event)
        return _sentence(event, values, names, game, brief)


def _sentence(event, values, names, game, brief):
    """Return the sentence of an event with these values of its arguments; KeyError if the sentence needs another."""
    if event["ev"] == "option":
        rule = text("opt." + event["name"])
        value = value_text(event["value"], game.KIND, event["name"])
        return rule if brief else text("ev.option", rule=rule, value=value)
    seats, named = game.SEATS, game.NAMED
    short = game.SHORT if brief else {}
    places = {}
    for key in values:
        value = values[key]
        if value is None:
            places[seats.get(key, key)] = ""
        elif key in seats:
            several = isinstance(value, list)
            places[seats[key]] = listed([player(p, names) for p in value]) if several else player(value, names)
        elif key == "players":
            places[key] = ", ".join(value)
        else:
            prefix = short.get(key) or named.get(key)
            places[key] = text(prefix + str(value)) if prefix else value
    if "at" in event:
        places["k"] = event["at"] + 1
        return text("ev." + event["ev"], **places)
    key = "ev." + event["ev"] + game.fill_places(event, places)
    kind = "." + game.KIND  # after the key of an event that is named in the folder of its game
    if brief and has(key + ".brief" + kind):
        key += ".brief"
    return text(key + kind if has(key + kind) else key, **places)


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
