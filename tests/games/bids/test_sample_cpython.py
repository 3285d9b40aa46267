"""Test that the evening of the laboratory goes to its end, with power cuts, and how many presses it takes."""

from helpers.device import at_table
from kiebitz.games.bids.rules import Bids
from kiebitz_lab.games.bids import WIZARD
from kiebitz_lab.samples import SAMPLES

PRESSES_MOST = 14  # of a round of four in which everybody bids at most 3
ENTRIES = 8  # of a round


def said():
    """Return the rounds of points that the players of the evening would write on paper."""
    return [
        [20 + 10 * made if bid == made else -10 * abs(bid - made) for bid, made in zip(*both, strict=True)]
        for both in WIZARD
    ]


def test_the_evening_ends_as_the_players_said_and_survives_power_cuts():
    line, keys = SAMPLES["bids"]
    d = at_table(line)
    for at, entry in enumerate([entry for entry in keys.splitlines() if entry]):
        d.keys(entry)
        if at % 17 == 16 and not d.game.over:
            before, picture = d.game.snapshot(), d.hw.oled.frame()
            d.restart()
            assert d.game.snapshot() == before and d.hw.oled.frame() == picture
    assert d.game.over and d.game.summary()["rounds"] == said() and d.sees("Final ranking")
    assert d.game.totals() == [sum(points) for points in zip(*said(), strict=True)]
    assert isinstance(d.game, Bids) and not d.game.early


def test_a_round_of_four_takes_at_most_fourteen_presses():
    line, keys = SAMPLES["bids"]
    d = at_table(line)
    entries = [entry for entry in keys.splitlines() if entry]
    counted = 0
    for number, (bids, _) in enumerate(WIZARD):
        before = d.presses
        d.keys(" ".join(entries[ENTRIES * number : ENTRIES * (number + 1)]))
        if max(bids) <= 3:
            assert d.presses - before <= PRESSES_MOST, number + 1
            counted += 1
    assert counted >= 8
