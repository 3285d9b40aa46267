"""What the commands about results share: options to filter by, times and games in words and as JSON."""

import argparse
import json
import time
from collections.abc import Callable

from kiebitz.games import GAMES

from .query import Filter


def game_kind(word: str) -> str:
    """The id of a game, however its words are joined; its beginning is enough."""
    kind = word.lower().replace(" ", "_").replace("-", "_")
    found = [game for game in GAMES if game == kind] or [game for game in GAMES if kind and game.startswith(kind)]
    if len(found) != 1:
        raise argparse.ArgumentTypeError(f"there is no game {word!r}; choose from {', '.join(GAMES)}")
    return found[0]


def _day(word: str, days: int) -> int:
    """The first second of a day, or of the one `days` later, in local time."""
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


def add_filter_options(parser) -> None:
    parser.add_argument("--game", type=game_kind, help=", ".join(GAMES))
    parser.add_argument(
        "--player", action="append", default=[], help="who took part; several times: all of them did", metavar="NAME"
    )
    add_period_options(parser)


def filter_of(args, **more) -> Filter:
    """The games the options of a command ask for."""
    return Filter(game=args.game, players=args.player, since=args.since, until=args.until, **more)


def utc(seconds: int) -> str:
    """A time for programs."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def local(seconds: int, approximate: bool = False) -> str:
    """A time for people, as their language writes it; of a rough one only the day is told."""
    from kiebitz.text import text
    from kiebitz.text.formats import date_text

    here = time.localtime(seconds)
    day = date_text(seconds + here.tm_gmtoff)
    return f"~{day}" if approximate else text("sheet.moment", day=day, time=time.strftime("%H:%M", here))


def whole_text(number: int) -> str:
    """A number with its thousands set apart as the language does."""
    from kiebitz.text import text

    if number < 1000:
        return str(number)
    return text("thousands", high=whole_text(number // 1000), low=f"{number % 1000:03}")


def name_of(kind: str | None) -> str:
    """What players call a game; of a journal that cannot be read it may be unknown."""
    from kiebitz.text import text

    return text(f"game.{kind}") if kind else "?"


def public(game: dict) -> dict:
    """A game as programs get it."""
    return {**game, "at": utc(game["at"]), "received": utc(game["received"])}


def public_fix(fix: dict) -> dict:
    """A correction as programs get it."""
    return {**fix, "made": utc(fix["made"]), "undone": utc(fix["undone"]) if fix["undone"] else None}


def print_json(value: object, write: Callable[[str], object] = print) -> None:
    write(json.dumps(value))


def state_of(game: dict) -> str:
    """What is to be said of a game beside its scores; empty for most."""
    from kiebitz.text import text

    words = []
    if game["deleted"]:
        words.append("deleted")
    if game["phase"] is None:
        words.append("unreadable")
    elif not game["finished"]:
        words.append("unfinished")
    if game["damaged"] or (game["flaw"] and game["phase"]):
        words.append("incomplete")
    if game["fixes"]:
        words.append("corrected")
    return ", ".join([text(f"state.{word}") for word in words])
