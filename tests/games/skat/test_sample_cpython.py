"""Test the sample series of the laboratory: few presses, the right totals at its end, and power cuts on the way."""

from helpers.device import at_table
from kiebitz_lab.samples import SAMPLES


def test_the_sample_series_takes_nine_presses_a_game_at_most_and_survives_power_cuts():
    line, keys = SAMPLES["skat"]
    d = at_table(line)
    before = d.presses
    for at, entry in enumerate([entry for entry in keys.splitlines() if entry]):
        d.keys(entry)
        assert d.game.games == at + 1, entry
        if at % 5 == 4 and not d.game.over:
            state, picture = d.game.snapshot(), d.hw.oled.frame()
            d.restart()
            assert d.game.snapshot() == state and d.hw.oled.frame() == picture
    assert (d.presses - before) / 36 < 7.6
    assert d.game.over and d.sees("Final ranking")
    assert d.game.points == [187, 429, 486] and d.game.totals() == [707, 1039, 1006]
