"""Finds the evenings: a game begun after midnight still belongs to the evening before."""

import time

from kiebitz.text.formats import date_text

from ..outcome import Trouble
from .database import Database

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


def evenings(db: Database, most: int) -> list[tuple[str, int]]:
    """Return (day, number of games) of the last days with games, newest first.

    From day to day by the index of times: however many games there are, only those of these days are looked at.
    """
    found: list[tuple[str, int]] = []
    before = _NEVER
    while len(found) < most and (at := db.value(f"{_LAST} AND at < ?", before)) is not None:
        day = day_of(at)
        since = min(bounds(day)[0], at)
        found.append((day, db.value(f"{_COUNT} AND at >= ? AND at < ?", since, before)))
        before = since
    return found


def neighbours(db: Database, day: str) -> tuple[str | None, str | None]:
    """Return the last day with games before a day, and the first one after it; None if there is none."""
    since, until = bounds(day)
    before, after = db.value(f"{_LAST} AND at < ?", since), db.value(f"{_FIRST} AND at >= ?", until)
    return (None if before is None else day_of(before)), (None if after is None else day_of(after))


_NEVER = 1 << 62  # later than every game
_LAST, _FIRST, _COUNT = [
    f"SELECT {what} FROM games WHERE deleted = 0" for what in ("max(at)", "min(at)", "count(*)")
]
