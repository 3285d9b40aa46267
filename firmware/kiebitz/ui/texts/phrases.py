"""Finds the sentences of a language in its file, line by line: as a dictionary they would take 50 KB of the heap.

A language is a file like en.txt, one `key = sentence` on each line; lines that begin with # are remarks. Only where
each line starts is kept, and the sentences that were used last. A device finds these places ready in a file beside
the text, made when it was installed; without one, or after a change of the text, they are looked up at the start.
The file stays open: on a Pico, opening it takes ten times as long as reading a sentence.
"""

import binascii
from array import array

_SPAN = 1 << 17  # no file is longer, so that a hash and an offset make one small integer
_HASHES = 1 << 13
_KEPT = 64  # sentences kept ready: more than a screen shows
_EQUALS = b" = "
_FROM_END = 2  # how seek() is told


def path_of(lang):
    """The file of a language."""
    return __file__[: max(__file__.rfind("/"), __file__.rfind("\\")) + 1] + lang + ".txt"


def index_path(path):
    """The file with the places of a text file."""
    return path[: -len("txt")] + "idx"


def _place(key):
    """Where a key stands in the index, whatever its offset: the same on every computer."""
    return binascii.crc32(key) % _HASHES * _SPAN


def index_of(text):
    """The place of every sentence in an open text file, in order; first of all the size of the file."""
    places = []
    offset = 0
    text.seek(0)
    for line in text:
        end = line.find(_EQUALS)
        if end > 0 and line[:1] != b"#":
            places.append(_place(line[:end]) + offset)
        offset += len(line)
    places.sort()
    return array("I", [offset] + places)


def _ready_index(path, text):
    """The index as it was made before, None if there is none or the text has another size by now."""
    try:
        with open(index_path(path), "rb") as file:
            index = array("I", file.read())
    except (OSError, ValueError):
        return None
    return index if index and index[0] == text.seek(0, _FROM_END) else None


class Phrases:
    """The sentences of one language."""

    def __init__(self, lang):
        self.lang = lang
        self._kept = {}
        self._text = open(path_of(lang), "rb")
        self._index = _ready_index(path_of(lang), self._text) or index_of(self._text)

    def close(self):
        self._text.close()

    def __del__(self):
        self.close()

    def get(self, key):
        """The sentence of a key, None if there is none."""
        try:
            return self._kept[key]
        except KeyError:
            pass
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
        while low < len(self._index) and self._index[low] < place + _SPAN:
            self._text.seek(self._index[low] - place)
            found, _, sentence = self._text.readline().partition(_EQUALS)
            if found == sought:
                return sentence.decode().rstrip("\r\n")
            low += 1
        return None
