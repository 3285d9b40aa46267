"""The languages on the laptop: which one is spoken, and the text files of the device read whole with their mistakes."""

import os
from pathlib import Path

from kiebitz.ui.texts import LANGUAGES, use
from kiebitz.ui.texts.phrases import path_of

ENGLISH = LANGUAGES[0]
# What the system asks for, the strongest first
_LOCALE = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
# From this line on a text file holds what only the laptop says
LAPTOP = "# --- from here on only the laptop speaks"


def add_option(parser):
    """Give a command the option to speak another language."""
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        help="language of what is printed (default: that of the system, English with --json)",
    )


def speak(args) -> str:
    """Speak the language a command was asked for; programs get English unless they ask for another."""
    lang = args.lang or (ENGLISH if getattr(args, "json", False) else system_language())
    use(lang)
    return lang


def system_language() -> str:
    """The language of the user's locale, English if that has no texts."""
    for name in _LOCALE:
        for word in os.environ.get(name, "").split(":"):
            if word:
                lang = word[:2].lower()
                return lang if lang in LANGUAGES and not word[2:3].isalpha() else ENGLISH
    return ENGLISH


def file_of(lang: str) -> Path:
    return Path(path_of(lang))


def read(lang: str) -> dict[str, str]:
    """All sentences of a language by their keys; ValueError names a line that is none, or a key that comes twice."""
    path = file_of(lang)
    texts: dict[str, str] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        key, equals, sentence = line.partition(" = ")
        if not equals or not sentence.strip() or not key.strip():
            raise ValueError(f"{path.name}, line {number}: not `key = sentence`")
        if key in texts:
            raise ValueError(f"{path.name}, line {number}: {key} comes twice")
        texts[key] = sentence
    return texts


def for_device(path: Path) -> bytes:
    """A text file without what only the laptop says."""
    return path.read_bytes().partition(LAPTOP.encode())[0]
