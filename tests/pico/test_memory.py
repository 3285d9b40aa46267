"""The memory of the chip: enough of it is left at every table, and in pieces that are large enough."""

import importlib
import pkgutil
from itertools import islice

import pytest
from kiebitz import widgets as ui
from kiebitz.store.table import Table
from kiebitz.widgets.screen import Screen
from kiebitz_lab.chip.files import changed
from kiebitz_lab.chip.probes import heap
from kiebitz_lab.chip.reference import ReferenceDevice
from kiebitz_lab.chip.rig import Rig
from kiebitz_lab.chip.soak import laps, shrinks
from kiebitz_lab.random_games import long_setups, play_on
from kiebitz_lab.samples import SAMPLES
from kiebitz_lab.torture.busy_hour import play

LEAST_FREE = 150_000
LEAST_IN_ONE_PIECE = 65_536  # eight times the largest that the app ever asks for
LEAST_AFTER_ALL = 32_768  # in one piece, after all screens
FREE_AFTER_ALL = 130_000  # each module that was loaded keeps its classes and functions
LEAST_AT_A_LONG_GAME = 60_000
TRICKS = 400
# From these there is no way back but a restart, which frees everything, or only the power brings them
LAST_SCREENS = {"BatteryEmpty", "EraseFlash", "KeepPicture", "LostFlash", "NewerData", "UndoHeld", "Updating"}
REST_MS = 400  # after an entry


@pytest.mark.parametrize("name", SAMPLES)
def test_enough_memory_is_left_at_every_table(flash, name):
    reference = ReferenceDevice().sit_down(SAMPLES[name][0])
    rig = Rig(changed(flash, reference.files())).boot()
    rig.keys("left undo")  # the menu of the table has been there as well
    left = heap(rig)
    assert left.free >= LEAST_FREE and left.largest >= LEAST_IN_ONE_PIECE, left


def test_a_device_without_a_game_has_more(flash):
    left = heap(Rig(flash).boot())
    assert left.free > 180_000 and left.largest > 110_000, left


def long_match():
    """Return a refereed Top Spot game of 400 tricks, every fifth entry taken back and redone."""
    setup = long_setups()["top_spot assisted"]
    table = Table(setup)
    events, tricks = [], 0
    while tricks < TRICKS:
        play_on(table, len(table) + 1)
        event = table.event(len(table) - 1)
        tricks += event["ev"] == "trick"
        events += [event] if len(table) % 5 else [event, {"ev": "undo"}, {"ev": "redo"}]
    return setup, events


@pytest.mark.parametrize("checkpoint", [True, False])
def test_the_longest_game_is_loaded_with_memory_to_spare(flash, checkpoint):
    setup, events = long_match()
    reference = ReferenceDevice().sit_down(setup, events)
    if checkpoint:
        reference.app.library.keep_state()
    files = reference.files()
    assert any(path.endswith(".sav") for path in files) == checkpoint
    rig = Rig(changed(flash, files)).boot(30_000)
    reference.restart()
    assert rig.frame() == reference.frame() and rig.serial.out == b""
    left = heap(rig)
    assert left.free >= LEAST_AT_A_LONG_GAME and left.largest >= LEAST_IN_ONE_PIECE // 8, left


def all_screens():
    """Return the names of all classes of screens that are not only there to be built on."""
    for module in pkgutil.walk_packages(ui.__path__, "kiebitz.widgets."):
        importlib.import_module(module.name)
    found, todo = set(), [Screen]
    while todo:
        derived = todo.pop().__subclasses__()
        ours = [screen for screen in derived if screen.__module__.startswith("kiebitz.")]  # others are of tests
        found.update(screen for screen in ours if not screen.__subclasses__())
        todo += derived
    return {screen.__name__ for screen in found}


def test_memory_does_not_shrink_with_every_screen_visited_again_and_again(bare_flash):
    """Here twice; `make soak` does it for an hour."""
    first, second = islice(laps(bare_flash, rest_ms=REST_MS), 2)
    assert not shrinks([first, first, second]), (first, second)
    assert second.heap.free > FREE_AFTER_ALL and second.heap.largest >= LEAST_AFTER_ALL, second
    assert all_screens() - LAST_SCREENS <= second.screens


def test_entries_stay_quick_and_memory_flat_while_a_laptop_never_stops_asking():
    """Here for a few seconds; `python -m kiebitz_lab.torture.busy_hour` does it for an hour."""
    assert play(0.1, games=16, tell=lambda line: None) == []
