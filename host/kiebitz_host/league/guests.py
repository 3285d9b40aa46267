"""Recognize guests: players who sat down without a name, and have none in any league."""

import re
from functools import cache

from kiebitz_languages import CODES, path_of, sentences_in


@cache
def guest_forms() -> tuple[str, ...]:
    """Return what a device calls a guest in each language, like "Guest {n}"."""
    return tuple(dict.fromkeys(sentences_in([path_of(lang)])["players.guest"] for lang in CODES))


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile("|".join(re.escape(form).replace(r"\{n\}", "[0-9]+") for form in guest_forms()))


def is_guest(name: str) -> bool:
    """Return True if the name is a device's default for a guest, in any language."""
    return _pattern().fullmatch(name) is not None
