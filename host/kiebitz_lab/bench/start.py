"""Measures how long a command of the laptop takes to start, compared with an interpreter that does nothing."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from kiebitz_host import cli
from rich import box
from rich.console import Console
from rich.table import Table as Grid

ROUNDS = 9
GOAL_MS = 150
# Nothing heavy is asked for: no device, no store, no sheet
_HELP = tuple((name, "--help") for name in cli.COMMANDS if name not in cli.DEVELOPERS)
COMMANDS = (("--version",), ("--help",), ("combos", "TH JH QH KH *"), *_HELP)
_NOTHING = "pass"


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Return {"python_ms": ..., "cli_start_ms": {command: ...}, "ratio": {command: times python_ms}}, fastest of a few.

    The ratio is what can be compared between computers, and between busy hours of one.
    """
    program = str(Path(sys.executable).with_name("kiebitz"))
    python_ms = _fastest_ms([sys.executable, "-c", _NOTHING], rounds)
    start_ms = {" ".join(argv): _fastest_ms([program, *argv], rounds) for argv in COMMANDS}
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


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures beside the goal."""
    title = f"Start of a command (Python alone: {figures['python_ms']} ms)"
    grid = Grid(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    for heading in ("command", "time", "goal", "times Python alone"):
        grid.add_column(heading, justify="left" if heading == "command" else "right", no_wrap=True)
    for command, ms in figures["cli_start_ms"].items():
        grid.add_row(f"kiebitz {command}", f"{ms} ms", f"{GOAL_MS} ms", f"{figures['ratio'][command]}")
    (console or Console()).print(grid)
