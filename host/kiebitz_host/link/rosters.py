"""Checks and sends the list of names of a device, for the command line and for the pages."""

from kiebitz.games import Refused
from kiebitz.games.base import check_name


class BadName(ValueError):
    """A name that no device accepts: its only argument."""


def checked_names(words: list[str]) -> list[str]:
    """Return the names as a device stores them, each once; raises BadName for one that no device accepts."""
    names = []
    for word in words:
        try:
            names.append(check_name(word))
        except Refused:
            raise BadName(word) from None
    return list(dict.fromkeys(names))
