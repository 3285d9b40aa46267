"""Play on a full emulated Pico while a laptop sends requests all the time: python -m kiebitz_lab.torture.busy_hour.

Every entry is measured, from the key to flash and display, in emulated time, and the free memory.
"""

import argparse
import sys

from kiebitz.link.wire import REQUEST, frame

from ..chip.flash import changed, flash_with
from ..chip.probes import ReferenceDevice, branch, heap, in_use
from ..chip.rig import Rig
from ..image.build import current_image

MINUTES = 60
GAMES = 120
SLOWEST_MS = 250
_SLACK = 4096  # bytes of heap: sentences that are kept, packed journals that a list has just shown, lists that grow
_REST_MS = 1500  # between two entries
_SPOT = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "match_length": 9, "level": "expert"}
_KEYS = ("left", "up", "right", "undo")


class Busy:
    """An emulated Pico with many games, one of them in play, and a laptop that sends requests all the time."""

    def __init__(self, games: int = GAMES):
        reference = ReferenceDevice()
        for _ in range(games):
            reference.sit_down(_SPOT, [{"ev": "point", "p": k % 3} for k in range(12)])
        ids = reference.app.library.ids()
        reference.sit_down(_SPOT)
        self.rig = Rig(changed(flash_with(current_image(), in_use()), reference.files())).boot(30_000)
        self.rig.serial.connect()
        self.rig.run_ms(1000)
        reads = ",".join(f'"{game_id}",0' for game_id in ids[:8])
        self._asked = [("games", "{}"), ("read", f'{{"games":[{reads}]}}'), ("roster", "{}"), ("screen", "{}")]
        self._number = 0
        self.received = 0
        self.slowest = 0.0
        self.entries = 0

    def _turn(self, ms: float) -> None:
        """Run for this time while the laptop reads and sends requests."""
        end = self.rig.ms + ms
        quiet = 0
        while self.rig.ms < end:
            self.rig.run_ms(2)
            data = self.rig.serial.receive()
            self.received += len(data)
            quiet = 0 if data else quiet + 1
            if quiet == 10 or not self._number:
                self._number += 1
                word, value = self._asked[self._number % len(self._asked)]
                self.rig.serial.send(frame(REQUEST, self._number, word, value))

    def enter(self, key: str) -> float:
        """Press a key at any moment of the traffic. Returns the milliseconds until its effect is stored and shown."""
        rig = self.rig
        start = rig.ms
        rig.press(key)
        self._turn(50)
        if key == "undo":
            start = rig.ms  # it acts on release
        rig.release(key)
        while not (rig.flash.done_ms > start and rig.bus.drawn_ms > start) and rig.ms < start + 2000:
            self._turn(2)
        took = max(rig.flash.done_ms, rig.bus.drawn_ms) - start
        self.slowest = max(self.slowest, took)
        self.entries += 1
        self._turn(_REST_MS)
        return took

    def free(self) -> int:
        """Return the free bytes of the heap."""
        return branch(self.rig, heap).free


def play(minutes: float, games: int = GAMES, tell=print) -> list[str]:
    """Play for this time. Returns what is wrong."""
    busy = Busy(games)
    wrong = []
    for key in _KEYS * 2:
        busy.enter(key)
    first = busy.free()
    end = busy.rig.ms + minutes * 60_000
    while busy.rig.ms < end:
        for key in _KEYS:
            took = busy.enter(key)
            if took > SLOWEST_MS:
                wrong.append(f"entry {busy.entries} ({key}) took {took:.0f} ms")
        if busy.entries % 200 < len(_KEYS):
            tell(f"{busy.rig.ms / 60_000:.1f} min, {busy.entries} entries, slowest {busy.slowest:.0f} ms")
    last = busy.free()
    if last < first - _SLACK:
        wrong.append(f"memory has shrunk from {first} to {last} bytes")
    if busy.rig.pico.resets or "data/crash.txt" in busy.rig.files("data"):
        wrong.append("the device has crashed")
    tell(
        f"{minutes:g} min, {games} games on flash, {busy.received:,} bytes to the laptop, {busy.entries} entries, "
        f"slowest {busy.slowest:.0f} ms, memory {first} -> {last} bytes; failed: {len(wrong)}"
    )
    return wrong


def main(argv: list[str] | None = None) -> int:
    """Run the campaign. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m kiebitz_lab.torture.busy_hour", description=__doc__)
    parser.add_argument("minutes", type=float, nargs="?", default=MINUTES, help=f"emulated (default: {MINUTES})")
    wrong = play(parser.parse_args(sys.argv[1:] if argv is None else argv).minutes)
    for line in wrong[:20]:
        print("failed:", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
