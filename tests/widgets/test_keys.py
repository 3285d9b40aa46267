"""Test key events on a clock that wraps (taps, bounce, holds, a stuck key), and menus without a line."""

from helpers.device import Device
from kiebitz.widgets.keys import DOWN, LEFT, OK, RIGHT, UNDO, UP, Keys
from kiebitz.widgets.screen import Menu
from kiebitz_host.sim.hardware import FakeTime

WRAP = 1 << 30
WEEK_MS = 7 * 24 * 3600 * 1000


class Clock:
    """A clock of which only differences are used."""

    diff = FakeTime().ticks_diff


class Finger:
    """Feeds the keys every few milliseconds, as the app does, and records their events with the time."""

    def __init__(self, start=0, step=5):
        self.keys = Keys(Clock())
        self.now = start
        self.step = step
        self.told = []
        self.wait(0, 50)

    def wait(self, mask, ms):
        """Hold these keys for this time."""
        end = self.now + ms
        while self.now < end:
            for event in self.keys.feed(mask, self.now % WRAP):
                self.told.append((self.now,) + event)
            self.now += self.step
        return self

    def take(self):
        """Return the events since the last call, without their times."""
        events = [(key, kind) for _, key, kind in self.told]
        self.told = []
        return events


def mask(*keys):
    return sum([1 << key for key in keys])


def test_a_tap_is_a_press_at_once_and_a_release():
    for key in (UP, DOWN, LEFT, RIGHT, OK, UNDO):
        finger = Finger()
        start = finger.now
        finger.wait(mask(key), 40).wait(0, 40)
        assert finger.told[0] == (start, key, "press")
        assert finger.take() == [(key, "press"), (key, "release")]


def test_a_tap_seen_by_the_interrupt_only_counts():
    finger = Finger()
    finger.wait(mask(OK), 5).wait(0, 60)
    assert finger.take() == [(OK, "press"), (OK, "release")]


def test_bounce_is_one_press_and_one_release():
    for step in (1, 2, 5):
        finger = Finger(step=step)
        for _ in range(20 // (2 * step)):
            finger.wait(mask(OK), step).wait(0, step)
        finger.wait(mask(OK), 80)
        for _ in range(20 // (2 * step)):
            finger.wait(0, step).wait(mask(OK), step)
        finger.wait(0, 80)
        assert finger.take() == [(OK, "press"), (OK, "release")], step


def test_fast_tapping_loses_nothing():
    finger = Finger()
    for _ in range(10):
        finger.wait(mask(RIGHT), 40).wait(0, 30)
    assert finger.take() == [(RIGHT, "press"), (RIGHT, "release")] * 10


def test_a_held_key_tells_so_once():
    finger = Finger()
    start = finger.now
    finger.wait(mask(UNDO), 3000).wait(0, 50)
    assert [(at - start, kind) for at, _, kind in finger.told] == [(0, "press"), (600, "hold"), (3000, "release")]


def test_a_shorter_press_is_not_held():
    finger = Finger()
    finger.wait(mask(UNDO), 595).wait(0, 50)
    assert finger.take() == [(UNDO, "press"), (UNDO, "release")]


def test_arrows_repeat_faster_and_faster():
    finger = Finger()
    start = finger.now
    finger.wait(mask(DOWN), 3000)
    times = [at - start for at, _, kind in finger.told if kind == "repeat"]
    gaps = [b - a for a, b in zip(times, times[1:])]
    assert times[0] == 400
    assert gaps[:3] == [150, 140, 130]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] == 40


def test_ok_and_undo_do_not_repeat():
    finger = Finger()
    finger.wait(mask(OK, UNDO), 2000)
    assert finger.take() == [(OK, "press"), (UNDO, "press"), (OK, "hold"), (UNDO, "hold")]


def test_the_repeat_can_be_slower_faster_or_off():
    for rate, gap in ((50, 300), (100, 150), (200, 75)):
        finger = Finger()
        finger.keys.rate = rate
        finger.wait(mask(UP), 900)
        times = [at for at, _, kind in finger.told if kind == "repeat"]
        assert times[1] - times[0] == gap, rate
    finger = Finger()
    finger.keys.rate = 0
    finger.wait(mask(UP), 3000)
    assert finger.take() == [(UP, "press"), (UP, "hold")]


def test_a_pause_of_the_program_makes_no_burst_of_repeats():
    finger = Finger()
    finger.wait(mask(LEFT), 1000)
    finger.take()
    finger.now += 500
    finger.wait(mask(LEFT), 5)
    assert finger.take() == [(LEFT, "repeat")]


def test_several_keys_at_once_are_told_apart():
    finger = Finger()
    finger.wait(mask(UP), 50).wait(mask(UP, OK), 50).wait(mask(OK), 50).wait(0, 50)
    assert finger.take() == [(UP, "press"), (OK, "press"), (UP, "release"), (OK, "release")]


def test_a_key_stuck_at_power_on_is_named_and_the_others_work():
    keys = Keys(Clock())
    now = 0
    told = []
    while now < 3000:
        told += keys.feed(mask(LEFT, OK) if 1000 <= now < 1040 else mask(LEFT), now)
        now += 5
    assert told == [(OK, "press"), (OK, "release")]
    assert keys.stuck == [LEFT]


def test_a_key_let_go_after_power_on_is_stuck_no_more():
    keys = Keys(Clock())
    told = []
    for now in range(0, 400, 5):
        bouncing = 200 <= now < 210
        told += keys.feed(mask(UP) if now < 190 or bouncing else 0, now)
    assert told == [] and keys.stuck == []
    assert keys.feed(mask(UP), 400) == [(UP, "press")]


def test_a_swallowed_press_has_no_sequel():
    finger = Finger()
    finger.wait(mask(DOWN), 20)
    finger.keys.swallow(DOWN)
    finger.wait(mask(DOWN), 2000).wait(0, 50)
    assert finger.take() == [(DOWN, "press")]
    finger.wait(mask(DOWN), 40).wait(0, 40)
    assert finger.take() == [(DOWN, "press"), (DOWN, "release")]


def test_any_press_can_be_waited_for():
    keys = Keys(Clock())
    assert not keys.pressed(0, 0)
    assert keys.pressed(mask(OK), 5)
    assert not keys.pressed(mask(OK), 40)
    assert not keys.pressed(0, 80)


def test_the_clock_may_wrap_in_the_middle():
    for before in range(0, 700, 35):
        finger = Finger(start=WRAP - 50 - before)
        start = finger.now
        finger.wait(mask(UNDO), 700).wait(0, 50)
        assert [(at - start, kind) for at, _, kind in finger.told] == [(0, "press"), (600, "hold"), (700, "release")]


def test_after_a_week_of_rest_the_first_press_counts():
    finger = Finger()
    finger.wait(mask(OK), 40).wait(0, 100)
    finger.take()
    finger.now += WEEK_MS
    finger.wait(mask(OK), 40).wait(0, 50)
    assert finger.take() == [(OK, "press"), (OK, "release")]


def test_nothing_pressed_makes_no_garbage():
    keys = Keys(Clock())
    keys.feed(0, 0)
    assert keys.feed(0, 5) is keys.feed(0, 10)


# --- menus ---

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
