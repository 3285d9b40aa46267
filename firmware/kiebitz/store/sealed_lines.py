"""What everything on flash has in common: checksums on lines, a place for damaged files, a type for "full"."""

import binascii

from ..machine_code import const

PIECE = 1024
# No line is longer; the longest are set-ups, with eight names of 24 letters of up to four bytes
LINE_MAX = 1536

_NO_SPACE = const(28)
CORRUPT = 84  # littlefs: this part of the flash will never be readable again; any other trouble may pass


class StorageFull(OSError):
    """There is no room on flash for this, and nothing has been lost: make room and try again."""

    def __init__(self):
        super().__init__(_NO_SPACE)


def checked(action, *args):
    """Call an operation of the storage; that the flash is full has its own type."""
    try:
        return action(*args)
    except OSError as trouble:
        if trouble.args[0] == _NO_SPACE:
            raise StorageFull() from None
        raise


def attempt(action, *args):
    """Call what only puts things in order: if the flash does not let us now, it is done another time."""
    try:
        action(*args)
    except OSError:
        pass


def checksum(data: bytes, salt: str):
    """CRC32 as eight hex digits; the salt keeps the lines of one file from passing for those of another."""
    return b"%08x" % binascii.crc32(data, binascii.crc32(salt.encode()))


def seal(text: str, salt: str):
    """The text, a blank, the checksum of both, and the line end."""
    data = (text + " ").encode()
    return data + checksum(data, salt) + b"\n"


def unseal(line: bytes, salt: str):
    """What was sealed, from a line without its line end; None if a single bit of it is not as it was."""
    data = line[:-8]
    if data[-1:] != b" " or line[-8:] != checksum(data, salt):
        return None
    return data[:-1]


def each_line(storage, name, take, at=0):
    """Give the lines of a file from `at` on to `take`, without their ends, until it returns True.

    Returns how many bytes follow the last line end, or -1 if the file was not read to its end: `take` had enough,
    a line was longer than any we write, or the flash is damaged there. The file is never in memory as a whole.
    """
    rest = b""
    while True:
        try:
            piece = storage.read(name, at, PIECE)
        except OSError as trouble:
            if trouble.args[0] != CORRUPT:
                raise
            return -1
        if not piece:
            return len(rest)
        at += len(piece)
        lines = (rest + piece).split(b"\n")
        rest = lines.pop()
        for line in lines:
            if take(line):
                return -1
        if len(rest) > LINE_MAX:
            return -1


def set_aside(storage, name, base):
    """Keep a damaged file, unchanged, as `base`.bad, .bad2, .bad3 ... and return that name."""
    aside = base + ".bad"
    k = 1
    while storage.size(aside) is not None:
        k += 1
        aside = "%s.bad%d" % (base, k)
    storage.rename(name, aside)
    return aside
