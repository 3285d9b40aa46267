"""Validate the answers of a device, and collect answers that arrive in pieces."""

import json
from typing import Any, NamedTuple, Protocol

from kiebitz.link.wire import LINE_MAX, unescape
from kiebitz.raster.tints import SIZE
from kiebitz.store.index import ALL, NAME
from kiebitz.store.journal_files import SUFFIX
from kiebitz.store.library import counter, is_aside
from kiebitz.store.presets import PRESETS_MAX
from kiebitz.store.roster import NAMES_MAX
from kiebitz.store.sealed_lines import unseal
from kiebitz.store.settings import SETTINGS as _DECLARED

from ..received import (
    Check,
    Unfit,
    code,
    device_id,
    either,
    game_id,
    listed,
    mapping,
    mark,
    matching,
    name,
    nothing,
    number,
    pair,
    preset,
    record,
    text,
    truth,
    version,
)

# More than the largest flash of a Pico can hold
BYTES_MAX = 1 << 24
FILES_MAX = 4096
_LINES_MAX = 1_000_000
_TIME_MAX = 1 << 34  # seconds since 1970: beyond any clock
_PIXELS_MAX = 1024
_THROWN_MAX = 100  # games; a device keeps fewer

WHO = record({"product": matching("kiebitz"), "version": version, "device": device_id, "now": number(_TIME_MAX),
              "board": text(32)})  # fmt: skip
REFUSAL = record({"code": code}, {"errno": number(9999, -9999)})
READ = record({"ends": listed(either(number(BYTES_MAX), code), LINE_MAX)})
CONFIRMED = record({"confirmed": listed(game_id, LINE_MAX)})
CONFIRMED_INDEX = record({"confirmed": truth})
STATE = either(record({"id": nothing}), record({"id": game_id, "lines": number(_LINES_MAX), "mark": mark}))
_VALUE = either(truth, number(BYTES_MAX), text(64))
SETTINGS = record({"settings": record({}, {setting.name: _VALUE for setting in _DECLARED})})

# Facts about a game, in the index and in its own answer
GAME: dict[str, Check] = {
    "game": text(32), "players": listed(name, 16), "at": number(_TIME_MAX), "events": number(_LINES_MAX),
    "lines": number(_LINES_MAX), "mark": mark, "finished": truth,
}  # fmt: skip
_POINTS = number(10**9, -(10**9))
_TITLE: dict[str, Check] = {"title": name}
INDEXED = record(
    {**GAME, "size": number(BYTES_MAX)},
    {
        **_TITLE,
        "rounds": either(nothing, number(_LINES_MAX)),
        "totals": listed(_POINTS, 16),
        "winners": listed(_POINTS, 16),
    },
)
READABLE = record({**GAME, "confirmed": truth, "damaged": truth}, _TITLE)
UNREADABLE = record({"damaged": truth})

FILES = record({"files": mapping(matching("[ -~]{1,255}"), number(BYTES_MAX), FILES_MAX)})
_THROWN = listed(pair(game_id, number(_TIME_MAX)), _THROWN_MAX)
LIST_END = record(
    {"files": number(FILES_MAX), "index": number(BYTES_MAX), "mark": mark, "thrown": _THROWN}, {"playing": game_id}
)
_NAMES = record({"names": listed(name, NAMES_MAX)})
_NAMES_END = record({"names": number(NAMES_MAX)})
_PRESET = record({"preset": preset})
_PRESETS_END = record({"presets": number(PRESETS_MAX)})
_PAGE = record({"page": number(_PIXELS_MAX // 8), "columns": matching(f"([0-9a-f]{{2}}){{1,{_PIXELS_MAX}}}")})
_SCREEN_END = record(
    {"width": number(_PIXELS_MAX), "height": number(_PIXELS_MAX)},
    {"tints": matching(f"([0-9a-f]{{{2 * SIZE}}}){{0,72}}")},
)


class Collector(Protocol):
    """Collect an answer in pieces. Its methods raise Unfit for anything that no Kiebitz sends."""

    def hear(self, line: bytes) -> object:
        """Process a line that is not an answer."""

    def take(self, piece: Any) -> None:
        """Add a piece."""

    def size(self) -> int:
        """Return how much has arrived; repeated pieces do not count."""

    def is_all(self, end: Any) -> bool:
        """Return True if everything counted by the end of the answer has arrived."""

    def forget(self) -> None:
        """Reset, because the answer starts again."""


class Names:
    """The names of the roster."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def hear(self, line: bytes) -> None:
        """Ignore the line."""

    def take(self, piece: Any) -> None:
        """Add the names of a piece."""
        self.names += _NAMES(piece)["names"]
        if len(self.names) > NAMES_MAX:
            raise Unfit

    def size(self) -> int:
        """Return the number of names."""
        return len(self.names)

    def is_all(self, end: Any) -> bool:
        """Return True if all names have arrived."""
        return len(self.names) == _NAMES_END(end)["names"]

    def forget(self) -> None:
        """Drop all names."""
        self.names = []


class PresetList:
    """The presets of the device, one per piece."""

    def __init__(self) -> None:
        self.presets: list[Any] = []

    def hear(self, line: bytes) -> None:
        """Ignore the line."""

    def take(self, piece: Any) -> None:
        """Add the preset of a piece."""
        self.presets.append(_PRESET(piece)["preset"])
        if len(self.presets) > PRESETS_MAX:
            raise Unfit

    def size(self) -> int:
        """Return the number of presets."""
        return len(self.presets)

    def is_all(self, end: Any) -> bool:
        """Return True if all presets have arrived."""
        return len(self.presets) == _PRESETS_END(end)["presets"]

    def forget(self) -> None:
        """Drop all presets."""
        self.presets = []


class Screen(NamedTuple):
    """A picture: pages of eight rows, one byte for each column, and the coloured rectangles of kiebitz.raster.tints."""

    width: int
    height: int
    pages: bytes
    tints: bytes = b""


class Picture:
    """Collect the pages of a display; a page is eight rows, one byte for each column."""

    def __init__(self) -> None:
        self.width = self.height = 0
        self._tints = b""
        self._pages: dict[int, bytes] = {}

    def hear(self, line: bytes) -> None:
        """Ignore the line."""

    def take(self, piece: Any) -> None:
        """Add a page."""
        page = _PAGE(piece)
        self._pages[page["page"]] = bytes.fromhex(page["columns"])

    def size(self) -> int:
        """Return the number of pages."""
        return len(self._pages)

    def is_all(self, end: Any) -> bool:
        """Return True if all pages have arrived, and store the size of the display."""
        size = _SCREEN_END(end)
        self.width, self.height = size["width"], size["height"]
        self._tints = bytes.fromhex(size.get("tints", ""))
        if any(len(page) != self.width for page in self._pages.values()):
            raise Unfit
        return sorted(self._pages) == list(range(self.height // 8))

    def forget(self) -> None:
        """Drop all pages."""
        self._pages = {}

    def content(self) -> Screen:
        """Return the picture, its pages from top to bottom."""
        pages = b"".join(self._pages[page] for page in sorted(self._pages))
        return Screen(self.width, self.height, pages, self._tints)


# Most games in the index, including those removed since it was last compacted
_INDEXED_MAX = 2 * FILES_MAX


class GameList:
    """Collect the list of games from one answer: lines of the index, and pieces with file sizes."""

    def __init__(self) -> None:
        self._entries: dict[str, dict[str, Any]] = {}
        self._confirmed: dict[str, str] = {}  # the mark confirmed by a laptop
        self._files: dict[str, int] = {}

    def forget(self) -> None:
        """Reset, because the answer starts again.

        A line that confirms all games before it, if added twice, would also confirm those after it.
        """
        self._entries.clear()
        self._confirmed.clear()
        self._files.clear()

    def hear(self, line: bytes) -> bool:
        """Add a line of the index; the last one about a game counts. Returns False for any other line."""
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
            pass  # ask the device for this game
        return True

    def take(self, piece: Any) -> None:
        """Add the sizes of some files."""
        self.files(FILES(piece)["files"])
        if len(self._files) > FILES_MAX:
            raise Unfit

    def size(self) -> int:
        """Return the number of known games and files."""
        return len(self._entries) + len(self._confirmed) + len(self._files)

    def files(self, sizes: dict[str, int]) -> None:
        self._files.update(sizes)

    def is_all(self, end: Any) -> bool:
        """Return True if all files have arrived."""
        return len(self._files) == LIST_END(end)["files"]

    def ids(self) -> list[str]:
        """Return the ids of all games, newest first."""
        ids = [name.removesuffix(SUFFIX) for name in self._files if _is_game(name)]
        return sorted(ids, key=lambda game_id: (counter(game_id), game_id), reverse=True)

    def aside(self) -> int:
        """Return how many files on the device cannot be requested: corrupt ones, and those without an id."""
        return sum(is_aside(name) or not _is_game(name) for name in self._files)

    def entry(self, game_id: str) -> dict[str, Any] | None:
        """Return the index entry of a game; None if it is stale."""
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
    """Store the value; raise Unfit if there are too many."""
    if len(known) >= _INDEXED_MAX and key not in known:
        raise Unfit
    known[key] = value


def _is_game(name: str) -> bool:
    """Return True if the file is the journal of a game, which is named by its id."""
    try:
        return name.endswith(SUFFIX) and bool(game_id(name.removesuffix(SUFFIX)))
    except Unfit:
        return False
