"""Test the image on battery, on a Pico and a Pico W: sleep, wake, low and empty battery."""

import pytest
from kiebitz.link.wire import ANSWER, REQUEST, frame, unframe
from kiebitz.widgets.screen import LINE
from kiebitz_lab.bench import device
from kiebitz_lab.chip.flash import changed
from kiebitz_lab.chip.probes import branch
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.handheld import ReferenceDevice, settled

DARK_MS = 310_000
EMPTY_MS = 31_000  # three measurements, ten seconds apart
READ_MS = 12_000  # until the message of an empty battery is gone
BACK_MS = 3000  # from USB or a charger to the picture
ABOUT = "pick:start.settings pick:set.about"
SUPPLY = slice(46, 54)  # the rows of the picture that show the voltage
RADIO_PINS = (24, 25, 29)
OUTPUT = (0, 1)  # states of a pin that the program drives


@pytest.fixture(scope="module")
def table_flash(flash):
    return changed(flash, ReferenceDevice().sit_down(device.SETUP).files())


@pytest.fixture(scope="module")
def dark(table_flash):
    """Return a device on battery, whose display is off."""
    rig = Rig(table_flash, usb=False).boot().run_ms(DARK_MS)
    assert not rig.oled.lit
    return rig


def test_it_is_seldom_awake_and_a_press_shows_at_once():
    figures = device.measure_rest()
    assert set(figures) == set(device.STATES)
    for state, row in figures.items():
        assert 0 < row["awake_percent"] < device.STATES[state][1], figures
        assert 0 < row["press_ms"] < device.PRESS_GOAL_MS, figures


def test_a_low_battery_is_told_as_in_the_simulator(table_flash):
    rig = Rig(table_flash, usb=False)
    rig.set_vsys(3100)
    rig.boot().run_ms(12_000)
    reference = ReferenceDevice().sit_down(device.SETUP)
    before = reference.frame()
    reference.hw.usb_power, reference.hw.vsys_mv = False, 3101
    assert rig.frame() == reference.keys("wait:12000").frame() != before
    rig.keys("left")
    assert rig.frame() == reference.keys("left").frame()


@pytest.mark.parametrize("late_ms", [0.0, 11.7, 23.9, 33.3])
def test_no_tap_is_lost_in_light_sleep(dark, late_ms):
    def scenario(rig):
        rig.run_ms(late_ms)
        for key in ("left", "down", "down", "down"):
            rig.press(key)
            rig.run_ms(15)
            rig.release(key)
            rig.run_ms(100)
        return rig.settle().oled.lit, rig.frame()

    # The first tap switches the display on
    assert branch(dark, scenario) == (True, ReferenceDevice().sit_down(device.SETUP).keys("down*3").frame())


def test_usb_works_after_a_light_sleep(dark):
    def scenario(rig):
        rig.serial.connect()
        rig.run_ms(1500)
        rig.serial.send(frame(REQUEST, 7, "who", "{}"))
        rig.run_ms(500)
        return [unframe(ANSWER, line) for line in bytes(rig.serial.out).split(b"\n")]

    assert any(found and found[:2] == (7, "ok") for found in branch(dark, scenario))


def test_it_goes_on_in_light_sleep_for_a_long_time_and_wakes(dark):
    def scenario(rig):
        rig.run_ms(600_000)
        resets, lit = rig.pico.resets, rig.oled.lit
        return resets, lit, rig.tap("left").oled.lit, rig.tap("left").frame()

    assert branch(dark, scenario) == (0, False, True, ReferenceDevice().sit_down(device.SETUP).keys("left").frame())


# --- a Pico W, and an empty battery on both ---


def supply_rows(mv):
    reference = ReferenceDevice()
    reference.hw.vsys_mv = mv
    return reference.keys(ABOUT).frame()[SUPPLY]


def states(rig):
    return [int(rig.pico.mcu.gpio[gpio].value) for gpio in RADIO_PINS]


@pytest.mark.parametrize("mv", [3305, 3705, 4205])
def test_a_pico_w_measures_its_supply_and_leaves_the_pins_of_its_radio_alone(flash, mv):
    rig = Rig(flash, usb=False, wireless=True)
    rig.set_vsys(mv)
    assert rig.boot().keys(ReferenceDevice().pressed(ABOUT)).frame()[SUPPLY] == supply_rows(mv) != supply_rows(mv - 10)
    assert not set(states(rig)) & set(OUTPUT)
    assert rig.pico.complaints == []


def test_a_pico_w_sleeps_on_battery_as_a_pico_does_and_wakes_with_a_key_or_usb(table_flash):
    rig = Rig(table_flash, usb=False, wireless=True)
    rig.set_vsys(3900)
    rig.boot().run_ms(DARK_MS)
    assert not rig.oled.lit
    assert branch(rig, device.awake) < device.STATES["off"][1]
    woken = branch(rig, lambda rig: rig.tap("left").tap("left").frame())
    assert woken == ReferenceDevice().sit_down(device.SETUP).keys("left").frame()

    def talk(rig):
        rig.serial.connect()
        rig.run_ms(1500)
        rig.serial.send(frame(REQUEST, 7, "who", "{}"))
        rig.run_ms(500)
        return [unframe(ANSWER, line) for line in bytes(rig.serial.out).split(b"\n")]

    assert any(found and found[:2] == (7, "ok") for found in branch(rig, talk))


def test_a_pico_w_with_usb_never_sleeps_and_is_not_empty(table_flash):
    rig = Rig(table_flash, wireless=True)
    rig.set_vsys(2900)
    rig.boot().run_ms(EMPTY_MS)
    assert rig.frame() == ReferenceDevice().sit_down(device.SETUP).keys(f"wait:{EMPTY_MS}").frame()


@pytest.mark.parametrize("wireless", [False, True])
def test_an_empty_battery_switches_it_off_with_everything_on_flash_until_usb_is_back(table_flash, wireless):
    rig = Rig(table_flash, usb=False, wireless=wireless)
    rig.set_vsys(3700)
    rig.boot().keys("ok up ok wait:12000")
    reference = ReferenceDevice().sit_down(device.SETUP)
    reference.hw.usb_power, reference.hw.vsys_mv = False, 3701
    table = reference.keys("ok up ok wait:12000").frame()
    assert rig.frame() == table
    rig.set_vsys(2950)
    reference.hw.vsys_mv = 2951
    message = reference.keys(f"wait:{EMPTY_MS}").frame()
    assert reference.sees("empty")
    rig.pico.run_until(lambda: rig.frame() == message, EMPTY_MS, step_ms=100)
    rig.run_ms(READ_MS)
    assert not rig.oled.lit and settled(rig.files("data")) == settled(reference.files())

    def sleep(rig):
        done = len(rig.flash.operations)
        percent = device.awake(rig)
        rig.run_ms(120_000)
        return percent, len(rig.flash.operations) - done, rig.oled.lit, rig.tap("ok").oled.lit, rig.frame()

    percent, *after = branch(rig, sleep)
    assert percent < device.STATES["off"][1]
    assert after == [0, False, True, message], "nothing is written, and a key shows only the message"

    def usb(rig):
        rig.set_vsys(4700)
        rig.serial.connect()
        return rig.run_ms(BACK_MS).oled.lit, rig.frame()[:-LINE], rig.tap("undo").frame()[:-LINE]

    undone = ReferenceDevice().sit_down(device.SETUP).keys("ok up ok undo").frame()
    assert branch(rig, usb) == (True, table[:-LINE], undone[:-LINE]), "the last line changes with time"

    def charger(rig):
        rig.set_vsys(4700)
        if not wireless:
            rig.pico.mcu.gpio[24].set_input_value(True)
        return rig.run_ms(BACK_MS).oled.lit, rig.frame()[:-LINE]

    assert branch(rig, charger) == (True, table[:-LINE]), "a charger has no USB host"
    rig = rig.power_cut()
    rig.set_vsys(3700)
    assert rig.boot().frame() == table
