"""Switched on: the firmware starts on real MicroPython, and the display shows what the simulator shows."""

import hashlib

import pytest
from kiebitz.board.profiles import PROFILES
from kiebitz_lab.chip.bench import Bench
from kiebitz_lab.chip.branch import branch
from kiebitz_lab.chip.files import changed
from kiebitz_lab.chip.twin import Twin, in_use

SH1106 = "pico_oled_sh1106"


def digest(frame):
    return hashlib.sha256(b"".join(frame)).hexdigest()


def test_it_starts_and_shows_its_first_screen(first_screen):
    assert first_screen.oled.lit
    assert first_screen.oled.unknown == []
    assert first_screen.serial.out == b""
    assert first_screen.pico.complaints == []
    assert "data/crash.txt" not in first_screen.files()


def test_the_first_screen_is_that_of_the_simulator_pixel_by_pixel(first_screen):
    assert first_screen.frame() == Twin().frame()


def test_a_new_device_asks_for_the_language(bare_flash):
    bench = Bench(bare_flash).boot()
    assert bench.frame() == Twin(language=None).frame()
    bench.tap("ok")
    assert bench.frame() == Twin(language=None).keys("ok").frame()


@pytest.mark.parametrize("known", [False, True])
def test_an_sh1106_is_found_and_shows_the_same(bare_flash, first_screen, known):
    files = in_use(SH1106) if known else Twin(board=SH1106).files()
    bench = Bench(changed(bare_flash, files), SH1106).boot()
    assert bench.oled.controller == PROFILES[SH1106].display.controller == "sh1106"
    assert bench.oled.unknown == []
    assert bench.frame() == first_screen.frame()
    bench.tap("down")
    assert bench.frame() == Twin().keys("down").frame()


def test_the_same_run_is_the_same_to_the_cycle(flash, first_screen):
    again = Bench(flash).boot()
    for bench in (first_screen, again):
        assert bench.pico.cycles == again.pico.cycles
        assert bench.ms == again.ms
        assert digest(bench.frame()) == digest(again.frame())
        assert bench.flash.operations == again.flash.operations

    def play(bench):
        bench.keys("down ok undo hold:down")
        return bench.pico.cycles, bench.ms, digest(bench.frame()), hashlib.sha256(bench.pico.mcu.sram).hexdigest()

    assert branch(again, play) == branch(first_screen, play) == branch(first_screen, play)


def test_nothing_is_written_to_flash_at_a_start(first_screen):
    assert first_screen.flash.operations == []


def test_the_reset_button_starts_it_again(attempt):
    def story(bench):
        bench.keys("down ok")
        bench.pico.reset()
        return bench.boot().frame()

    assert attempt(story) == Twin().frame()
