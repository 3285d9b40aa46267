"""Run `kiebitz import`: take results of old seasons from a CSV file."""

from argparse import RawDescriptionHelpFormatter

from ..library.location import open_store, read_store
from ..outcome import BAD_USAGE, OK
from ..printable import say
from ..show.present import print_json
from .import_file import accepted, add_import_options, code_of, complain, refused, show_columns
from .options import add_db_option, add_json_option

DESCRIPTION = """\
Take the results of old seasons from a CSV file: a row for each player of each game or series. The columns may have
their English, German, French, Italian or Dutch names, in any order; others are not used. Rows with the same date, game,
series and table are one game. Without places the most points win (--low: the fewest).

First the file is shown. If a row is wrong it is named with its line, and nothing is taken; with --skip-bad the games
without wrong rows are. The same file taken twice changes nothing. The results are marked as imported, have no sheet,
and count in leagues, lists of players and exports only with --imported. `kiebitz delete` and `kiebitz restore` work as
for every game.
"""
EXAMPLE = """\
an example of a file (Windows-1252, UTF-8 or UTF-16; separated by commas, semicolons or tabs):
  Datum;Spiel;Serie;Tisch;Name;Punkte;Platz
  31.01.2025;Skat;1;1;Anna Kern;1204;1
  31.01.2025;Skat;1;1;Ben;-87;3
  31.01.2025;Skat;1;1;Cleo;655;2
needed are the date, the name and the points, and the game without --game. A date is like 2025-01-31 or 31.01.2025, with
a time if wanted; for 01/02/2025 say --dates dmy or --dates mdy.

examples:
  kiebitz import results season.csv --dry-run
  kiebitz import results season.csv --game Skat --yes
"""


def add(subparsers):
    parser = subparsers.add_parser(
        "import", description=DESCRIPTION, epilog=EXAMPLE, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("what", metavar="WHAT", choices=("results",), help="results")
    parser.add_argument("file", metavar="FILE.csv", help="the file, - for standard input")
    parser.add_argument("--game", metavar="NAME", help="the game of all rows: one with its own rules, or a title")
    parser.add_argument("--low", action="store_true", help="the fewest points win")
    parser.add_argument("--dates", choices=("dmy", "mdy"), help="01/02/2025 is: the day first, or the month first")
    add_import_options(parser)
    add_json_option(parser)
    add_db_option(parser)
    return parser


def run(args):
    from ..exchange.results import read_results  # imports the rules
    from ..library import imported

    with read_store(args) as store:
        found = read_results(store.db, args.file, args.game, args.low, args.dates)
    if not args.json:
        show_columns(args.file, found.table)
        _preview(found)
    complain(args.file, found.bad)
    taken = 0
    if refused(args, found.bad):
        code = BAD_USAGE
    elif not found.new:
        code = code_of(found.bad)
    elif accepted(args, _games(len(found.new))) if not args.json else args.yes and not args.dry_run:
        with open_store(args) as store:
            taken = imported.add(store, found.new)
        code = code_of(found.bad)
    else:
        code = OK
    if args.json:
        wrong = [row._asdict() for row in found.bad]
        counts = {"new": len(found.new), "known": found.same, "deleted": found.deleted, "left_out": found.left_out}
        print_json({**counts, "taken": taken, "wrong": wrong})
    elif taken:
        say(f"{_games(taken)} taken.")
    return code


def _preview(found):
    for results in found.new[:5]:
        players = ", ".join(f"{seat.name} {seat.score}{'*' if seat.winner else ''}" for seat in results.seats[:8])
        more = ", ..." if len(results.seats) > 8 else ""
        title = " · ".join(filter(None, [results.day, results.title or results.kind, results.series]))
        say(f"  {title}: {players}{more}")
    if len(found.new) > 5:
        days = sorted(results.day for results in found.new)
        say(f"  ... {len(found.new) - 5:,} more, from {days[0][:10]} to {days[-1][:10]}")
    known = f", {found.same:,} known already" if found.same else ""
    left = f", {found.left_out:,} with wrong rows" if found.left_out else ""
    say(f"{_games(len(found.new))} new{known}{left}.")
    if found.deleted:
        numbers = " ".join(str(number) for number in found.deleted[:20])
        say(f"{_games(len(found.deleted))} of those known are deleted: kiebitz restore {numbers}")


def _games(count):
    return "1 game" if count == 1 else f"{count:,} games"
