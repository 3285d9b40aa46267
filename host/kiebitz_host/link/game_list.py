"""Combines a device's list of its games from the lines of its index and the names of its files."""

import json
from typing import Any

from kiebitz.link.wire import unescape
from kiebitz.store.index import ALL, NAME
from kiebitz.store.journal_files import SUFFIX
from kiebitz.store.library import counter, is_aside
from kiebitz.store.sealed_lines import unseal

from ..received import Unfit, game_id, mark
from .answers import FILES, FILES_MAX, INDEXED, LIST_END

# Games that the index may name: also those that were removed since it was last tidied up
_INDEXED_MAX = 2 * FILES_MAX


class GameList:
    """The list of games from one answer: hear() takes the lines of the answer, take() its pieces."""

    def __init__(self) -> None:
        self._entries: dict[str, dict[str, Any]] = {}
        self._confirmed: dict[str, str] = {}  # the mark that a laptop has confirmed
        self._files: dict[str, int] = {}

    def forget(self) -> None:
        """Forget everything because the answer starts again.

        A line that confirms all games before it, heard twice, would also confirm those after it.
        """
        self._entries.clear()
        self._confirmed.clear()
        self._files.clear()

    def hear(self, line: bytes) -> bool:
        """Take a line of the index; the last line about a game counts. Returns False if it is no line of the index."""
        try:
            data = unseal(unescape(line), NAME)
            if data == ALL.encode():
                self._confirmed.update({known: told["mark"] for known, told in self._entries.items()})
                return True
            name, _, text = (data or b"").decode().partition(" ")
            told = json.loads(text)
        except (ValueError, RecursionError):
            return False
        try:
            if isinstance(told, str):
                _put(self._confirmed, game_id(name), mark(told))
            else:
                _put(self._entries, game_id(name), INDEXED(told))
        except Unfit:
            pass  # the device is asked for this game
        return True

    def take(self, piece: Any) -> None:
        """Take the sizes of some files."""
        self.files(FILES(piece)["files"])
        if len(self._files) > FILES_MAX:
            raise Unfit

    def size(self) -> int:
        """Return the number of games and files that are known."""
        return len(self._entries) + len(self._confirmed) + len(self._files)

    def files(self, sizes: dict[str, int]) -> None:
        self._files.update(sizes)

    def is_all(self, end: Any) -> bool:
        """Tell whether all files have come."""
        return len(self._files) == LIST_END(end)["files"]

    def ids(self) -> list[str]:
        """Return the ids of all games, newest first."""
        ids = [name.removesuffix(SUFFIX) for name in self._files if _is_game(name)]
        return sorted(ids, key=lambda game_id: (counter(game_id), game_id), reverse=True)

    def aside(self) -> int:
        """Return how many files the device keeps that nobody can ask it for: damaged ones, and those without an id."""
        return sum(is_aside(name) or not _is_game(name) for name in self._files)

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


def _put(known: dict[str, Any], key: str, value: Any) -> None:
    """Note the value; raises Unfit if there are too many."""
    if len(known) >= _INDEXED_MAX and key not in known:
        raise Unfit
    known[key] = value


def _is_game(name: str) -> bool:
    """Tell whether a file is the journal of a game: the device reads only those whose names are ids."""
    try:
        return name.endswith(SUFFIX) and bool(game_id(name.removesuffix(SUFFIX)))
    except Unfit:
        return False
