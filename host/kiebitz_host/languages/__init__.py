"""Choose the language of the laptop, and read and validate the sentences of device and laptop.

The device's sentences come from kiebitz_languages, the additional ones of the laptop from this folder and from the
folders of the games on the laptop. All files have the same format; a language may lack files here.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from kiebitz.text import LANGUAGES, take
from kiebitz_languages import full_key, path_of, paths_of, sentences_in

ENGLISH = LANGUAGES[0]
# Environment variables of the system's locale, by precedence, and the locales without a language
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
_NO_LANGUAGE = ("C", "POSIX")
_FOLDER = Path(__file__).parent
_GAMES = _FOLDER.parent / "games"


def add_option(parser, default=None):
    """Add the option --lang to a command."""
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        default=default,
        help="language of names, sheets and sentences for people (default: that of the system, English with --json)",
    )


def speak(args) -> str:
    """Switch to the language of a command. Returns it. The default for --json is English."""
    lang = args.lang or (ENGLISH if getattr(args, "json", False) else system_language())
    use(lang)
    return lang


_spoken: ContextVar[str] = ContextVar("_spoken", default="")


@cache
def _sentences(lang: str) -> dict[str, str]:
    """Return all sentences of a language by key, with English as fallback."""
    return {**sentences_in(_all_paths(ENGLISH)), **sentences_in(_all_paths(lang))}


class _LaptopPhrases:
    """The sentences of device and laptop, in the language of the context, or else of the whole program."""

    def __init__(self) -> None:
        self.chosen = ENGLISH

    @property
    def lang(self) -> str:
        return _spoken.get() or self.chosen

    def get(self, key: str) -> str | None:
        return _sentences(self.lang).get(key)


_PHRASES = _LaptopPhrases()
take(_PHRASES)  # at import: the default is English


def use(lang: str) -> None:
    """Set the language of the program, used wherever speaking() has not set another one."""
    _PHRASES.chosen = lang
    take(_PHRASES)


@contextmanager
def speaking(lang: str) -> Iterator[None]:
    """Set the language of this context; other threads and requests keep theirs."""
    take(_PHRASES)
    before = _spoken.set(lang)
    try:
        yield
    finally:
        _spoken.reset(before)


def system_language() -> str:
    """Return the first supported language of the user's locale, or English."""
    place = next(filter(None, map(os.environ.get, _LOCALE)), _NO_LANGUAGE[0])
    if place.partition(".")[0] in _NO_LANGUAGE:
        return ENGLISH  # LANGUAGE does not apply to the C locale
    for word in [*os.environ.get("LANGUAGE", "").split(":"), place]:
        lang = word[:2].lower()
        if lang in LANGUAGES and not word[2:3].isalpha():
            return lang
    return ENGLISH


def file_of(lang: str) -> Path:
    return Path(path_of(lang))


def read(lang: str) -> dict[str, str]:
    """Return all sentences of a language by key, without the English fallback.

    Raises ValueError for a line that is not `key = sentence`, or a duplicate key, in one file or in two.
    """
    return _merged(_all_paths(lang))


def device_texts(lang: str) -> dict[str, str]:
    """Return the device's sentences in a language, by key."""
    return _merged(paths_of(lang))


def laptop_paths(lang: str) -> list[str]:
    """Return the paths of the laptop-only files of a language; there may be none."""
    name = f"{lang}.txt"
    return [str(path) for path in (_FOLDER / name, *sorted(_GAMES.glob(f"*/{name}"))) if path.is_file()]


def _all_paths(lang: str) -> list[str]:
    return [*paths_of(lang), *laptop_paths(lang)]


def _merged(paths: list[str]) -> dict[str, str]:
    """Return the sentences of files, by key."""
    texts: dict[str, str] = {}
    for path in paths:
        _add(texts, path, Path(path).read_text("utf-8"))
    return texts


def _add(texts: dict[str, str], path: str, content: str) -> None:
    """Add the sentences of a file to `texts`."""
    file = "/".join(Path(path).parts[-2:])
    for number, line in enumerate(content.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        key, equals, sentence = line.partition(" = ")
        if not equals or not sentence.strip() or not key.strip():
            raise ValueError(f"{file}, line {number}: not `key = sentence`")
        key = full_key(path, key)
        if key in texts:
            raise ValueError(f"{file}, line {number}: {key} comes twice, here or in another file")
        texts[key] = sentence


def device_keys() -> list[str]:
    """Return the keys of the device's sentences."""
    return list(device_texts(ENGLISH))
