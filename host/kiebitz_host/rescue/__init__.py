"""Recover games from an image of a Pico's flash, even if its file system cannot be mounted.

Journal lines are found in raw bytes by their checksums, and ordered for each game up to the first gap.
"""

import json
import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kiebitz.store.index import NAME as INDEX
from kiebitz.store.journal_files import NAME as NEWEST
from kiebitz.store.journal_files import SUFFIX
from kiebitz.store.sealed_lines import LINE_MAX, unseal

from ..flash_layout import BLOCK, BLOCKS, FLASH_SIZE, FS_SIZE, FS_START
from ..link.journal import LINES_MAX, sealed
from ..link.sync import replayed
from ..outcome import Trouble

# The id of a game: the id of its device, its number on that device, and three random bytes
_ID = re.compile(rb"[0-9a-f]{1,6}-[0-9]{4,9}-[0-9a-f]{6}")
# Every sealed line ends like this; a journal line has its number before the checksum
_SEALED_END = re.compile(rb" [0-9a-f]{8}\n")
_NUMBER_END = re.compile(rb" ([0-9]{1,6}) [0-9a-f]{8}$")
_START = b'{"'  # may be anywhere in a line, because the bytes before it need not end with a newline

_OFFSET_DIGITS = 9
_ALL_BITS = 0xFFFFFFFF

Place = tuple[int, str]  # number and text of a line


def _table_entry(value: int) -> int:
    for _ in range(8):
        value = value >> 1 ^ (0xEDB88320 if value & 1 else 0)
    return value


_TABLE = [_table_entry(value) for value in range(256)]  # of the CRC32
_BY_TOP = {entry >> 24: (index, entry) for index, entry in enumerate(_TABLE)}  # the first byte of each is unique


class CarvedGame:
    """All lines and marks found of one game."""

    def __init__(self, game_id: str):
        self.id = game_id
        self.texts: dict[int, dict[str, None]] = {}  # by number; several if the flash holds different versions
        self.before: dict[Place, set[str]] = {}  # texts found directly before a line
        self.starts: dict[Place, set[int]] = {}  # offset of a line in its journal, from the newest lines
        self.told: dict[int, str] = {}  # from the index: number of lines, and the mark of these lines

    def add(self, number: int, text: str) -> None:
        """Add a line; duplicates are ignored."""
        self.texts.setdefault(number, {})[text] = None


def carve(pieces: Iterable[bytes]) -> dict[str, CarvedGame]:
    """Find all lines in these pieces of a flash. Returns the findings for each game, by its id."""
    streams = list(pieces)
    ids = sorted({found.decode() for stream in streams for found in _ID.findall(stream)})
    trails = {game_id: CarvedGame(game_id) for game_id in ids}
    by_salt = {zlib.crc32(game_id.encode()): trail for game_id, trail in trails.items()}
    for stream in streams:
        _carve_stream(stream, trails, by_salt)
    return trails


def _carve_stream(stream: bytes, trails: dict[str, CarvedGame], by_salt: dict[int, CarvedGame]) -> None:
    before: tuple[str, int, str] | None = None  # the previous line: game, number, text
    start: tuple[str, int] | None = None  # offset of the next line in its journal, if the previous line contains it
    begin = 0
    for found in _SEALED_END.finditer(stream):
        line = stream[max(begin, found.end() - LINE_MAX) : found.end() - 1]
        begin = found.end()
        newest = newest_place(line)
        if newest:
            before, start = None, newest
            continue
        trail, number, text, gap = _journal_line(line, by_salt) or (None, 0, "", 0)
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


def _journal_line(line: bytes, by_salt: dict[int, CarvedGame]) -> tuple[CarvedGame, int, str, int] | None:
    """Return (game, number, text, bytes before it) of a line whose checksum matches a game; None if there is none.

    The salt of the checksum is computed backwards from the end of the line, because trying every game at every possible
    start would take hours on a flash that somebody has filled with ids.
    """
    end = _NUMBER_END.search(line)
    if end is None:
        return None
    found: tuple[CarvedGame, int] | None = None
    state = int(line[-8:], 16) ^ _ALL_BITS
    for at in range(len(line) - 9, line.find(_START) - 1 if _START in line else len(line), -1):
        index, entry = _BY_TOP[state >> 24]
        state = (state ^ entry) << 8 & _ALL_BITS | index ^ line[at]
        if line.startswith(_START, at):
            trail = by_salt.get(state ^ _ALL_BITS)
            found = (trail, at) if trail else found  # the first start counts
    if found is None:
        return None
    trail, at = found
    try:
        return trail, int(end[1]), line[at : end.start()].decode(), at
    except UnicodeDecodeError:
        return None


def newest_place(line: bytes) -> tuple[str, int] | None:
    """Return (game, offset in its journal) from the first line of the file of newest lines; None for any other line."""
    for found in _ID.finditer(line):
        data = unseal(line[found.start() :], NEWEST)
        name, _, at = (data or b"").decode(errors="replace").partition(" ")
        if name.endswith(SUFFIX) and at.isascii() and at.isdigit() and len(at) <= _OFFSET_DIGITS:
            return name.removesuffix(SUFFIX), int(at)
    return None


def _index_line(line: bytes, trails: dict[str, CarvedGame]) -> None:
    """Record the game described by a line of the index; ignore any other line."""
    for found in _ID.finditer(line):
        data = unseal(line[found.start() :], INDEX)
        if data is None:
            continue
        game_id, _, text = data.decode(errors="replace").partition(" ")
        try:
            told = json.loads(text)
        except (ValueError, RecursionError):
            return
        is_entry = isinstance(told, dict) and type(told.get("lines")) is int and type(told.get("mark")) is str
        if is_entry and game_id in trails and 0 <= told["lines"] < LINES_MAX:
            trails[game_id].told[told["lines"] + 1] = told["mark"]  # the set-up is a line as well
        return


_COURSES_MAX = 16  # most courses to follow where the flash holds different versions of a game


@dataclass
class Recovered:
    """The result of recovering one game."""

    id: str
    lines: list[str]  # the set-up and the entries after it, as the journal stores them
    finished: bool = False
    later: int = 0  # lines after a gap, which are unusable
    expected: int = 0  # lines according to the index, if more than were found
    refused: str = ""  # why the rules refuse the next line
    others: list[list[str]] = field(default_factory=list)  # other, shorter courses of this game

    @property
    def flaw(self) -> str:
        """A description of what is missing, without a full stop; empty if the game is complete."""
        later = count(self.later, "entry", "entries")
        if self.refused:
            return self.refused
        if not self.lines:
            return f"its set-up is lost, and {later} with it"
        if self.later:
            return f"entry {len(self.lines)} is lost, and {later} behind it cannot be used"
        if self.expected > len(self.lines):
            return f"{count(self.expected - len(self.lines), 'entry', 'entries')} at its end are lost"
        return ""


def count(n: int, one: str, many: str) -> str:
    """Return a number with its noun in the singular or plural."""
    return f"{n} {one if n == 1 else many}"


def recover(trail: CarvedGame, whole: list[str] | None = None) -> Recovered | None:
    """Combine the lines of a game. Returns the game, or None if no line of it was found.

    whole: the lines read through the file system, which are certain. A line found after them counts only if it is known
    to follow them.
    """
    courses = _courses(trail, [whole] if whole else [[text] for text in trail.texts.get(0, [])], strict=bool(whole))
    if not courses:
        return Recovered(trail.id, [], later=len(trail.texts)) if trail.texts else None
    taken = [(replayed(course), course) for course in courses]
    best, course = max(taken, key=lambda pair: (_agrees(trail, pair[0].lines), len(pair[0].lines)))
    good, refused = best.lines, best.flaw
    later = 0 if refused or whole else sum(number > len(course) for number in trail.texts)
    others = [other.lines for other, _ in taken if good[: len(other.lines)] != other.lines]
    return Recovered(trail.id, good, best.finished, later, max(trail.told, default=0), refused, others)


def _agrees(trail: CarvedGame, lines: list[str]) -> int:
    """Return how many of the first lines are confirmed by a mark of the index."""
    agreed = total = 0
    for number, text in enumerate(lines, 1):
        total = zlib.crc32(sealed(trail.id, number - 1, text), total)
        if trail.told.get(number) == f"{total:08x}":
            agreed = number
    return agreed


def _courses(trail: CarvedGame, beginnings: list[list[str]], strict: bool) -> list[list[str]]:
    """Return each course of the game that starts with one of the beginnings, up to its first gap."""
    done: list[list[str]] = []
    for beginning in beginnings[:_COURSES_MAX]:
        course: list[str] = []
        sizes = [0]  # of the journal before each line, and after all of them
        under_way = [(0, beginning)]  # how many lines of the course to keep, and what follows
        while under_way and len(done) < _COURSES_MAX:
            kept, added = under_way.pop()
            del course[kept:], sizes[kept + 1 :]
            for text in added:
                sizes.append(sizes[-1] + len(sealed(trail.id, len(course), text)))
                course.append(text)
            following = _next(trail, course, sizes[-1], strict)
            under_way += [(len(course), [text]) for text in following]
            if not following:
                done.append(list(course))
    return done


def _next(trail: CarvedGame, course: list[str], size: int, strict: bool) -> list[str]:
    """Return the candidates for the next line: found directly after this one, or known to start at this offset.

    If not `strict`, a line with an unknown predecessor is accepted as well.
    """
    number = len(course)
    texts = list(trail.texts.get(number, ()))
    befores = {text: trail.before.get((number, text), set()) for text in texts}
    sure = [text for text in texts if course[-1] in befores[text] or size in trail.starts.get((number, text), ())]
    return sure or [text for text in texts if not strict and not befores[text]]


SIZE_MAX = 16 * 1024 * 1024  # no Pico has a larger flash

_POINTERS_MAX = 32
# How much of the previous block is read again: a line that began there, and the line before it
_OVERLAP = 2 * LINE_MAX


def read_image(path: Path) -> bytes:
    """Read an image of the file system alone or of the whole flash.

    Returns the file system; raises Trouble if it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(SIZE_MAX + 1)  # a device file may be endless
    except OSError as trouble:
        raise Trouble(f"cannot read {path}: {trouble.strerror}.") from None
    if len(data) > SIZE_MAX:
        raise Trouble(f"{path} is not an image of a Pico's flash: it is too large.")
    return data[FS_START : FS_START + FS_SIZE] if len(data) == FLASH_SIZE else data


def streams(image: bytes) -> Iterator[bytes]:
    """Yield the content of each block, preceded by the end of the block that it continues.

    littlefs stores a long file as linked blocks. Each block but the first begins with pointers: the first one to the
    previous block, the others further back. A pointer is a block number in four bytes, little-endian, and cannot be
    mistaken for text.
    """
    for at in range(0, len(image), BLOCK):
        before, content = _content(image, at)
        if before is not None:
            content = _content(image, before * BLOCK)[1][-_OVERLAP:] + content
        yield content


def _content(image: bytes, at: int) -> tuple[int | None, bytes]:
    """Return (number of the block that this block continues, or None; content after the pointers)."""
    block = image[at : at + BLOCK]
    blocks = len(image) // BLOCK
    pointers: list[int] = []
    for (number,) in struct.iter_unpack("<I", block[: min(_POINTERS_MAX, len(block) & ~3)]):
        if number >= blocks:
            break
        pointers.append(number)
    return pointers[0] if pointers else None, block[4 * len(pointers) :]


def mounted_files(image: bytes) -> dict[str, bytes] | None:
    """Read the journals and the newest lines through the file system. Returns {path: content}.

    Returns None if the image cannot be mounted, or littlefs-python is not installed. Unreadable files are skipped.
    """
    try:
        from littlefs import LittleFS, LittleFSError, UserContext
    except ImportError:
        return None
    if len(image) != FS_SIZE:
        return None
    context = UserContext(buffsize=FS_SIZE)
    context.buffer[:] = image
    lfs = LittleFS(context=context, block_size=BLOCK, block_count=BLOCKS, prog_size=256, mount=False)
    found: dict[str, bytes] = {}
    try:
        lfs.mount()
        for root, _, names in lfs.walk("/data"):
            for name in names:
                path = f"{root}/{name}"
                try:
                    with lfs.open(path, "rb") as file:
                        found[path] = file.read()
                except (LittleFSError, OSError):
                    pass
    except (LittleFSError, OSError, ValueError):
        return found or None
    return found
