"""Games by key presses on the pins: the chip must end with the screen and the journal of the simulator."""

import pytest
from kiebitz_lab.chip.files import changed
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.chip.twin import Twin, settled
from kiebitz_lab.samples import SAMPLES

# From the first screen: two new names, and a round of Royal Flush between them
EVENING = """
ok ok
pick:players.new up up ok right hold:ok
up left down right hold:ok
hold:ok ok
ok up ok
right right ok
undo
hold:undo
ok up left ok
down ok right ok
left pick:menu.history undo
"""
AFTERWARDS_MS = 5000  # what was shown for a while only is gone by then
ENTRIES_BETWEEN_CUTS = 9


def test_an_evening_from_power_on_ends_alike_on_both(attempt):
    twin = Twin()
    evening = twin.pressed(EVENING)
    twin.wait(AFTERWARDS_MS)
    assert len(twin.table) >= 3, twin.words.lines()

    def story(rig):
        frame = rig.keys(evening).run_ms(AFTERWARDS_MS).settle().frame()
        return frame, rig.files("data"), rig.serial.out

    frame, files, printed = attempt(story)
    assert frame == twin.frame()
    assert settled(files) == settled(twin.files())
    assert printed == b""


@pytest.mark.parametrize("name", SAMPLES)
def test_a_whole_game_ends_alike_on_both_although_the_power_goes_now_and_then(flash, name):
    setup, keys = SAMPLES[name]
    twin = Twin().sit_down(setup)
    rig = Rig(changed(flash, twin.files())).boot()
    assert rig.frame() == twin.frame()
    entries = keys.strip().splitlines()
    for number, entry in enumerate(entries, 1):
        rig.keys(entry)
        twin.keys(entry)
        if number % ENTRIES_BETWEEN_CUTS == 0 and number < len(entries):
            rig = rig.power_cut().boot()
            twin.restart()
            assert rig.frame() == twin.frame(), (number, entry)
    twin.wait(AFTERWARDS_MS)
    assert twin.game.over
    assert rig.run_ms(AFTERWARDS_MS).settle().frame() == twin.frame()
    assert settled(rig.files("data")) == settled(twin.files())
    assert rig.serial.out == b"" and rig.oled.unknown == []
