"""Deletes games from every list and table, but never from the file, and restores them."""

from ..outcome import Trouble
from .decisions import REMOVALS
from .store import Store


def delete(store: Store, number: int) -> None:
    _mark(store, number, True)


def restore(store: Store, number: int) -> None:
    _mark(store, number, False)


def _mark(store: Store, number: int, removed: bool) -> None:
    with store.batch():
        if bool(store.db.value("SELECT deleted FROM games WHERE number = ?", number)) == removed:
            state = "deleted already" if removed else "not deleted"
            raise Trouble(f"game {number} is {state}. Nothing was changed.")
        store.decide(number, "delete" if removed else "restore")


def history(store: Store, number: int) -> list[dict]:
    """Return every deletion and restoration of a game, oldest first: when it was made, and whether it removed."""
    return [
        {"made": one.made, "removed": REMOVALS[one.kind]} for one in store.decided(number) if one.kind in REMOVALS
    ]
