"""How much memory the app leaves on the chip: a main.py of its own runs it as ever and tells when it is interrupted."""

import re
from typing import NamedTuple

from ..firmware import MAIN, SOURCE
from .bench import Bench
from .files import changed

_BLOCK = 16  # bytes: the unit in which MicroPython's heap is given away

_START = b"from kiebitz.power_on import"  # the line of the firmware's main.py from which on another one follows
_BEFORE = b"""import gc
start = gc.mem_free()
"""
_AFTER = b"""
from kiebitz.power_on import begin
app = begin()
try:
    app.run()
except KeyboardInterrupt:
    pass
gc.collect()
print("heap", start, gc.mem_free())
import micropython
micropython.mem_info()
from kiebitz.ui import texts
free = gc.mem_free()
texts._phrases.close()
texts._phrases = None
gc.collect()
print("language", gc.mem_free() - free)
print("told")
"""


class Heap(NamedTuple):
    """Bytes, after a collection."""

    start: int  # free at the start of main.py
    free: int
    largest: int  # of the free pieces
    language: int  # what its index and the sentences in use take


def with_probe(flash: bytes) -> bytes:
    """The flash with a main.py that can tell; everything else is the same."""
    before, _, _ = (SOURCE / MAIN).read_bytes().partition(_START)
    return changed(flash, {MAIN: _BEFORE + before + _AFTER})


def heap(bench: Bench) -> Heap:
    """Stops the app on a bench whose flash has the probe, and asks; the app does not run on."""
    bench.serial.send(b"\x03")
    told = bench.serial.wait_for(b"told\r", since=0).decode()
    start, free = re.findall(r"heap (\d+) (\d+)", told)[0]
    largest = int(re.findall(r"max free sz: (\d+)", told)[0]) * _BLOCK
    return Heap(int(start), int(free), largest, int(re.findall(r"language (\d+)", told)[0]))
