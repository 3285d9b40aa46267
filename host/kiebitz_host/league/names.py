"""Name leagues, create ids that are the same on every laptop, and recognize guests.

There is one league for each kind of game, and one for each title of a kind with titles. Guests are players without a
name; they are in no league.
"""

import re
import unicodedata
from functools import cache, lru_cache

from kiebitz.games import GAMES
from kiebitz.text import game_name, text


def league_of(kind: str | None, title: str) -> str | None:
    """Return the id of the league in which a game counts: its kind, or "kind:title" for a game with a title.

    Titles are compared case-insensitively. A kind never has a colon, so the ids cannot collide.
    """
    return f"{kind}:{folded(title)}" if title else kind


def league_name(league: str, known: dict[str, str]) -> str:
    """Return the display name of a league or a kind of game; known: the result of titles().

    A title that is also the name of another kind of game, or a title of one, is followed by its own kind.
    """
    if league not in known:
        return game_name(league)
    title = known[league]
    own = league.partition(":")[0]
    for kind in GAMES:
        if kind != own and (folded(text(f"game.{kind}")) == folded(title) or league_of(kind, title) in known):
            return f"{title} ({text('game.' + own)})"
    return title


def folded(title: str) -> str:
    """Return a title normalized for comparison: case folded, Unicode NFC."""
    return unicodedata.normalize("NFC", title.strip().casefold())


@lru_cache(10_000)
def alphabetical(name: str) -> tuple[str, str]:
    """Return the key by which people look for a name in a list: letters with accents stand beside those without."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter)), name


def joined(word: str) -> str:
    """Return the name of a kind of game with its words joined by underscores."""
    return word.strip().lower().replace(" ", "_").replace("-", "_")


_KIEBITZ = "6b696562-6974-5a00-8000-000000000001"


def stable_id(what: str, name: str) -> str:
    """Return a UUID derived from the name of a play, a player or a game, in upper case."""
    import uuid  # only exports and new players need it

    return str(uuid.uuid5(uuid.UUID(_KIEBITZ), f"{what}:{name}")).upper()


@cache
def guest_forms() -> tuple[str, ...]:
    """Return what a device calls a guest in each language, like "Guest {n}"."""
    from kiebitz_languages import CODES, path_of, sentences_in  # a page of the site has no text files

    return tuple(dict.fromkeys(sentences_in([path_of(lang)])["players.guest"] for lang in CODES))


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile("|".join(re.escape(form).replace(r"\{n\}", "[0-9]+") for form in guest_forms()))


def is_guest(name: str) -> bool:
    """Return True if the name is a device's default for a guest, in any language."""
    return _pattern().fullmatch(name) is not None
