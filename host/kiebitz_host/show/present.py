"""Format times, numbers and games as text, and as JSON."""

import json
import time
from collections.abc import Callable
from typing import NamedTuple

from kiebitz.text import game_name, text
from kiebitz.text.describe import date_text

from ..league.evenings import day_in_words, day_of, is_night
from ..league.period import Period
from ..league.standings import League

_WITH_TITLE = ("title", "league", "low")
# State of a correction -> key of its text
FIX_STATES = {"in force": "fix.in_force", "undone": "fix.undone", "no longer fits": "fix.unfit"}


def utc(seconds: int) -> str:
    """Return a timestamp for JSON."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def local(seconds: int, approximate: bool = False) -> str:
    """Format a time for the terminal in the language in use; only the day if the time is approximate."""
    here = time.localtime(seconds)
    day = date_text(seconds + here.tm_gmtoff)
    return f"~{day}" if approximate else text("sheet.moment", day=day, time=time.strftime("%H:%M", here))


def moment(seconds: int) -> str:
    """Format a time for a page in the language in use."""
    here = time.localtime(seconds)
    return text("sheet.moment", day=day_in_words(time.strftime("%Y-%m-%d", here)), time=time.strftime("%H:%M", here))


def played(game: dict) -> str:
    """Format the beginning of a game for a page; only the day if it is approximate.

    The day is that of the evening: after midnight, the day before.
    """
    here = time.localtime(game["at"])
    day = day_in_words(day_of(game["at"]))
    if game["approximate"]:
        return text("sheet.about", day=day)
    return text("sheet.moment_night" if is_night(here) else "sheet.moment", day=day, time=time.strftime("%H:%M", here))


def name_of(game: dict) -> str:
    """Return the display name of a game; "?" if unknown, as for an unreadable journal."""
    return game_name(game["game"], game.get("title", "")) if game["game"] else "?"


def public(game: dict) -> dict:
    """Return a game for JSON; keys about the title are present only if it has one."""
    told = {key: value for key, value in game.items() if game["title"] or key not in _WITH_TITLE}
    return {**told, "at": utc(game["at"]), "received": utc(game["received"])}


def public_fix(fix: dict) -> dict:
    """Return a correction for JSON."""
    return {**fix, "made": utc(fix["made"]), "undone": utc(fix["undone"]) if fix["undone"] else None}


def print_json(value: object, write: Callable[[str], object] = print) -> None:
    write(json.dumps(value))


def state_of(game: dict) -> str:
    """Return remarks on the state of a game; empty for most games."""
    words = []
    if game["deleted"]:
        words.append("deleted")
    if game["phase"] is None:
        words.append("unreadable")
    elif not game["finished"]:
        words.append("unfinished")
    elif game["early"]:
        words.append("early")
    elif game["imported"]:
        words.append("imported")
    if game["damaged"] or (game["flaw"] and game["phase"]):
        words.append("incomplete")
    if game["fixes"]:
        words.append("corrected")
    return ", ".join([text(f"state.{word}") for word in words])


def nobody(league: League, period: Period) -> str:
    """Return why a league has no players."""
    if league.games:
        return text("league.guests")
    return text("period.none_finished", period=period.in_words()) if period else text("league.none")


def no_players(period: Period) -> str:
    """Return that nobody has played, in a period or at all."""
    return text("people.none_then", period=period.in_words()) if period else text("people.none")


# --- lists of games ---


def no_games(period: Period, filtered: bool) -> str:
    """Return the sentence that a period has no games, or with `filtered` none of the wanted kind."""
    if not period:
        return text("games.other")
    return text("period.none_like" if filtered else "period.none", period=period.in_words())


class ListedGame(NamedTuple):
    """A game in a list; the column of notes is omitted if no game has any."""

    number: int
    date: str
    game: str
    players: list[tuple[str, int, bool]]  # name, points, has won; best first
    notes: str


GAME_HEADS = {
    "number": "sheet.number", "date": "sheet.date", "game": "rules.game", "players": "rules.players",
    "notes": "sheet.notes",
}  # fmt: skip


def listed_games(games: list[dict], page: bool = False) -> list[ListedGame]:
    """Return games as they are listed in the terminal, or on a page."""
    found = []
    for game in games:
        scores = sorted(game["scores"], key=lambda score: score["rank"] or 0)
        players = [(score["name"], score["score"], score["winner"]) for score in scores]
        date = played(game) if page else local(game["at"], game["approximate"])
        found.append(ListedGame(game["number"], date, name_of(game), players, state_of(game)))
    return found


def heads_of(games: list[ListedGame], *keys: str) -> list[str]:
    """Return the heads of the columns, with one for notes if a game has any."""
    return [text(GAME_HEADS[key]) for key in (*keys, *(["notes"] if any(game.notes for game in games) else []))]
