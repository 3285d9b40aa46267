"""Test a device at rest (dimming, background writes, sleep of the processor)."""

from games.royal_flush.case import royal
from helpers.device import at_table

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
DIM_MS = 60_000
OFF_MS = 300_000
SECONDS = 4


def resting(idle_ms, usb=False):
    """Return a device at a table where no key was pressed for idle_ms."""
    d = at_table(ROYAL, [royal(0)])
    d.app.settings.set("scoreboard", False)  # it would take the first key
    d.app.apply_settings()
    d.hw.usb_power = usb
    d.step_ms = 500
    d.wait(idle_ms)
    return d


def turns(d):
    """Run the app's own loop for some seconds and return how many turns it made."""
    made = []
    step = d.app.step
    d.app.step = lambda: made.append(1) or step()
    d.hw.time.at(SECONDS * 1000, d.power_off)
    d.run()
    d.app.step = step
    return len(made)


def run_ms(d, ms):
    d.hw.time.at(ms, d.power_off)
    d.run()


def test_the_longer_nobody_presses_the_fewer_turns_it_makes():
    assert 150 <= turns(resting(5000)) <= 165
    assert 75 <= turns(resting(DIM_MS)) <= 85
    assert turns(resting(OFF_MS)) <= 6


def test_with_the_display_off_it_is_in_light_sleep_and_otherwise_never():
    for idle in (5000, DIM_MS):
        d = resting(idle)
        run_ms(d, 2000)
        assert d.hw.slept_ms == 0
    d = resting(OFF_MS)
    run_ms(d, 2000)
    assert d.hw.slept_ms >= 1900


def test_on_usb_it_looks_as_often_as_ever_and_never_falls_into_light_sleep():
    for idle in (5000, DIM_MS, OFF_MS):
        d = resting(idle, usb=True)
        assert turns(d) >= 190 * SECONDS
        assert d.hw.slept_ms == 0


def tap_at(d, ms, key, length):
    d.hw.time.at(ms, lambda: d.hw.tap(key, length))


def test_a_press_switches_the_display_on_within_60_ms_even_if_it_does_not_wake_the_chip():
    for late in range(0, 90, 7):
        d = resting(OFF_MS)
        tap_at(d, 300 + late, "down", 80)
        run_ms(d, 300 + late + 60)
        assert d.hw.oled.lit, late


def test_a_short_tap_is_taken_at_once_with_the_display_on_and_dimmed():
    for idle in (5000, DIM_MS):
        for late in range(0, 60, 7):
            d = resting(idle)
            tap_at(d, 100 + late, "left", 5)
            run_ms(d, 100 + late + 3)
            assert d.sees("Back to the game"), (idle, late)


def test_a_key_that_is_held_repeats_as_on_usb():
    d = resting(5000)
    d.hw.tap("left")
    run_ms(d, 200)
    d.hw.tap("down", 740)
    run_ms(d, 900)
    at = d.app.top.at
    again = resting(5000, usb=True)
    again.hw.tap("left")
    run_ms(again, 200)
    again.hw.tap("down", 740)
    run_ms(again, 900)
    assert at == again.app.top.at > 1


def test_a_key_that_sticks_does_not_keep_it_awake():
    d = resting(5000)
    d.hw.press("right")
    d.on(d.hw)
    d.hw.usb_power = False
    d.step_ms = 500
    d.wait(OFF_MS)
    assert not d.hw.oled.lit and turns(d) <= 6


def test_plugging_in_usb_ends_the_light_sleep():
    d = resting(OFF_MS)
    d.hw.time.at(500, lambda: setattr(d.hw, "usb_power", True))
    run_ms(d, 1000)
    assert d.hw.slept_ms <= 560


POCH = {"game": "poch", "players": ["Anna", "Ben", "Cleo"]}
ROUND = ([{"ev": "start_round", "trump": "H"}] + [{"ev": "cash", "p": 0, "pool": pool} for pool in "AKQJT"]) + [
    {"ev": "end_cash"},
    {"ev": "pass", "p": 0},
]


def is_kept(d):
    return d.storage.size(d.app.library.journal.id + ".sav") is not None


def test_the_state_is_kept_three_seconds_after_the_last_key_and_not_before():
    """Sooner, flash would be written while players press keys; later, a resume would replay more than it must."""
    d = at_table(POCH, ROUND)
    d.keys("up")
    d.wait(2850)
    assert not is_kept(d)
    d.wait(200)
    assert is_kept(d)


def test_it_is_kept_again_after_eight_entries_at_the_earliest():
    """To replay an entry takes a Pico 12 ms at a resume, to keep the state 100 ms."""
    d = at_table(POCH, ROUND)
    d.wait(3100)
    before = d.storage.read(d.app.library.journal.id + ".sav")
    for k in range(8):
        assert d.storage.read(d.app.library.journal.id + ".sav") == before, k
        d.keys("hold:undo" if k % 2 else "undo")
        d.wait(3100)
    assert d.storage.read(d.app.library.journal.id + ".sav") != before
