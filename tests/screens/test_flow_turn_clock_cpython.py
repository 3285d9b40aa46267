"""The turn clock on every display: what is drawn of a second is what a complete drawing would show."""

import pytest
from helpers.device import at_table
from kiebitz.board.profiles import PROFILES

NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Fritz"]


@pytest.mark.parametrize("board", PROFILES)
@pytest.mark.parametrize("players", [3, 4, 6])
def test_each_new_second_is_drawn_as_the_whole_screen_would_be(board, players):
    d = at_table({"game": "poch", "players": NAMES[:players]}, board=board)
    d.app.top.open_menu()
    d.wait(20)
    d.pick("Turn clock")
    d.keys("right pick:clock.limit ok pick:clock.on ok")
    d.step_ms = 200
    d.wait(75_000)  # over the limit of a minute, and from one to the next; the device compares every picture
    assert d.sees("1:14") and d.faults() == []
