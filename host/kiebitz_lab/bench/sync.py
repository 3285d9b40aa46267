"""Measures sync with an emulated Pico full of games, and the speed of its USB port for comparison."""

from collections.abc import Iterable
from typing import Any

from kiebitz_host.library.store import Store
from kiebitz_host.link.channel import SETTLE_S, Channel
from kiebitz_host.link.client import Client
from kiebitz_host.link.sync import Sync
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from kiebitz_lab.image.build import current_image

from ..chip.files import flash_with
from ..chip.probes import ChipCable
from ..chip.rig import Rig
from ..synthetic_store import FULL_OF_A_KIND, NOW, few_games, season, shelf

GOAL = 0.5  # of the speed of a program that only writes to the port
_LIMIT_MS = 60_000

# The printed rows: label, figure, unit. The goal is shown below `sync_kb_s`
_ROWS = (
    ("the whole sync", "sync_s", "s"),
    ("games in a second", "sync_games_per_s", ""),
    ("journals in a second, the whole sync", "sync_kb_s", "KB/s"),
    ("journals in a second, while they are read", "read_kb_s", "KB/s"),
    ("until the device has said who it is", "hello_ms", "ms"),
    ("listing the games", "list_ms", "ms"),
    ("reading them", "read_ms", "ms"),
    ("confirming them", "confirm_ms", "ms"),
    ("raw: a program that only writes, and waits", "raw_kb_s", "KB/s"),
    ("our port, which never waits", "raw_port_kb_s", "KB/s"),
)

_PROGRAM = """
from time import ticks_diff, ticks_us
from sys import stdout
from kiebitz.board.pico import this_board
lines = bytes(b"x" * 63 + b"\\n") * 64
put = stdout.buffer.write
port = this_board().serial.write
def wait():  # whenever the buffer is full, as print() does
    put(lines)
def ask():  # again and again, and never wait
    at = 0
    while at < 4096: at += port(memoryview(lines)[at:])
def run(send, n):
    start = ticks_us()
    for _ in range(n): send()
    return ticks_diff(ticks_us(), start)
print("to" + "ok", run(wait, BLOCKS), run(ask, BLOCKS), "us")
"""


def measure() -> dict[str, Any]:
    """Return the figures of each device; kilobytes are 1,000 bytes of journals, and the laptop's work takes no time."""
    return {"few": measured(few_games()), "season": measured(season()), "full": measured(season(FULL_OF_A_KIND))}


def measured(games: Iterable[list[str]]) -> dict[str, Any]:
    """Sync a device with these games for the first time, and measure its port in the same run. Returns the figures."""
    files, size = shelf(games)
    rig = Rig(flash_with(current_image(), files)).boot()
    spans: dict[str, float] = {}
    with Store("/there/is/no/such/file", create=False, now=lambda: NOW) as store:
        cable = ChipCable(rig)
        start = rig.ms
        report = Sync(_timed(cable, spans), store, NOW).run()
        seconds = (rig.ms - start) / 1000
    if not all(game.outcome == "new" and game.confirmed for game in report.games):
        raise RuntimeError("not all games were fetched and confirmed")
    blocks = size // 4096
    waiting_us, asking_us = at_prompt(rig, _PROGRAM.replace("BLOCKS", str(blocks)))
    return {
        "games": len(report.games),
        "journals_kb": round(size / 1000, 1),
        "sync_s": round(seconds, 3),
        "sync_games_per_s": round(len(report.games) / seconds, 1),
        "sync_kb_s": round(size / 1000 / seconds),
        "read_kb_s": round(size / spans["read"]),
        "hello_ms": round(SETTLE_S * 1000 + spans["who"]),
        "list_ms": round(spans["games"]),
        "read_ms": round(spans["read"]),
        "confirm_ms": round(spans["confirm"]),
        "raw_kb_s": round(blocks * 4_096_000 / waiting_us),
        "raw_port_kb_s": round(blocks * 4_096_000 / asking_us),
    }


def _timed(cable: ChipCable, spans: dict[str, float]) -> Client:
    """Return a client that adds up the emulated milliseconds of each request in `spans`."""
    client = Client(cable)
    client.channel = _TimedChannel(cable, spans)
    return client


class _TimedChannel(Channel):
    def __init__(self, cable: ChipCable, spans: dict[str, float]):
        super().__init__(cable)
        self._spans = spans

    def words(self, verb, *args, **keys):
        start = self.clock()
        try:
            yield from super().words(verb, *args, **keys)
        finally:
            self._spans[verb] = self._spans.get(verb, 0.0) + (self.clock() - start) * 1000


def at_prompt(rig: Rig, program: str) -> list[int]:
    """Run a program at the prompt of a device. Returns the figures it prints between the words "took" and "us"."""
    serial = rig.serial
    serial.send(b"\x03\r\x05")
    serial.wait_for(b"=== ", _LIMIT_MS)
    serial.send(program.encode())
    rig.run_ms(200)
    serial.send(b"\x04")
    return list(map(int, serial.wait_for(b" us", _LIMIT_MS).rpartition(b"took ")[2].split()[:2]))


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures of all devices; the goal is for the whole sync, and comes from the same run."""
    grid = Grid(box=box.SIMPLE_HEAD, title="Sync, emulated time", title_justify="left")
    grid.add_column("", no_wrap=True)
    shelves = [figures[name] for name in ("few", "season", "full")]
    for one in shelves:
        grid.add_column(f"{one['games']} games\n{one['journals_kb']:.0f} KB", justify="right", no_wrap=True)
    for label, key, unit in _ROWS:
        grid.add_row(label, *[f"{one[key]} {unit}".strip() for one in shelves])
        if key == "sync_kb_s":
            goals = [f"{GOAL * one['raw_kb_s']:.0f} {unit}" for one in shelves]
            grid.add_row("  goal for this line: half of raw", *goals)
    (console or Console()).print(grid)
