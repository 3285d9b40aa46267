"""Define checksums on lines, names for damaged files and the error for a full flash."""

import binascii

from ..machine_code import const

PIECE = 1024
# No line is longer; the longest lines are set-ups, with eight names of 24 letters of up to four bytes
LINE_MAX = 1536

_NO_SPACE = const(28)
READ_ONLY = 30  # the error for a file that a newer version has written
CORRUPT = 84  # littlefs: this part of the flash will never be readable again; any other trouble may pass


class StorageFull(OSError):
    """The error for a full flash. Nothing is lost; free some space and try again."""

    def __init__(self):
        super().__init__(_NO_SPACE)


def checked(action, *args):
    """Call an operation of the storage and return its result; raises StorageFull if the flash is full."""
    try:
        return action(*args)
    except OSError as trouble:
        if trouble.args[0] == _NO_SPACE:
            raise StorageFull() from None
        raise


def attempt(action, *args):
    """Call a clean-up operation and ignore an OSError, because it is tried again later."""
    try:
        action(*args)
    except OSError:
        pass


def checksum(data: bytes, salt: str):
    """Return the CRC32 as eight hex digits; the salt makes the lines of one file invalid in another file."""
    return b"%08x" % binascii.crc32(data, binascii.crc32(salt.encode()))


def seal(text: str, salt: str):
    """Return a line of bytes with the text, a blank, the checksum of both, and the line end."""
    data = (text + " ").encode()
    return data + checksum(data, salt) + b"\n"


def unseal(line: bytes, salt: str):
    """Return the text of a sealed line, given without its line end; None if a single bit has changed."""
    data = line[:-8]
    if data[-1:] != b" " or line[-8:] != checksum(data, salt):
        return None
    return data[:-1]


def each_line(storage, name, take, at=0):
    """Call take(line) for the lines of a file from offset `at` on, without their ends, until take returns True.

    Returns how many bytes follow the last line end, or -1 if the file was not read to its end: `take` returned True,
    a line was longer than any valid line, or the flash is damaged there. The file is never in memory as a whole.
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
    """Rename a damaged file to `base`.bad, .bad2, .bad3 ... and return the new name."""
    aside = base + ".bad"
    k = 1
    while storage.size(aside) is not None:
        k += 1
        aside = "%s.bad%d" % (base, k)
    storage.rename(name, aside)
    return aside
