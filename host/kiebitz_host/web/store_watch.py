"""Keep pages and database in step: watch for changes, cache slow results, and record games for a club.

Changes come from LISTEN/NOTIFY on PostgreSQL, and from polling on SQLite. A lost server is retried until it is back.
The table of a club is the last game of a device if it was begun today: laptops store the games of their devices at
every sync, and at every entry while their own pages follow the device. Only the newest state of a game waits to be
recorded, so an unresponsive server blocks nobody. Nothing is confirmed to a device, because only a sync does that.
"""

import json
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

from ..games import on_laptop
from ..games.live import DeviceState, snapshot_of
from ..library import query
from ..library.database import Damaged
from ..library.location import open_store, read_store
from ..library.store import Store
from ..outcome import Trouble

KEPT_MAX = 16  # values; the oldest is evicted first
_COUNTER = slice(24, 28)  # change counter in the header of an SQLite file

_kept: dict[Hashable, tuple[Hashable, Any]] = {}
_one_at_a_time = threading.Lock()


def kept(store: Store, key: Hashable, make: Callable[[], Any]) -> Any:
    """Return the cached value for key; recompute it after the store has changed."""
    state = state_of(store)
    if state is None:
        return make()
    with _one_at_a_time:  # one request computes, the others wait
        key = (str(store.path), key)
        found = _kept.get(key)
        if found is None or found[0] != state:
            found = (state, make())
            _kept.pop(key, None)
            _kept[key] = found
            while len(_kept) > KEPT_MAX:
                del _kept[next(iter(_kept))]
        return found[1]


def state_of(store: Store) -> Hashable | None:
    """Return a version of the store that changes with every change; None if unknown."""
    path = store.path
    if isinstance(path, str):
        return None if store.is_missing else store.db.change_count()
    try:
        with open(path, "rb") as file:
            counter = file.read(_COUNTER.stop)[_COUNTER]
        about = path.stat()
    except OSError:
        return None
    return counter, about.st_mtime_ns, about.st_size, about.st_ino


BEGUN_S = 12 * 3600  # a game begun earlier is not shown
QUIET_S = 2 * 3600  # a game idle for this time is not shown
OVER_S = 1800  # a finished game is shown for this time
LOOK_S = 60.0  # interval between two searches for expired tables
_CLOCKS_S = 3600  # tolerated difference between the clocks of laptops
_TABLES_MAX = 100


class StoredTables:
    """The tables found last. Not thread-safe."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[tuple, DeviceState]] = {}  # device -> (game and its version, table)
        self._changed: dict[str, float] = {}  # device -> when its game last changed
        self._looked = 0.0

    def are_due(self) -> bool:
        """Return True if tables may have expired."""
        return bool(self._seen) and time.monotonic() - self._looked >= LOOK_S

    def found(self, store: Store) -> list[DeviceState]:
        """Return the tables in a club's store; none for a laptop's store, because its devices are plugged in."""
        if store.db.engine != "postgresql":
            return []
        self._looked = time.monotonic()
        now = int(store.now())
        kept: dict[str, tuple[tuple, DeviceState]] = {}
        with store.db.reading():
            for device, finished, *game in query.last_games(store.db, now - BEGUN_S, now + _CLOCKS_S):
                if device not in kept and len(kept) < _TABLES_MAX:
                    try:
                        seen = self._table(store, device, tuple(game))
                    except Damaged:
                        continue  # somebody has overwritten this journal; the other tables are shown
                    if self._looked - self._changed[device] > (OVER_S if finished else QUIET_S):
                        seen = replace(seen, snapshot=None)
                    kept[device] = (tuple(game), seen)
        self._seen = kept
        return [seen for _, seen in kept.values() if seen.snapshot is not None]

    def _table(self, store: Store, device: str, game: tuple) -> DeviceState:
        """Return the current game of a device; the same object if it has not changed."""
        known, seen = self._seen.get(device, ((), DeviceState(device)))
        if known == game:
            return seen
        self._changed[device] = self._looked
        number = game[0]
        last = seen.snapshot if known[:1] == (number,) else None
        table = store.replayed(number).table
        snapshot = snapshot_of(table, on_laptop(table.game.KIND).rows(table), "", last) if table else None
        return replace(seen, snapshot=snapshot, version=seen.version + 1)


WAIT_S = 2.0  # polling interval for the end of the program
AGAIN_S = 1.0  # before an unresponsive server is retried


class StoreWatch:
    """Call tell(tables) at the start and after every change, with the tables of a club from its database."""

    def __init__(self, args: Namespace, tell: Callable[[list[DeviceState]], None]):
        self._args = args
        self._tell = tell
        self._tables = StoredTables()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watch the store", daemon=True)
        self._state: Hashable | None = None  # version of the store at the last callback

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Request the end of the thread without waiting for it, because it only reads."""
        self._ends.set()

    def _run(self) -> None:
        while not self._ends.is_set():
            try:
                with read_store(self._args) as store:
                    self._follow(store)
            except Trouble:
                pass  # the pages report the error on the next request
            self._ends.wait(AGAIN_S)

    def _follow(self, store: Store) -> None:
        """Call back for every change of an open store; return if there is nothing to wait for."""
        store.db.wait_for_change(0)  # every later change is detected
        if state_of(store) != self._state:
            self._tell_now(store)
        while not store.is_missing and not self._ends.is_set():
            if store.db.wait_for_change(WAIT_S) or self._tables.are_due():
                self._tell_now(store)

    def _tell_now(self, store: Store) -> None:
        self._state = state_of(store)
        self._tell(self._tables.found(store))


RECORD_AGAIN_S = 2.0  # after an error, doubled each time
RECORD_AGAIN_MAX_S = 120.0


class Recorder:
    """A thread that stores games; keep() is thread-safe."""

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
        """Store all pending games within `seconds`."""
        self._ends.set()
        with self._wake:
            self._wake.notify_all()
        self._thread.join(seconds)

    def keep(self, device: str, game_id: str, lines: list[str]) -> None:
        """Schedule a game to be stored."""
        with self._wake:
            self._waiting[game_id] = (device, lines)
            self._wake.notify_all()

    def _run(self) -> None:
        pause = RECORD_AGAIN_S
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting or self._ends.is_set())
                waiting, self._waiting = self._waiting, {}
            try:
                for game_id in list(waiting):
                    self._add(game_id, *waiting[game_id])
                    del waiting[game_id]
                pause = RECORD_AGAIN_S
            except Trouble:  # no server, or no write permission
                self._close()
                with self._wake:
                    self._waiting = {**waiting, **self._waiting}
                self._ends.wait(pause)
                pause = min(2 * pause, RECORD_AGAIN_MAX_S)
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
