"""Counts the key presses of an entry and of the first evening, and measures the memory of the whole app."""

import json
import os
import subprocess
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from kiebitz.board.storage import Storage
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from kiebitz_lab.frozen_tree import compiled_tree

from .. import samples
from ..frozen_tree import ROOT, find_interpreter
from ..handheld import Device
from ..samples import GUESTS_MOST, NAMES_MOST, first_entry_presses

GOAL = 4
ROUND_GOAL = 16  # presses of a round of four players with points of two digits
HEAP = "1m"
RUNNER = Path(__file__).with_name("heap.py")


def measure() -> dict[str, Any]:
    """Return {name: {"typical": presses, "presses": ..., "entries": ..., "per_entry": ..., "heap_bytes": ...}}.

    Beside these games, "first_entry_presses" is {kind: {"guests": presses, "names": presses}}, and "round_presses" is
    {name: presses of each round}.
    """
    figures: dict[str, Any] = {}
    for name in samples.SAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            device = Device(Storage(folder))
            presses, entries = samples.play(device, name)
            assert device.game.over, name
        with tempfile.TemporaryDirectory() as folder:
            device = Device(Storage(folder)).keys(samples.TYPICAL[name][1])
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
    return figures


def round_presses(name: str) -> list[int]:
    """Return the presses of each round of a sample in which every player makes one entry a round."""
    setup, keys = samples.SAMPLES[name]
    entries = keys.split("\n")
    counted = []
    with tempfile.TemporaryDirectory() as folder:
        device = Device(Storage(folder)).sit_down(setup)
        for at in range(0, len(entries) - 1, samples.ROUNDS[name]):
            before = device.presses
            device.keys(" ".join(entries[at : at + samples.ROUNDS[name]]))
            counted.append(device.presses - before)
        assert device.game.over, name
    return counted


def first_evening() -> dict[str, dict[str, int]]:
    """Return the presses from power-on with an empty flash to the first entry, by game."""
    with ExitStack() as folders:
        return first_entry_presses(
            lambda: Device(Storage(folders.enter_context(tempfile.TemporaryDirectory())), language=None)
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
            command = [interpreter, "-X", f"heapsize={HEAP}", str(RUNNER), str(flash)]
            done = subprocess.run(
                command, input=json.dumps(sample), env=environment, capture_output=True, text=True, check=True
            )
            used[name] = json.loads(done.stdout)
    return used


def show(figures: dict[str, Any]) -> None:
    console = Console()
    grid = Grid(box=box.SIMPLE_HEAD, title=f"Key presses (goal: {GOAL} an entry)", title_justify="left")
    grid.add_column("game", no_wrap=True)
    for title in ("typical entry", "presses", "whole game", "an entry", "app on MicroPython"):
        grid.add_column(title, justify="right")
    for name, row in figures.items():
        if name in ("first_entry_presses", "round_presses"):
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
        console.print(f"{name}: {mean:.1f} presses a round, {spread} (goal: {ROUND_GOAL})\n")
    first = Grid(box=box.SIMPLE_HEAD, title="Key presses from power-on to the first entry", title_justify="left")
    first.add_column("game", no_wrap=True)
    first.add_column(f"four guests (goal: {GUESTS_MOST})", justify="right")
    first.add_column(f"four names (goal: {NAMES_MOST})", justify="right")
    for kind, row in figures["first_entry_presses"].items():
        first.add_row(kind, str(row["guests"]), str(row["names"]))
    console.print(first)
