"""Asks the chip how much memory the app leaves: at the prompt, where the stopped app is still in memory."""

import re
from typing import NamedTuple

from .rig import Rig

_BLOCK = 16  # bytes: the allocation unit of MicroPython's heap
_PROMPT = b">>> "
_QUESTION = b"import gc, micropython; gc.collect(); print('heap', gc.mem_free()); micropython.mem_info()\r"


class Heap(NamedTuple):
    """Free memory in bytes, after a collection."""

    free: int
    largest: int  # the largest contiguous piece


def heap(rig: Rig) -> Heap:
    """Stop the app and ask for its memory. Returns the free memory; the app does not continue."""
    since = len(rig.serial.out)
    rig.serial.send(b"\x03")
    rig.serial.wait_for(_PROMPT, since=since)
    since = len(rig.serial.out)
    rig.serial.send(_QUESTION)
    told = rig.serial.wait_for(_PROMPT, since=since).decode()
    free = re.findall(r"heap (\d+)", told)[0]
    return Heap(int(free), int(re.findall(r"max free sz: (\d+)", told)[0]) * _BLOCK)
