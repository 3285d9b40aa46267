"""Measure the firmware on the emulated RP2040, in emulated time: start, keys, memory, and rest on battery."""

import json
import math
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import median
from typing import Any, NamedTuple

from kiebitz_host.outcome import Trouble
from kiebitz_host.sim.flash_folder import DATA
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from kiebitz_lab.image.build import current_image
from kiebitz_lab.image.room import current_room

from ..chip.flash import changed, flash_with, read_files
from ..chip.probes import ReferenceDevice, branch, heap, in_use
from ..chip.rig import Rig
from ..handheld import presses
from ..samples import SAMPLES
from .games import sample_games

ARROWS = ("up", "down", "left", "right")
KEYS = (*ARROWS, "ok", "undo")
VISITS = (1, 4)  # a screen is measured when it first appears, and once later
REST_MS = 500  # before a measured press, because players look at the display first
TAPS = 30
TAP_MS = 40
LONG_TAP_MS = 300  # shorter than a hold
TAP_EVERY_MS = 90

XIP = "xip"  # the key of the column with the cache

# Highest milliseconds allowed, without and with the model of the cache
GOALS_MS = {
    "boot": (75, 95),
    "resume_400": (210, 260),
    "press_median": (20, 23),
    "press_p95": (62, 68),
    "cursor_median": (10, 12),
    "cursor_max": (24, 28),
    "entry_median": (48, 52),
    "entry_p95": (85, 92),
    "undo_400": (68, 80),
}
TAPS_LOST_GOAL = 0
HEAP_FREE_GOAL = 180_000  # bytes, at least
LARGEST_PIECE_GOAL = 100_000
IMAGE_FREE_GOAL = 450 * 1024  # below the file system

PowerOn = Callable[[bytes], Rig]


class Press(NamedTuple):
    """One key pressed on one screen, in milliseconds to the last byte of the picture.

    A key with another meaning when held acts on release, because only then is the meaning known. `ms` counts
    from that moment, `contact_ms` from the contact.
    """

    screen: str
    key: str
    ms: float
    contact_ms: float
    cursor: bool  # the screen stayed and nothing was entered


def measure() -> dict[str, Any]:
    """Measure both columns, each in a process of its own. Returns the figures by their names in build/bench.json."""
    with ProcessPoolExecutor(1) as other:
        with_cache = other.submit(measure_column, True)
        figures = measure_column(False)
        try:
            figures[XIP] = with_cache.result()
        except Trouble as trouble:  # without a compiler only the first column is measured
            print(f"Not measured with the cache: {trouble}", file=sys.stderr)
    return figures


def measure_column(cache: bool) -> dict[str, Any]:
    """Measure the device with or without the model of the cache. Returns the figures of one column.

    Figures that do not depend on the cache are measured without it only.
    """
    flash = flash_with(current_image(), in_use())
    games = long_games(flash)
    power_on = partial(Rig, cache=cache)
    figures: dict[str, Any] = {
        "boot_ms": round(_boot_ms(power_on(flash))),
        "resume_400_ms": {name: round(_boot_ms(power_on(game))) for name, game in games.items()},
        "undo_400_ms": {name: round(_undo_ms(power_on(game))) for name, game in games.items()},
        **_press_figures(flash, power_on),
        **_entry_figures(flash, power_on),
    }
    if not cache:
        figures.update(_memory(games))
        figures["resume_400_without_checkpoint_ms"] = {
            name: round(_boot_ms(power_on(_without_checkpoint(game)))) for name, game in games.items()
        }
        figures["clock_mhz"] = Rig(flash).boot().pico.clocks.fastest_hz / 1e6
        image = current_room()
        figures.update(image_bytes=image["size"], image_free=image["free"], image_room=image["rows"])
        figures["taps_lost"] = _taps_lost(flash)
    return figures


def _boot_ms(rig: Rig) -> float:
    """Return the milliseconds from power-on until the display is lit with the complete first screen."""
    rig.pico.run_until(lambda: rig.oled.lit, 20_000)
    return rig.ms


# --- long games ---


def long_games(flash: bytes) -> dict[str, bytes]:
    """Play every sample game of 400 events. Returns {name: flash of the device after it was switched off}."""
    games = {}
    for name, lines in sample_games().items():
        setup, *events = map(json.loads, lines)
        reference = ReferenceDevice().sit_down(setup, events)
        reference.app.library.keep_state()
        games[name] = changed(flash, reference.files())
    return games


def _without_checkpoint(flash: bytes) -> bytes:
    return changed(flash, {path: None for path in read_files(flash, DATA) if path.endswith(".sav")})


def _memory(games: dict[str, bytes]) -> dict[str, Any]:
    left = {name: heap(Rig(game).boot(20_000)) for name, game in games.items()}
    return {
        "heap_free": {name: each.free for name, each in left.items()},
        "heap_largest_piece": {name: each.largest for name, each in left.items()},
    }


def _undo_ms(rig: Rig) -> float:
    """Return the milliseconds from the release of UNDO, which triggers it, until flash and display are done."""
    rig.boot(20_000).run_ms(REST_MS)
    rig.press("undo")
    rig.run_ms(TAP_MS).settle()
    start = rig.ms
    rig.release("undo")
    rig.settle()
    return max(rig.bus.drawn_ms, rig.flash.done_ms) - start


# --- presses ---


def _press_figures(flash: bytes, power_on: PowerOn) -> dict[str, Any]:
    measured = [press for sample in SAMPLES for press in _presses(flash, sample, power_on) if press.ms > 0]
    return {
        "press_to_pixels_ms": _spread([press.ms for press in measured]),
        "contact_to_pixels_ms": _spread([press.contact_ms for press in measured]),
        "cursor_to_pixels_ms": _spread([press.ms for press in measured if press.cursor]),
        "press_to_pixels_by_screen_ms": {
            f"{screen} {key}": round(max(each.ms for each in measured if (each.screen, each.key) == (screen, key)), 1)
            for screen, key in sorted({(press.screen, press.key) for press in measured})
        },
    }


def _presses(flash: bytes, sample: str, power_on: PowerOn) -> list[Press]:
    """Press every key on every screen that appears in the sample game. Returns the measured presses."""
    setup, keys = SAMPLES[sample]
    reference = ReferenceDevice().sit_down(setup)
    rig = power_on(changed(flash, reference.files())).boot()
    seen: dict[str, int] = {}
    measured = []
    for key in presses(keys):
        screen = type(reference.app.top).__name__
        seen[screen] = seen.get(screen, 0) + 1
        if seen[screen] in VISITS:
            rig.run_ms(REST_MS)
            measured += [_press(rig, reference, other) for other in KEYS]
        rig.keys(key)
        reference.keys(key)
    return measured


def _press(rig: Rig, reference: ReferenceDevice, key: str) -> Press:
    """Measure one press: its time on a copy of the chip, its effect on the reference device. Returns the press."""
    top = reference.app.top
    screen = type(top).__name__

    def scenario(rig: Rig):
        entries = reference.app.library.journal.lines
        reference.keys(key)
        cursor = reference.app.top is top and reference.app.library.journal.lines == entries and key in ARROWS
        start = rig.ms
        rig.tap(key, TAP_MS)
        return rig.bus.drawn_ms - start, cursor

    ms, cursor = branch(rig, scenario)
    return Press(screen, key, ms - _finger_ms(rig, key, ms), ms, cursor)


def _finger_ms(rig: Rig, key: str, ms: float) -> float:
    """Return how long the meaning of a press is undecided: the whole tap if the key acts on release."""
    if ms <= TAP_MS:
        return 0

    def scenario(rig: Rig):
        start, operations = rig.ms, len(rig.flash.operations)
        rig.press(key)
        rig.run_ms(LONG_TAP_MS)
        return rig.bus.drawn_ms > start or len(rig.flash.operations) > operations

    return 0 if branch(rig, scenario) else TAP_MS


def _entry_figures(flash: bytes, power_on: PowerOn) -> dict[str, Any]:
    entries = [entry for sample in SAMPLES for entry in _entries(flash, sample, power_on)]
    return {
        "entry_to_flash_ms": _spread([ms - finger_ms for ms, finger_ms in entries]),
        "contact_to_flash_ms": _spread([ms for ms, _ in entries]),
    }


def _entries(flash: bytes, sample: str, power_on: PowerOn) -> list[tuple[float, float]]:
    """Return (milliseconds from the contact until flash and display are done, those of the finger) of each entry."""
    setup, keys = SAMPLES[sample]
    rig = power_on(changed(flash, ReferenceDevice().sit_down(setup).files())).boot()
    times = []
    for entry in filter(None, keys.splitlines()):
        *before, last = presses(entry)
        rig.keys(" ".join(before)).run_ms(REST_MS)
        finger_ms = _finger_ms(rig, last, math.inf)
        operations = len(rig.flash.operations)
        start = rig.ms
        rig.tap(last, TAP_MS)
        if len(rig.flash.operations) > operations:
            times.append((max(rig.bus.drawn_ms, rig.flash.done_ms) - start, finger_ms))
    return times


def _taps_lost(flash: bytes) -> int:
    """Return how many of several quick, short taps on the first screen, whose cursor wraps around, had no effect."""
    rig = Rig(flash).boot()
    frames = []
    for _ in range(TAPS):
        rig.press("down")
        rig.run_ms(TAP_MS)
        rig.release("down")
        rig.run_ms(TAP_EVERY_MS - TAP_MS)
        frames.append(rig.frame())
    return sum(before == after for before, after in zip([[], *frames], frames, strict=False))


def _spread(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        "n": len(ordered),
        "median": round(median(ordered), 1),
        "p95": round(ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)], 1),
        "max": round(ordered[-1], 1),
    }


# --- the table ---


class Row(NamedTuple):
    """A line of the table with a figure and its goal, without and with the cache; None is left blank."""

    name: str
    plain: float
    goal: float | None = None
    cached: float | None = None
    cached_goal: float | None = None


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print both columns, the goal beside each figure."""
    title = f"The device, in emulated time at {figures['clock_mhz']:.0f} MHz"
    grid = Grid(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    grid.add_column("figure", no_wrap=True)
    for heading in ("plain", "goal", "with cache", "goal"):
        grid.add_column(heading, justify="right")
    for name, *cells in _rows(figures):
        grid.add_row(name, *("" if cell is None else f"{cell:,}" for cell in cells))
    (console or Console()).print(grid)


def _rows(figures: dict[str, Any]) -> Iterator[Row]:
    yield _row(figures, "boot_ms", "boot")
    for name in figures["resume_400_ms"]:
        yield _row(figures, "resume_400_ms", "resume_400", name)
    for name, ms in figures["resume_400_without_checkpoint_ms"].items():
        yield Row(f"  without checkpoint: {name}", ms)
    spreads = {
        "press": "press_to_pixels_ms",
        "contact": "contact_to_pixels_ms",
        "cursor": "cursor_to_pixels_ms",
        "entry": "entry_to_flash_ms",
        "contact_entry": "contact_to_flash_ms",
    }
    for goal, key in spreads.items():
        for part in ("median", "p95", "max"):
            yield _row(figures, key, f"{goal}_{part}", part)
    for name in figures["undo_400_ms"]:
        yield _row(figures, "undo_400_ms", "undo_400", name)
    yield Row(f"taps of {TAP_MS} ms lost, of {TAPS}", figures["taps_lost"], TAPS_LOST_GOAL)
    for name, free in figures["heap_free"].items():
        yield Row(f"heap_free {name}", free, HEAP_FREE_GOAL)
    for name, piece in figures["heap_largest_piece"].items():
        yield Row(f"  largest piece: {name}", piece, LARGEST_PIECE_GOAL)
    yield Row("image_bytes", figures["image_bytes"])
    yield Row("image_free", figures["image_free"], IMAGE_FREE_GOAL)


def _row(figures: dict[str, Any], key: str, goal: str, part: str = "") -> Row:
    """Return the row of a figure in both columns, or of one part of the figure."""
    values = [column[key][part] if part else column[key] for column in (figures, figures.get(XIP)) if column]
    (plain, cached), goals = (*values, None)[:2], GOALS_MS.get(goal, (None, None))
    return Row(f"{key} {part}".rstrip(), plain, goals[0], cached, None if cached is None else goals[1])


SETUP = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
# State of the display -> (milliseconds after which it is in this state, highest percentage of time awake)
STATES = {"on": (5_000, 10), "dimmed": (65_000, 5), "off": (305_000, 1)}
MEASURED_MS = 10_000
PRESS_GOAL_MS = 60
REST_PRESSES = 8  # at different moments of the sleep
PRESS_EVERY_MS = 7.3


def measure_rest() -> dict[str, Any]:
    """Return {state: {"awake_percent": ..., "press_ms": the longest time from a press until the display shows it}}."""
    flash = changed(flash_with(current_image(), in_use()), ReferenceDevice().sit_down(SETUP).files())
    rig = Rig(flash, usb=False).boot()
    figures = {}
    for state, (after_ms, _) in STATES.items():
        rig.run_ms(after_ms - rig.ms)
        presses = [branch(rig, partial(_press_ms, wait_ms=k * PRESS_EVERY_MS)) for k in range(REST_PRESSES)]
        figures[state] = {"awake_percent": round(awake(rig), 2), "press_ms": round(max(presses), 1)}
    return figures


def awake(rig: Rig) -> float:
    """Return the percentage of the next seconds in which the processor works."""
    cycles, start = rig.pico.cycles, rig.ms
    rig.run_ms(MEASURED_MS)
    return 100 * rig.pico.load(rig.pico.cycles - cycles, rig.ms - start)


def _press_ms(rig: Rig, wait_ms: float) -> float:
    """Return the milliseconds from a press of LEFT until the menu is drawn, or until a dark display is lit."""
    rig.run_ms(wait_ms)
    was_lit, start = rig.oled.lit, rig.ms
    rig.press("left")
    rig.pico.at(TAP_MS, lambda: rig.release("left"))
    if was_lit:
        rig.run_ms(TAP_MS).settle()
        return rig.bus.drawn_ms - start
    rig.pico.run_until(lambda: rig.oled.lit, 1000)
    return rig.ms - start


def show_rest(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures, the goal beside each."""
    title = "On battery, nobody presses a key: emulated time"
    grid = Grid(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    for heading in ("display", "awake", "goal", "a press shows within", "goal"):
        grid.add_column(heading, justify="left" if heading == "display" else "right", no_wrap=True)
    for state, row in figures.items():
        goal = STATES[state][1]
        grid.add_row(state, f"{row['awake_percent']} %", f"{goal} %", f"{row['press_ms']} ms", f"{PRESS_GOAL_MS} ms")
    (console or Console()).print(grid)
