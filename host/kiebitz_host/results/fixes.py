"""Corrects finished games: corrections are appended beside the journal, undone by another line, never erased."""

import json

from kiebitz.games import Refused
from kiebitz.store.events import encode
from kiebitz.text import refusal
from kiebitz.text.describe import describe

from ..outcome import Trouble
from .derive import Derived
from .store import Store


class Unfit(Exception):
    """The rules refuse the correction; the text says why."""


def parse_event(text: str) -> dict:
    """Return the event that a person has written as JSON."""
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("ev"), str):
        raise Trouble("an entry is written as one JSON object, like '{\"ev\":\"spend\",\"p\":0,\"k\":1}'.")
    return event


def correct(store: Store, number: int, entry: int, event: dict) -> tuple[dict, dict]:
    """Replace entry `entry`, counted from 1, by another event.

    Returns (old event, new event); raises Unfit if refused.
    """
    with store.batch():  # nobody else may correct between our look and our change
        return _correct(store, number, entry, event)


def _correct(store: Store, number: int, entry: int, event: dict) -> tuple[dict, dict]:
    game = store.replayed(number)
    _need_finished(game)
    assert game.table is not None
    if not 1 <= entry <= len(game.table):
        raise Trouble(f"there is no entry {entry}: game {number} has {len(game.table)}; `kiebitz show` lists them.")
    old = game.table.event(entry - 1)
    try:
        game.table.change("correct", entry - 1, event)
    except Refused as refused:
        raise Unfit(_why(refused, entry, game.names)) from None
    new = game.table.event(entry - 1)
    if encode(new) == encode(old):
        raise Trouble(f"entry {entry} of game {number} says that already. Nothing was changed.")
    if not game.finished:
        raise Unfit("With this entry the game would not be over. Nothing was changed.")
    store.db.run(
        "INSERT INTO corrections (number, made, entry, old, new) VALUES (?, ?, ?, ?, ?)",
        number,
        int(store.now()),
        entry - 1,
        encode(old),
        encode(new),
    )
    store.derive(number)
    return old, new


def _need_finished(game: Derived) -> None:
    if game.table is None:
        raise Trouble("nothing of this game can be read, so nothing in it can be corrected.")
    if not game.finished:
        raise Trouble("this game is not over: correct it on the device, then sync again.")


def _why(refused: Refused, entry: int, names: list[str]) -> str:
    """Return the refusal in words, with the entry that is refused: the new one or a later one."""
    reason = f"{refused.code} - {refusal(refused, names)}"
    if refused.code.startswith("W_"):
        reason += ' To enter it all the same, add "confirm":true to it.'
    if refused.at is not None and refused.at != entry - 1:
        return f"With this, entry {refused.at + 1} would no longer fit: {reason} Nothing was changed."
    return f"This entry is not possible: {reason} Nothing was changed."


def last_correction(store: Store, number: int) -> tuple[int, int, str, str]:
    """Return (id, entry, old, new) of the last correction in force; raises Trouble if there is none."""
    in_force = store.corrections(number)
    if not in_force:
        raise Trouble(f"game {number} has no correction to take back.")
    return in_force[-1]


def take_back(store: Store, number: int) -> dict:
    """Undo the last correction in force. Returns it."""
    with store.batch():
        last, entry, old, new = last_correction(store, number)
        store.db.run(
            "INSERT INTO corrections (number, made, undoes) VALUES (?, ?, ?)", number, int(store.now()), last
        )
        store.derive(number)
    return {"entry": entry + 1, "old": json.loads(old), "new": json.loads(new)}


def history(store: Store, number: int, names: list[str]) -> list[dict]:
    """Return every correction ever made, with its state: in force, undone or no longer fitting."""
    replayed = store.replayed(number)
    unfit, kind = replayed.unfit, replayed.kind
    undone = dict(
        store.db.rows("SELECT undoes, made FROM corrections WHERE number = ? AND undoes IS NOT NULL", number)
    )
    rows = store.db.rows(
        "SELECT id, made, entry, old, new FROM corrections WHERE number = ? AND undoes IS NULL ORDER BY id", number
    )
    trail = []
    for key, made, entry, old, new in rows:
        state = "undone" if key in undone else "no longer fits" if key in unfit else "in force"
        trail.append(
            {
                "made": made,
                "entry": entry + 1,
                "old": json.loads(old),
                "new": json.loads(new),
                "text": " -> ".join(_words(event, names, kind) for event in (old, new)),
                "state": state,
                "undone": undone.get(key),
            }
        )
    return trail


def _words(event: str, names: list[str], kind: str | None) -> str:
    """Return an event in words; as it is stored, if it does not fit these players."""
    try:
        return describe(json.loads(event), names, kind)
    except (KeyError, IndexError, TypeError, ValueError):
        return event
