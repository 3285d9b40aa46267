"""Measures speed, undo and memory of the games, on CPython and on MicroPython."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from kiebitz.store.events import encode
from kiebitz.store.table import Table
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from kiebitz_lab.frozen_tree import ROOT, compiled_tree, find_interpreter

from ..random_games import long_setups, play_on

EVENTS = 400
HEAP = "256k"
RUNNER = Path(__file__).with_name("replay_run.py")


class NotMeasured(Exception):
    """The benchmark cannot run here; the text says why."""


def sample_games() -> dict[str, list[str]]:
    """Return games of 400 events with the most players, as replay lines: the same ones every time."""
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
