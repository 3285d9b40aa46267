"""Find the sentence of a key in a language: in the image, all sentences are constants in flash."""

from kiebitz_languages import load

from ..machine_code import const

_KEPT = const(64)  # cached sentences: more than a screen shows


class Phrases:
    """The sentences of one language."""

    def __init__(self, lang):
        self.lang = lang
        self._find = load(lang)
        self._kept = {}

    def get(self, key):
        """Return the sentence of a key, or None if there is none."""
        kept = self._kept
        if key not in kept:
            if len(kept) >= _KEPT:
                kept.clear()
            kept[key] = self._find(key)
        return kept[key]
