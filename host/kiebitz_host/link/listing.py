"""Combines a device's list of its games from the lines of its index and the names of its files."""

import json
from typing import Any

from kiebitz.link.wire import unescape
from kiebitz.store.index import ALL, NAME
from kiebitz.store.journal_files import SUFFIX
from kiebitz.store.library import counter, is_aside
from kiebitz.store.sealed_lines import unseal

KINDS: dict[str, type] = {
    "game": str, "players": list, "at": int, "events": int, "lines": int, "mark": str, "finished": bool, "size": int,
}  # fmt: skip


class Listing:
    """The list of games from one answer: hear() takes the lines of the answer, files() its pieces."""

    def __init__(self) -> None:
        self._entries: dict[str, dict[str, Any]] = {}
        self._confirmed: dict[str, str] = {}  # the mark that a laptop has confirmed
        self._files: dict[str, int] = {}

    def forget(self) -> None:
        """Forget all index lines because the answer starts again.

        A line that confirms all games before it, heard twice, would also confirm those after it.
        """
        self._entries.clear()
        self._confirmed.clear()

    def hear(self, line: bytes) -> bool:
        """Take a line of the index; the last line about a game counts. Returns False if it is no line of the index."""
        try:
            data = unseal(unescape(line), NAME)
            if data == ALL.encode():
                self._confirmed.update({game_id: told["mark"] for game_id, told in self._entries.items()})
                return True
            game_id, _, text = (data or b"").decode().partition(" ")
            told = json.loads(text)
        except (ValueError, RecursionError):
            return False
        if isinstance(told, str):
            self._confirmed[game_id] = told
        elif isinstance(told, dict) and all(type(told.get(key)) is kind for key, kind in KINDS.items()):
            self._entries[game_id] = told
        return True

    def files(self, sizes: dict[str, int]) -> None:
        self._files.update(sizes)

    def ids(self) -> list[str]:
        """Return the ids of all games, newest first."""
        ids = [name.removesuffix(SUFFIX) for name in self._files if name.endswith(SUFFIX)]
        return sorted(ids, key=lambda game_id: (counter(game_id), game_id), reverse=True)

    def aside(self) -> int:
        """Return how many damaged files the device keeps."""
        return sum(map(is_aside, self._files))

    def entry(self, game_id: str) -> dict[str, Any] | None:
        """Return what the index reports of a game, or None if that is not about the file as it is now."""
        told = self._entries.get(game_id)
        if told is None or told["size"] != self._files[game_id + SUFFIX]:
            return None
        return {
            **told,
            "id": game_id,
            "lines": told["lines"] + 1,  # the set-up is a line as well
            "confirmed": self._confirmed.get(game_id) == told["mark"],
            "damaged": f"{game_id}.bad" in self._files,
        }
