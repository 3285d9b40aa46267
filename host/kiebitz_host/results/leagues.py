"""Tells leagues apart: there is one for each kind of game, and of a kind with titles one for each title."""

import unicodedata

from kiebitz.games import GAMES
from kiebitz.text import game_name, text

from ..outcome import Trouble
from .database import Database


def league_of(kind: str | None, title: str) -> str | None:
    """Return the id of the league in which a game counts: its kind, or of a game with a title "kind:title".

    Titles that differ in capitals only are the same game. No kind has a colon: no title can be taken for a kind.
    """
    return f"{kind}:{_folded(title)}" if title else kind


def titles(db: Database) -> dict[str, str]:
    """Return {id of a league: its title, as the last game has it} for all leagues that have one.

    From league to league by the index of titles: a million games are not looked at for a few titles.
    """
    found: dict[str, str] = {}
    league = ""
    while league := db.value("SELECT min(league) FROM games WHERE title <> '' AND league > ?", league):
        found[league] = db.value(_LAST_TITLE, league)
    return found


_LAST_TITLE = (
    "SELECT title FROM games JOIN journals USING (number) WHERE title <> '' AND league = ? "
    "ORDER BY games.at DESC, game DESC LIMIT 1"
)


def name_of(league: str, known: dict[str, str]) -> str:
    """Return the name of a league, or of a kind of game, for players; known: what titles() returns.

    A title that is also the name of a kind of game has its own kind behind it.
    """
    if league not in known:
        return game_name(league)
    title = known[league]
    if _folded(title) in [_folded(text(f"game.{kind}")) for kind in GAMES]:
        return f"{title} ({text('game.' + league.partition(':')[0])})"
    return title


def find(db: Database, word: str) -> tuple[str, str]:
    """Return (column, value) of the games that a word means: a kind of game, or a league by its title or its id.

    The beginning of a name is enough if no other name has it. A kind comes before a title of the same name, which its
    id still finds. Raises Trouble if there is no such game, or more than one.
    """
    known = titles(db)
    for matches in (str.__eq__, str.startswith):
        kinds = [("kind", kind) for kind in GAMES if matches(kind, _joined(word))]
        named = [("league", league) for league, title in known.items() if matches(_folded(title), _folded(word))]
        named += [("league", league) for league in known if league == _folded(word)]
        found = (kinds or named) if matches is str.__eq__ else kinds + named
        if len(found) == 1 and word.strip():
            return found[0]
    raise Trouble(f"there is no game {word!r}; choose from {', '.join([*GAMES, *known.values()])}.")


def _folded(title: str) -> str:
    """Return a title without what makes no difference: capitals, and how letters with accents are stored."""
    return unicodedata.normalize("NFC", title.strip().casefold())


def _joined(word: str) -> str:
    """Return the name of a kind of game, however its words are joined."""
    return word.strip().lower().replace(" ", "_").replace("-", "_")
