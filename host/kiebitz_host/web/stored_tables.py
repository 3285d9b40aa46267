"""Finds the tables at which a club plays in its database: the last game of each device, if it was begun today.

Laptops store the games of their devices with every sync, and with every entry while their own pages follow the device.
"""

import time
from dataclasses import replace

from ..games import on_laptop
from ..results.store import Store
from .moments import Seen, moment_of

BEGUN_S = 12 * 3600  # a game that was begun earlier is no longer on a table
QUIET_S = 2 * 3600  # a game without entries for so long has been left
OVER_S = 1800  # a game that is over is shown for so long
LOOK_S = 60.0  # between two looks for tables that are no longer shown
_CLOCKS_S = 3600  # the clocks of laptops differ
_TABLES_MAX = 100

_LAST = (
    "SELECT device, finished, number, digest, fixes FROM games JOIN journals USING (number) WHERE deleted = 0 "
    "AND games.at BETWEEN ? AND ? AND device IS NOT NULL ORDER BY games.at DESC, number DESC LIMIT 1000"
)


class StoredTables:
    """The tables as they were found last. Only one thread may use it."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[tuple, Seen]] = {}  # device -> which game, with its state, and the table
        self._changed: dict[str, float] = {}  # device -> when its game was seen to change
        self._looked = 0.0

    def are_due(self) -> bool:
        """Return True if tables may have to go although nothing has changed."""
        return bool(self._seen) and time.monotonic() - self._looked >= LOOK_S

    def found(self, store: Store) -> list[Seen]:
        """Return the tables in the store; none unless it is a club's: a laptop has its own devices at hand."""
        if store.db.engine != "postgresql":
            return []
        self._looked = time.monotonic()
        now = int(store.now())
        kept: dict[str, tuple[tuple, Seen]] = {}
        with store.db.reading():
            for device, finished, *game in store.db.rows(_LAST, now - BEGUN_S, now + _CLOCKS_S):
                if device not in kept and len(kept) < _TABLES_MAX:
                    seen = self._table(store, device, tuple(game))
                    if self._looked - self._changed[device] > (OVER_S if finished else QUIET_S):
                        seen = replace(seen, moment=None)
                    kept[device] = (tuple(game), seen)
        self._seen = kept
        return [seen for _, seen in kept.values() if seen.moment is not None]

    def _table(self, store: Store, device: str, game: tuple) -> Seen:
        """Return the game of a device as it is now; one that has not changed stays the same object."""
        known, seen = self._seen.get(device, ((), Seen(device)))
        if known == game:
            return seen
        self._changed[device] = self._looked
        number = game[0]
        last = seen.moment if known[:1] == (number,) else None
        table = store.replayed(number).table
        moment = moment_of(table, on_laptop(table.game.KIND).rows(table), "", last) if table else None
        return replace(seen, moment=moment, version=seen.version + 1)
