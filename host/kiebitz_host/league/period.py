"""Select a period: this month, last month, this year, or from one day to another.

Days begin at five in the morning, as evenings do, so that a list and its evenings agree.
"""

from datetime import date, timedelta
from typing import NamedTuple

from kiebitz.text import text

from ..outcome import Trouble
from .evenings import bounds, day_in_words

MONTH, LAST_MONTH, YEAR = "month", "last-month", "year"
PERIODS = {MONTH: "period.month", LAST_MONTH: "period.last_month", YEAR: "period.year"}  # name -> key of its text
YEARS = range(1970, 9999)  # in which every day has a timestamp, and a next year


class Period(NamedTuple):
    """The days from `first` to `last`, like 2026-01-31; an empty day does not limit the period."""

    first: str = ""
    last: str = ""
    today: str = ""

    def __bool__(self) -> bool:
        """Return True if the period has a limit."""
        return bool(self.first or self.last)

    @property
    def since(self) -> int | None:
        """The first second; None if there is none."""
        return bounds(self.first)[0] if self.first else None

    @property
    def until(self) -> int | None:
        """The first second after the period; None if there is none."""
        return bounds(self.last)[1] if self.last else None

    def in_words(self) -> str:
        """Return the period in the language in use, to follow "no games": in October, in 2026, from ... to ..."""
        if not self.last:
            return text("period.since", day=day_in_words(self.first))
        if not self.first:
            return text("period.until", day=day_in_words(self.last))
        first, after = date.fromisoformat(self.first), date.fromisoformat(self.last) + timedelta(1)
        if (first, after) == _month(first):
            month = text("period.months").split()[first.month - 1]
            is_recent = self.today[:4] == self.first[:4]
            return text("period.in_month", month=month if is_recent else f"{month} {first.year}")
        if (first, after) == _year(first):
            return text("period.in_year", year=first.year)
        if self.first == self.last:
            return text("period.on_day", day=day_in_words(self.first))
        return text("period.in_days", first=day_in_words(self.first), last=day_in_words(self.last))


ALWAYS = Period()


def period_of(word: str, first: str, last: str, today: str) -> Period:
    """Return the period with one of the names in PERIODS, or without a name from `first` to `last`.

    Raises Trouble for an unknown name, an invalid day, or a period that ends before it begins.
    """
    if word:
        begin, after = _named(word, date.fromisoformat(today))
        return Period(str(begin), str(after - timedelta(1)), today)
    found = Period(first and checked_day(first), last and checked_day(last), today)
    if found.since is not None and found.until is not None and found.since >= found.until:
        raise Trouble(f"this period ends before it begins: {found.first} to {found.last}.")
    return found


def checked_day(day: str) -> str:
    """Return a day as ISO 8601 writes it; raise Trouble for an invalid one."""
    bounds(day)  # raises Trouble
    year, month, number = [int(part) for part in day.split("-")]
    if year not in YEARS:
        raise Trouble(f"{day!r} is not the day of a game: nothing was played in the year {year}.")
    return str(date(year, month, number))


def _named(word: str, today: date) -> tuple[date, date]:
    if word == MONTH:
        return _month(today)
    if word == LAST_MONTH:
        return _month(today.replace(day=1) - timedelta(1))
    if word == YEAR:
        return _year(today)
    raise Trouble(f"{word!r} is not a period: choose from {', '.join(PERIODS)}.")


def _month(day: date) -> tuple[date, date]:
    """Return the first day of a month, and that of the next month."""
    first = day.replace(day=1)
    return first, (first + timedelta(31)).replace(day=1)


def _year(day: date) -> tuple[date, date]:
    """Return the first day of a year, and that of the next year."""
    return date(day.year, 1, 1), date(day.year + 1, 1, 1)
