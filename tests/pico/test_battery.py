"""The image on battery: it sleeps and wakes as it should, tells a low battery, and USB works after a light sleep."""

import pytest
from kiebitz.link.wire import ANSWER, REQUEST, frame, unframe
from kiebitz_lab.bench import rest
from kiebitz_lab.chip.files import changed
from kiebitz_lab.chip.fork import branch
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.chip.twin import Twin

DARK_MS = 310_000


@pytest.fixture(scope="module")
def table_flash(flash):
    return changed(flash, Twin().sit_down(rest.SETUP).files())


@pytest.fixture(scope="module")
def dark(table_flash):
    """Return a device on battery, whose display is off."""
    rig = Rig(table_flash, usb=False).boot().run_ms(DARK_MS)
    assert not rig.oled.lit
    return rig


def test_it_is_seldom_awake_and_a_press_shows_at_once():
    figures = rest.measure()
    assert set(figures) == set(rest.STATES)
    for state, row in figures.items():
        assert 0 < row["awake_percent"] < rest.STATES[state][1], figures
        assert 0 < row["press_ms"] < rest.PRESS_GOAL_MS, figures


def test_a_low_battery_is_told_as_in_the_simulator(table_flash):
    rig = Rig(table_flash, usb=False)
    rig.set_vsys(3100)
    rig.boot().run_ms(12_000)
    twin = Twin().sit_down(rest.SETUP)
    before = twin.frame()
    twin.hw.usb_power, twin.hw.vsys_mv = False, 3101
    assert rig.frame() == twin.keys("wait:12000").frame() != before
    rig.keys("left")
    assert rig.frame() == twin.keys("left").frame()


@pytest.mark.parametrize("late_ms", [0.0, 11.7, 23.9, 33.3])
def test_no_tap_is_lost_in_light_sleep(dark, late_ms):
    def story(rig):
        rig.run_ms(late_ms)
        for key in ("left", "down", "down", "down"):
            rig.press(key)
            rig.run_ms(15)
            rig.release(key)
            rig.run_ms(100)
        return rig.settle().oled.lit, rig.frame()

    # The first tap switches the display on
    assert branch(dark, story) == (True, Twin().sit_down(rest.SETUP).keys("down*3").frame())


def test_usb_works_after_a_light_sleep(dark):
    def story(rig):
        rig.serial.connect()
        rig.run_ms(1500)
        rig.serial.send(frame(REQUEST, 7, "who", "{}"))
        rig.run_ms(500)
        return [unframe(ANSWER, line) for line in bytes(rig.serial.out).split(b"\n")]

    assert any(found and found[:2] == (7, "ok") for found in branch(dark, story))


def test_it_goes_on_in_light_sleep_for_a_long_time_and_wakes(dark):
    def story(rig):
        rig.run_ms(600_000)
        resets, lit = rig.pico.resets, rig.oled.lit
        return resets, lit, rig.tap("left").oled.lit, rig.tap("left").frame()

    assert branch(dark, story) == (0, False, True, Twin().sit_down(rest.SETUP).keys("left").frame())
