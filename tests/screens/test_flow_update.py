"""Test starting an update without opening the case."""

from helpers.device import Device
from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz_host.sim.hardware import Hardware, PowerOff

UPDATE = "pick:start.settings pick:set.update"


def starts_boot_loader(d, ms=1000):
    try:
        d.wait(ms)
    except PowerOff:
        return True
    return False


def test_the_question_comes_first_and_undo_says_no():
    d = Device()
    d.keys(UPDATE)
    assert d.sees("Update", "The games stay") and not starts_boot_loader(d, 5000)
    d.keys("undo")
    assert d.sees("Settings") and not starts_boot_loader(d, 5000)


def test_the_display_says_what_to_do_before_the_boot_loader_starts():
    d = Device()
    d.keys(UPDATE)
    d.keys("ok")
    assert d.sees("RPI-RP2", "unplug") and not d.faults()
    assert starts_boot_loader(d)


def test_the_running_game_is_on_flash_before():
    d = Device().sit_down({"game": "poch", "players": ["Anna", "Ben", "Cleo"]})
    d.keys("ok")
    before = d.journal()
    d.app.start_update()
    assert starts_boot_loader(d)
    d.restart()
    assert d.journal() == before


HELD = "Keep UNDO down for an update"


def switch_on_with_undo_down(d, restarted=False):
    hw = Hardware(PROFILES[DEFAULT])
    hw.restarted = restarted
    hw.press("undo")
    d.on(hw)
    d.wait(100)


def test_undo_held_at_power_on_starts_the_boot_loader():
    d = Device()
    switch_on_with_undo_down(d)
    assert d.sees(HELD) and not d.faults()
    assert starts_boot_loader(d, 5000)


def test_undo_let_go_or_another_key_leads_to_the_game():
    d = Device().sit_down({"game": "poch", "players": ["Anna", "Ben", "Cleo"]})
    before = d.lines()
    for let_go in (True, False):
        switch_on_with_undo_down(d)
        assert d.sees(HELD)
        if let_go:
            d.hw.release("undo")
            d.wait(100)
        else:
            d.keys("ok")
        assert not d.sees(HELD) and not starts_boot_loader(d, 5000)
        d.hw.release("undo")
        d.wait(100)
        assert d.lines() == before


def test_undo_that_is_down_after_a_restart_by_the_program_is_meant_for_the_game():
    d = Device()
    switch_on_with_undo_down(d, restarted=True)
    assert not starts_boot_loader(d, 5000) and not d.sees(HELD)
