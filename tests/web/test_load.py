"""The short form of python -m kiebitz_lab.web_load: many spectators, every change reaches all of them in time."""

import pytest
from kiebitz_lab.web_load import GOAL_MS, run


@pytest.mark.long
def test_every_spectator_sees_every_change_soon():
    load = run(spectators=60, seconds=4)
    assert load.changes >= 20 and load.lost == 0
    assert len(load.delays_ms) == load.changes * 60
    assert load.median_ms() < GOAL_MS
    assert load.keys_ms < load.keys_alone_ms + GOAL_MS
