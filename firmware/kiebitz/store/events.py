"""The events of a game as lines in blocks, long ones packed: so that four hundred fit beside everything else."""

import json
import sys
from collections import OrderedDict

from ..machine_code import const

BLOCK = 16

# What long event lines are made of, the longer strings first; each stands for one byte from 0x80 on.
# The packed form lives in memory only, so this list may change freely.
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
_SHORT = const(64)  # packing takes two milliseconds on the Pico, and such a line is small anyway
_CODES = bytes(range(0x80, 0x80 + len(_WORDS)))


# The order of keys on a line, the same on both interpreters; the rest follows by the alphabet
_ORDER = ("ev", "game", "p", "from", "to", "winner", "cards", "board", "card", "x", "y", "value", "followed")
# Letters beyond ASCII stay as they are: MicroPython does so by itself
_AS_IT_IS = {} if sys.implementation.name == "micropython" else {"ensure_ascii": False}


def encode(value):
    """Return the value as JSON on one line without blanks, byte for byte the same on both interpreters."""
    return json.dumps(_ordered(value), separators=(",", ":"), **_AS_IT_IS)


def _ordered(value):
    """Return the value with the keys of all objects in order; to write them one by one takes three times as long."""
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
    """A list of lines, packed in blocks; reading and replacing anywhere, adding and removing at the end.

    Whoever keeps the same lines in a file may give a `source`, source(start, end) -> the lines that lie there, and say
    where each of them lies: then a block of lines that follow each other in the file is not kept in memory.
    """

    def __init__(self, source=None):
        self._source = source
        self._blocks = []  # full blocks, each one bytes object, or (start, end) in the file
        self._tail = []  # lines of the block being filled; most of them are never packed, which takes milliseconds
        self._known = 0  # so many of them, the first ones, lie in the file one behind the other
        self._start = self._end = 0  # where
        self._open = -1  # the block last unpacked for reading
        self._lines = ()

    def __len__(self):
        return len(self._blocks) * BLOCK + len(self._tail)

    def _block(self, b):
        if b == len(self._blocks):
            return self._tail
        if b != self._open:
            block = self._blocks[b]
            self._lines = self._source(*block) if isinstance(block, tuple) else block.split(b"\n")
            self._open = b
        return self._lines

    def line(self, k):
        """Line k as it was added."""
        return _unpack(self._block(k // BLOCK)[k % BLOCK])

    def add(self, line):
        self._next_block()
        self._tail.append(_bytes(line))

    def lies_at(self, start, end):
        """The line that was added last lies there in the file."""
        if self._known == len(self._tail) - 1 and (not self._known or start == self._end) and self._source:
            if not self._known:
                self._start = start
            self._known += 1
            self._end = end

    def add_block(self, start, end):
        """Add as many lines as a block has, which lie there in the file; False if that is not possible now."""
        self._next_block()
        if self._tail:
            return False
        self._blocks.append((start, end))
        return True

    def _next_block(self):
        if len(self._tail) == BLOCK:
            if self._known == BLOCK:
                self._blocks.append((self._start, self._end))
            else:
                self._blocks.append(_joined(self._tail))
            self._tail = []
            self._known = 0

    def pop(self):
        if not self._tail:
            self._tail = list(self._block(len(self._blocks) - 1))
            self._blocks.pop()
            self._open = -1
        line = self._tail.pop()
        # Nothing that is added from now on lies right behind the line before
        self._known = 0
        return _unpack(line)

    def replace(self, k, line):
        """Put another line in the place of line k and return the old one."""
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
    """A block to keep."""
    return b"\n".join([_pack(line) for line in lines])


def _pack(packed):
    """A line in its short form, which may be that already."""
    if len(packed) <= _SHORT:
        return packed
    for i, word in enumerate(_WORDS):
        if word in packed:
            packed = packed.replace(word, _CODES[i : i + 1])
    return packed


_LONGEST = max([len(word) for word in _WORDS])
_buffer = bytearray(128)  # one for all: pieces of a line between other objects would shred the heap


def _unpack(packed):
    """A line as it was, packed or not: what is added is plain ASCII."""
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
