"""Finds lines of journals in raw bytes by their checksums, with the game of each line and the line before it."""

import json
import re
from collections.abc import Iterable

from kiebitz.store.index import NAME as INDEX
from kiebitz.store.journal_files import NAME as NEWEST
from kiebitz.store.journal_files import SUFFIX
from kiebitz.store.sealed_lines import LINE_MAX, unseal

# The id of a game: the id of its device, its number on this device, and three random bytes
_ID = re.compile(rb"[0-9a-f]{1,6}-[0-9]{4,9}-[0-9a-f]{6}")
# Every sealed line ends like this; a journal line has its number before the checksum
_SEALED_END = re.compile(rb" [0-9a-f]{8}\n")
_NUMBER_END = re.compile(rb" ([0-9]{1,6}) [0-9a-f]{8}$")
_START = b'{"'
_STARTS_MAX = 64  # offsets in a line where it may begin: what is before it on the flash need not end with a line end

Place = tuple[int, str]  # number and text of a line


class Trail:
    """All lines and marks that were found of one game."""

    def __init__(self, game_id: str):
        self.id = game_id
        self.texts: dict[int, list[str]] = {}  # by number; several if the flash holds different versions
        self.before: dict[Place, set[str]] = {}  # the texts found directly before a line
        self.starts: dict[Place, set[int]] = {}  # offset of a line in its journal, from the newest lines
        self.told: dict[int, str] = {}  # from the index: number of lines, and the mark of these lines

    def add(self, number: int, text: str) -> None:
        """Add a line; the same line may come any number of times."""
        texts = self.texts.setdefault(number, [])
        if text not in texts:
            texts.append(text)


def carve(pieces: Iterable[bytes]) -> dict[str, Trail]:
    """Find all lines in these pieces of a flash. Returns what was found of each game named there, by its id."""
    streams = list(pieces)
    ids = sorted({found.decode() for stream in streams for found in _ID.findall(stream)})
    trails = {game_id: Trail(game_id) for game_id in ids}
    recent = list(trails.values())  # the game found last comes first: lines of a game are close together
    for stream in streams:
        _carve_stream(stream, trails, recent)
    return trails


def _carve_stream(stream: bytes, trails: dict[str, Trail], recent: list[Trail]) -> None:
    before: tuple[str, int, str] | None = None  # the line right before: game, number, text
    start: tuple[str, int] | None = None  # offset in its journal of the next line, if the line before reports it
    begin = 0
    for found in _SEALED_END.finditer(stream):
        line = stream[max(begin, found.end() - LINE_MAX) : found.end() - 1]
        begin = found.end()
        newest = newest_place(line)
        if newest:
            before, start = None, newest
            continue
        trail, number, text, gap = _journal_line(line, recent) or (None, 0, "", 0)
        if trail is None:
            before, start = None, None
            _index_line(line, trails)
            continue
        trail.add(number, text)
        if before and not gap and before[:2] == (trail.id, number - 1):
            trail.before.setdefault((number, text), set()).add(before[2])
        if start and not gap and start[0] == trail.id:
            trail.starts.setdefault((number, text), set()).add(start[1])
        before, start = (trail.id, number, text), None


def _journal_line(line: bytes, recent: list[Trail]) -> tuple[Trail, int, str, int] | None:
    """Return (game, number, text, bytes before it) of a line whose checksum fits a game; None if it fits none."""
    end = _NUMBER_END.search(line)
    if end is None:
        return None
    at = line.find(_START)
    for _ in range(_STARTS_MAX):
        if at < 0:
            return None
        for k, trail in enumerate(recent):
            if unseal(line[at:], trail.id) is not None:
                recent.insert(0, recent.pop(k))
                try:
                    return trail, int(end[1]), line[at : end.start()].decode(), at
                except UnicodeDecodeError:
                    return None
        at = line.find(_START, at + 1)
    return None


def newest_place(line: bytes) -> tuple[str, int] | None:
    """Return (game, offset in its journal) from the first line of the file of newest lines; None for any other line."""
    for found in _ID.finditer(line):
        data = unseal(line[found.start() :], NEWEST)
        name, _, at = (data or b"").decode(errors="replace").partition(" ")
        if name.endswith(SUFFIX) and at.isdigit():
            return name.removesuffix(SUFFIX), int(at)
    return None


def _index_line(line: bytes, trails: dict[str, Trail]) -> None:
    """Note what a line of the index reports of a game; ignore any other line."""
    for found in _ID.finditer(line):
        data = unseal(line[found.start() :], INDEX)
        if data is None:
            continue
        game_id, _, text = data.decode(errors="replace").partition(" ")
        try:
            told = json.loads(text)
        except (ValueError, RecursionError):
            return
        if isinstance(told, dict) and type(told.get("lines")) is int and type(told.get("mark")) is str:
            trails[game_id].told[told["lines"] + 1] = told["mark"]  # the set-up is a line as well
        return
