"""The part of the benchmark about sync: a device full of games at an emulated Pico, beside what its USB port can do."""

import json
import tempfile
from typing import Any

from kiebitz.board.storage import Storage
from kiebitz.table.games import Games
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from .chip.bench import Bench
from .chip.cable import ChipCable
from .chip.files import firmware_files, flash_with
from .chip.image import find_image
from .link.client import Client
from .link.fetch import Fetch
from .results.store import Store
from .results.synthetic import PER_KIND, finished_games

GAMES_OF_A_KIND = 5
GOAL = 0.5  # of what a program that does nothing else gets through the port
NOW = 1_800_000_000
_LIMIT_MS = 60_000

_PROGRAM = """
from time import ticks_diff, ticks_us
from sys import stdout
from kiebitz.board import this_board
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


def measure(of_a_kind: int = GAMES_OF_A_KIND) -> dict[str, Any]:
    """Kilobytes are 1,000 bytes of journals; what the laptop computes takes no time."""
    files, size = shelf(of_a_kind)
    bench = Bench(flash_with(find_image(), {**firmware_files(), **files})).boot()
    spans: dict[str, float] = {}
    with Store("/there/is/no/such/file", create=False, now=lambda: NOW) as store:
        cable = ChipCable(bench)
        start = bench.ms
        report = Fetch(_Timed(cable, spans), store, NOW).run()
        seconds = (bench.ms - start) / 1000
    if [game.outcome for game in report.games] != ["new"] * 4 * of_a_kind:
        raise RuntimeError("not all games were fetched")
    blocks = size // 4096
    waiting_us, asking_us = at_prompt(bench, _PROGRAM.replace("BLOCKS", str(blocks)))
    return {
        "games": len(report.games),
        "journals_kb": round(size / 1000, 1),
        "sync_s": round(seconds, 3),
        "sync_games_per_s": round(len(report.games) / seconds, 1),
        "sync_kb_s": round(size / 1000 / seconds),
        "read_kb_s": round(size / spans["read"]),
        "list_ms": round(spans["games"]),
        "confirm_ms": round(spans["confirm"]),
        "raw_kb_s": round(blocks * 4_096_000 / waiting_us),
        "raw_port_kb_s": round(blocks * 4_096_000 / asking_us),
    }


def shelf(of_a_kind: int) -> tuple[dict[str, bytes], int]:
    """The files of a device with finished games of all kinds, and the size of their journals."""
    samples = finished_games()
    chosen = [samples[k] for k in range(len(samples)) if k % PER_KIND < of_a_kind]
    with tempfile.TemporaryDirectory() as folder:
        storage = Storage(folder)
        games = Games(storage, "ff" * 8, lambda n: b"*" * n, lambda: NOW)
        for lines in chosen:
            games.create(json.loads(lines[0]))
            for line in lines[1:]:
                games.play(json.loads(line))
            games.close()
        files = {f"data/{name}": games.storage.read(name) for name in games.storage.names()}
    return files, sum(len(data) for name, data in files.items() if name.endswith(".kbz"))


class _Timed(Client):
    """Adds up how many emulated milliseconds each request takes."""

    def __init__(self, cable: ChipCable, spans: dict[str, float]):
        super().__init__(cable)
        self._spans = spans

    def _words(self, verb, value, look, seconds):
        start = self._clock()
        try:
            yield from super()._words(verb, value, look, seconds)
        finally:
            self._spans[verb] = self._spans.get(verb, 0.0) + (self._clock() - start) * 1000


def at_prompt(bench: Bench, program: str) -> list[int]:
    """The figures that a program prints, between the words "took" and "us", at the prompt of a device."""
    serial = bench.serial
    serial.send(b"\x03\r\x05")
    serial.wait_for(b"=== ", _LIMIT_MS)
    serial.send(program.encode())
    bench.run_ms(200)
    serial.send(b"\x04")
    return list(map(int, serial.wait_for(b" us", _LIMIT_MS).rpartition(b"took ")[2].split()[:2]))


def show(figures: dict[str, Any], console: Console | None = None) -> None:
    """Print the figures, the goal beside what it is about."""
    grid = Grid(box=box.SIMPLE_HEAD, title="Sync, emulated time", title_justify="left")
    grid.add_column("", no_wrap=True)
    grid.add_column("", justify="right")
    grid.add_column("goal", justify="right")
    goal = f"{GOAL * figures['raw_kb_s']:.0f} KB/s"
    grid.add_row(f"{figures['games']} games, {figures['journals_kb']:.0f} KB", f"{figures['sync_s']:.2f} s", "")
    grid.add_row("games in a second", f"{figures['sync_games_per_s']:.1f}", "")
    grid.add_row("journals, the whole sync", f"{figures['sync_kb_s']} KB/s", goal)
    grid.add_row("journals, while they are read", f"{figures['read_kb_s']} KB/s", goal)
    grid.add_row("listing them", f"{figures['list_ms']} ms", "")
    grid.add_row("confirming them", f"{figures['confirm_ms']} ms", "")
    grid.add_row("raw: a program that only writes, and waits", f"{figures['raw_kb_s']} KB/s", "")
    grid.add_row("raw: our port, which never waits", f"{figures['raw_port_kb_s']} KB/s", "")
    (console or Console()).print(grid)
