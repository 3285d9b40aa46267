"""Hold the events of a game as lines in blocks, long lines packed, so that four hundred fit in memory."""

import json
import sys
from collections import OrderedDict

from ..machine_code import const

BLOCK = 16

# The parts of long event lines, the longer strings first; each part is packed into one byte from 0x80 on.
# The packed form exists in memory only, so this list may change freely.
_WORDS = (
    b',"followed":true,"joker":false}',
    b',"followed":false,"joker":false}',
    b',"followed":true,"joker":true}',
    b'{"ev":"trick","plays":[{"p":',
    b'{"ev":"score","p":',
    b'{"ev":"place","p":',
    b'{"ev":"end_round","winner":',
    b'{"ev":"reveal","hands":{',
    b'{"ev":"showdown","best":',
    b'{"ev":"',
    b',"confirm":true}',
    b',"board":"',
    b',"jokers":',
    b',"cards":"',
    b',"swaps":',
    b',"items":[["',
    b',"left":{"',
    b',"rubric":',
    b',"card":"',
    b',"pool":"',
    b',"cards":',
    b',"value":',
    b'straight',
    b'colour',
    b'perfect_',
    b'double_',
    b'triple',
    b'royal_flush',
    b'three_kind',
    b'four_kind',
    b'full_house',
    b'flush',
    b'pair',
    b'","x":',
    b',"buys":',
    b',{"p":',
    b'"],["',
    b'","',
    b',"y":',
    b',"k":',
    b',"p":',
    b'":',
    b',"',
    b'"}',
    b']}',
)
_SHORT = const(64)  # packing takes two milliseconds on the Pico, and a line of this length is small anyway
_CODES = bytes(range(0x80, 0x80 + len(_WORDS)))


# The order of keys on a line, the same on both interpreters; other keys follow in alphabetical order
_ORDER = ("ev", "game", "p", "from", "to", "winner", "cards", "board", "card", "x", "y", "value", "followed")
# Letters beyond ASCII are not escaped: MicroPython never escapes them
_AS_IT_IS = {} if sys.implementation.name == "micropython" else {"ensure_ascii": False}


def encode(value):
    """Return the value as JSON on one line without blanks, byte for byte the same on both interpreters."""
    return json.dumps(_ordered(value), separators=(",", ":"), **_AS_IT_IS)


def _ordered(value):
    """Return the value with the keys of all objects in order.

    Writing the keys one by one instead takes three times as long.
    """
    if isinstance(value, dict):
        keys = [key for key in _ORDER if key in value]
        if len(keys) < len(value):
            keys += sorted([key for key in value if key not in _ORDER])
        made = OrderedDict()
        for key in keys:
            made[key] = _ordered(value[key])
        return made
    if isinstance(value, list):
        return [_ordered(item) for item in value]
    return value


class Log:
    """A list of lines, packed in blocks: read and replace anywhere, add and remove at the end.

    A caller that stores the same lines in a file may pass a `source` and report the offsets of each line.
    source(start, end) returns the lines between these offsets. A block of lines that are adjacent in the file is then
    not kept in memory.
    """

    def __init__(self, source=None):
        self._source = source
        self._blocks = []  # full blocks, each one bytes object, or its (start, end) offsets in the file
        self._tail = []  # lines of the block being filled; most of them are never packed: packing takes milliseconds
        self._known = 0  # how many lines at the start of _tail are adjacent in the file
        self._start = self._end = 0  # the offsets of these lines in the file
        self._open = -1  # the block last unpacked for reading
        self._lines = ()

    def __len__(self):
        return len(self._blocks) * BLOCK + len(self._tail)

    def _block(self, b):
        """Return the lines of block b, packed or not."""
        if b == len(self._blocks):
            return self._tail
        if b != self._open:
            block = self._blocks[b]
            self._lines = self._source(*block) if isinstance(block, tuple) else block.split(b"\n")
            self._open = b
        return self._lines

    def line(self, k):
        """Return line k as it was added."""
        return _unpack(self._block(k // BLOCK)[k % BLOCK])

    def add(self, line):
        """Add a line at the end."""
        self._next_block()
        self._tail.append(_bytes(line))

    def lies_at(self, start, end):
        """Note the offsets, in the file, of the line that was added last."""
        if self._known == len(self._tail) - 1 and (not self._known or start == self._end) and self._source:
            if not self._known:
                self._start = start
            self._known += 1
            self._end = end

    def add_block(self, start, end):
        """Add a full block by its offsets in the file. Returns False if the block before is not full yet."""
        self._next_block()
        if self._tail:
            return False
        self._blocks.append((start, end))
        return True

    def _next_block(self):
        """Begin a new block if the current one is full."""
        if len(self._tail) == BLOCK:
            if self._known == BLOCK:
                self._blocks.append((self._start, self._end))
            else:
                self._blocks.append(_joined(self._tail))
            self._tail = []
            self._known = 0

    def pop(self):
        """Remove the last line and return it."""
        if not self._tail:
            self._tail = list(self._block(len(self._blocks) - 1))
            self._blocks.pop()
            self._open = -1
        line = self._tail.pop()
        # A line that is added from now on is not adjacent, in the file, to the line before it
        self._known = 0
        return _unpack(line)

    def replace(self, k, line):
        """Replace line k and return the old line."""
        old = self.line(k)
        lines = self._block(k // BLOCK)
        lines[k % BLOCK] = _bytes(line)
        if lines is self._tail:
            self._known = 0
        else:
            self._blocks[k // BLOCK] = _joined(lines)
        return old


def _bytes(line):
    return line if isinstance(line, bytes) else line.encode()


def _joined(lines):
    """Return the lines packed and joined into one block."""
    return b"\n".join([_pack(line) for line in lines])


def _pack(packed):
    """Return a line in its packed form; the line may be packed already."""
    if len(packed) <= _SHORT:
        return packed
    for i, word in enumerate(_WORDS):
        if word in packed:
            packed = packed.replace(word, _CODES[i : i + 1])
    return packed


_LONGEST = max([len(word) for word in _WORDS])
_buffer = bytearray(128)  # one for all lines: pieces of a line between other objects would fragment the heap


def _unpack(packed):
    """Return a line, packed or not, in its plain form: added lines are plain ASCII."""
    if max(packed) < 0x80:
        return str(packed, "utf-8")
    n = 0
    for byte in packed:
        if n + _LONGEST > len(_buffer):
            _buffer.extend(bytes(128))
        if byte < 0x80:
            _buffer[n] = byte
            n += 1
        else:
            word = _WORDS[byte - 0x80]
            _buffer[n : n + len(word)] = word
            n += len(word)
    return str(memoryview(_buffer)[:n], "utf-8")
