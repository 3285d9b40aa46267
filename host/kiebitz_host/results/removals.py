"""Deletes games from every list and table, but never from the file, and restores them."""

from ..outcome import Trouble
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
        store.db.run(
            "INSERT INTO removals (number, made, removed) VALUES (?, ?, ?)", number, int(store.now()), removed
        )
        store.db.run("UPDATE games SET deleted = ? WHERE number = ?", removed, number)
