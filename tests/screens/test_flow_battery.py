"""Test the warning about a low battery, and sleep on battery while no key is pressed."""

from games.royal_flush.case import royal
from helpers.device import Device, at_table
from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.raster import icons
from kiebitz.text import LANGUAGES
from kiebitz_host.sim.hardware import Hardware

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
LOW_MV = PROFILES[DEFAULT].low_mv
EMPTY_MV = PROFILES[DEFAULT].empty_mv
EMPTY = "Battery empty"
SENTENCE = "Battery low."


def on_battery(mv=4000, **where):
    d = at_table(ROYAL, [royal(0)], **where)
    d.hw.usb_power = False
    d.hw.vsys_mv = mv
    return d


def pass_s(d, seconds):
    d.step_ms = 250
    d.wait(seconds * 1000)
    d.step_ms = Device.step_ms


def shows_icon(d):
    return icons.BATTERY_LOW in d.lines()[0]


def test_a_low_battery_is_told_once_and_its_icon_stays():
    d = on_battery(LOW_MV + 100)
    pass_s(d, 30)
    assert not shows_icon(d) and not d.sees(SENTENCE)
    d.hw.vsys_mv = LOW_MV - 200
    pass_s(d, 25)
    assert shows_icon(d) and d.sees(SENTENCE)
    d.keys("up")
    assert shows_icon(d) and not d.sees(SENTENCE)
    d.keys("left")
    assert shows_icon(d)
    d.keys("undo")
    for _ in range(6):
        pass_s(d, 40)
        d.keys("up")
        assert shows_icon(d) and not d.sees(SENTENCE)


def test_a_device_that_starts_with_a_low_battery_says_so_at_once():
    d = on_battery(LOW_MV - 100)
    d.hw.time.advance(10_000)
    d.wait(50)
    assert shows_icon(d) and d.sees(SENTENCE)


def test_a_short_dip_is_no_low_battery():
    d = on_battery(LOW_MV + 200)
    pass_s(d, 30)
    d.hw.vsys_mv = LOW_MV - 300
    pass_s(d, 10)
    d.hw.vsys_mv = LOW_MV + 200
    pass_s(d, 60)
    assert not shows_icon(d)


def test_a_voltage_just_at_the_limit_does_not_come_and_go():
    d = on_battery(LOW_MV - 50)
    pass_s(d, 20)
    seen = []
    for mv in (60, -20, 80, 20, 100):
        d.hw.vsys_mv = LOW_MV + mv
        pass_s(d, 40)
        seen.append(shows_icon(d))
    assert seen == [True] * 5
    d.hw.vsys_mv = LOW_MV + 400
    pass_s(d, 60)
    assert not shows_icon(d)


def test_on_usb_the_icon_goes_and_a_new_discharge_is_told_again():
    d = on_battery(LOW_MV - 200)
    pass_s(d, 20)
    d.keys("up")
    d.hw.usb_power, d.hw.vsys_mv = True, 4700
    pass_s(d, 11)
    assert not shows_icon(d)
    d.hw.usb_power, d.hw.vsys_mv = False, LOW_MV - 200
    pass_s(d, 11)
    assert shows_icon(d) and d.sees(SENTENCE)


def test_it_waits_with_the_sentence_until_somebody_can_read_it():
    d = on_battery()
    pass_s(d, 310)
    assert not d.hw.oled.lit
    d.hw.vsys_mv = LOW_MV - 200
    pass_s(d, 60)
    assert not d.hw.oled.lit
    d.keys("up")
    pass_s(d, 11)
    assert d.sees(SENTENCE)


def test_a_message_is_not_replaced_by_it():
    d = on_battery()
    d.keys("undo")
    d.app.toast("Something else", 0)
    d.hw.vsys_mv = LOW_MV - 200
    pass_s(d, 50)
    assert d.sees("Something else") and shows_icon(d)
    d.keys("up")
    pass_s(d, 11)
    assert d.sees(SENTENCE)


def test_every_language_says_it_on_the_display_with_the_icon_beside_the_header():
    for language in LANGUAGES:
        d = Device(language=language).sit_down(ROYAL, [royal(0)])
        d.hw.usb_power, d.hw.vsys_mv = False, LOW_MV - 200
        pass_s(d, 20)
        assert shows_icon(d) and d.faults() == [], language


def test_an_empty_battery_switches_the_device_off_until_usb_comes():
    d = on_battery()
    d.keys("down")
    before, frame = d.journal(), d.lines()
    d.hw.vsys_mv = EMPTY_MV - 100
    pass_s(d, 45)
    assert d.sees(EMPTY) and d.journal() == before
    d.keys("ok up undo")
    assert d.sees(EMPTY) and d.journal() == before, "no key reaches the table"
    d.hw.usb_power, d.hw.vsys_mv = True, 5000
    pass_s(d, 12)
    assert not d.sees(EMPTY) and d.lines()[:-1] == frame[:-1] and d.journal() == before


def test_one_wrong_look_does_not_switch_the_device_off():
    d = on_battery()
    pass_s(d, 20)
    d.hw.vsys_mv = 100
    pass_s(d, 11)
    d.hw.vsys_mv = 4000
    pass_s(d, 40)
    assert not d.sees(EMPTY)


def test_a_pico_w_measures_its_supply_and_sleeps_on_battery():
    hw = Hardware(PROFILES[DEFAULT])
    hw.wireless = True
    d = Device()
    d.on(hw)
    d.sit_down(ROYAL, [royal(0)])
    assert d.app.board.supply.millivolts() > 4900
    d.hw.usb_power, d.hw.vsys_mv = False, LOW_MV - 100
    pass_s(d, 60)
    assert shows_icon(d), "its voltage is read while GP25 is high"
    assert d.app.board.supply.on_battery(), "no frames of a USB host come"
    d.app.board.rest_dark(400)
    assert d.hw.slept_ms == 400
