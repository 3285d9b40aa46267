"""Says how somebody looks at a page: language, light or dark, the address, and what may be changed."""

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import quote, urlencode

from kiebitz.text import LANGUAGES

THEMES = ("auto", "light", "dark")
# Keys of an address that are not repeated in links to the same page
_NOT_REPEATED = ("lang", "theme", "token")


class Visit(NamedTuple):
    """One look at a page."""

    lang: str = LANGUAGES[0]
    theme: str = THEMES[0]
    path: str = "/"
    query: tuple[tuple[str, str], ...] = ()
    may_change: bool = False  # forms are shown only then
    offline: bool = False  # a single file: no server, no navigation, no form

    def same_page(self, **changes: str) -> str:
        """Return the address of this page with other values in its query; an empty value takes the key out."""
        pairs = [(key, value) for key, value in self.query if key not in (*_NOT_REPEATED, *changes)]
        return address(self.path, [*pairs, *changes.items()])

    def value(self, key: str, default: str = "") -> str:
        """Return the first value of a key in the query."""
        return next((value for found, value in self.query if found == key), default)


def address(path: str, pairs: Iterable[tuple[str, str]] = ()) -> str:
    """Return an address on this server, with everything quoted."""
    query = urlencode([(key, value) for key, value in pairs if value])
    return quote(path) + (f"?{query}" if query else "")
