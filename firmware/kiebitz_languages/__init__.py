"""Reads the languages from their text files. In the image, a module of constants is in the place of this one.

A language is a file like en.txt. Its first line is `#` and what the language calls itself; then comes one
`key = sentence` a line, and lines that begin with # are remarks.
"""

import os

_FOLDER = __file__[: max(__file__.rfind("/"), __file__.rfind("\\")) + 1]


def path_of(lang):
    """Return the file of a language."""
    return _FOLDER + lang + ".txt"


def _lines(lang):
    with open(path_of(lang), encoding="utf-8") as file:
        return file.read().split("\n")


def load(lang):
    """Read a language. Returns (keys in order, the sentence of each)."""
    pairs = [line.partition(" = ") for line in _lines(lang) if line[:1] != "#"]
    texts = {key: sentence for key, equals, sentence in pairs if key and equals}
    keys = tuple(sorted(texts))
    return keys, tuple([texts[key] for key in keys])


def _codes():
    """Return the languages by their files, English first."""
    found = sorted([name[: -len(".txt")] for name in os.listdir(_FOLDER) if name.endswith(".txt")])
    return tuple(sorted(found, key=lambda lang: lang != "en"))


CODES = _codes()
OWN_NAMES = tuple([_lines(lang)[0][1:].strip() for lang in CODES])
