"""Test what screens show on the boards from a shop, whose images have no other board."""

from helpers.device import Device
from kiebitz.store.settings import Settings
from kiebitz.text import said, text

IDLE_MS = 4000
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
        assert Settings(d.storage)["found"] == board
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
