"""How much memory the app leaves on the chip: a main.py of its own runs it as ever and tells when it is interrupted."""

import re
from typing import NamedTuple

from .bench import Bench
from .files import changed

_BLOCK = 16  # bytes: the unit in which MicroPython's heap is given away

_MAIN = b"""
import gc
start = gc.mem_free()
from kiebitz.power_on import COLLECT_EVERY
gc.threshold(COLLECT_EVERY)
from kiebitz.board import this_board
from kiebitz.ui.app import App
app = App(this_board())
try:
    app.run()
except KeyboardInterrupt:
    pass
gc.collect()
print("heap", start, gc.mem_free())
import micropython
micropython.mem_info()
print("told")
"""


class Heap(NamedTuple):
    """Bytes, after a collection."""

    start: int  # free at the start of main.py
    free: int
    largest: int  # of the free pieces


def with_probe(flash: bytes) -> bytes:
    """The flash with a main.py that can tell; everything else is the same."""
    return changed(flash, {"main.py": _MAIN})


def heap(bench: Bench) -> Heap:
    """Stops the app on a bench whose flash has the probe, and asks; the app does not run on."""
    bench.serial.send(b"\x03")
    told = bench.serial.wait_for(b"told\r", since=0).decode()
    start, free = re.findall(r"heap (\d+) (\d+)", told)[0]
    return Heap(int(start), int(free), int(re.findall(r"max free sz: (\d+)", told)[0]) * _BLOCK)
