"""Shares code between the commands about results: filter options, and times and games in words and as JSON."""

import argparse
import json
import time
from collections.abc import Callable

from kiebitz.games import GAMES
from kiebitz.text import game_name, text
from kiebitz.text.formats import date_text

from .query import Filter

_WITH_TITLE = ("title", "league", "low")
# State of a correction -> key of its text
FIX_STATES = {"in force": "fix.in_force", "undone": "fix.undone", "no longer fits": "fix.unfit"}


def _day(word: str, days: int) -> int:
    """Return the first second, in local time, of a day, or of the day `days` later."""
    try:
        parts = time.strptime(word, "%Y-%m-%d")
        return int(time.mktime((parts.tm_year, parts.tm_mon, parts.tm_mday + days, 0, 0, 0, 0, 0, -1)))
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{word!r} is no date: write it like 2026-01-31") from None


def first_second(word: str) -> int:
    return _day(word, 0)


def after_last_second(word: str) -> int:
    return _day(word, 1)


def add_json_option(parser, default: object = False) -> None:
    parser.add_argument("--json", action="store_true", default=default, help="print the same as JSON")


def add_period_options(parser) -> None:
    parser.add_argument("--since", metavar="DATE", type=first_second, help="played on this day (2026-01-31) or later")
    parser.add_argument("--until", metavar="DATE", type=after_last_second, help="played on this day or earlier")


def add_game_option(parser) -> None:
    parser.add_argument("--game", metavar="GAME", help=f"{', '.join(GAMES)}, or a title; the beginning is enough")


def add_filter_options(parser) -> None:
    add_game_option(parser)
    parser.add_argument(
        "--player", action="append", default=[], help="who took part; several times: all of them did", metavar="NAME"
    )
    add_period_options(parser)


def filter_of(args, **more) -> Filter:
    """Return the filter for the options of a command."""
    return Filter(game=args.game, players=args.player, since=args.since, until=args.until, **more)


def utc(seconds: int) -> str:
    """Return a time for programs."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def local(seconds: int, approximate: bool = False) -> str:
    """Return a time for people, in the format of their language; only the day if the time is approximate."""
    here = time.localtime(seconds)
    day = date_text(seconds + here.tm_gmtoff)
    return f"~{day}" if approximate else text("sheet.moment", day=day, time=time.strftime("%H:%M", here))


def whole_text(number: int) -> str:
    """Return a number with its thousands separated as in the chosen language."""
    if number < 1000:
        return str(number)
    return text("thousands", high=whole_text(number // 1000), low=f"{number % 1000:03}")


def name_of(game: dict) -> str:
    """Return the name of a game for players; "?" if unknown, as for a journal that cannot be read."""
    return game_name(game["game"], game.get("title", "")) if game["game"] else "?"


def public(game: dict) -> dict:
    """Return a game in the form for programs; only a game with a title has the keys that come with it."""
    told = {key: value for key, value in game.items() if game["title"] or key not in _WITH_TITLE}
    return {**told, "at": utc(game["at"]), "received": utc(game["received"])}


def public_fix(fix: dict) -> dict:
    """Return a correction in the form for programs."""
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
    if game["damaged"] or (game["flaw"] and game["phase"]):
        words.append("incomplete")
    if game["fixes"]:
        words.append("corrected")
    return ", ".join([text(f"state.{word}") for word in words])
