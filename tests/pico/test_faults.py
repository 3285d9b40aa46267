"""Things go wrong around the device: it says so, lives on, and loses nothing that it has acknowledged."""

import re

import pytest
from helpers.twin import Twin
from kiebitz_host.chip.bench import Bench
from kiebitz_host.chip.branch import branch
from kiebitz_host.chip.files import changed, damaged, filled, read_files

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
BACK_MS = 2500  # a display that is plugged in again is asked for at least so often


@pytest.fixture(scope="module")
def table_flash(flash):
    """A flash with a game that has two entries."""
    twin = Twin().sit_down(ROYAL).keys("ok up ok down ok up left ok")
    return changed(flash, twin.files())


@pytest.fixture(scope="module")
def at_table(table_flash):
    """A device at the table of that game. Tests work on copies of it."""
    return Bench(table_flash).boot()


def test_the_display_goes_away_and_comes_back_with_what_was_played_meanwhile(at_table):
    def story(bench):
        bench.unplug_display()
        bench.keys("ok right ok")
        assert not bench.bus.busy
        dark = len(bench.flash.operations)
        bench.plug_display()
        bench.run_ms(BACK_MS).settle()
        return dark, bench.oled.unknown, bench.frame(), bench.run_ms(5000).settle().frame(), bench.files("data")

    written, unknown, back, later, files = branch(at_table, story)
    twin = Twin().sit_down(ROYAL).keys("ok up ok down ok up left ok ok right ok wait:5000")
    assert written and unknown == [] and any(map(any, back))
    assert later == twin.frame()
    assert files == twin.files()


def test_a_display_that_is_missing_at_power_on_shows_the_first_screen_when_it_comes(flash, first_screen):
    bench = first_screen.with_flash(flash)
    bench.unplug_display()
    bench.run_ms(2000).settle()
    assert bench.bus.bytes == 0
    bench.plug_display()
    bench.run_ms(BACK_MS).settle()
    assert bench.frame() == first_screen.frame()


def test_a_display_pulled_in_the_middle_of_a_picture_is_drawn_whole_again(at_table):
    def story(bench):
        bench.press("left")
        drawn = bench.bus.bytes
        bench.pico.run_until(lambda: bench.bus.bytes > drawn + 20, 300, step_ms=0.1)
        bench.unplug_display()
        bench.run_ms(100)
        bench.release("left")
        bench.plug_display()
        return bench.run_ms(BACK_MS).settle().frame()

    assert branch(at_table, story) == Twin().sit_down(ROYAL).keys("ok up ok down ok up left ok left").frame()


def test_a_full_flash_is_told_and_the_game_stays_as_it_was(table_flash):
    before = read_files(table_flash, "data")
    bench = Bench(filled(table_flash)).boot()
    table = bench.frame()
    for _ in range(40):  # a little room is left in the block of the journal
        bench.keys("ok right ok")
        if bench.files("data") == before:
            break
        before = bench.files("data")
    else:
        raise AssertionError("the flash never got full")
    assert bench.frame() != table
    assert "data/crash.txt" not in bench.files("data") and bench.serial.out == b""
    again = bench.power_cut().boot()
    assert again.files("data") == before


def test_a_flash_that_is_full_before_the_first_start_does_not_leave_the_display_dark(bare_flash):
    bench = Bench(filled(bare_flash)).boot()
    assert bench.oled.lit and bench.serial.out == b""


def test_a_file_system_beyond_repair_leaves_a_device_that_can_be_installed_again(table_flash):
    bench = Bench(damaged(table_flash))
    assert b"MicroPython v1.25.0" in bench.serial.wait_for(b">>> ", 3000, since=0)
    bench.serial.send(b"file = open('probe', 'w'); file.write('ok'); file.close()\r")
    bench.serial.wait_for(b">>> ")
    assert bench.files() == {"probe": b"ok"}


def test_a_supply_of_3_volts_is_shown_and_changes_nothing_else(flash, first_screen):
    bench = first_screen.with_flash(flash)
    bench.set_vsys(3000)
    bench.boot()
    assert bench.frame() == first_screen.frame()
    bench.serial.send(b"\x03")
    bench.serial.wait_for(b">>> ")
    bench.serial.send(b"from machine import ADC; print(ADC(29).read_u16() * 9900 // 65535, 'mV')\r")
    told = bench.serial.wait_for(b" mV\r")
    assert abs(int(re.findall(rb"(\d+) mV\r", told)[0]) - 3000) < 10


def test_a_usb_host_that_never_reads_does_not_stop_the_game(at_table):
    def story(bench):
        bench.serial.reading = False
        bench.serial.send(b'{"kiebitz": 1}\n' * 200)
        bench.keys("ok right ok undo")
        sent = len(bench.serial.out)
        return bench.run_ms(5000).settle().frame(), bench.files("data"), sent

    frame, files, sent = branch(at_table, story)
    twin = Twin().sit_down(ROYAL).keys("ok up ok down ok up left ok ok right ok undo wait:5000")
    assert frame == twin.frame()
    assert files == twin.files()
    assert sent == 0


def test_a_cable_pulled_in_the_middle_of_a_line_does_not_stop_the_game(at_table):
    def story(bench):
        bench.serial.send(b'{"kiebitz": 1, "ha')
        bench.run_ms(20)
        bench.serial.disconnect()
        bench.keys("ok right ok")
        bench.serial.connect()
        bench.keys("undo")
        assert bench.serial.connected_ms is not None
        frame, files = bench.run_ms(5000).settle().frame(), bench.files("data")
        bench.serial.send(b"\x03")
        return frame, files, bench.serial.wait_for(b">>> ", 3000, since=0)

    frame, files, told = branch(at_table, story)
    twin = Twin().sit_down(ROYAL).keys("ok up ok down ok up left ok ok right ok undo wait:5000")
    assert frame == twin.frame()
    assert files == twin.files()
    assert b"KeyboardInterrupt" in told


def test_it_needs_no_usb_host(flash, first_screen):
    bench = Bench(flash, usb=False).boot()
    assert bench.frame() == first_screen.frame()
    assert bench.tap("down").frame() == Twin().keys("down").frame()
    assert bench.serial.connected_ms is None
