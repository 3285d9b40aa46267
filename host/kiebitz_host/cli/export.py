"""Run `kiebitz export`: write results as CSV, JSON, Board Game Stats plays or HTML pages."""

import json
import sys
from argparse import RawDescriptionHelpFormatter

from .. import languages
from ..export.bgstats import bgsplay, link
from ..league.columns import ORDERS, WINS
from ..library import query
from ..library.location import read_store
from ..outcome import OK, Trouble
from ..printable import say
from .options import add_db_option, add_filter_options, add_imported_option, chosen_period, filter_of

DESCRIPTION = """\
Write results for other programs:
  csv      a row for every score, or with --per game for every game
  json     everything that is known, the journals included
  bgstats  a .bgsplay file for the app Board Game Stats
  link     the link that creates one play in that app, with a QR code
  html     a page to send around or to print: an evening, a game, or the league

--lang turns what people read into a language: the names of games, rounds and house rules, remarks and
corrections. What programs read is the same in every language: keys, columns, ids, numbers and dates.

A page is one file that works offline, in any browser. --day writes an evening (without a date the last one), a game or
--game NUMBER the sheet of that game, --league the league, with --game POCH that of one game, with --period or --since
and --until that of a period.

Only finished games go to Board Game Stats. What is written for it follows public descriptions; it was
not tried against the app itself.
"""
EXAMPLES = """\
examples:
  kiebitz export csv -o scores.csv
  kiebitz export csv --per game --game poch --since 2026-01-01
  kiebitz export bgstats 12 13 -o evening.bgsplay
  kiebitz export bgstats --lang fr -o parties.bgsplay
  kiebitz export link 12
  kiebitz export link 12 --qr code.svg
  kiebitz export html --day 2026-01-31 -o evening.html
  kiebitz export html 12 -o game.html
  kiebitz export html --league --game poch -o league.html
"""


def add(subparsers):
    parser = subparsers.add_parser(
        "export",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("form", metavar="FORM", choices=("csv", "json", "bgstats", "link", "html"), help="see above")
    parser.add_argument(
        "games", metavar="GAME", nargs="*", default=[], help="only these games: numbers, or beginnings of ids"
    )
    add_filter_options(parser)
    add_imported_option(parser)
    parser.add_argument("--per", choices=("score", "game"), default="score", help="csv: what a row is")
    parser.add_argument("--day", metavar="DATE", nargs="?", const="", help="html: the evening of this day")
    parser.add_argument("--league", action="store_true", help="html: the league")
    parser.add_argument("--by", choices=ORDERS, default=WINS, help="html: the order of the league (default wins)")
    parser.add_argument("--early", action="store_true", help="html: count the games that were ended early, too")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to a file instead of the standard output")
    parser.add_argument("--app", action="store_true", help="link: bgstats://, which opens the app itself")
    parser.add_argument("--qr", metavar="FILE", help="link: write the QR code as a picture (.svg or .png)")
    languages.add_option(parser)
    add_db_option(parser)
    return parser


def run(args):
    from ..export import files  # imports rich and all rules

    lang = languages.speak(args)
    if args.form != "html" and (args.day is not None or args.league or args.early or args.by != WINS):
        raise Trouble("--day, --league, --by and --early are for pages: kiebitz export html.")
    if args.form == "html" and args.imported:
        raise Trouble("--imported is for csv, json and bgstats; a page of imported results names the game or the day.")
    with read_store(args) as store:
        if args.form == "html":
            _write(_page(store, args, lang), args.output)
            return OK
        games = files.with_minutes(store, _chosen(store, args))
        if args.form == "csv":
            content = files.scores_csv(games) if args.per == "score" else files.games_csv(games)
        elif args.form == "json":
            content = files.everything(store, games)
        elif args.form == "link":
            if len(args.games) != 1:
                raise Trouble("a link holds one play: name one game.")
            (game,) = files.for_bgstats(store, _finished(games, args))
            return _link(game, args)
        else:
            plays = files.for_bgstats(store, _finished(games, args))
            content = json.dumps(bgsplay(plays), ensure_ascii=False, indent=1) + "\n"
    _write(content, args.output)
    return OK


def _page(store, args, lang):
    """Return the requested page; by default the last evening."""
    from ..web import sending  # imports rich and all rules
    from ..web.evening_page import evening_of
    from ..web.game_page import sheet_of
    from ..web.league_page import find_league

    period = chosen_period(args)
    if args.player or (period and not args.league):
        raise Trouble("a page shows an evening, a game or the league: --player, or a period alone, choose no page.")
    if args.by != WINS and not args.league:
        raise Trouble("--by is the order of the league: kiebitz export html --league --game poch.")
    named = [*args.games, *([args.game] if args.game is not None and not args.league else [])]
    if len(named) + (args.day is not None) + args.league > 1:
        raise Trouble("a file holds one page: choose --day, --league or one game.")
    if named:
        return sending.game_file(sheet_of(store, query.find(store.db, named[0])), lang)
    if args.league:
        chosen = "" if args.game is None else query.find_league(store.db, args.game)[1]
        found = find_league(store, chosen, args.early, period, args.by)
        if found is None or not found.history.league.standings:
            raise Trouble("no finished game counts in this league yet.")
        return sending.league_file(found, lang)
    day = args.day or next((day for day, _ in query.evenings(store.db, 1)), None)
    if day is None:
        raise Trouble("there are no games yet; `kiebitz sync` fetches them from a device.")
    evening = evening_of(store, day)
    if not evening.games:
        raise Trouble(f"nothing was played on {day}.")
    return sending.evening_file(evening, lang)


# --- games ---


def _chosen(store, args):
    """Return the named games, or all that match the filters, oldest first."""
    if args.games:
        if args.game or args.player or args.since or args.until or args.period:
            raise Trouble("name games, or use --game, --player, --since, --until and --period, but not both.")
        return query.by_number(store.db, [query.find(store.db, game) for game in dict.fromkeys(args.games)])
    return query.games(store.db, filter_of(args, imported=None if args.imported else False))[::-1]


def _finished(games, args):
    over = [game for game in games if game["finished"]]
    if len(over) < len(games):
        if args.games:
            number = next(game["number"] for game in games if not game["finished"])
            raise Trouble(f"game {number} is not finished; Board Game Stats takes finished games only.")
        left = len(games) - len(over)
        say(f"{left} unfinished {'game is' if left == 1 else 'games are'} left out.", sys.stderr)
    return over


def _write(content, name):
    """Write to standard output, or atomically to a file."""
    from ..export.files import write_output  # as above

    write_output(content, name)


def _link(game, args):
    address = link(game, args.app)
    _write(address + "\n", args.output)
    if args.qr or args.output is None:
        from ..show.qr import print_code, write_code  # only a QR code needs it

        if args.qr:
            write_code(address, args.qr)
        elif sys.stdout.isatty():
            print_code(address)
    return OK
