"""Finds the evenings: a game begun after midnight still belongs to the evening before."""

import time
from collections import Counter

from kiebitz.text.formats import date_text

from ..outcome import Trouble
from .database import Database
from .query import Filter, times

DAY_BEGINS_H = 5  # whoever still plays at four has not gone to bed


def day_of(seconds: int) -> str:
    """Return the day to which a time belongs, like 2026-01-31."""
    here = time.localtime(seconds)
    early = here.tm_hour < DAY_BEGINS_H
    noon = time.mktime((here.tm_year, here.tm_mon, here.tm_mday - early, 12, 0, 0, 0, 0, -1))
    return time.strftime("%Y-%m-%d", time.localtime(noon))


def bounds(day: str) -> tuple[int, int]:
    """Return (first second, first second of the next day) of a day; raises Trouble if it is none."""
    try:
        parts = time.strptime(day, "%Y-%m-%d")
        since, until = [
            int(time.mktime((parts.tm_year, parts.tm_mon, parts.tm_mday + more, DAY_BEGINS_H, 0, 0, 0, 0, -1)))
            for more in (0, 1)
        ]
    except (ValueError, OverflowError):
        raise Trouble(f"{day!r} is no date: write it like 2026-01-31.") from None
    return since, until


def day_in_words(day: str) -> str:
    """Return a day as it is written in the language in use."""
    parts = time.strptime(day, "%Y-%m-%d")
    noon = int(time.mktime((parts.tm_year, parts.tm_mon, parts.tm_mday, 12, 0, 0, 0, 0, -1)))
    return date_text(noon + time.localtime(noon).tm_gmtoff)


def evenings(db: Database, wanted: Filter | None = None) -> list[tuple[str, int]]:
    """Return (day, number of games) of all days with games, newest first."""
    found: Counter[str] = Counter()
    day, since, until = "", 0, 0
    for at in times(db, wanted or Filter()):  # newest first: most games are on the day of the one before
        if not since <= at < until:
            day = day_of(at)
            since, until = bounds(day)
        found[day] += 1
    return list(found.items())
