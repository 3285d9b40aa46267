"""Read the languages from their text files. In the image, a module of constants replaces this module.

A language is a file like en.txt. Its first line is `#` and the name of the language in that language; each following
line is `key = sentence`, and lines that begin with # are remarks. The sentences of a game are in files of the same form
in its folder. Its sentences of events, values and questions are for that game alone; other keys must be unique in all
files. Where a language has no sentence for a key, the English sentence is used.
"""

import os

_FOLDER = __file__[: max(__file__.rfind("/"), __file__.rfind("\\")) + 1]
_GAMES = _FOLDER + "../kiebitz/games/"
_OF_ONE_GAME = ("ask", "ev", "val")  # beginnings of keys that are looked up with the name of the game appended first
ENGLISH = "en"


def path_of(lang):
    """Return the path of the file of a language."""
    return _FOLDER + lang + ".txt"


def paths_of(lang):
    """Return the paths of all files with sentences of a language; if a key occurs twice, the first file counts."""
    of_games = [_GAMES + room + "/" + lang + ".txt" for room in sorted(os.listdir(_GAMES))]
    return [path_of(lang)] + [path for path in of_games if _exists(path)]


def full_key(path, key):
    """Return the key of a sentence, made unique by its game, because two games may both have an event `take`."""
    folders = path.replace("\\", "/").split("/")
    if folders[-3:-2] == ["games"] and key.partition(".")[0] in _OF_ONE_GAME:
        return key + "." + folders[-2]
    return key


def _exists(path):
    """Return True if a file exists."""
    try:
        os.stat(path)
    except OSError:
        return False
    return True


def _lines(path):
    """Return the lines of a file."""
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")


def sentences_in(paths):
    """Return {key: sentence} of text files; lines of another form are left out."""
    texts: dict = {}
    for path in paths:
        for line in _lines(path):
            key, equals, sentence = line.partition(" = ")
            if equals and line[:1] != "#":
                texts.setdefault(full_key(path, key), sentence)
    return texts


def load(lang):
    """Read a language. Returns the function that finds the sentence of a key; None if there is none."""
    texts = sentences_in(paths_of(ENGLISH))
    if lang != ENGLISH:
        texts.update(sentences_in(paths_of(lang)))
    return texts.get


def _codes():
    """Return the codes of the languages that have a file, English first."""
    found = sorted([name[: -len(".txt")] for name in os.listdir(_FOLDER) if name.endswith(".txt")])
    return tuple(sorted(found, key=lambda lang: lang != ENGLISH))


CODES = _codes()
OWN_NAMES = tuple([_lines(path_of(lang))[0][1:].strip() for lang in CODES])
