"""Encode and decode the lines of the link (prefix, number, word, JSON object, checksum) for both ends."""

from ..games import Refused
from ..machine_code import const, micropython, ptr8
from ..store.replay import parse
from ..store.sealed_lines import seal, unseal

REQUEST = b"K? "
ANSWER = b"K! "

# The longest request and the longest line of an answer in bytes, with their line ends
REQUEST_MAX = 1024
LINE_MAX = 4096

_SALT = "link"
_SEQ_DIGITS = const(9)


def frame(mark: bytes, seq: int, word: str, value: str):
    """Return one line, ready to be sent; the value is a JSON object."""
    return escape(seal("%s%d %s %s" % (mark.decode(), seq, word, value), _SALT))


def unframe(mark: bytes, line: bytes):
    """Return (seq, word, value) of a line without its end, ignoring what comes before the prefix; else None."""
    at = line.find(mark)
    while at >= 0:
        found = _parts(line[at:], len(mark))
        if found:
            return found
        at = line.find(mark, at + 1)
    return None


def _parts(line, start):
    """Return (seq, word, value) of a line that begins with a mark of `start` bytes, or None."""
    try:
        data = unseal(unescape(line), _SALT)
        if data is None:
            return None
        seq, word, value = data[start:].split(b" ", 2)
        if not seq.isdigit() or len(seq) > _SEQ_DIGITS:
            return None
        return int(seq), word.decode(), parse(value)
    except (ValueError, Refused, MemoryError):
        return None


@micropython.viper
def _specials(data: ptr8, size: int) -> int:
    """Return how many bytes have to be escaped."""
    found = 0
    i = 0
    while i < size:
        byte = int(data[i])
        if byte > 125:
            found += 1
        elif byte < 32:
            if byte != 10:
                found += 1
        i += 1
    return found


@micropython.viper
def _escape_into(out: ptr8, data: ptr8, size: int):
    """Write the escaped data to `out`."""
    at = 0
    i = 0
    while i < size:
        byte = int(data[i])
        special = 0
        if byte > 125:
            special = 1
        elif byte < 32:
            if byte != 10:
                special = 1
        if special:
            out[at] = 126
            digit = byte >> 4
            while special >= 0:
                at += 1
                out[at] = digit + (48 if digit < 10 else 87)
                digit = byte & 15
                special -= 1
        else:
            out[at] = byte
        at += 1
        i += 1


def escape(data):
    """Return the bytes with ~ and all that is not printable ASCII as ~ and two hex digits; line ends stay."""
    out = escaped(data)
    return data if out is data else bytes(out)


def escaped(data):
    """Escape as escape() does. Returns a bytearray, or the data itself, because allocating a kilobyte takes 1 ms."""
    size = len(data)
    found = _specials(data, size)
    if not found:
        return data
    out = bytearray(size + 2 * found)
    _escape_into(out, data, size)
    return out


def unescape(data: bytes):
    """Return the bytes that escape() was given; ValueError for bytes that it never returns."""
    if b"~" not in data:
        return data
    parts = data.split(b"~")
    out = bytearray(parts[0])
    for part in parts[1:]:
        out.append(int(part[:2].decode(), 16))
        out.extend(part[2:])
    return bytes(out)
