"""Play through all screens of the emulated chip for an hour and check for memory leaks (`make soak`)."""

import argparse
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

from kiebitz_host.outcome import BAD_USAGE, OK, Trouble
from kiebitz_host.sim.flash_folder import DATA

from kiebitz_lab.image.build import current_image

from ..handheld import ReferenceDevice
from . import require
from .cuts import CRASH
from .evenings import LANGUAGE_CHOSEN, lap, start_of_lap, words
from .flash import changed, flash_with
from .probes import Heap, branch, heap
from .rig import Rig

MINUTES = 60
SHRUNK = 1  # the exit code if it has shrunk
ENTRIES = 14
REST_MS = 8000  # after every entry, as at a table
SLACK = 4096  # bytes of heap: variation from the places of lists, and from the 64 sentences that are kept

_MS_PER_MINUTE = 60_000


class Lap(NamedTuple):
    minutes: float  # emulated, since power-on
    presses: int
    heap: Heap
    screens: set[str]  # all screens opened so far

    def __str__(self) -> str:
        free, largest = self.heap.free, self.heap.largest
        return f"{self.minutes:.1f} min, {self.presses} presses: {free} bytes free, {largest} of them in one piece"


class WentAstray(Exception):
    """The chip does not show what the reference device shows, or has reported an error."""


def laps(flash: bytes, entries: int = 0, rest_ms: int = 0) -> Iterator[Lap]:
    """Play laps on the same device forever. Yields each lap; the flash must have no data."""
    reference = start_of_lap()
    rig = Rig(changed(flash, reference.files())).boot()
    screens: set[str] = set()
    presses = _play(rig, reference, LANGUAGE_CHOSEN, screens)
    while True:
        for line in lap(entries, rest_ms):
            presses += _play(rig, reference, line, screens)
        _check(rig, reference)
        yield Lap(rig.ms / _MS_PER_MINUTE, presses, branch(rig, heap), set(screens))


def _play(rig: Rig, reference: ReferenceDevice, line: str, screens: set[str]) -> int:
    presses = 0
    for key in words(line, reference):
        screens.update(type(screen).__name__ for screen in reference.app.stack)
        rig.keys(key)
        reference.keys(key)
        presses += not key.startswith("wait")
    return presses


def _check(rig: Rig, reference: ReferenceDevice) -> None:
    crash = rig.files(DATA).get(CRASH)
    if crash or rig.serial.out:
        raise WentAstray((crash or bytes(rig.serial.out)).decode("utf-8", "replace"))
    if rig.frame() != reference.frame():
        raise WentAstray("the chip does not show what its reference shows")


def shrinks(done: list[Lap]) -> bool:
    """Return True if less is free than after the second lap. The first still loads modules."""
    return done[-1].heap.free < done[min(1, len(done) - 1)].heap.free - SLACK


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="soak", description=__doc__)
    help_text = f"of emulated time, {MINUTES} if not given"
    parser.add_argument("minutes", type=float, nargs="?", default=MINUTES, help=help_text)
    options = parser.parse_args(argv)
    try:
        require("soak")
        flash = flash_with(current_image())
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE
    started = time.monotonic()
    done: list[Lap] = []
    for one in laps(flash, ENTRIES, REST_MS):
        done.append(one)
        print(f"lap {len(done)}: {one} ({time.monotonic() - started:.0f} s)", flush=True)
        if one.minutes >= options.minutes:
            break
    least, most = (f(lap.heap.free for lap in done) for f in (min, max))
    piece = min(lap.heap.largest for lap in done)
    print(f"laps {len(done)}, screens {len(one.screens)}, free {least} to {most}, largest piece at least {piece}")
    print("memory shrinks" if shrinks(done) else "memory does not shrink")
    return SHRUNK if shrinks(done) else OK


if __name__ == "__main__":
    sys.exit(main())
