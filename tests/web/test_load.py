"""The short form of python -m kiebitz_lab.web_load: many spectators, and every change reaches all of them.

How long that takes is no matter for a test, which may run beside others: the long form measures it.
"""

import pytest
from kiebitz_lab.web_load import run

GROWN_MAX_KB = 8 * 1024  # of a server that would keep every change for everybody: 60 x 20 x 10 KB


@pytest.mark.long
def test_every_spectator_sees_every_change():
    load = run(spectators=60, seconds=4)
    assert load.changes >= 20 and load.lost == 0
    assert len(load.delays_ms) == load.changes * 60
    assert load.grown_kb < GROWN_MAX_KB
