"""The rig itself: its parts do what real ones do, or the tests on it would prove nothing."""

import hashlib

import pytest
from helpers.chip import program
from kiebitz_lab.chip.files import changed, flash_with, read_files
from kiebitz_lab.chip.flash import AFTER, BEFORE, TORN
from kiebitz_lab.chip.pico import Pico, PowerGone, TimeUp
from kiebitz_lab.chip.probes import BranchFailed, branch
from kiebitz_lab.chip.rig import Rig

FRAME = """
from machine import I2C, Pin
import time
bus = I2C(0, sda=Pin(4), scl=Pin(5), freq={hz})
time.sleep_ms(100)  # MicroPython loses output when it is kept from looking after USB while the host opens the port
frame = b"\\x40" + bytes(1024)
try:
    bus.writeto({address}, b"\\x00\\xe3")
    start = time.ticks_us()
    bus.writeto(0x3C, frame)
    print("took", time.ticks_diff(time.ticks_us(), start))
except OSError as trouble:
    print("took", trouble)
"""

# Says when a write is acknowledged, as the firmware does by its screen
WRITER = """
print("start")
for i in range(50):
    with open("log", "a") as file:
        file.write("entry %03d\\n" % i)
    print("wrote", i)
print("end")
"""


def board(image, source, **conditions):
    return Rig(flash_with(image, program(source)), **conditions)


def told(rig, word, limit_ms=5000):
    """Return what the program prints after a word."""
    return rig.serial.wait_for(b">>> ", limit_ms, since=0).split(word.encode())[1].split(b"\r")[0].strip().decode()


# --- processor and clock ---


def test_the_fast_core_is_the_emulator_to_the_cycle(flash):
    def marks(fast):
        pico = Pico(flash, fast)
        found = []
        for ms in (5, 15, 60):
            pico.run_ms(ms)
            sram = hashlib.sha256(pico.mcu.sram).hexdigest()
            ns = round(pico.ns, 3)  # the two add up cycles in another order
            found.append((pico.cycles, ns, sram, list(pico.mcu.core.registers), pico.mcu.core.apsr))
        return found

    assert marks(True) == marks(False)


def test_waiting_for_something_that_does_not_happen_ends(first_screen):
    def scenario(rig):
        started = rig.ms
        with pytest.raises(TimeUp):
            rig.pico.run_until(lambda: False, 50)
        return rig.ms - started

    assert 50 <= branch(first_screen, scenario) < 52


def test_a_branch_leaves_no_trace_and_tells_what_went_wrong(first_screen):
    cycles = first_screen.pico.cycles
    assert branch(first_screen, lambda rig: rig.run_ms(100).pico.cycles) > cycles
    assert first_screen.pico.cycles == cycles
    with pytest.raises(BranchFailed, match="ZeroDivisionError"):
        branch(first_screen, lambda rig: 1 // 0)

    def wrong(rig):
        assert rig.ms == 0, "not at all"

    with pytest.raises(AssertionError, match="not at all"):
        branch(first_screen, wrong)


# --- the bus ---


@pytest.mark.parametrize(("hz", "least", "most"), [(400_000, 23_500, 24_700), (1_000_000, 9_400, 10_400)])
def test_a_frame_takes_its_time_on_the_bus(image, hz, least, most):
    rig = board(image, FRAME.format(hz=hz, address=0x3C))
    assert least <= int(told(rig, "took")) <= most
    assert rig.bus.bytes == 2 + 1025


def test_nobody_answers_at_a_wrong_address_or_without_a_display(image):
    assert "EIO" in told(board(image, FRAME.format(hz=400_000, address=0x3D)), "took")
    rig = board(image, FRAME.format(hz=400_000, address=0x3C))
    rig.unplug_display()
    assert "EIO" in told(rig, "took")


# --- the flash ---


def test_the_flash_takes_its_time(image):
    rig = board(image, WRITER)
    told(rig, "end")
    erases = [operation for operation in rig.flash.operations if operation.kind == "erase"]
    programs = [operation for operation in rig.flash.operations if operation.kind == "program"]
    assert len(erases) >= 3 and len(programs) >= 50
    assert rig.ms > len(erases) * 45 + len(programs) * 0.7
    assert {operation.size for operation in erases} == {4096}
    assert all(operation.size <= 256 for operation in programs)
    quick = board(image, WRITER, erase_ms=0, program_ms=0)
    told(quick, "end")
    assert quick.ms < rig.ms / 2
    assert quick.files() == rig.files()


@pytest.mark.parametrize("how", [BEFORE, TORN, AFTER])
def test_the_power_goes_at_any_operation_and_what_was_told_is_there(image, how):
    for ahead in range(0, 12, 2):
        rig = board(image, WRITER, seed=ahead)
        rig.serial.wait_for(b"wrote 3\r")
        before = rig.pico.flash_content()
        rig.flash.cut_at_operation(ahead, how)
        rig.run_ms(3000)
        assert not rig.pico.powered and rig.flash.cut
        acknowledged = rig.serial.out.count(b"wrote")
        at = rig.flash.cut.address
        if how == BEFORE and not ahead:
            assert rig.pico.flash_content() == before
        elif how == AFTER and rig.flash.cut.kind == "erase":
            assert set(rig.pico.flash_content()[at : at + 4096]) == {0xFF}
        log = read_files(rig.pico.flash_content())["log"]
        assert acknowledged <= log.count(b"\n") <= acknowledged + 1
        with pytest.raises(PowerGone):
            rig.run_ms(1)


def test_the_power_goes_at_any_moment_also_in_the_middle_of_an_erase(image):
    torn = 0
    for ms in range(0, 60, 7):
        rig = board(image, WRITER, seed=ms)
        rig.serial.wait_for(b"wrote 3\r")
        rig.pico.at(ms, rig.flash.cut_now)
        rig.run_ms(3000)
        torn += rig.flash.cut is not None
        acknowledged = rig.serial.out.count(b"wrote")
        again = rig.power_cut()
        again.pico.run_until(lambda: again.serial.connected_ms, 1000)  # noqa: B023 - called at once
        log = read_files(rig.pico.flash_content())["log"]
        assert acknowledged <= log.count(b"\n") <= acknowledged + 1
    assert torn > 2


def test_an_answer_before_the_write_would_be_caught(image):
    # The test of the tests above: a program that tells before it writes loses what it told
    early = WRITER.replace('    with open("log"', '    print("wrote", i)\n    with open("log"', 1)
    rig = board(image, early)
    rig.pico.run_until(lambda: b"wrote 3\r" in rig.serial.out, step_ms=0.01)  # before the write begins
    rig.flash.cut_at_operation(0, BEFORE)
    rig.run_ms(3000)
    assert b"entry 003" not in read_files(rig.pico.flash_content())["log"]


def test_files_are_written_and_removed_on_the_host_as_well(image):
    flash = flash_with(image, {"main.py": b"", "folder/one": b"1", "folder/two": b"2"})
    flash = changed(flash, {"folder/two": None, "folder/three": b"3" * 5000})
    assert read_files(flash) == {"main.py": b"", "folder/one": b"1", "folder/three": b"3" * 5000}
    assert read_files(flash, "folder") == {"folder/one": b"1", "folder/three": b"3" * 5000}
    assert read_files(flash, "nothing") == {}


# --- resets ---


def test_a_program_resets_itself_and_learns_why(image):
    program = """
import machine, time
time.sleep_ms(100)
print("cause", machine.reset_cause())
time.sleep_ms(100)
if machine.reset_cause() == machine.PWRON_RESET:
    machine.reset()
"""
    rig = board(image, program)
    rig.serial.wait_for(b"cause 3", 2000, since=0)
    assert b"cause 1" in rig.serial.out and rig.pico.resets == 1


def test_the_watchdog_of_the_chip_bites(image):
    program = "import machine, time\ntime.sleep_ms(50)\nprint('start')\nmachine.WDT(timeout=300)\ntime.sleep(5)\n"
    rig = board(image, program)
    rig.run_ms(1200)
    assert rig.pico.resets == rig.serial.out.count(b"start") - 1 >= 2
