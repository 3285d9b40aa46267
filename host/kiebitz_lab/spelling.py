"""Spell names as keys of the device."""

from kiebitz.screens.letters import GROUP, KEYS, MORE, pages_of
from kiebitz.text import upper
from kiebitz.widgets.keys import NAMES


def spelled(name, lang="en"):
    """Return the keys that write a name."""
    return " ".join([_letter(upper(char), pages_of(lang)) for char in name])


def _letter(char, pages):
    """Return the keys that choose a letter, through as many pages as it takes."""
    keys = []
    for page in pages:
        found = char in page
        at = page.index(char if found else MORE)
        keys += [NAMES[KEYS[place]].lower() for place in (at // GROUP, at % GROUP)]
        if found:
            return " ".join(keys)
    raise LookupError(char)
