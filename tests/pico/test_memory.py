"""The memory of the chip: enough of it is left at every table, and in pieces that are large enough."""

import pytest
from helpers.twin import Twin
from kiebitz_host.chip.bench import Bench
from kiebitz_host.chip.files import changed
from kiebitz_host.chip.heap import heap, with_probe
from kiebitz_host.samples import SAMPLES

LEAST_FREE = 80_000
LEAST_IN_ONE_PIECE = 30_000


@pytest.mark.parametrize("name", SAMPLES)
def test_enough_memory_is_left_at_every_table(flash, name):
    twin = Twin().sit_down(SAMPLES[name][0])
    bench = Bench(with_probe(changed(flash, twin.files()))).boot()
    bench.keys("left undo")  # the menu of the table has been there as well
    left = heap(bench)
    assert left.start > 230_000
    assert left.free >= LEAST_FREE and left.largest >= LEAST_IN_ONE_PIECE, left


def test_a_device_without_a_game_has_more(flash):
    left = heap(Bench(with_probe(flash)).boot())
    assert left.free > 110_000 and left.largest > 60_000, left
