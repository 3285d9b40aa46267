"""Finds the sentence of a key in a language: keys and sentences are constants in flash, and nothing is copied."""

from kiebitz_languages import load


class Phrases:
    """The sentences of one language."""

    def __init__(self, lang):
        self.lang = lang
        self._keys, self._sentences = load(lang)

    def get(self, key):
        """Return the sentence of a key, None if there is none."""
        keys = self._keys
        low, high = 0, len(keys)
        while low < high:
            middle = (low + high) >> 1
            if keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        return self._sentences[low] if low < len(keys) and keys[low] == key else None
