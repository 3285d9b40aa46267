"""Test keys and the turn clock on the emulated Pico."""

from statistics import median

import pytest
from kiebitz.widgets.keys import NAMES
from kiebitz_lab.bench import device
from kiebitz_lab.chip.flash import changed
from kiebitz_lab.chip.probes import branch
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.handheld import ReferenceDevice

# Keys to press before each key on the first screen, so that its effect is visible
WRITE = "ok ok pick:players.new"
BEFORE = {"up": "", "down": "", "left": WRITE, "right": WRITE, "ok": "", "undo": "ok"}


@pytest.mark.parametrize("key", [name.lower() for name in NAMES])
def test_every_key_works_although_its_contact_bounces(attempt, key):
    def scenario(rig):
        rig.keys(ReferenceDevice().pressed(BEFORE[key]))
        before = rig.frame()
        (button,) = rig.buttons[NAMES.index(key.upper())]
        edges = button.edges
        rig.tap(key)
        return before, rig.frame(), button.edges - edges

    before, after, edges = attempt(scenario)
    assert edges == 10  # down and up, each with four edges of bounce
    reference = ReferenceDevice().keys(BEFORE[key])
    assert before == reference.frame()
    assert after == reference.keys(key).frame()
    assert after != before


def test_a_held_arrow_repeats_and_a_bouncing_one_does_not(attempt):
    held = attempt(lambda rig: rig.tap("down", 740).frame())
    assert held == ReferenceDevice().keys("hold:down").frame()
    assert held != ReferenceDevice().keys("down").frame()
    assert attempt(lambda rig: rig.tap("down", 300).frame()) == ReferenceDevice().keys("down").frame()


def test_taps_of_40_ms_are_all_taken(attempt):
    def scenario(rig):
        for _ in range(6):
            rig.press("down")
            rig.run_ms(40)
            rig.release("down")
            rig.run_ms(60)
        return rig.settle().frame()

    assert attempt(scenario) == ReferenceDevice().keys("down*6").frame()


def test_a_key_that_is_stuck_at_power_on_does_nothing_until_it_is_let_go(flash, first_screen):
    rig = first_screen.with_flash(flash)
    rig.press("down")
    rig.boot().run_ms(1500).settle()
    assert rig.frame() == first_screen.frame()
    rig.tap("ok")
    assert rig.frame() == ReferenceDevice().keys("ok").frame(), "the other keys work"
    rig.tap("undo")
    rig.release("down")
    rig.run_ms(100)
    rig.tap("down")
    assert rig.frame() == ReferenceDevice().keys("down").frame()


def test_the_buzzer_answers_an_entry(flash, first_screen):
    reference = ReferenceDevice().sit_down({"game": "top_spot", "players": ["Anna", "Ben", "Cleo"]})
    rig = first_screen.with_flash(changed(flash, reference.files())).boot()
    assert rig.buzzer.beeps == 0
    rig.press("up")
    rig.pico.run_until(lambda: rig.buzzer.tone, 300)
    assert rig.buzzer.tone == pytest.approx(1500, rel=0.02)
    rig.release("up")
    rig.settle().run_ms(50)  # the beep outlasts the picture
    assert rig.buzzer.tone == 0 and rig.buzzer.beeps == 1


SPOT = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "match_length": 9, "level": "expert"}
LIMIT_S = 30
ENTRIES = 12
MOST_SLOWER_MS = 4
AWAKE_GOAL = device.STATES["on"][1]  # percent


def to_the_clock(setup, menu="left"):
    """Return the keys that start the clock with the shortest limit; `menu` opens the menu of the table."""
    return ReferenceDevice().sit_down(setup).pressed(f"{menu} pick:clock.title right pick:clock.limit pick:clock.on ok")


@pytest.fixture(scope="module")
def table_flash(flash):
    return changed(flash, ReferenceDevice().sit_down(device.SETUP).files())


@pytest.fixture(scope="module")
def going(table_flash):
    """Return a device on battery whose clock was just started."""
    return Rig(table_flash, usb=False).boot().keys(to_the_clock(device.SETUP))


def test_it_goes_as_in_the_simulator_and_beeps_once(going):
    def scenario(rig):
        rig.run_ms(500)
        beeps = rig.buzzer.beeps
        rig.run_ms((LIMIT_S - 2) * 1000)
        before = rig.buzzer.beeps
        rig.run_ms(12_000)
        return before - beeps, rig.buzzer.beeps - beeps, rig.settle().frame()

    early, beeps, frame = branch(going, scenario)
    reference = ReferenceDevice().sit_down(device.SETUP).keys(to_the_clock(device.SETUP))
    assert (early, beeps) == (0, 1)
    reference.keys("wait:38000")
    assert frame in [reference.keys("wait:250").frame() for _ in range(16)]


def test_while_its_seconds_are_shown_it_still_sleeps_most_of_the_time(going):
    def scenario(rig):
        rig.run_ms(1000)
        cycles, start = rig.pico.cycles, rig.ms
        rig.run_ms(10_000)
        return 100 * rig.pico.load(rig.pico.cycles - cycles, rig.ms - start)

    awake = branch(going, scenario)
    print(f"awake {awake:.2f} %")
    assert awake < AWAKE_GOAL


def entries_ms(flash, keys=""):
    """Return the median times of an entry and of an undo, from the key until flash and display are done."""
    rig = Rig(changed(flash, ReferenceDevice().sit_down(SPOT).files())).boot(20_000)
    rig.keys(keys).run_ms(1000)
    times = []
    for k in range(ENTRIES):
        start = rig.ms
        rig.tap(("left", "undo")[k % 2])
        times.append(max(rig.bus.drawn_ms, rig.flash.done_ms) - start)
        rig.run_ms(400)
    return median(times[::2]), median(times[1::2])  # separate, because a common median would be meaningless


def test_an_entry_is_as_quick_as_without_it(flash):
    for without, beside in zip(entries_ms(flash), entries_ms(flash, to_the_clock(SPOT, "ok") + " left"), strict=True):
        print(f"{without:.1f} ms without a clock, {beside:.1f} ms beside one")
        assert beside < without + MOST_SLOWER_MS
