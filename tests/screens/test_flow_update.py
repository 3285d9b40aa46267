"""An update without opening the case: the device shows up as a drive, after it has said so."""

from helpers.device import Device
from kiebitz_host.sim.hardware import PowerOff

UPDATE = "down*3 ok down*10 ok"


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
