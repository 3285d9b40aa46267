"""Measure speed, undo and memory of the games on CPython and MicroPython, and count the key presses of an entry."""

import json
import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from typing import Any

from kiebitz.board.storage import Storage
from kiebitz.store.events import encode
from kiebitz.store.table import Table
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from kiebitz_lab.frozen_tree import ROOT, compiled_tree, find_interpreter

from .. import samples
from ..handheld import ScriptedDevice
from ..random_games import long_setups, play_on
from ..samples import GUESTS_MOST, NAMES_MOST, first_entry_presses

EVENTS = 400
HEAP = "384k"  # of 64-bit words, with the compiled modules and all events of a game in it
RUNNER = Path(__file__).with_name("replay_run.py")


class NotMeasured(Exception):
    """The benchmark cannot run here; the text gives the reason."""


def sample_games() -> dict[str, list[str]]:
    """Return deterministic games of 400 events with the most players, as replay lines."""
    games = {}
    for name, setup in long_setups().items():
        table = Table(setup)
        play_on(table, EVENTS)
        games[name] = [encode(setup), *map(encode, table.events())]
    return games


def measure() -> dict[str, Any]:
    """Return {"events": 400, "cpython": ..., "micropython": {"version", "word_bits", "games": {name: figures}}}."""
    micropython = find_interpreter()
    if micropython is None:
        raise NotMeasured("There is no MicroPython interpreter: run make bench, which installs one.")
    games = sample_games()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compiled_tree(folder / "firmware")
        return {
            "events": EVENTS,
            "cpython": run([sys.executable], {"PYTHONPATH": str(ROOT / "firmware")}, games, folder),
            "micropython": run(
                [micropython, "-X", f"heapsize={HEAP}"],
                {"MICROPYPATH": f"{folder / 'firmware'}:.frozen"},
                games,
                folder,
            ),
        }


def run(command: list[str], environment: dict[str, str], games: dict[str, list[str]], folder: Path) -> dict[str, Any]:
    """Measure every game in a process of its own. Returns the figures, raises NotMeasured if a game fails."""
    results: dict[str, Any] = {"games": {}}
    for name, lines in games.items():
        path = folder / "game.jsonl"
        path.write_text("".join(line + "\n" for line in lines))
        done = subprocess.run(
            [*command, str(RUNNER), str(path)],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise NotMeasured(f"{name} failed with {command[0]}:\n{done.stdout}{done.stderr}")
        answer = json.loads(done.stdout)
        results["games"][name] = answer.pop("figures")
        results.update(answer)
    return results


_COLUMNS = {
    "events_per_second": "events/s",
    "undo_10_us": "undo at 10",
    "undo_end_us": f"undo at {EVENTS}",
    "heap_bytes": "heap",
    "heap_undone_bytes": "all undone",
}


def _cell(column: str, value: int) -> str:
    if column.endswith("_us"):
        return f"{value:,} µs"
    return f"{value / 1024:.1f} KB" if column.endswith("_bytes") else f"{value:,}"


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures, one table for each interpreter."""
    console = console or Console()
    for key, title in (("micropython", "MicroPython"), ("cpython", "CPython")):
        part = figures[key]
        shown = [column for column in _COLUMNS if column in next(iter(part["games"].values()))]
        grid = Grid(
            box=box.SIMPLE_HEAD,
            title=f"Games of {figures['events']} events on {title} {part['version']}, {part['word_bits']} bits",
            title_justify="left",
        )
        grid.add_column("game", no_wrap=True)
        for column in shown:
            grid.add_column(_COLUMNS[column], justify="right")
        for name, row in part["games"].items():
            grid.add_row(name, *(_cell(column, row[column]) for column in shown))
        console.print(grid)
    console.print(
        "heap: what the table of a game keeps, its code left out. On the 32 bits of\n"
        "the Pico the text in it (events, snapshots) takes the same, the rest about half.",
        highlight=False,
    )


ENTRY_GOAL = 4
APP_HEAP = "1m"
APP_RUNNER = Path(__file__).with_name("heap.py")


def measure_presses() -> dict[str, Any]:
    """Return {name: {"typical": presses, "presses": ..., "entries": ..., "per_entry": ..., "heap_bytes": ...}}.

    Beside these games, "first_entry_presses" is {kind: {"guests": presses, "names": presses}}, "round_presses" is
    {name: presses of each round}, and "wrong_entries" is {name: entries that differ from what the players said}.
    """
    figures: dict[str, Any] = {}
    for name in samples.SAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            device = ScriptedDevice(Storage(folder))
            presses, entries = samples.play(device, name)
            assert device.game.over, name
        with tempfile.TemporaryDirectory() as folder:
            device = ScriptedDevice(Storage(folder)).keys(samples.TYPICAL[name][1])
        figures[name] = {
            "typical": device.presses,
            "presses": presses,
            "entries": entries,
            "per_entry": round(presses / entries, 2),
        }
    for name, used in heaps().items():
        figures[name]["heap_bytes"] = used
    figures["first_entry_presses"] = first_evening()
    figures["round_presses"] = {name: round_presses(name) for name in samples.ROUNDS}
    figures["wrong_entries"] = {name: wrong_entries(name) for name in samples.SAID}
    return figures


def wrong_entries(name: str) -> int:
    """Return how many entries of an evening differ from what the players said.

    The keys of such an evening follow one habit and ignore the screen: each number from 0, up or down.
    """
    setup, keys = samples.SAMPLES[name]
    said = samples.SAID[name]
    with tempfile.TemporaryDirectory() as folder:
        entered = list(ScriptedDevice(Storage(folder)).sit_down(setup).keys(keys).table.events())
    return sum(one != other for one, other in zip_longest(entered, said))


def round_presses(name: str) -> list[int]:
    """Return the presses of each round of a sample in which every player makes one entry a round."""
    setup, keys = samples.SAMPLES[name]
    entries = keys.split("\n")
    counted = []
    with tempfile.TemporaryDirectory() as folder:
        device = ScriptedDevice(Storage(folder)).sit_down(setup)
        some = samples.ROUNDS[name][0]
        for at in range(0, len(entries) - 1, some):
            before = device.presses
            device.keys(" ".join(entries[at : at + some]))
            counted.append(device.presses - before)
        assert device.game.over, name
    return counted


def first_evening() -> dict[str, dict[str, int]]:
    """Return the presses from power-on with an empty flash to the first entry, by game."""
    with ExitStack() as folders:
        return first_entry_presses(
            lambda: ScriptedDevice(Storage(folders.enter_context(tempfile.TemporaryDirectory())), language=None)
        )


def heaps() -> dict[str, int]:
    """Return the bytes that the app uses on MicroPython at the end of each sample game, code included."""
    interpreter = find_interpreter()
    assert interpreter, "there is no MicroPython interpreter: run make bench, which installs one"
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        compiled_tree(folder / "firmware")
        environment = {**os.environ, "MICROPYPATH": f"{folder / 'firmware'}:{ROOT / 'host'}:.frozen"}
        used = {}
        for name, sample in samples.SAMPLES.items():
            flash = folder / name.replace(" ", "-")
            command = [interpreter, "-X", f"heapsize={APP_HEAP}", str(APP_RUNNER), str(flash)]
            done = subprocess.run(
                command, input=json.dumps(sample), env=environment, capture_output=True, text=True, check=True
            )
            used[name] = json.loads(done.stdout)
    return used


def show_presses(figures: dict[str, Any]) -> None:
    console = Console()
    grid = Grid(box=box.SIMPLE_HEAD, title=f"Key presses (goal: {ENTRY_GOAL} an entry)", title_justify="left")
    grid.add_column("game", no_wrap=True)
    for title in ("typical entry", "presses", "whole game", "an entry", "app on MicroPython"):
        grid.add_column(title, justify="right")
    for name, row in figures.items():
        if name in ("first_entry_presses", "round_presses", "wrong_entries"):
            continue
        grid.add_row(
            name,
            samples.TYPICAL[name][0],
            str(row["typical"]),
            f"{row['presses']} for {row['entries']}",
            f"{row['per_entry']:.2f}",
            f"{row['heap_bytes'] / 1024:.0f} KB",
        )
    console.print(grid)
    console.print("app: heap in use at the final ranking with all its code, on 64 bits; about half on the Pico.\n")
    for name, counted in figures.get("round_presses", {}).items():
        mean = sum(counted) / len(counted)
        spread = f"from {min(counted)} to {max(counted)}"
        console.print(f"{name}: {mean:.1f} presses a round, {spread} (goal: {samples.ROUNDS[name][1]})\n")
    for name, wrong in figures.get("wrong_entries", {}).items():
        console.print(f"{name}: {wrong} entries of {len(samples.SAID[name])} differ from what was said (goal: 0)")
    first = Grid(box=box.SIMPLE_HEAD, title="Key presses from power-on to the first entry", title_justify="left")
    first.add_column("game", no_wrap=True)
    first.add_column(f"four guests (goal: {GUESTS_MOST})", justify="right")
    first.add_column(f"four names (goal: {NAMES_MOST})", justify="right")
    for kind, row in figures["first_entry_presses"].items():
        first.add_row(kind, str(row["guests"]), str(row["names"]))
    console.print(first)
