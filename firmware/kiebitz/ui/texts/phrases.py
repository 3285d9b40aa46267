"""Finds the sentences of a language in its file, line by line: as a dictionary they would take 50 KB of the heap.

A language is a file like en.txt, one `key = sentence` on each line; lines that begin with # are remarks. Only where
each line starts is kept, and the sentences that were used last. A device finds these places ready in a file beside
the text, made when it was installed; without one, or after a change of the text, they are looked up at the start.
"""

import binascii
import os
from array import array

_SPAN = 1 << 17  # no file is longer, so that a hash and an offset make one small integer
_HASHES = 1 << 13
_KEPT = 64  # sentences kept ready: more than a screen shows
_EQUALS = b" = "
_SIZE = 6  # of what os.stat() tells


def path_of(lang):
    """The file of a language."""
    return __file__[: max(__file__.rfind("/"), __file__.rfind("\\")) + 1] + lang + ".txt"


def index_path(path):
    """The file with the places of a text file."""
    return path[: -len("txt")] + "idx"


def _place(key):
    """Where a key stands in the index, whatever its offset: the same on every computer."""
    return binascii.crc32(key) % _HASHES * _SPAN


def index_of(path):
    """The place of every sentence in a text file, in order; first of all the size of the file."""
    places = []
    offset = 0
    with open(path, "rb") as file:
        for line in file:
            end = line.find(_EQUALS)
            if end > 0 and line[:1] != b"#":
                places.append(_place(line[:end]) + offset)
            offset += len(line)
    places.sort()
    return array("I", [offset] + places)


def _ready_index(path):
    """The index as it was made before, None if there is none or the text has another size by now."""
    ready = index_path(path)
    try:
        index = array("I", bytes(int(os.stat(ready)[_SIZE])))
        with open(ready, "rb") as file:
            file.readinto(index)
    except (OSError, ValueError):
        return None
    return index if index and index[0] == os.stat(path)[_SIZE] else None


class Phrases:
    """The sentences of one language."""

    def __init__(self, lang):
        self.lang = lang
        self._path = path_of(lang)
        self._kept = {}
        self._index = _ready_index(self._path) or index_of(self._path)

    def get(self, key):
        """The sentence of a key, None if there is none."""
        if key not in self._kept:
            if len(self._kept) >= _KEPT:
                self._kept.clear()
            self._kept[key] = self._read(key)
        return self._kept[key]

    def _read(self, key):
        sought = key.encode()
        place = _place(sought)
        low, high = 1, len(self._index)
        while low < high:
            middle = (low + high) // 2
            if self._index[middle] < place:
                low = middle + 1
            else:
                high = middle
        with open(self._path, "rb") as file:
            while low < len(self._index) and self._index[low] < place + _SPAN:
                file.seek(self._index[low] - place)
                found, _, sentence = file.readline().partition(_EQUALS)
                if found == sought:
                    return sentence.decode().rstrip("\r\n")
                low += 1
        return None
