"""Encode a journal for storage and exchange: one text with its facts in the first line, then all its lines.

Two records of one game always make the same third one, in whatever order they come: histories are united, the longest
one is the game, an exact time replaces an estimated one, and of two times the earlier counts.
"""

import hashlib
import json
import zlib
from typing import NamedTuple

from .database import is_newer

FORMAT = 1
DIGEST_BYTES = 16
RECORD_MAX = 8_000_000  # bytes; a journal of 5,000 entries has less than one million
TIME_MAX = 4102444800  # the year 2100: a later time comes from a clock that was never set
_FACTS = {"kiebitz", "id", "device", "at", "approximate", "histories"}
_ID_MAX = 80  # characters
_DEVICE_MAX = 200  # characters
_COMPRESSION = 6


class History(NamedTuple):
    """The lines of one course of a game, and whether the device has lost some of them."""

    lines: list[str]
    damaged: bool = False


class BadRecord(ValueError):
    """The bytes are not a journal; the text says why."""


class Record(NamedTuple):
    """A journal with its facts."""

    own: str  # the id that its device has given
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
        """Name the game as decisions do: its id and its set-up, because two games may have one id."""
        return key_of(self.own, self.lines[0])

    def encode(self) -> bytes:
        """Return the text of the record: the same record has the same bytes everywhere."""
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
        """Return the record that holds everything of both."""
        rough, at = min((self.approximate, self.at), (other.approximate, other.at))
        devices = [device for device in (self.device, other.device) if device]
        histories = united([*self.histories, *other.histories])
        return Record(self.own, min(devices, default=None), at, rough, histories)


def key_of(own: str, setup: str) -> str:
    """Return what decisions call a game, from its id and its first line."""
    return f"{own}/{hashlib.sha256(setup.encode()).hexdigest()[:12]}"


def united(histories: list[History]) -> tuple[History, ...]:
    """Return the histories that are not the beginning of another, the longest first, each damaged if one of it was."""
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
    """Return the name of a content: nobody else's is the same."""
    return hashlib.sha256(content).digest()[:DIGEST_BYTES]


def packed(content: bytes) -> bytes:
    """Return the bytes for the database."""
    return zlib.compress(content, _COMPRESSION)


def unpacked(data: bytes) -> bytes:
    """Return the content of bytes from the database; raises BadRecord."""
    try:
        unpacker = zlib.decompressobj()
        content = unpacker.decompress(data, RECORD_MAX)
    except zlib.error as error:
        raise BadRecord(str(error)) from None
    if not unpacker.eof:
        raise BadRecord("it is cut off or too long")
    return content


def readable_part(data: bytes) -> Record | None:
    """Return what can be read of damaged bytes from a database: whole lines of the game before the damage."""
    unpacker = zlib.decompressobj()
    content = b""
    try:
        for k in range(len(data)):
            content += unpacker.decompress(data[k : k + 1])
    except zlib.error:
        pass  # what came before it is kept
    try:
        head, lines = _head_and_lines(content.decode("utf-8", "replace").encode())
        _check(head)
    except BadRecord:
        return None
    length, _ = head["histories"][0]
    whole = lines[: min(length, len(lines) - 1)]
    return Record(head["id"], head["device"], head["at"], head["approximate"], (History(whole),)) if whole else None


def parse(content: bytes) -> Record:
    """Return the record in these bytes, which this program has stored itself; raises BadRecord."""
    head, lines = _head_and_lines(content)
    try:
        return _record(head, lines)
    except (KeyError, TypeError, ValueError):
        raise BadRecord("its facts do not fit its lines") from None


def decode(content: bytes) -> Record:
    """Return the record in these bytes; raises BadRecord for anything that encode() would not have made."""
    head, lines = _head_and_lines(content)
    if is_newer(head["kiebitz"], FORMAT):
        raise BadRecord("it was written by a newer Kiebitz")
    _check(head)
    record = _record(head, lines)
    histories = list(record.histories)
    lengths = sum(len(history.lines) for history in histories)
    if lengths != len(lines) - 1 or united(histories) != record.histories or record.encode() != content:
        raise BadRecord("its facts do not fit its lines")
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
    """Raise BadRecord unless all facts are of their type and in their range."""
    own, device, at, histories = (head.get(key) for key in ("id", "device", "at", "histories"))
    named = isinstance(own, str) and 0 < len(own) <= _ID_MAX and own.isprintable() and own.isascii()
    sound = head.keys() == _FACTS and named
    sound = sound and (device is None or (isinstance(device, str) and 0 < len(device) <= _DEVICE_MAX))
    sound = sound and (device is None or device.isprintable())
    sound = sound and type(at) is int and 0 <= at <= TIME_MAX and type(head.get("approximate")) is bool
    sound = sound and isinstance(histories, list) and bool(histories) and all(map(_is_length, histories))
    if not sound:
        raise BadRecord("its first line has facts that cannot be")


def _is_length(pair: object) -> bool:
    """Return True for [lines, damaged] of a history."""
    return isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is int and pair[0] > 0 and type(pair[1]) is bool
