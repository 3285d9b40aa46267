"""Test that the sample game of the laboratory goes to its end, with power cuts."""

from tempfile import TemporaryDirectory

from helpers.device import at_table
from kiebitz.board.storage import Storage
from kiebitz_lab.handheld import ScriptedDevice
from kiebitz_lab.samples import SAMPLES, play


def test_the_sample_game_ends_with_the_ranking_and_survives_a_power_cut():
    line, keys = SAMPLES["five_dice"]
    d = at_table(line)
    for at, entry in enumerate([entry for entry in keys.splitlines() if entry]):
        d.keys(entry)
        if at % 5 == 4 and not d.game.over:
            before, picture = d.game.snapshot(), d.hw.oled.frame()
            d.restart()
            assert d.game.snapshot() == before and d.hw.oled.frame() == picture
    assert d.game.over and d.game.totals() == [200, 235] and d.sees("Final ranking")


def test_an_entry_takes_at_most_four_presses_on_average():
    with TemporaryDirectory() as folder:
        presses, entries = play(ScriptedDevice(Storage(folder)), "five_dice")
    assert entries == 26 and presses <= 4 * entries
