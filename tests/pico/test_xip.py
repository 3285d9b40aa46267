"""The model of the flash's cache: what it charges for, what it does not, and that it charges nothing when it is off."""

import pytest
from helpers.chip import program
from kiebitz_host.outcome import Trouble
from kiebitz_lab.chip import pico as pico_module
from kiebitz_lab.chip.files import flash_with
from kiebitz_lab.chip.pico import Pico
from kiebitz_lab.chip.processor import ROSC_HZ
from kiebitz_lab.chip.rig import Rig

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


WRITER = """
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
    return flash_with(image, program(WRITER))


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
