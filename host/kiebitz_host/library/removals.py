"""Delete games from all lists and restore them; apply deletions made on a device.

A deleted game stays in the database. A device keeps a discarded game for a while and reports it at every sync. The
decision derived from that report is always the same one, so a game restored on a laptop stays restored.
"""

from typing import TYPE_CHECKING

from ..outcome import Trouble
from . import decisions, journals
from .database import Database
from .decisions import REMOVALS, THROWN_MAX_MS, Decision, content_of

if TYPE_CHECKING:
    from .store import Store  # which imports this module

_SHORT_ID = 6  # last characters of a device id, enough to distinguish devices


def delete(store: "Store", number: int) -> None:
    """Delete a game; raise Trouble if it is deleted already."""
    _mark(store, number, True)


def restore(store: "Store", number: int) -> None:
    """Restore a deleted game; raise Trouble if it is not deleted."""
    _mark(store, number, False)


def _mark(store: "Store", number: int, removed: bool) -> None:
    with store.batch():
        if bool(store.db.value("SELECT deleted FROM games WHERE number = ?", number)) == removed:
            state = "deleted already" if removed else "not deleted"
            raise Trouble(f"game {number} is {state}. Nothing was changed.")
        store.decide(number, "delete" if removed else "restore")


def history(store: "Store", number: int) -> list[dict]:
    """Return every deletion and restoration of a game, oldest first: (time, True for a deletion)."""
    return [{"made": one.made, "removed": REMOVALS[one.kind]} for one in store.decided(number) if one.kind in REMOVALS]


def taken_over(db: Database, device: str, marks: dict[str, str], thrown: dict[str, int]) -> list[str]:
    """Return the decisions derived from a device's list; some of them may be known already.

    marks: the mark of each game on the device, by its id; thrown: when each game was discarded, 0 if unknown.
    """
    author = f"Kiebitz {device[-_SHORT_ID:]}"
    known = journals.under_all(db, list(marks))
    # If two games share an id, the list does not identify which one is meant
    numbers = {own: games[0][0] for own, games in known.items() if len(games) == 1 and own in marks}
    gone = {own: number for own, number in numbers.items() if own in thrown and marks[own]}
    back = {own: number for own, number in numbers.items() if own not in thrown}
    deleted = _deleted(db, list(back.values()))
    back = {own: number for own, number in back.items() if number in deleted}
    numbers = {**gone, **back}
    records = journals.load_all(db, list(numbers.values()))
    keys = {own: records[number].key for own, number in numbers.items() if number in records}
    contents = []
    for own in gone.keys() & keys:
        time = min(thrown[own] * 1000, THROWN_MAX_MS)
        contents.append(content_of(time, author, "throw away", keys[own], {}, marks[own]))
    for own in back.keys() & keys:
        last = decisions.last_removal(decisions.about(db, keys[own]))
        if last is not None and _is_thrown_by(last, author):
            contents.append(content_of(last.time + 1, author, "restore", keys[own], {}, last.id))
    return contents


def _is_thrown_by(decision: Decision, author: str) -> bool:
    return decision.kind == "throw away" and decision.author == author


def _deleted(db: Database, numbers: list[int]) -> set[int]:
    """Return which of the games are deleted."""
    found: set[int] = set()
    for start in range(0, len(numbers), 500):
        some = numbers[start : start + 500]
        places = ", ".join("?" * len(some))
        sql = f"SELECT number FROM games WHERE deleted = 1 AND number IN ({places})"
        found |= {number for (number,) in db.rows(sql, *some)}
    return found
