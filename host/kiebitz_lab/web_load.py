"""Lets many spectators follow one table while it is played, and measures what reaches them, when, and what it costs.

`python -m kiebitz_lab.web_load` has 200 spectators and five changes a second for a minute. The table is that of a
simulated device, whose keys are pressed; every spectator must see every change.
"""

import argparse
import os
import selectors
import socket
import sys
import tempfile
import threading
import time
from array import array
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from kiebitz.board.storage import Storage
from kiebitz.store.settings import Settings
from kiebitz_host.link.ports import Port
from kiebitz_host.sim.device import set_board
from kiebitz_host.sim.flash_folder import DATA, MARK
from kiebitz_host.sim.in_thread import SimulatedDevice

from .pages import WebStand, wait_until
from .samples import choose_game

SPECTATORS, PER_SECOND, SECONDS = 200, 5, 60
GOAL_MS = 100
PORT = Port("cable", "simulator")
TO_A_TABLE = f"ok {choose_game('top_spot')} ok ok ok ok right ok"  # New game, four guests
ENTRY, BACK = "up", "undo"  # a trick won, and taken back
PIECE = 1 << 16


@dataclass
class Load:
    """Hold what was measured."""

    spectators: int
    changes: int = 0
    lost: int = 0  # changes that did not reach a spectator
    delays_ms: list[float] = field(default_factory=list)  # from the change on the laptop to each spectator
    keys_alone_ms: float = 0.0  # median time of a key, from the press to flash, without spectators
    keys_ms: float = 0.0  # with them
    grown_kb: int = 0  # memory of the program, from the first quarter to the end

    def median_ms(self) -> float:
        return median(self.delays_ms)

    def worst_ms(self) -> float:
        """Return the delay that one of a hundred is above."""
        return sorted(self.delays_ms)[int(len(self.delays_ms) * 0.99)]


class Crowd:
    """Spectators in one thread: reads all streams, and notes when each of them has seen which state.

    The room for the notes is taken at the start, so that the memory of the program shows what the server needs.
    """

    def __init__(self, address: str, count: int, states_max: int):
        self._selector = selectors.DefaultSelector()
        self._last: dict[socket.socket, bytes] = {}
        self._places: dict[bytes, int] = {}  # state -> its place in the notes
        self._seen: dict[socket.socket, array] = {}
        place = urlsplit(address)
        for _ in range(count):
            one = socket.create_connection((place.hostname, place.port))
            one.sendall(f"GET /events/live HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
            one.setblocking(False)
            self._selector.register(one, selectors.EVENT_READ)
            self._last[one] = b""
            self._seen[one] = array("d", [0.0]) * states_max
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ends.is_set():
            for key, _ in self._selector.select(0.05):
                one = key.fileobj
                assert isinstance(one, socket.socket)
                data = self._last[one] + one.recv(PIECE)
                now = time.monotonic()
                *lines, self._last[one] = data.split(b"\n")
                for line in lines:
                    if line.startswith(b"id: "):
                        self._seen[one][self._places.setdefault(line[4:].strip(), len(self._places))] = now

    def when(self, state: str) -> list[float]:
        """Return when each spectator has seen a state; 0 for one who has not."""
        place = self._places.get(state.encode())
        return [0.0 if place is None else seen[place] for seen in self._seen.values()]

    def close(self) -> None:
        self._ends.set()
        self._thread.join()
        for one in self._seen:
            one.close()
        self._selector.close()


class Played:
    """A simulated device whose keys are pressed one by one; notes when each change was heard of on the laptop."""

    def __init__(self, folder: Path, board: str | None = None):
        (folder / MARK).touch()
        set_board(folder, board)
        Settings(Storage(str(folder / DATA))).set("language", "en")
        self.device = SimulatedDevice(folder).start()

    def find(self) -> list[Port]:
        return [PORT]

    def open_port(self, port: Port):
        return self.device.plug()


def memory_kb() -> int:
    """Return how much memory this program uses; 0 on systems that do not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def run(spectators: int = SPECTATORS, per_second: float = PER_SECOND, seconds: float = SECONDS) -> Load:
    """Play, and let spectators follow. Returns what was measured."""
    load = Load(spectators)
    with tempfile.TemporaryDirectory() as folder:
        flash = Path(folder, "flash")
        flash.mkdir()
        played = Played(flash)
        stand = WebStand(Path(folder, "results.db"), find=played.find, open_port=played.open_port)
        told: dict[str, float] = {}
        tell = stand.site.devices.tell

        def note(seen) -> None:
            told[stand.site.state("")] = now()
            tell(seen)

        stand.site.devices.tell = note
        try:
            with stand:
                _play(stand, played, load, told, per_second, seconds)
        finally:
            played.device.stop()
    return load


def _play(stand: WebStand, played: Played, load: Load, told: dict, per_second: float, seconds: float) -> None:
    wait_until(lambda: stand.site.devices.seen(), "the device is followed")
    for key in TO_A_TABLE.split():
        played.device.tap(key)
    wait_until(lambda: stand.site.devices.seen()[0].snapshot, "a game is being played")
    load.keys_alone_ms = median([_entry(stand, played) for _ in range(max(3, int(seconds / 5)))])
    changes = max(2, int(seconds * per_second))
    crowd = Crowd(stand.address, load.spectators, changes + 100)
    wait_until(lambda: len(stand.site.hub) == load.spectators, "all spectators are there")
    first, memory, pace = dict(told), 0, threading.Event()
    times = []
    start = time.monotonic()
    for k in range(changes // 2):
        times.append(_entry(stand, played, lambda k=k: pace.wait(max(0.0, start + (2 * k + 1) / per_second - now()))))
        pace.wait(max(0.0, start + (2 * k + 2) / per_second - now()))
        if k == changes // 8:
            memory = memory_kb()
    states = [state for state in told if state not in first]
    wait_until(lambda: all(crowd.when(states[-1])), "all have seen the end")
    load.grown_kb = memory_kb() - memory
    load.changes = len(states)
    load.keys_ms = median(times)
    for state in states:
        found = crowd.when(state)
        load.lost += found.count(0.0)
        load.delays_ms += [1000 * (when - told[state]) for when in found if when]
    crowd.close()


def now() -> float:
    return time.monotonic()


def _entry(stand: WebStand, played: Played, between=lambda: None) -> float:
    """Make an entry and take it back. Returns the milliseconds from the press to what the laptop hears of the entry."""
    (follower,) = stand.site.devices.followers.values()

    def press(key: str) -> float:
        version, start = follower.seen.version, now()
        played.device.tap(key)
        wait_until(lambda: follower.seen.version != version, "the device has taken the key")
        return 1000 * (now() - start)

    took = press(ENTRY)
    between()
    press(BACK)
    return took


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spectators", type=int, nargs="?", default=SPECTATORS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    args = parser.parse_args(argv)
    load = run(args.spectators, PER_SECOND, args.seconds)
    print(f"{load.spectators} spectators, {load.changes} changes: {load.lost} lost")
    print(f"a change reaches a page after {load.median_ms():.1f} ms (median), {load.worst_ms():.1f} ms (99 of 100)")
    print(f"a key takes {load.keys_ms:.0f} ms, without spectators {load.keys_alone_ms:.0f} ms")
    print(f"memory has grown by {load.grown_kb} KB since the first quarter")
    return 0 if not load.lost and load.median_ms() < GOAL_MS else 1


if __name__ == "__main__":
    sys.exit(main())
