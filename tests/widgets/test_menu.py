"""Test that a menu needs a line, and that one without a line takes every key."""

from helpers.device import Device
from kiebitz.widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from kiebitz.widgets.screen import Menu


def test_a_menu_without_a_line_takes_every_key_and_can_be_left():
    d = Device()
    menu = Menu(d.app, "Nothing", [])
    d.app.push(menu)
    for key in (UP, DOWN, OK, RIGHT):
        menu.key(key)
        assert d.app.top is menu and menu.at == 0
    menu.key(LEFT)
    assert d.app.top is not menu


def test_no_test_accepts_a_menu_without_a_line():
    d = Device()
    menu = Menu(d.app, "Nothing", [])
    d.app.push(menu)
    try:
        d.wait(10)
    except AssertionError as error:
        assert error.args[0] is menu
    else:
        raise ValueError("an empty menu was shown")
