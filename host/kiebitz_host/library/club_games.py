"""Read the games of a club's evenings, and check what an evening is to play."""

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from kiebitz.games import GAMES, Refused, game_class, new_game, presets_of
from kiebitz.text import text
from kiebitz_languages import CODES, paths_of, sentences_in

from ..games import on_laptop
from ..league.club_evening import ClubGame, Evening
from ..league.draw import own_sizes
from ..league.names import folded
from ..outcome import Trouble
from ..printable import printable
from . import journals
from .database import Database
from .journal_record import key_of


def games_by_key(db: Database, keys: Iterable[str]) -> dict[str, ClubGame]:
    """Return {key: game} of those keys whose games are stored.

    A key has the id of the game and a hash of its set-up, which is compared only if several games share the id.
    """
    wanted = list(dict.fromkeys(keys))
    known = journals.under_all(db, sorted({key.rpartition("/")[0] for key in wanted}))
    numbers: dict[int, str] = {}
    for key in wanted:
        found = [number for number, _, _ in known.get(key.rpartition("/")[0], [])]
        if len(found) == 1:
            numbers[found[0]] = key
        else:
            records = journals.load_all(db, found)
            numbers.update((number, key) for number, one in records.items() if key_of(one.own, one.lines[0]) == key)
    return {game.key: game for game in games_by_number(db, numbers)}


def games_by_number(db: Database, keys: dict[int, str]) -> list[ClubGame]:
    """Return the games with these numbers; keys: the key of each."""
    numbers = list(keys)
    found: dict[int, ClubGame] = {}
    for start in range(0, len(numbers), 500):
        some = numbers[start : start + 500]
        places = ", ".join("?" * len(some))
        for number, at, kind, title, low, finished, deleted in db.rows(f"{_GAMES} WHERE number IN ({places})", *some):
            facts = (bool(low), bool(finished), bool(deleted))
            found[number] = ClubGame(number, keys[number], at, (kind, title), *facts, [])
        for number, name, score, winner in db.rows(_SEATS.format(places=places), *some):
            found[number].seats.append((name, score, bool(winner)))
    return list(found.values())


_GAMES = "SELECT number, at, kind, title, low, finished, deleted FROM games"
_SEATS = (
    "SELECT number, name, score, winner FROM scores JOIN spellings ON spellings.id = scores.spelling "
    "JOIN people ON people.id = person WHERE number IN ({places}) ORDER BY number, seat"
)


# --- what can be played ---


def settings_of(words: Iterable[str]) -> dict[str, Any]:
    """Return the house rules that are written like NAME=VALUE; raise Trouble for any other word."""
    found: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise Trouble(text("club.no_setting", word=printable(word)))
        digits = value.removeprefix("-")
        found[name] = int(value) if digits.isascii() and digits.isdigit() and len(digits) < 9 else value
    return found


class Playable(NamedTuple):
    """A game with its title and house rules, as the rules accept it, for the tables of an evening."""

    title: str
    settings: dict[str, Any]
    sizes: list[int]
    loses: bool  # whether single games are lost


def checked_game(
    kind: str, title: str, settings: dict[str, Any] | None, sizes: list[int] | None, old: Evening | None
) -> Playable:
    """Return what an evening plays; raise Trouble unless the rules accept all of it.

    settings: those of the evening `old` for None, or the usual ones of a title that it does not have yet. An empty
    title, or that of `old` if players choose none for this kind of game, follows from the house rules.
    """
    if kind not in GAMES:
        raise Trouble(text("club.no_game", game=printable(kind), games=", ".join(GAMES)))
    low, high = game_class(kind).PLAYERS
    for size in sizes or []:
        if not low <= size <= high:
            raise Trouble(text("club.bad_size", size=size, low=low, high=high))
    is_titled = presets_of(kind) is not None
    is_same = old is not None and old.game == kind and (old.title == title or not is_titled)
    if old is not None and is_same and not is_titled and title == old.title:
        title = ""
    if settings is None:
        settings = old.settings if old is not None and is_same else {}
    if not is_same:
        settings = {**_usual_settings(kind, title), **settings}
    games: dict[int, Any] = {}
    for size in sizes or own_sizes(low, high):
        setup = {"game": kind, "players": [f"P{p}" for p in range(size)], "options": settings}
        try:
            games[size] = new_game({**setup, "title": title} if title else setup)
        except Refused as refused:
            if sizes or (not games and size == high):
                raise _bad_rule(refused, kind) from None
    game = next(iter(games.values()))
    if title and game.title != title:
        raise Trouble(text("club.no_titles", title=printable(title)))
    return Playable(game.title, settings, list(games), on_laptop(kind).lost_games(game) is not None)


def _bad_rule(refused: Refused, kind: str) -> Trouble:
    what = refused.info.get("name") or refused.info.get("what") or refused.code
    return Trouble(text("club.bad_rule", what=printable(str(what)), game=kind))


def _usual_settings(kind: str, title: str) -> dict[str, Any]:
    """Return the house rules of a title that every Kiebitz knows, in any language; of others none."""
    built_in = presets_of(kind)
    known = _well_known(kind).get(folded(title)) if built_in else None
    return built_in.options_for(known, game_class(kind).PLAYERS[0]) if built_in and known else {}


@cache
def _well_known(kind: str) -> dict[str, str]:
    """Return {title in any language, folded: the built-in title} of a kind of game with titles."""
    found = {}
    for lang in CODES:
        sentences = sentences_in(paths_of(lang))
        found.update({folded(sentences.get(f"title.{title}", title)): title for title in presets_of(kind).TITLES})
    return found
