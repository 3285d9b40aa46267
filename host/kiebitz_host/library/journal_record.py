"""Encode a journal for storage and exchange: one text with metadata in the first line, then all its lines.

Merging two records of a game is commutative: histories are united, the longest one is the game, an exact time replaces
an estimated one, and the earlier of two times counts.
"""

import hashlib
import json
import zlib
from typing import NamedTuple

from ..received import Unfit, device_id, either, listed, matching, nothing, number, pair, truth
from ..received import record as fields
from .database import is_newer

FORMAT = 1
DIGEST_BYTES = 16
RECORD_MAX = 8_000_000  # bytes; a journal of 5,000 entries has less than one million
PACKED_MAX = RECORD_MAX + RECORD_MAX // 100  # bytes; compression makes random bytes a little longer
HISTORIES_MAX = 100  # of one game; a sync compares them one by one
TIME_MAX = 4102444800  # the year 2100: a later timestamp comes from a clock that was never set
LINES_MAX = 20_000  # of all histories: a line takes more memory and time than its bytes
LIMITS = f"a game has at most {HISTORIES_MAX} histories, {LINES_MAX:,} lines and {RECORD_MAX // 1_000_000} MB"
_FIRST_LINE_MAX = 8192  # bytes, with all histories
_COMPRESSION = 6

own_id = matching("[ -}]{1,80}")  # without "~", which separates the suffix of a shared id
_HEAD = fields(
    {
        "id": own_id,
        "device": either(nothing, device_id),
        "at": number(TIME_MAX),
        "approximate": truth,
        "histories": listed(pair(number(RECORD_MAX, 1), truth), HISTORIES_MAX),
    }
)


class History(NamedTuple):
    """The lines of one history of a game, and whether the device has lost some of them."""

    lines: list[str]
    damaged: bool = False


class BadRecord(ValueError):
    """The bytes are not a valid journal; the message gives the reason."""


class NewerRecord(BadRecord):
    """The bytes were written by a newer Kiebitz."""

    def __init__(self) -> None:
        super().__init__("it was written by a newer Kiebitz")


class Record(NamedTuple):
    """A journal with its metadata."""

    own: str  # the id given by its device
    device: str | None
    at: int
    approximate: bool
    histories: tuple[History, ...]  # the first one is the game; all begin with the same set-up

    @property
    def lines(self) -> list[str]:
        """The lines of the game."""
        return self.histories[0].lines

    @property
    def key(self) -> str:
        """The key by which decisions refer to the game: id and set-up, because two games may share an id."""
        return key_of(self.own, self.lines[0])

    def encode(self) -> bytes:
        """Return the canonical text of the record, the same bytes on every laptop."""
        head = {
            "kiebitz": FORMAT,
            "id": self.own,
            "device": self.device,
            "at": self.at,
            "approximate": self.approximate,
            "histories": [[len(lines), damaged] for lines, damaged in self.histories],
        }
        every = [line for history in self.histories for line in history.lines]
        return "\n".join([json.dumps(head, separators=(",", ":")), *every, ""]).encode()

    def merged(self, other: "Record") -> tuple["Record", int]:
        """Return (record with the content of both, number of histories left out because a record cannot hold them)."""
        rough, at = min((self.approximate, self.at), (other.approximate, other.at))
        devices = [device for device in (self.device, other.device) if device]
        histories = united([*self.histories, *other.histories])
        kept = fitting(histories)
        return Record(self.own, min(devices, default=None), at, rough, kept), len(histories) - len(kept)


def key_of(own: str, setup: str) -> str:
    """Return the key of a game, from its id and its first line."""
    return f"{own}/{hashlib.sha256(setup.encode()).hexdigest()[:12]}"


def united(histories: list[History]) -> tuple[History, ...]:
    """Drop histories that are the beginning of another. Returns the rest, longest first, keeping `damaged` flags."""
    kept: list[History] = []
    for lines, damaged in sorted(histories, reverse=True):  # a beginning comes directly after its continuations
        longer, was_damaged = kept[-1] if kept else ([], False)
        if longer[: len(lines)] != lines:
            kept.append(History(lines, damaged))
        elif len(longer) == len(lines):
            kept[-1] = History(lines, damaged or was_damaged)
    return tuple(sorted(kept, key=lambda history: (-len(history.lines), history.lines)))


def fitting(histories: tuple[History, ...]) -> tuple[History, ...]:
    """Return as many of the merged histories as a record can hold.

    The longest come first, so that all laptops agree on the game in any order of arrival.
    """
    room, lines_left = RECORD_MAX - _FIRST_LINE_MAX, LINES_MAX
    for k, (lines, _) in enumerate(histories):
        room -= sum(len(line.encode()) + 1 for line in lines)
        lines_left -= len(lines)
        if room < 0 or lines_left < 0 or k == HISTORIES_MAX:
            return histories[:k]
    return histories


def digest_of(content: bytes) -> bytes:
    """Return the hash that names a content."""
    return hashlib.sha256(content).digest()[:DIGEST_BYTES]


def packed(content: bytes) -> bytes:
    """Compress a content for the database."""
    return zlib.compress(content, _COMPRESSION)


def unpacked(data: bytes) -> bytes:
    """Decompress a content from the database; raises BadRecord."""
    try:
        unpacker = zlib.decompressobj()
        content = unpacker.decompress(data, RECORD_MAX)
    except zlib.error as error:
        raise BadRecord(str(error)) from None
    if not unpacker.eof:
        raise BadRecord("it is cut off or too long")
    return content


def readable_part(data: bytes) -> Record | None:
    """Return the readable part of a corrupt content: the complete lines before the corruption."""
    unpacker = zlib.decompressobj()
    pieces: list[bytes] = []
    room = RECORD_MAX
    try:
        for k in range(len(data)):
            pieces.append(unpacker.decompress(data[k : k + 1], room))
            room -= len(pieces[-1])
            if room <= 0:
                break
    except zlib.error:
        pass  # keep what came before it
    try:
        head, lines = _head_and_lines(b"".join(pieces).decode("utf-8", "replace").encode())
        head = _HEAD(head)
    except (BadRecord, Unfit):
        return None
    length = head["histories"][0][0] if head["histories"] else 0
    whole = lines[: min(length, len(lines) - 1)]
    return Record(head["id"], head["device"], head["at"], head["approximate"], (History(whole),)) if whole else None


def decode(content: bytes) -> Record:
    """Parse a record. Raises BadRecord for any bytes that encode() would not have produced."""
    head, lines = _head_and_lines(content)
    if is_newer(head["kiebitz"], FORMAT):
        raise NewerRecord
    if isinstance(head.get("histories"), list) and len(head["histories"]) > HISTORIES_MAX:
        raise BadRecord(f"it has more than {HISTORIES_MAX} histories")
    try:
        record = _record(_HEAD(head), lines)
    except Unfit:
        raise BadRecord("its first line has invalid metadata") from None
    histories = list(record.histories)
    lengths = sum(len(history.lines) for history in histories)
    if not histories or lengths != len(lines) - 1 or record.encode() != content:
        raise BadRecord("its metadata does not match its lines")
    if united(histories) != record.histories:
        raise BadRecord("its histories are not in order")
    if fitting(record.histories) != record.histories:
        raise BadRecord("it is too long")
    if len({history.lines[0] for history in histories}) != 1:
        raise BadRecord("its histories are of different games")
    return record


def _head_and_lines(content: bytes) -> tuple[dict, list[str]]:
    if content.count(b"\n") > LINES_MAX + 1:
        raise BadRecord(f"it has more than {LINES_MAX:,} lines")
    try:
        head_line, *lines = content.decode().split("\n")
        head = json.loads(head_line)
    except (ValueError, RecursionError):
        raise BadRecord("it is not a journal of Kiebitz") from None
    if not isinstance(head, dict) or "kiebitz" not in head:
        raise BadRecord("it is not a journal of Kiebitz")
    return head, lines


def _record(head: dict, lines: list[str]) -> Record:
    histories, start = [], 0
    for length, damaged in head["histories"]:
        histories.append(History(lines[start : start + length], damaged))
        start += length
    return Record(head["id"], head["device"], head["at"], head["approximate"], tuple(histories))
