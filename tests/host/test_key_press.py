"""An entry is on flash before the display shows it: the calls of the firmware during one key press, in order."""

import sys

from kiebitz.board.storage import Storage
from kiebitz.widgets.keys import OK
from kiebitz_lab.handheld import ScriptedDevice

SETUP = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo", "Dan"]}


def calls_of(action):
    """Return the qualified names of all functions that `action` calls and that return, as (name, event) pairs."""
    found = []

    def record(frame, event, _):
        if event in ("call", "return"):
            found.append((frame.f_code.co_qualname, event))

    before = sys.getprofile()
    sys.setprofile(record)
    try:
        action()
    finally:
        sys.setprofile(before)
    return found


def test_a_key_press_goes_through_the_rules_to_flash_and_only_then_to_the_display(tmp_path):
    device = ScriptedDevice(Storage(str(tmp_path / "data")))
    device.sit_down(SETUP, ({"ev": "score", "p": 0, "board": "pair"},))
    device.keys("ok wait:1000")  # to the nine boards; then wait for idle work to finish
    entries = len(device.table)
    device.hw.press(OK)
    calls = calls_of(lambda: device.wait(device.step_ms))
    assert len(device.table) == entries + 1
    way = [
        ("Keys.feed", "call"),
        ("BoardsScreen.key", "call"),
        ("RoyalFlush.do_score", "call"),
        ("Storage.append", "return"),
        ("Oled.show", "call"),
    ]
    assert [calls.index(step) for step in way] == sorted(calls.index(step) for step in way)
