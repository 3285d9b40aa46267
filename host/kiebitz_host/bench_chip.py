"""The part of the benchmark about the device: the firmware on the emulated RP2040, measured in emulated time."""

import json
from statistics import median
from typing import Any, NamedTuple

from kiebitz_lab.image.build import current_image
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from .bench_games import sample_games
from .chip.bench import Bench
from .chip.branch import branch
from .chip.files import changed, flash_with
from .chip.heap import heap
from .chip.image import read_uf2
from .chip.twin import Twin
from .handheld import presses
from .samples import SAMPLES

ARROWS = ("up", "down", "left", "right")
KEYS = (*ARROWS, "ok", "undo")
VISITS = (1, 4)  # a screen is measured when it is first met, and once later
REST_MS = 500  # before a press that is measured: players look at the display before they press the next key
TAPS = 30
TAP_MS = 40
TAP_EVERY_MS = 90

GOALS = {
    "boot_ms": 600,
    "resume_400_ms": 1000,
    "press_median_ms": 20,
    "press_p95_ms": 30,
    "cursor_max_ms": 15,
    "taps_lost": 0,
    "entry_to_flash_ms": 110,
    "undo_400_ms": 110,
    "heap_free": 100_000,
}


class Press(NamedTuple):
    """One key pressed on one screen, in milliseconds from the contact to the last byte of the picture."""

    screen: str
    key: str
    ms: float
    cursor: bool  # the screen stayed and nothing was entered


def measure() -> dict[str, Any]:
    """The figures of the device by the names they have in build/bench.json."""
    flash = changed(flash_with(current_image()), Twin().files())
    figures: dict[str, Any] = {
        "boot_ms": round(_boot_ms(flash)),
        "image_bytes": len(read_uf2(current_image())),
        **_long_games(flash),
    }
    measured = [press for sample in SAMPLES for press in _presses(flash, sample) if press.ms > 0]
    figures["press_to_pixels_ms"] = _spread([press.ms for press in measured])
    figures["cursor_to_pixels_ms"] = _spread([press.ms for press in measured if press.cursor])
    figures["press_to_pixels_by_screen_ms"] = {
        f"{screen} {key}": round(max(press.ms for press in measured if (press.screen, press.key) == (screen, key)), 1)
        for screen, key in sorted({(press.screen, press.key) for press in measured})
    }
    figures["entry_to_flash_ms"] = _spread([ms for sample in SAMPLES for ms in _entries(flash, sample)])
    figures["taps_lost"] = _taps_lost(flash)
    return figures


def _boot_ms(flash: bytes) -> float:
    """From power-on to a display that is lit with the whole first screen on it."""
    bench = Bench(flash)
    bench.pico.run_until(lambda: bench.oled.lit, 20_000)
    return bench.ms


# --- long games ---


def _long_games(flash: bytes) -> dict[str, Any]:
    resume, replayed, undo, free, largest = {}, {}, {}, {}, {}
    for name, lines in sample_games().items():
        setup, *events = map(json.loads, lines)
        twin = Twin().sit_down(setup, events)
        twin.app.games.keep_state()
        files = twin.files()
        with_game = changed(flash, files)
        resume[name] = round(_boot_ms(with_game))
        bare = changed(with_game, {path: None for path in files if path.endswith(".sav")})
        replayed[name] = round(_boot_ms(bare))
        left = heap(Bench(with_game).boot(20_000))
        free[name], largest[name] = left.free, left.largest
        undo[name] = round(_undo_ms(Bench(with_game).boot(20_000)))
    return {
        "resume_400_ms": resume,
        "resume_400_without_checkpoint_ms": replayed,
        "undo_400_ms": undo,
        "heap_free": free,
        "heap_largest_piece": largest,
    }


def _undo_ms(bench: Bench) -> float:
    """From letting go of UNDO, which is when it acts, to the end of all it does on flash and display."""
    bench.run_ms(REST_MS)
    bench.press("undo")
    bench.run_ms(TAP_MS).settle()
    start = bench.ms
    bench.release("undo")
    bench.settle()
    return max(bench.bus.drawn_ms, bench.flash.done_ms) - start


# --- presses ---


def _presses(flash: bytes, sample: str) -> list[Press]:
    """Every key on every screen that the sample game comes through."""
    setup, keys = SAMPLES[sample]
    twin = Twin().sit_down(setup)
    bench = Bench(changed(flash, twin.files())).boot()
    seen: dict[str, int] = {}
    measured = []
    for key in presses(keys):
        screen = type(twin.app.top).__name__
        seen[screen] = seen.get(screen, 0) + 1
        if seen[screen] in VISITS:
            bench.run_ms(REST_MS)
            measured += [_press(bench, twin, other) for other in KEYS]
        bench.keys(key)
        twin.keys(key)
    return measured


def _press(bench: Bench, twin: Twin, key: str) -> Press:
    """One press on copies of both: the chip tells how long it takes, its twin what it does."""
    top = twin.app.top
    screen = type(top).__name__

    def story(bench: Bench):
        entries = twin.app.games.journal.lines
        twin.keys(key)
        cursor = twin.app.top is top and twin.app.games.journal.lines == entries and key in ARROWS
        start = bench.ms
        bench.tap(key, TAP_MS)
        return bench.bus.drawn_ms - start, cursor

    ms, cursor = branch(bench, story)
    return Press(screen, key, ms, cursor)


def _entries(flash: bytes, sample: str) -> list[float]:
    """For each entry of the sample game, from its last key to the end of all it does on flash and display."""
    setup, keys = SAMPLES[sample]
    bench = Bench(changed(flash, Twin().sit_down(setup).files())).boot()
    times = []
    for entry in filter(None, keys.splitlines()):
        *before, last = presses(entry)
        bench.keys(" ".join(before)).run_ms(REST_MS)
        operations = len(bench.flash.operations)
        start = bench.ms
        bench.tap(last, TAP_MS)
        if len(bench.flash.operations) > operations:
            times.append(max(bench.bus.drawn_ms, bench.flash.done_ms) - start)
    return times


def _taps_lost(flash: bytes) -> int:
    """Short taps in quick succession on the first screen, whose cursor goes round: how many did nothing."""
    bench = Bench(flash).boot()
    frames = []
    for _ in range(TAPS):
        bench.press("down")
        bench.run_ms(TAP_MS)
        bench.release("down")
        bench.run_ms(TAP_EVERY_MS - TAP_MS)
        frames.append(bench.frame())
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


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures, the goal beside each."""
    grid = Grid(box=box.SIMPLE_HEAD, title="The device, in emulated time at 125 MHz", title_justify="left")
    grid.add_column("figure", no_wrap=True)
    grid.add_column("measured", justify="right")
    grid.add_column("goal", justify="right")
    for name, value, goal in _rows(figures):
        grid.add_row(name, f"{value:,}", f"{goal:,}" if goal is not None else "")
    (console or Console()).print(grid)


def _rows(figures: dict[str, Any]):
    yield "boot_ms", figures["boot_ms"], GOALS["boot_ms"]
    for name, ms in figures["resume_400_ms"].items():
        yield f"resume_400_ms {name}", ms, GOALS["resume_400_ms"]
    for name, ms in figures["resume_400_without_checkpoint_ms"].items():
        yield f"  without checkpoint: {name}", ms, None
    for part in ("median", "p95", "max"):
        yield f"press_to_pixels_ms {part}", figures["press_to_pixels_ms"][part], GOALS.get(f"press_{part}_ms")
    for part in ("median", "p95", "max"):
        yield f"  cursor moves {part}", figures["cursor_to_pixels_ms"][part], GOALS.get(f"cursor_{part}_ms")
    yield f"taps of {TAP_MS} ms lost, of {TAPS}", figures["taps_lost"], GOALS["taps_lost"]
    for part in ("median", "p95", "max"):
        yield f"entry_to_flash_ms {part}", figures["entry_to_flash_ms"][part], GOALS["entry_to_flash_ms"]
    for name, ms in figures["undo_400_ms"].items():
        yield f"undo_400_ms {name}", ms, GOALS["undo_400_ms"]
    for name, free in figures["heap_free"].items():
        yield f"heap_free {name}", free, GOALS["heap_free"]
    for name, piece in figures["heap_largest_piece"].items():
        yield f"  largest piece: {name}", piece, None
    yield "image_bytes", figures["image_bytes"], None
