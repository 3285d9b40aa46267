"""Sends files as they are stored on flash: a buffer that is filled with whole lines again and again."""

from ..machine_code import const
from ..store.sealed_lines import LINE_MAX
from . import PACKET
from .wire import escaped

# The larger a part of a file, the fewer turns it takes
SIZES = (4096, 2048)
# Bytes before the lines, into which the first line can grow; PACKET bytes after them are for the blanks of the last one
HEAD = 256
_BLANK = b"\n" * PACKET
# Bytes that are escaped at once
_PIECE = const(2048)


def new_buffer():
    """Return a buffer to be kept: in a heap that was long in use there may be no room for another of this size."""
    for size in SIZES:
        try:
            return bytearray(HEAD + size + PACKET)
        except MemoryError:
            pass
    return bytearray(HEAD + LINE_MAX + 1 + PACKET)


def index_pieces(buffer, end, _):
    """Yield the lines of the index in pieces, all escaped: every line holds names, which may have more than ASCII."""
    start = HEAD
    while start < end:
        stop = buffer.rfind(b"\n", start, min(start + _PIECE, end)) + 1
        stop = stop or buffer.find(b"\n", start) + 1
        yield escaped(memoryview(buffer)[start:stop])
        start = stop


def journal_pieces(buffer, end, is_first):
    """Yield the lines of a journal in pieces; only the first line, the set-up, has names and is escaped."""
    start = HEAD
    if is_first:
        stop = buffer.find(b"\n", HEAD) + 1
        line = escaped(memoryview(buffer)[HEAD:stop])
        start = stop - len(line)
        if start >= 0:
            buffer[start:stop] = line
        else:
            yield line
            start = stop
    blanks = -(end - start) % PACKET
    buffer[end : end + blanks] = _BLANK[:blanks]
    yield memoryview(buffer)[start : end + blanks]
