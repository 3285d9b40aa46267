"""Encode a journal for storage and exchange: one text with metadata in the first line, then all its lines.

Merging two records of a game is commutative: histories are united, the longest one is the game, an exact time replaces
an estimated one, and the earlier of two times counts.
"""

import hashlib
import json
import zlib
from typing import NamedTuple

from .database import is_newer

FORMAT = 1
DIGEST_BYTES = 16
RECORD_MAX = 8_000_000  # bytes; a journal of 5,000 entries has less than one million
TIME_MAX = 4102444800  # the year 2100: a later timestamp comes from a clock that was never set
_FACTS = {"kiebitz", "id", "device", "at", "approximate", "histories"}
_ID_MAX = 80  # characters
_DEVICE_MAX = 200  # characters
_COMPRESSION = 6


class History(NamedTuple):
    """The lines of one history of a game, and whether the device has lost some of them."""

    lines: list[str]
    damaged: bool = False


class BadRecord(ValueError):
    """The bytes are not a valid journal; the message gives the reason."""


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

    def merged(self, other: "Record") -> "Record":
        """Return the record with the content of both."""
        rough, at = min((self.approximate, self.at), (other.approximate, other.at))
        devices = [device for device in (self.device, other.device) if device]
        histories = united([*self.histories, *other.histories])
        return Record(self.own, min(devices, default=None), at, rough, histories)


def key_of(own: str, setup: str) -> str:
    """Return the key of a game, from its id and its first line."""
    return f"{own}/{hashlib.sha256(setup.encode()).hexdigest()[:12]}"


def united(histories: list[History]) -> tuple[History, ...]:
    """Drop histories that are the beginning of another. Returns the rest, longest first, keeping `damaged` flags."""
    ordered = sorted(histories, key=lambda history: (-len(history.lines), history.lines))
    kept: list[History] = []
    for lines, damaged in ordered:
        for k, (longer, was_damaged) in enumerate(kept):
            if longer[: len(lines)] == lines:
                if len(longer) == len(lines):
                    kept[k] = History(longer, damaged or was_damaged)
                break
        else:
            kept.append(History(lines, damaged))
    return tuple(kept)


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
    content = b""
    try:
        for k in range(len(data)):
            content += unpacker.decompress(data[k : k + 1])
    except zlib.error:
        pass  # keep what came before it
    try:
        head, lines = _head_and_lines(content.decode("utf-8", "replace").encode())
        _check(head)
    except BadRecord:
        return None
    length, _ = head["histories"][0]
    whole = lines[: min(length, len(lines) - 1)]
    return Record(head["id"], head["device"], head["at"], head["approximate"], (History(whole),)) if whole else None


def parse(content: bytes) -> Record:
    """Parse a record that this program has stored itself; raises BadRecord."""
    head, lines = _head_and_lines(content)
    try:
        return _record(head, lines)
    except (KeyError, TypeError, ValueError):
        raise BadRecord("its metadata does not match its lines") from None


def decode(content: bytes) -> Record:
    """Parse a record. Raises BadRecord for any bytes that encode() would not have produced."""
    head, lines = _head_and_lines(content)
    if is_newer(head["kiebitz"], FORMAT):
        raise BadRecord("it was written by a newer Kiebitz")
    _check(head)
    record = _record(head, lines)
    histories = list(record.histories)
    lengths = sum(len(history.lines) for history in histories)
    if lengths != len(lines) - 1 or united(histories) != record.histories or record.encode() != content:
        raise BadRecord("its metadata does not match its lines")
    if len({history.lines[0] for history in histories}) != 1:
        raise BadRecord("its histories are of different games")
    return record


def _head_and_lines(content: bytes) -> tuple[dict, list[str]]:
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


def _check(head: dict) -> None:
    """Raise BadRecord unless all metadata has the right types and ranges."""
    own, device, at, histories = (head.get(key) for key in ("id", "device", "at", "histories"))
    named = isinstance(own, str) and 0 < len(own) <= _ID_MAX and own.isprintable() and own.isascii()
    sound = head.keys() == _FACTS and named
    sound = sound and (device is None or (isinstance(device, str) and 0 < len(device) <= _DEVICE_MAX))
    sound = sound and (device is None or device.isprintable())
    sound = sound and type(at) is int and 0 <= at <= TIME_MAX and type(head.get("approximate")) is bool
    sound = sound and isinstance(histories, list) and bool(histories) and all(map(_is_length, histories))
    if not sound:
        raise BadRecord("its first line has invalid metadata")


def _is_length(pair: object) -> bool:
    """Return True for the [lines, damaged] pair of a history."""
    return isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is int and pair[0] > 0 and type(pair[1]) is bool
