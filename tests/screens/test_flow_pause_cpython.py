"""A pause changes nothing in any game: the table looks the same before and after a power cut, entry by entry."""

import pytest
from helpers.device import at_table
from kiebitz_lab.games import GAMES_IN_LAB
from kiebitz_lab.games.base import lines_of

SAMPLES = {name: sample for game in GAMES_IN_LAB.values() for name, sample in game.SAMPLES.items()}


def picture(d):
    """Return the pixels of the display when no message covers the screen: some stay until a key."""
    d.app.toast("", 1)
    d.wait(10)
    return bytes(d.board.display.buffer)


@pytest.mark.parametrize("name", SAMPLES)
def test_in_every_game_a_power_cut_leaves_the_table_as_it_was(name):
    setup, keys = SAMPLES[name]
    d = at_table(setup)
    tables = 0
    for line in lines_of(keys)[:14]:
        d.keys(line)
        if not d.app.top.takes_back:
            continue
        before = picture(d)
        shown = d.lines()
        d.restart()
        assert picture(d) == before, (line, shown, d.lines())
        tables += 1
    assert tables > 5
