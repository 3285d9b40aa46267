"""A device whose board.txt names a board nobody knows, or is not there, says so, and starts all the same."""

from helpers.device import Device
from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.ui.start import begin
from kiebitz.ui.texts import LANGUAGES


def wrong_board(said, language="en"):
    """The display after power-on with this in board.txt; None: there is no such file."""
    device = Device(language=language)
    device.board.unknown_profile = (said, sorted(PROFILES), DEFAULT)
    device.app.stack = []
    begin(device.app)
    device.wait(10)
    return device


def test_the_display_names_the_wrong_board_and_all_right_ones_and_the_app_starts():
    device = wrong_board("pico_led")
    assert device.sees('"pico_led"', *PROFILES), device.text()
    assert not device.faults()
    device.keys("ok")
    assert device.sees("New game")


def test_whatever_the_file_says_the_message_fits():
    for said in ("", "?", "w" * 200, "two words"):
        device = wrong_board(said)
        assert device.sees("board.txt", *PROFILES) and not device.faults(), said


def test_that_there_is_no_file_is_told_after_the_language_and_at_every_start():
    for lang in LANGUAGES:
        device = wrong_board(None, None)
        device.keys("down*%d" % LANGUAGES.index(lang))
        assert not device.sees("board.txt"), lang
        device.keys("ok")
        assert device.sees("board.txt", *PROFILES) and not device.faults(), device.text()
        device.keys("ok")
        assert not device.sees("board.txt")
        device.board.unknown_profile = (None, sorted(PROFILES), DEFAULT)
        begin(device.app)
        device.wait(10)
        assert device.sees("board.txt"), lang


def test_a_right_board_is_not_talked_about():
    assert not Device().sees("board.txt")
