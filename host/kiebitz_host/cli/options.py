"""Add the options that several commands share, and read filters and dates from them."""

import argparse
import time
from typing import TYPE_CHECKING

from kiebitz.games import GAMES

if TYPE_CHECKING:
    from ..library.query import Filter

NOBODY = (
    "no Kiebitz found on USB: plug it in with a cable that carries data, wait until its display is on, and try again; "
    "or name its port, or the --flash folder of a simulator, with --port."
)


def add_port_option(parser):
    """Add the option --port to a command."""
    parser.add_argument(
        "--port", metavar="PORT", help="only this port, such as /dev/ttyACM0, COM3, or the flash folder of a simulator"
    )


def _day(word: str, days: int) -> int:
    """Return the first second, in local time, of a day or of the day `days` later."""
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


def filter_of(args, **more) -> "Filter":
    """Return the filter for the options of a command."""
    from ..library.query import Filter  # not every command with options needs the database

    return Filter(game=args.game, players=args.player, since=args.since, until=args.until, **more)


def add_db_option(parser, default: str | None = None) -> None:
    """Add the option --db to a command."""
    where = "the database, instead of $KIEBITZ_DB or the user's data folder: a file, or postgresql://..."
    parser.add_argument("--db", metavar="PATH", default=default, help=where)
