"""Test how the display is detected, chosen in the settings, and restored if nobody can read it."""

from helpers.device import Device
from kiebitz.store.settings import Settings
from kiebitz.text import said, text
from kiebitz_host.sim.hardware import Reset

DISPLAY = "pick:start.settings pick:set.display"
SH1106 = DISPLAY + " pick:display.pico_oled_sh1106"
IDLE_MS = 4000


def restarted(d, keys):
    """Press these keys; the last one restarts the device, with what is on flash."""
    try:
        d.keys(keys)
    except Reset:
        d.on()
        return True
    return False


def stored(d, name):
    return Settings(d.storage)[name]


def test_what_was_found_is_kept_when_nobody_presses_keys_and_shown_in_about():
    d = Device()
    assert stored(d, "found") == ""
    d.wait(IDLE_MS)
    assert stored(d, "found") == "pico_oled" and stored(d, "board") == ""
    count = d.storage.count
    d.on()
    d.wait(IDLE_MS)
    assert d.storage.count == count, "what is known is not written again"
    d.keys("pick:start.settings pick:set.about")
    assert d.sees("Display", "OLED SSD1306")


def test_the_display_in_use_comes_first_and_choosing_it_keeps_it_for_good():
    d = Device()
    d.keys(DISPLAY)
    assert d.sees("OLED SSD1306", "OLED SH1106", "OLED SSD1309", "find by itself")
    d.keys("at:display.pico_lcd_13")
    assert d.sees("LCD 240x240")
    d.keys("at:display.pico_oled")
    d.keys("ok")
    assert stored(d, "board") == "pico_oled" and d.sees("Settings")


def test_another_display_is_on_trial_and_kept_with_ok():
    d = Device()
    assert restarted(d, SH1106)  # on this glass the picture is shifted, but it is there
    assert d.board.choice.name == "pico_oled_sh1106" and d.sees("Keep this picture")
    d.keys("ok")
    assert stored(d, "board") == "pico_oled_sh1106" and d.sees("New game")
    d.on()
    assert d.board.choice.name == "pico_oled_sh1106" and not d.sees("Keep this picture")


def test_the_large_oled_shows_a_picture_before_and_after_it_is_chosen_by_name():
    d = Device(board="pico_oled_242")
    assert d.board.choice.name == "pico_oled" and d.hw.oled.unknown == [0x8D]
    assert restarted(d, DISPLAY + " pick:display.pico_oled_242")
    assert d.board.choice.name == "pico_oled_242" and d.sees("Keep this picture", "SSD1309")
    d.keys("ok")
    d.on()
    assert stored(d, "board") == "pico_oled_242" and d.sees("New game")


def test_a_display_that_nobody_answers_for_is_gone_after_ten_seconds():
    d = Device()
    assert restarted(d, SH1106)
    d.wait(3000)
    assert d.sees("7 s")
    assert not restarted(d, "wait:6000") and restarted(d, "wait:2000")
    assert d.board.choice.name == "pico_oled" and stored(d, "board") == "" and d.sees("New game")


def test_undo_brings_the_old_display_back_at_once():
    d = Device()
    assert restarted(d, SH1106) and restarted(d, "undo")
    assert d.board.choice.name == "pico_oled" and stored(d, "board") == ""


def test_the_power_goes_while_a_display_is_on_trial():
    d = Device()
    assert restarted(d, SH1106)
    d.restart()
    assert d.board.choice.name == "pico_oled" and d.sees("New game")


def test_find_by_itself_undoes_what_was_said():
    d = Device()
    d.keys(DISPLAY + " ok")
    assert stored(d, "board") == "pico_oled"
    assert restarted(d, "ok pick:display.find")
    assert stored(d, "board") == "" and d.board.choice.found


def test_defaults_do_not_change_the_display():
    d = Device()
    d.keys(DISPLAY + " ok")
    d.app.settings.restore()
    assert stored(d, "board") == "pico_oled"


def test_a_full_flash_is_told_whether_the_display_is_chosen_or_kept():
    d = Device()
    d.keys(DISPLAY)
    d.storage.full_at(d.storage.count, stays=True)
    d.keys("ok")
    assert d.sees("memory") and stored(d, "board") == "", d.text()
    d = Device()
    assert restarted(d, SH1106)
    d.storage.full_at(d.storage.count, stays=True)
    d.keys("ok")
    assert d.sees("memory") and not restarted(d, "wait:12000"), "and the message stays"


SHOP = ("picoboy_color", "display_pack", "picosystem")


def test_a_board_whose_image_has_no_other_is_not_chosen():
    for board in SHOP:
        d = Device(board=board)
        d.keys("pick:start.settings")
        assert text("set.display") not in [said(label) for label in d.app.top.labels()]
        d.keys("pick:set.about")
        assert d.board.choice.name == board and d.sees(text("display." + board))


def test_what_it_is_stays_known():
    for board in SHOP:
        d = Device(board=board)
        d.wait(IDLE_MS)
        assert stored(d, "found") == board
        count = d.storage.count
        d.on()
        d.wait(IDLE_MS)
        assert d.board.choice.name == board and d.storage.count == count


def test_the_last_line_names_the_keys_of_a_board_with_four():
    d = Device(board="display_pack")
    assert d.sees("A/B/X choose")
    d.keys("pick:start.settings")
    assert d.sees("A/B line", "Y+A/B/X change")
    d.keys("undo")
    assert d.sees("New game", "A/B/X choose")
    d.keys("pick:start.new")
    assert d.sees("A/B/X choose", "Y back")
    assert Device().lines()[-1] == Device(board="picosystem").lines()[-1]
