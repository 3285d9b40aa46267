"""Add the options that several commands share, and read filters and dates from them."""

import argparse
import time
from typing import TYPE_CHECKING

from kiebitz.games import GAMES

from ..league.evenings import day_of
from ..league.period import PERIODS, Period, checked_day, period_of
from ..outcome import Trouble

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


def day_argument(word: str) -> str:
    """Return a day in the form 2026-01-31."""
    try:
        return checked_day(word)
    except Trouble as trouble:
        raise argparse.ArgumentTypeError(str(trouble).rstrip(".")) from None


def add_json_option(parser, default: object = False) -> None:
    parser.add_argument("--json", action="store_true", default=default, help="print the same as JSON")


def add_imported_option(parser) -> None:
    parser.add_argument("--imported", action="store_true", help="count the results of `kiebitz import`, too")


def add_period_options(parser) -> None:
    parser.add_argument("--since", metavar="DATE", type=day_argument, help="played on this day (2026-01-31) or later")
    parser.add_argument("--until", metavar="DATE", type=day_argument, help="played on this day or earlier")
    parser.add_argument("--period", choices=PERIODS, help="played this month, last month or this year")


def chosen_period(args) -> Period:
    """Return the period of the options of a command."""
    if args.period and (args.since or args.until):
        raise Trouble("choose --period, or --since and --until, but not both.")
    return period_of(args.period or "", args.since or "", args.until or "", day_of(int(time.time())))


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

    period = chosen_period(args)
    return Filter(game=args.game, players=args.player, since=period.since, until=period.until, **more)


def add_db_option(parser, default: str | None = None) -> None:
    """Add the option --db to a command."""
    where = "the database, instead of $KIEBITZ_DB or the user's data folder: a file, or postgresql://..."
    parser.add_argument("--db", metavar="PATH", default=default, help=where)
