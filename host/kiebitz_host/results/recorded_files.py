"""Adds games from files: gives each an id, and recognises a game that is already stored."""

import hashlib
from typing import TYPE_CHECKING

from . import journals

if TYPE_CHECKING:  # the store is large, and whoever calls has it already
    from .store import Store


def add_file(store: "Store", lines: list[str], setup: dict, modified: int | None) -> tuple[str, str]:
    """Add the lines of a recorded game that was replayed. Returns (the result of store.add_journal, its id there).

    modified: the time of the file's last change, for a game that does not record when it was played.
    """
    game_id = _own_id(setup) or _known(store, lines) or _new_id(lines)
    at = setup.get("at")
    exact = type(at) is int and at > 0
    word = store.add_journal(game_id, lines, source_of(setup), at if exact else modified, not exact)
    return word, store.id_for(game_id, lines[0])


def source_of(setup: dict) -> dict | None:
    """Return the device that a set-up names, as store.add_journal() takes it; None if it names none."""
    device = setup.get("device")
    return {"id": device} if isinstance(device, str) and device and device.isprintable() else None


def _own_id(setup: dict) -> str | None:
    """Return the id that the device has given, or None."""
    own = setup.get("id")
    return own if isinstance(own, str) and 4 <= len(own) <= 64 and own.isascii() and own.isprintable() else None


def _new_id(lines: list[str]) -> str:
    """Return an id made from the content: the same file is the same game, on every laptop."""
    return "file-" + hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _known(store: "Store", lines: list[str]) -> str | None:
    """Return the id of a stored game from a file that continues these lines or is continued by them; else None."""
    for number, game in journals.from_files(store.db, lines[0]):
        held = store.histories(number)[0]
        common = min(len(held), len(lines))
        if common > 1 and held[:common] == lines[:common]:
            return game
    return None
