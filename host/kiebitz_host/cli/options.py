"""Share options among commands: filters and dates, and the two steps of importing a CSV file."""

import argparse
import sys
import time
from typing import TYPE_CHECKING

from kiebitz.games import GAMES

from ..league.evenings import day_of
from ..league.period import PERIODS, Period, checked_day, period_of
from ..outcome import BAD_USAGE, OK, Trouble
from ..printable import say

if TYPE_CHECKING:
    from ..exchange.csv_table import BadRow, CsvTable  # only a command that imports needs it
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


BAD_SHOWN = 20  # bad rows that are named one by one


def add_import_options(parser) -> None:
    """Add the options of every command that imports a CSV file."""
    parser.add_argument("--skip-bad", action="store_true", help="leave out wrong rows, instead of taking nothing")
    parser.add_argument("--dry-run", action="store_true", help="show what the file has, and take nothing")
    parser.add_argument("--yes", action="store_true", help="take it without asking")


def show_columns(name: str, table: "CsvTable") -> None:
    """Print how the columns of a file are understood."""
    columns = ", ".join(f"{head} = {key}" if head.casefold() != key else head for key, head in table.columns.items())
    say(f"{name} ({table.encoding}): columns {columns}.")
    if table.ignored:
        say(f"Not used: {', '.join(table.ignored)}.")


def complain(name: str, bad: "list[BadRow]") -> None:
    """Print the wrong rows with their lines, on standard error."""
    sys.stdout.flush()
    for row in bad[:BAD_SHOWN]:
        say(f"{name}, {row.sentence()}", sys.stderr)
    if len(bad) > BAD_SHOWN:
        say(f"{name}: wrong rows that are not shown: {len(bad) - BAD_SHOWN:,}.", sys.stderr)


def refused(args, bad: "list[BadRow]") -> bool:
    """Return True if nothing may be taken because of wrong rows; say so."""
    if not bad or args.skip_bad:
        return False
    rows = "row is" if len(bad) == 1 else "rows are"
    say(f"{len(bad):,} {rows} wrong: nothing was taken. Correct the file, or add --skip-bad.", sys.stderr)
    return True


def accepted(args, what: str) -> bool:
    """Return True if the person agrees to take it; without a terminal only --yes does."""
    if args.dry_run:
        say("Nothing was taken: this was a trial.")
        return False
    if args.yes:
        return True
    if sys.stdin is None or not sys.stdin.isatty():
        raise Trouble("nothing was taken, because there is no terminal to ask on: look at it, then add --yes.")
    sys.stdout.write(f"Take {what}? [y/N] ")
    sys.stdout.flush()
    if sys.stdin.readline().strip().casefold() in ("y", "yes", "j", "ja", "o", "oui", "s", "si", "sì"):
        return True
    say("Nothing was taken.")
    return False


def code_of(bad: "list[BadRow]") -> int:
    """Return the exit code: 2 if rows were left out."""
    return BAD_USAGE if bad else OK
