"""Test the app with its watchdog when idle, hanging, crashing, or stopped by a computer."""

from helpers.device import Device
from kiebitz.board.parts import LIMIT, TICK_MS
from kiebitz.widgets.screen import Screen
from kiebitz_host.sim.hardware import Reset

LONG_MS = 2 * LIMIT * TICK_MS


class Broken(Screen):
    """A screen that crashes when drawn."""

    def draw(self, c):
        raise ValueError("broken")


def interrupt():
    raise KeyboardInterrupt


def stopped_after(d, ms):
    """Run the app until Ctrl-C after this time. Return True if the Ctrl-C ends it."""
    d.hw.time.at(ms, interrupt)
    try:
        d.run()
    except KeyboardInterrupt:
        return True
    return False


def test_the_app_feeds_it_while_nobody_plays():
    d = Device()
    assert stopped_after(d, LONG_MS)


def test_after_ctrl_c_the_prompt_is_left_alone_and_the_display_says_so():
    d = Device()
    d.board.buzzer.beep(440, 100000)
    assert stopped_after(d, 1000)
    assert d.sees("Stopped: a computer")
    assert d.faults() == []
    assert d.hw.tone == 0
    d.hw.time.advance(LONG_MS)


def test_after_ctrl_c_a_dark_display_is_lit():
    d = Device()
    d.hw.time.advance(1000 * d.app.settings["off_s"])
    d.wait(10)
    assert not d.hw.oled.lit
    assert stopped_after(d, 1000)
    assert d.hw.oled.lit and d.sees("Stopped: a computer")


def test_ctrl_c_comes_through_without_a_display():
    d = Device()
    d.hw.unplug_display()
    assert stopped_after(d, 1000)


def test_an_app_that_hangs_is_restarted():
    d = Device()
    d.app.top.draw = lambda _: d.hw.time.advance(LONG_MS)
    d.app.dirty = True
    try:
        d.run()
    except Reset:
        return
    raise AssertionError("it hangs for ever")


def test_the_crash_screen_stays_until_somebody_has_read_it():
    d = Device()
    d.app.push(Broken(d.app))
    read = []
    d.hw.time.at(LONG_MS, lambda: read.append(d.sees("broken")))
    d.hw.time.at(LONG_MS + 10, lambda: d.hw.tap("ok"))
    try:
        d.run()
    except Reset:
        pass
    assert read == [True]
    d.hw.time.advance(LONG_MS)
