"""Test a device at rest and on battery: dimming, background writes, sleep, the warning about a low battery."""

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


# --- at rest ---

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
