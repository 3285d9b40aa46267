"""Stores the games on this laptop's devices in the club's database while they are played, so that others see them.

Only the newest state of a game waits; a server that does not answer holds up nobody. Nothing is confirmed to a device:
that is done by a sync, which fetches whatever is missing here.
"""

import json
import threading
from argparse import Namespace

from ..library.location import open_store
from ..library.store import Store
from ..outcome import Trouble

AGAIN_S = 2.0  # after a trouble, doubled with each one
AGAIN_MAX_S = 120.0


class Recorder:
    """A thread that stores games; keep() may be called by any thread."""

    def __init__(self, args: Namespace):
        self._args = args
        self._waiting: dict[str, tuple[str, list[str]]] = {}  # id of a game -> device, lines
        self._wake = threading.Condition()
        self._ends = threading.Event()
        self._store: Store | None = None
        self._thread = threading.Thread(target=self._run, name="record games", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, seconds: float = 1.0) -> None:
        """Store what waits, but take no longer than `seconds`."""
        self._ends.set()
        with self._wake:
            self._wake.notify_all()
        self._thread.join(seconds)

    def keep(self, device: str, game_id: str, lines: list[str]) -> None:
        """Store a game soon."""
        with self._wake:
            self._waiting[game_id] = (device, lines)
            self._wake.notify_all()

    def _run(self) -> None:
        pause = AGAIN_S
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting or self._ends.is_set())
                waiting, self._waiting = self._waiting, {}
            try:
                for game_id in list(waiting):
                    self._add(game_id, *waiting[game_id])
                    del waiting[game_id]
                pause = AGAIN_S
            except Trouble:  # no server, or this user may only read
                self._close()
                with self._wake:
                    self._waiting = {**waiting, **self._waiting}
                self._ends.wait(pause)
                pause = min(2 * pause, AGAIN_MAX_S)
            if self._ends.is_set():
                self._close()
                return

    def _add(self, game_id: str, device: str, lines: list[str]) -> None:
        if self._store is None:
            self._store = open_store(self._args)
        at = json.loads(lines[0]).get("at")
        self._store.add_journal(game_id, lines, {"id": device}, at, approximate=not at)

    def _close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None
