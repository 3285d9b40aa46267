"""Games that come from files: what they are called, and how one is known again."""

import hashlib

from .store import Store


def add_file(store: Store, lines: list[str], setup: dict, modified: int | None) -> tuple[str, str]:
    """Take the lines of a recorded game that was replayed; returns (what store.add_journal says, the id of the game).

    modified: when the file was written last, for a game that does not say when it was played.
    """
    game_id = _own_id(setup) or _known(store, lines) or _new_id(lines)
    at = setup.get("at")
    exact = type(at) is int and at > 0
    device = setup.get("device")
    source = {"id": device} if isinstance(device, str) and device else None
    return store.add_journal(game_id, lines, source, at if exact else modified, not exact), game_id


def _own_id(setup: dict) -> str | None:
    """The id the device has given."""
    own = setup.get("id")
    return own if isinstance(own, str) and 4 <= len(own) <= 64 and own.isascii() and own.isprintable() else None


def _new_id(lines: list[str]) -> str:
    """An id from the content: the same file is the same game, on every laptop."""
    return "file-" + hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _known(store: Store, lines: list[str]) -> str | None:
    """The id of a game from a file that goes on with these lines, or that these lines go on with."""
    rows = store.db.rows(
        "SELECT game, number FROM journals JOIN lines USING (number) "
        "WHERE game LIKE 'file-%' AND variant = 0 AND n = 0 AND text = ?",
        lines[0],
    )
    for game, number in rows:
        held = store.histories(number)[0]
        common = min(len(held), len(lines))
        if common > 1 and held[:common] == lines[:common]:
            return game
    return None
