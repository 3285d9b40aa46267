"""The turn clock on the emulated chip: it goes as in the simulator, lets the device sleep, and slows no entry."""

from statistics import median

import pytest
from kiebitz_lab.bench import device
from kiebitz_lab.chip.files import changed
from kiebitz_lab.chip.probes import branch
from kiebitz_lab.chip.reference import ReferenceDevice
from kiebitz_lab.chip.rig import Rig

SPOT = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "match_length": 9, "level": "expert"}
LIMIT_S = 30
ENTRIES = 12
MOST_SLOWER_MS = 3
AWAKE_GOAL = device.STATES["on"][1]  # percent


def to_the_clock(setup, menu="left"):
    """Return the keys from the table to its clock, which then goes with the shortest limit; `menu` opens the menu."""
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
    return median(times[::2]), median(times[1::2])  # together, the median would lie in the gap between the two


def test_an_entry_is_as_quick_as_without_it(flash):
    for without, beside in zip(entries_ms(flash), entries_ms(flash, to_the_clock(SPOT, "ok") + " left"), strict=True):
        print(f"{without:.1f} ms without a clock, {beside:.1f} ms beside one")
        assert beside < without + MOST_SLOWER_MS
