"""Test the rig itself: its parts and the model of the flash cache must behave like real ones."""

import hashlib

import pytest
from helpers.chip import program
from kiebitz_host.outcome import Trouble
from kiebitz_lab.chip import pico as pico_module
from kiebitz_lab.chip.flash import AFTER, BEFORE, TORN, changed, flash_with, read_files
from kiebitz_lab.chip.pico import Pico, PowerGone, TimeUp
from kiebitz_lab.chip.probes import BranchFailed, branch
from kiebitz_lab.chip.processor import ROSC_HZ
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

# Prints when a write is acknowledged, as the firmware does on its screen
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
            ns = round(pico.ns, 3)  # the two add up cycles in a different order
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
    # Checks the tests above: a program that acknowledges before it writes loses data
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


# --- the cache of the flash ---

SRAM = 0x20000000
ROM = 0x00003000  # the bootrom's own code is not needed here
FLASH = 0x10000000
UNCACHED = 0x13000000
FLUSH = 0x14000004

CYCLES = 125_000
MISS_CYCLES = 50
WAY = 8 * 1024  # addresses so far apart share a set, which has two lines
LINE = 8

COUNT = 0x3001  # adds r0, #1
READ_R2, READ_R3, READ_R4 = 0x6811, 0x6819, 0x6821  # ldr r1, [r2] and so on
READ_FOUR = 0xCAF0  # ldmia r2!, {r4-r7}
NEXT_LINE = 0x3208  # adds r2, #8
WRITE_R3 = 0x6019  # str r1, [r3]


def loop(*instructions, at=SRAM, cache=True, **registers):
    """Run a loop of these instructions for CYCLES. Returns the Pico; its r0 counts the rounds."""
    pico = Pico(b"", cache=cache)
    words = [*instructions, COUNT]
    words.append(0xE000 | -(len(words) + 2) & 0x7FF)  # branch to the start
    code = b"".join(word.to_bytes(2, "little") for word in words)
    memory = {SRAM: pico.mcu.sram, ROM: pico.mcu.bootrom}.get(at, pico.mcu.flash)
    start = at & 0xFFFFFF
    memoryview(memory).cast("B")[start : start + len(code)] = code
    for name, value in registers.items():
        pico.mcu.core.registers[int(name[1:])] = value
    pico.mcu.core.registers[0] = 0
    pico.mcu.core.pc = at
    pico.run_ms(CYCLES / ROSC_HZ * 1000)  # no program has started a PLL
    return pico


def rounds(pico):
    return pico.mcu.core.registers[0]


# --- what costs time ---


@pytest.mark.parametrize("at", [SRAM, ROM])
def test_code_outside_the_flash_costs_the_same(at):
    on, off = loop(at=at), loop(at=at, cache=False)
    assert rounds(on) == rounds(off) == pytest.approx(CYCLES / 3, abs=1)
    assert on.xip.accesses == 0 and off.xip is None


def test_a_loop_in_flash_waits_once_and_hits_from_then_on():
    on, off = loop(at=FLASH + 0x1000), loop(at=FLASH + 0x1000, cache=False)
    assert rounds(off) - rounds(on) == pytest.approx(MISS_CYCLES / 3, abs=1)
    assert on.xip.misses == 1
    assert on.xip.accesses == pytest.approx(rounds(on), abs=1), "both instructions are in one word"


def test_a_long_walk_over_the_flash_misses_at_every_line():
    walk = loop(READ_R2, NEXT_LINE, r2=FLASH)
    assert walk.xip.hits == 0
    assert walk.xip.accesses == pytest.approx(rounds(walk), abs=1)
    assert rounds(walk) == pytest.approx(CYCLES / (MISS_CYCLES + 6), abs=1)


def test_several_words_are_read_one_by_one():
    walk = loop(READ_FOUR, r2=FLASH)
    assert walk.xip.hits == pytest.approx(walk.xip.misses, abs=1), "two words in a line"
    assert walk.xip.accesses == pytest.approx(4 * rounds(walk), abs=4)


def test_two_addresses_that_share_a_set_stay_and_three_drive_each_other_out():
    two = loop(READ_R2, READ_R3, r2=FLASH, r3=FLASH + WAY)
    assert two.xip.misses == 2 and two.xip.hits > 1000
    three = loop(READ_R2, READ_R3, READ_R4, r2=FLASH, r3=FLASH + WAY, r4=FLASH + 2 * WAY)
    assert three.xip.hits == 0 and three.xip.misses > 1000
    beside = loop(READ_R2, READ_R3, READ_R4, r2=FLASH, r3=FLASH + WAY, r4=FLASH + 2 * WAY + LINE)
    assert beside.xip.misses == 3


def test_the_uncached_mirror_of_the_flash_is_left_out():
    on, off = loop(READ_R2, r2=UNCACHED), loop(READ_R2, r2=UNCACHED, cache=False)
    assert rounds(on) == rounds(off) and on.xip.accesses == 0


# --- flushes and counters ---


def test_a_program_that_flushes_the_cache_waits_again():
    flushing = loop(READ_R2, WRITE_R3, r2=FLASH, r3=FLUSH)
    assert flushing.xip.hits == 0 and flushing.xip.misses > 1000
    assert flushing.xip.flushes == pytest.approx(flushing.xip.misses, abs=1)


SLOW_WRITER = """
import time
from machine import mem32
time.sleep_ms(100)  # until USB is ready
with open("log", "w") as file:
    file.write("entry")
mem32[0x1400000C] = 0
mem32[0x14000010] = 0
for i in range(1000):
    pass
hits = mem32[0x1400000C]
print("counted", hits, mem32[0x14000010])
"""


@pytest.fixture(scope="module")
def writer_flash(image):
    return flash_with(image, program(SLOW_WRITER))


def test_a_write_to_a_file_flushes_the_cache(writer_flash):
    rig = Rig(writer_flash, cache=True)
    rig.run_ms(50)
    assert not rig.flash.operations
    before = rig.pico.xip.flushes
    rig.pico.run_until(lambda: rig.flash.operations)
    rig.run_ms(200)
    assert rig.pico.xip.flushes > before


def test_a_program_clears_and_reads_the_counters(writer_flash):
    printed = Rig(writer_flash, cache=True).serial.wait_for(b">>> ", since=0)
    hits, accesses = map(int, printed.split(b"counted ")[1].split(b"\r")[0].split())
    assert 10_000 < hits < accesses < hits * 1.05, "a short loop runs from the cache"
    without = Rig(writer_flash).serial.wait_for(b">>> ", since=0)
    assert b"counted 0 0\r" in without


def test_a_reset_empties_the_cache_and_clears_the_counters():
    pico = loop(at=FLASH + 0x1000)
    pico.reset()
    assert (pico.xip.accesses, pico.xip.hits) == (0, 0)


# --- the whole device ---


def test_the_same_run_takes_the_same_cycles_and_more_than_without_the_cache(flash):
    def marks(**conditions):
        rig = Rig(flash, **conditions).boot()
        xip = rig.pico.xip
        return rig.pico.cycles, rig.ms, xip and (xip.hits, xip.accesses, xip.flushes)

    first = marks(cache=True)
    assert marks(cache=True) == first
    plain = marks()
    assert marks(cache=False) == plain
    assert 1.05 < first[1] / plain[1] < 1.6


def test_the_cache_stays_after_a_power_cut(first_screen, flash):
    assert first_screen.pico.xip is None
    assert Rig(flash, cache=True).power_cut().pico.xip is not None


def test_without_the_fast_core_the_model_says_what_it_needs(monkeypatch):
    monkeypatch.setattr(pico_module, "fast_library", lambda: None)
    with pytest.raises(Trouble, match="C compiler"):
        Pico(b"", cache=True)
