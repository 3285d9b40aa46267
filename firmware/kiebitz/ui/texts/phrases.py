"""Finds the sentences of a language in its file, line by line: as a dictionary they would take 50 KB of the heap.

A language is a file like en.txt, one `key = sentence` on each line; lines that begin with # are remarks. Only where
each line starts is kept, and the sentences that were used last.
"""

from array import array

_SPAN = 1 << 17  # no file is longer, so that a hash and an offset make one small integer
_HASHES = 1 << 13
_KEPT = 64  # sentences kept ready: more than a screen shows
_EQUALS = b" = "


def path_of(lang):
    """The file of a language."""
    return __file__[: max(__file__.rfind("/"), __file__.rfind("\\")) + 1] + lang + ".txt"


def _place(key):
    """Where a key stands in the index, whatever its offset."""
    return hash(key) % _HASHES * _SPAN


class Phrases:
    """The sentences of one language."""

    def __init__(self, lang):
        self.lang = lang
        self._path = path_of(lang)
        self._kept = {}
        places = []
        offset = 0
        with open(self._path, "rb") as file:
            for line in file:
                end = line.find(_EQUALS)
                if end > 0 and line[:1] != b"#":
                    places.append(_place(line[:end]) + offset)
                offset += len(line)
        places.sort()
        self._index = array("I", places)

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
        low, high = 0, len(self._index)
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
