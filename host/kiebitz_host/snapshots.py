"""Define immutable snapshots of a device for pages, safe to share between threads."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kiebitz.store.table import Table


@dataclass(frozen=True)
class TableSnapshot:
    """A game in play as it was after an entry or an undo."""

    game: Any  # a copy of the game, of a class in kiebitz.games
    before: Any  # the game as shown before; None if unknown
    entry: dict | None  # the last entry or undone entry, as returned by Table.last_event()
    undone: bool  # True if `entry` was undone
    rows: list[tuple[str, list[int]]]  # the rows of the sheet
    events: int  # in force
    flaw: str = ""


@dataclass(frozen=True)
class DeviceState:
    """The last known state of a device."""

    device: str  # its id
    port: str = ""
    board: str = ""
    lost: bool = False  # it was unplugged: `snapshot` is the last known one
    snapshot: TableSnapshot | None = None  # None: no game is being played
    version: int = 0  # counts the changes


def in_order(found: Iterable[DeviceState]) -> list[DeviceState]:
    """Return devices in list order: those with a game first, unplugged ones last."""
    return sorted(found, key=lambda seen: (seen.lost, seen.snapshot is None, seen.device))


def snapshot_of(table: Table, rows: list, flaw: str, last: TableSnapshot | None) -> TableSnapshot:
    """Return the snapshot of a table; `last` is the previous snapshot of the same game, if any."""
    events = len(table)
    game = table.game_at(events)
    undone = table.can_redo and (last is None or events < last.events or last.undone and events == last.events)
    entry = table.next_redo() if undone else table.last_event() if table.can_undo else None
    if last is not None:
        before = last.game
    else:
        before = table.game_at(events - 1) if events and not undone else None
    return TableSnapshot(game, before, entry, undone, rows, events, flaw)
