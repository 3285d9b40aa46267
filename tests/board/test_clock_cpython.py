"""Test the date computed by the clock against the calendar of the computer."""

from datetime import date, timedelta

import pytest
from kiebitz.board.parts import date_of
from kiebitz.link import LATEST


@pytest.mark.long
def test_every_day_until_2100_has_its_date():
    for days in range(LATEST // 86400 + 1):
        day = date(1970, 1, 1) + timedelta(days)
        assert date_of(days) == (day.year, day.month, day.day)
