"""Find the sentence of a key in a language: keys and sentences are constants in flash, and nothing is copied."""

from kiebitz_languages import load

from ..machine_code import const

_KEPT = const(64)  # cached sentences: more than a screen shows. A search takes 0.25 ms


class Phrases:
    """The sentences of one language."""

    def __init__(self, lang):
        self.lang = lang
        self._keys, self._sentences = load(lang)
        self._kept = {}

    def get(self, key):
        """Return the sentence of a key, or None if there is none."""
        kept = self._kept
        if key not in kept:
            if len(kept) >= _KEPT:
                kept.clear()
            kept[key] = self._find(key)
        return kept[key]

    def _find(self, key):
        """Search for a key. Returns its sentence, or None."""
        keys = self._keys
        low, high = 0, len(keys)
        while low < high:
            middle = (low + high) >> 1
            if keys[middle] < key:
                low = middle + 1
            else:
                high = middle
        return self._sentences[low] if low < len(keys) and keys[low] == key else None
