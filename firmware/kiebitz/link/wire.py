"""The lines on the wire, the same on both ends: a mark, a number, a word, a JSON object and a checksum."""

import sys

from ..rules import Refused
from ..table.script import parse
from ..table.sealed import seal, unseal

if sys.implementation.name != "micropython":
    from ..ui.strokes import micropython, ptr8

REQUEST = b"K? "
ANSWER = b"K! "

# No request is longer, its line end included, and no line the other way
REQUEST_MAX = 1024
LINE_MAX = 4096

_SALT = "link"
_SEQ_DIGITS = 9


def frame(mark: bytes, seq: int, word: str, value: str):
    """One line, ready to be sent; the value is a JSON object."""
    return escape(seal("%s%d %s %s" % (mark.decode(), seq, word, value), _SALT))


def unframe(mark: bytes, line: bytes):
    """(seq, word, value) of a line without its end, whatever stands before the mark; None for anything else."""
    at = line.find(mark)
    while at >= 0:
        found = _parts(line[at:], len(mark))
        if found:
            return found
        at = line.find(mark, at + 1)
    return None


def _parts(line, start):
    try:
        data = unseal(unescape(line), _SALT)
        if data is None:
            return None
        seq, word, value = data[start:].split(b" ", 2)
        if not seq.isdigit() or len(seq) > _SEQ_DIGITS:
            return None
        return int(seq), word.decode(), parse(value)
    except (ValueError, Refused):
        return None


@micropython.viper
def plain_until(data: ptr8, at: int, end: int) -> int:
    """Where, from `at` on, the first byte lies that must not travel as it is; `end` if there is none."""
    while at < end:
        byte = int(data[at])
        if byte > 125:
            return at
        if byte < 32:
            if byte != 10:
                return at
        at += 1
    return end


def escape(data):
    """The bytes with all that is not printable ASCII, and ~ itself, as ~ and two hex digits; line ends stay."""
    end = len(data)
    at = plain_until(data, 0, end)
    if at == end:
        return data
    out = bytearray()
    start = 0
    while at < end:
        out.extend(data[start:at])
        out.extend(b"~%02x" % data[at])
        start = at + 1
        at = plain_until(data, start, end)
    out.extend(data[start:])
    return bytes(out)


def unescape(data: bytes):
    """What escape() was given; ValueError for what it never returns."""
    if b"~" not in data:
        return data
    parts = data.split(b"~")
    out = bytearray(parts[0])
    for part in parts[1:]:
        out.append(int(part[:2].decode(), 16))
        out.extend(part[2:])
    return bytes(out)
