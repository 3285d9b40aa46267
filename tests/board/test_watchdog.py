"""The watchdog: bites a program that hangs, and nobody else."""

from kiebitz.board.watchdog import LIMIT, TICK_MS, Watchdog
from kiebitz_host.sim.hardware import Hardware, Reset

LONG_MS = 3 * LIMIT * TICK_MS


def bites(hardware, ms):
    """Tell whether it restarts the device while nobody does anything for so long."""
    try:
        hardware.time.advance(ms)
    except Reset:
        return True
    return False


def start():
    hardware = Hardware()
    watchdog = Watchdog(hardware.machine)
    watchdog.start()
    return hardware, watchdog


def test_a_program_that_hangs_is_restarted():
    hardware, _ = start()
    assert not bites(hardware, (LIMIT - 1) * TICK_MS)
    assert bites(hardware, TICK_MS)


def test_a_program_that_gets_on_is_left_alone():
    hardware, watchdog = start()
    for _ in range(3 * LIMIT):
        assert not bites(hardware, (LIMIT - 1) * TICK_MS)
        watchdog.feed()


def test_sent_away_it_bites_nobody():
    hardware, watchdog = start()
    watchdog.stop()
    assert not bites(hardware, LONG_MS)
    watchdog.stop()
    watchdog.start()
    assert bites(hardware, LONG_MS)


def test_started_twice_there_is_still_one():
    hardware, watchdog = start()
    watchdog.start()
    watchdog.stop()
    assert not bites(hardware, LONG_MS)
