"""Measure how long commands of the laptop take: to start, and on a store of 1,000 and of 10,000 games."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from kiebitz_host import cli
from kiebitz_host.library.store import Store
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from kiebitz_lab import synthetic_store as synthetic

START_ROUNDS = 9
START_GOAL_MS = 150
# Commands that need no device, no store and no sheet
_HELP = tuple((name, "--help") for name in cli.COMMANDS if name not in cli.DEVELOPERS)
STARTED = (("--version",), ("--help",), ("combos", "TH JH QH KH *"), *_HELP)
_NOTHING = "pass"


def measure_start(rounds: int = START_ROUNDS) -> dict[str, Any]:
    """Return {"python_ms": ..., "cli_start_ms": {command: ...}, "ratio": {command: times python_ms}}, fastest of a few.

    Only the ratio can be compared between computers, or between runs under different load.
    """
    program = str(Path(sys.executable).with_name("kiebitz"))
    python_ms = _fastest_ms([sys.executable, "-c", _NOTHING], rounds)
    start_ms = {" ".join(argv): _fastest_ms([program, *argv], rounds) for argv in STARTED}
    return {
        "python_ms": python_ms,
        "cli_start_ms": start_ms,
        "ratio": {command: round(ms / python_ms, 1) for command, ms in start_ms.items()},
    }


def _fastest_ms(command: list[str], rounds: int) -> float:
    """Return the milliseconds from the start of the process to its end."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    return round(min(times) * 1000, 1)


def show_start(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures beside the goal."""
    title = f"Start of a command (Python alone: {figures['python_ms']} ms)"
    grid = Grid(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    for heading in ("command", "time", "goal", "times Python alone"):
        grid.add_column(heading, justify="left" if heading == "command" else "right", no_wrap=True)
    for command, ms in figures["cli_start_ms"].items():
        grid.add_row(f"kiebitz {command}", f"{ms} ms", f"{START_GOAL_MS} ms", f"{figures['ratio'][command]}")
    (console or Console()).print(grid)


SIZES = (1000, 10000)
ROUNDS = 5
# The measured commands, as a person would type them
COMMANDS = (
    ("games",),
    ("games", "--all"),
    ("games", "--player", "Player A", "--game", "poch"),
    ("league",),
    ("league", "poch"),
    ("players",),
    ("show", "500"),
    ("export", "csv"),
)
GOALS_S = {"league": 1.0, "games": 0.3}


def measure_results(sizes: tuple[int, ...] = SIZES, rounds: int = ROUNDS) -> dict[str, Any]:
    """Return {"1000": {"fill_games_per_s": ..., "file_mb": ..., "seconds": {"league": median of a few, ...}}, ...}."""
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            path = Path(folder) / f"{size}.db"
            start = time.perf_counter()
            with Store(path) as store:
                synthetic.fill(store, size)
            figures[str(size)] = {
                "fill_games_per_s": round(size / (time.perf_counter() - start)),
                "file_mb": round(path.stat().st_size / 1e6, 1),
                "seconds": {" ".join(argv): _wall(argv, path, rounds) for argv in COMMANDS},
            }
    return figures


def _wall(argv: tuple[str, ...], path: Path, rounds: int) -> float:
    """Return the seconds from the start of the command to its end."""
    command = [str(Path(sys.executable).with_name("kiebitz")), *argv]
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(command, env={**os.environ, "KIEBITZ_DB": str(path)}, stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - start)
    return round(sorted(times)[rounds // 2], 3)


def show_results(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures, a column for each size."""
    title = "Results: seconds for a whole command, by games in the store"
    grid = Grid(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    grid.add_column("command", no_wrap=True)
    for size in figures:
        grid.add_column(f"{int(size):,} games", justify="right")
    grid.add_column("goal", justify="right")
    parts = list(figures.values())
    for command in parts[0]["seconds"]:
        goal = f"{GOALS_S[command]:.1f} s" if command in GOALS_S else ""
        grid.add_row(f"kiebitz {command}", *[f"{part['seconds'][command]:.2f} s" for part in parts], goal)
    grid.add_row("games stored in a second", *[f"{part['fill_games_per_s']:,}" for part in parts], "")
    grid.add_row("size of the file", *[f"{part['file_mb']:.1f} MB" for part in parts], "")
    (console or Console()).print(grid)
