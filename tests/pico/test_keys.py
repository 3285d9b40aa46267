"""Fingers on the pins: every key works, however its contact bounces, and no tap is lost."""

import pytest
from kiebitz.widgets.keys import NAMES
from kiebitz_lab.chip.files import changed
from kiebitz_lab.chip.twin import Twin

# On the first screen, what tells that a key has worked: keys before it
BEFORE = {"up": "", "down": "", "left": "ok ok ok", "right": "ok ok ok", "ok": "", "undo": "ok"}


@pytest.mark.parametrize("key", [name.lower() for name in NAMES])
def test_every_key_works_although_its_contact_bounces(attempt, key):
    def story(bench):
        bench.keys(BEFORE[key])
        before = bench.frame()
        edges = bench.buttons[NAMES.index(key.upper())].edges
        bench.tap(key)
        return before, bench.frame(), bench.buttons[NAMES.index(key.upper())].edges - edges

    before, after, edges = attempt(story)
    assert edges == 10  # down and up, each with four edges of bounce
    twin = Twin().keys(BEFORE[key])
    assert before == twin.frame()
    assert after == twin.keys(key).frame()
    assert after != before


def test_a_held_arrow_repeats_and_a_bouncing_one_does_not(attempt):
    held = attempt(lambda bench: bench.tap("down", 740).frame())
    assert held == Twin().keys("hold:down").frame()
    assert held != Twin().keys("down").frame()
    assert attempt(lambda bench: bench.tap("down", 300).frame()) == Twin().keys("down").frame()


def test_taps_of_40_ms_are_all_taken(attempt):
    def story(bench):
        for _ in range(6):
            bench.press("down")
            bench.run_ms(40)
            bench.release("down")
            bench.run_ms(60)
        return bench.settle().frame()

    assert attempt(story) == Twin().keys("down*6").frame()


def test_a_key_that_is_stuck_at_power_on_does_nothing_until_it_is_let_go(flash, first_screen):
    bench = first_screen.with_flash(flash)
    bench.press("down")
    bench.boot().run_ms(1500).settle()
    assert bench.frame() == first_screen.frame()
    bench.tap("ok")
    assert bench.frame() == Twin().keys("ok").frame(), "the other keys work"
    bench.tap("undo")
    bench.release("down")
    bench.run_ms(100)
    bench.tap("down")
    assert bench.frame() == Twin().keys("down").frame()


def test_the_buzzer_answers_an_entry(flash, first_screen):
    twin = Twin().sit_down({"game": "top_spot", "players": ["Anna", "Ben", "Cleo"]})
    bench = first_screen.with_flash(changed(flash, twin.files())).boot()
    assert bench.buzzer.beeps == 0
    bench.press("up")
    bench.pico.run_until(lambda: bench.buzzer.tone, 300)
    assert bench.buzzer.tone == pytest.approx(1500, rel=0.02)
    bench.release("up")
    bench.settle().run_ms(50)  # the beep outlasts the picture
    assert bench.buzzer.tone == 0 and bench.buzzer.beeps == 1
