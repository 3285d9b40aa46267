"""Chooses the language of the laptop, and reads the device's text files completely, with checks for mistakes."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path

from kiebitz.text import LANGUAGES, take, use
from kiebitz_languages import full_key, load, path_of, paths_of

ENGLISH = LANGUAGES[0]
# The variables that name the system's locale, strongest first, and the locales without a language
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
_NO_LANGUAGE = ("C", "POSIX")
# After this line a text file holds sentences that only the laptop uses
LAPTOP = "# --- from here on only the laptop speaks"


def add_option(parser, default=None):
    """Add the option --lang to a command."""
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        default=default,
        help="language of names, sheets and sentences for people (default: that of the system, English with --json)",
    )


def speak(args) -> str:
    """Switch to the language of a command. Returns it. Programs (--json) get English unless they ask for another."""
    lang = args.lang or (ENGLISH if getattr(args, "json", False) else system_language())
    use(lang)
    return lang


_spoken: ContextVar[str] = ContextVar("_spoken", default=ENGLISH)


@cache
def _sentences(lang: str) -> Callable[[str], str | None]:
    """Return the function that finds a sentence of a language; it may be called by several threads at once."""
    return load(lang)


class _InContext:
    """Phrases in the language of the context: each thread, and each request of a server, has its own."""

    @property
    def lang(self) -> str:
        return _spoken.get()

    def get(self, key: str) -> str | None:
        return _sentences(_spoken.get())(key)


_IN_CONTEXT = _InContext()


@contextmanager
def speaking(lang: str) -> Iterator[None]:
    """Choose the language of this context: other threads and requests keep theirs. It replaces an earlier use()."""
    take(_IN_CONTEXT)
    before = _spoken.set(lang)
    try:
        yield
    finally:
        _spoken.reset(before)


def system_language() -> str:
    """Return the first language of the user's locale that has texts; English if there is none."""
    place = next(filter(None, map(os.environ.get, _LOCALE)), _NO_LANGUAGE[0])
    if place.partition(".")[0] in _NO_LANGUAGE:
        return ENGLISH  # LANGUAGE, too, is meant for people only
    for word in [*os.environ.get("LANGUAGE", "").split(":"), place]:
        lang = word[:2].lower()
        if lang in LANGUAGES and not word[2:3].isalpha():
            return lang
    return ENGLISH


def file_of(lang: str) -> Path:
    return Path(path_of(lang))


def read(lang: str) -> dict[str, str]:
    """Return all sentences that a language has by their keys, without the English ones that replace missing sentences.

    Raises ValueError for a line that is not `key = sentence`, or a key that comes twice, in one file or in two.
    """
    return _merged(lang, lambda content: content)


def device_texts(lang: str) -> dict[str, str]:
    """Return what the device says, by key: the files of this language without what only the laptop says."""
    return _merged(lang, lambda content: content.partition(LAPTOP)[0])


def _merged(lang: str, part: Callable[[str], str]) -> dict[str, str]:
    """Return the sentences in a part of each file of a language, by key."""
    texts: dict[str, str] = {}
    for path in paths_of(lang):
        _add(texts, path, part(Path(path).read_text("utf-8")))
    return texts


def _add(texts: dict[str, str], path: str, content: str) -> None:
    """Add the sentences of a file to those of other files."""
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
