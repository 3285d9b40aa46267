"""Fingers on the pins: every key works, however its contact bounces, and no tap is lost."""

import pytest
from kiebitz.widgets.keys import NAMES
from kiebitz_lab.chip.files import changed
from kiebitz_lab.chip.reference import ReferenceDevice

# On the first screen, what tells that a key has worked: keys before it
WRITE = "ok ok pick:players.new"
BEFORE = {"up": "", "down": "", "left": WRITE, "right": WRITE, "ok": "", "undo": "ok"}


@pytest.mark.parametrize("key", [name.lower() for name in NAMES])
def test_every_key_works_although_its_contact_bounces(attempt, key):
    def scenario(rig):
        rig.keys(ReferenceDevice().pressed(BEFORE[key]))
        before = rig.frame()
        edges = rig.buttons[NAMES.index(key.upper())].edges
        rig.tap(key)
        return before, rig.frame(), rig.buttons[NAMES.index(key.upper())].edges - edges

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
