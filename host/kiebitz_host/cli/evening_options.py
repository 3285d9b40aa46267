"""Declare the arguments of `kiebitz evening`."""

from argparse import SUPPRESS, ArgumentTypeError, RawDescriptionHelpFormatter

from kiebitz.games import GAMES

from ..league.draw import SEED_MAX
from ..library.club_decisions import METHODS, SEATS_MAX, SERIES_MAX, TABLES_MAX, WAYS
from ..outcome import Trouble
from .options import add_db_option, add_json_option, add_port_option, day_argument

DESCRIPTION = """\
Keep a club's evening: who is here, the tables of each series, their games, standings and money.

Every change is a decision with its author and time. Decisions are merged between laptops by `kiebitz exchange`, and
can be undone. Without --evening an action is about the evening of today, or else about the last one.
"""
EXAMPLES = """\
examples:
  kiebitz evening new "Club night" --game poch --series 2 --stake 5 --prizes 20 10
  kiebitz evening here Anna Ben Cleo Dan Eva Finn Gina
  kiebitz evening draw                         series 1, by lot
  kiebitz evening seats                        the tables, to the Kiebitz on USB
  kiebitz evening assign                       the finished games, to their tables
  kiebitz evening draw --by result             series 2, by the points of series 1
  kiebitz evening standings
  kiebitz evening season 2026 --since 2026-01-01 --until 2026-12-31
  kiebitz evening standings --season 2026 --csv season.csv
  kiebitz evening money
"""


def _number(low, high):
    """Return a type of argument: an integer within bounds."""

    def number(word):
        if not (word.isascii() and word.isdigit() and len(word) < 12 and low <= int(word) <= high):
            raise ArgumentTypeError(f"{word!r} is not a number from {low} to {high}")
        return int(word)

    return number


series_number = _number(1, SERIES_MAX)


def _add_rules(parser, is_new):
    """Add the options about the game and the money of an evening."""
    if not is_new:
        parser.add_argument("--name", metavar="NAME", help="another name")
    parser.add_argument("--game", required=is_new, choices=GAMES, metavar="GAME", help=f"{', '.join(GAMES)}")
    parser.add_argument("--title", metavar="TITLE", help="the title, for games that have one")
    parser.add_argument("--set", action="append", metavar="NAME=VALUE", help="a house rule; several times for several")
    parser.add_argument("--series", type=series_number, metavar="N", help="how many series are played (default 1)")
    parser.add_argument("--day", metavar="DATE", type=day_argument, help="like 2026-01-31 (default today)")
    parser.add_argument(
        "--sizes", nargs="+", type=_number(2, SEATS_MAX), metavar="N", help="players at a table, the best number first"
    )
    parser.add_argument("--stake", metavar="AMOUNT", help="what everybody pays, like 5 or 2.50")
    parser.add_argument(
        "--fees",
        nargs="+",
        metavar="FEE",
        help="for lost games of a series: 3x0.50 1.00 is 0.50 for each of the first three, then 1.00",
    )
    parser.add_argument("--prizes", nargs="*", metavar="AMOUNT", help="for the first, second, ... place")


def add_arguments(subparsers):
    """Add the command with all its actions."""
    parser = subparsers.add_parser(
        "evening", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=RawDescriptionHelpFormatter
    )
    actions = parser.add_subparsers(title="what to do", metavar="ACTION", dest="action")

    def action(name, line, more=""):
        found = actions.add_parser(name, help=line, description=f"{line[0].upper()}{line[1:]}. {more}".strip())
        add_json_option(found, default=SUPPRESS)
        add_db_option(found, default=SUPPRESS)
        if name not in ("new", "list", "season"):
            found.add_argument(
                "-e", "--evening", metavar="EVENING", help="its name, day, or the beginning of its id", default=None
            )
        return found

    new = action("new", "begin an evening")
    new.add_argument("name", metavar="NAME")
    _add_rules(new, True)
    _add_rules(action("change", "change the name, game, series or money of an evening"), False)
    for name, line in (("here", "note who is here"), ("gone", "note who is not here, or leaves")):
        who = action(name, line)
        who.add_argument("names", metavar="NAME", nargs="+")
        who.add_argument(
            "--from", dest="series", type=series_number, metavar="N", help="from this series on (default: the next one)"
        )
        if name == "here":
            who.add_argument("--new", action="store_true", help="also people who have never played")
    draw = action(
        "draw", "draw the tables of a series",
        "The draw is stored with its seed: the same people and the same seed give the same tables again. Who sits out "
        "has had the fewest byes so far.",
    )  # fmt: skip
    draw.add_argument("--series", type=series_number, metavar="N", help="default: the first that is not drawn")
    draw.add_argument(
        "--by", choices=METHODS, help="lot (default for series 1), result of the series before (default later), or so "
        "that people meet whom they have not met this season"
    )  # fmt: skip
    draw.add_argument("--seed", type=_number(0, SEED_MAX), metavar="N", help="to repeat a draw")
    draw.add_argument("--again", action="store_true", help="replace the draw of this series")
    seats = action(
        "seats", "send the tables to the Kiebitz on USB, which offer them as one press",
        "Every Kiebitz that is plugged in gets a table of the series with its players and house rules, the same table "
        "as before if it can. One after the other is fine.",
    )  # fmt: skip
    seats.add_argument("--series", type=series_number, metavar="N", help="default: the one drawn last")
    seats.add_argument("--table", type=_number(1, TABLES_MAX), metavar="N", help="for the only Kiebitz on USB")
    seats.add_argument("--clear", action="store_true", help="take the tables back from the Kiebitz on USB")
    add_port_option(seats)
    action("show", "show who sits where, and what does not fit")
    assign = action(
        "assign", "assign finished games to the tables",
        "Without GAME all games of the day whose players sit at exactly one table without a game; what does not fit is "
        "listed, never guessed.",
    )  # fmt: skip
    assign.add_argument("game", metavar="GAME", nargs="?", help="its number in `kiebitz games`, or its id")
    assign.add_argument("--series", type=series_number, metavar="N")
    assign.add_argument("--table", type=_number(1, TABLES_MAX), metavar="N")
    assign.add_argument("--none", action="store_true", help="take the game off the evening")
    standings = action("standings", "show the points of an evening, or of a season")
    standings.add_argument("--season", metavar="NAME", help="of all evenings of a season")
    standings.add_argument("--since", type=day_argument, metavar="DATE", help="of all evenings from this day on")
    standings.add_argument("--until", type=day_argument, metavar="DATE")
    standings.add_argument("--game", metavar="GAME", help="only evenings with this game or title")
    standings.add_argument("--teams", action="store_true", help="the sum of the members of each team")
    _add_ways(standings)
    season = action(
        "season", "list the seasons, or set one",
        "With NAME and --since a season begins, or changes. Its standings: kiebitz evening standings --season NAME.",
    )  # fmt: skip
    season.add_argument("name", metavar="NAME", nargs="?")
    season.add_argument("--since", type=day_argument, metavar="DATE")
    season.add_argument("--until", type=day_argument, metavar="DATE")
    season.add_argument("--remove", action="store_true", help="remove the season; its evenings stay")
    _add_ways(season)
    team = action("team", "set the members of a team; without names the team is removed")
    team.add_argument("team", metavar="TEAM")
    team.add_argument("names", metavar="NAME", nargs="*")
    money = action("money", "show who pays and who gets how much", "Nothing is paid by this, only written down.")
    money.add_argument("--settle", action="store_true", help="write down that all of it has been paid")
    for table in (standings, money):
        table.add_argument("--csv", metavar="FILE", help="write CSV to a file, or to standard output with -")
    action("undo", "take back the last change")
    action("history", "list who has changed what, and when")
    action("list", "list all evenings")
    action("cancel", "cancel an evening; its games stay")
    action("restore", "restore a cancelled evening")
    add_json_option(parser)
    add_db_option(parser)
    return parser


def _add_ways(parser):
    parser.add_argument("--by", choices=WAYS, help="points per evening, their sum, or the best evenings")
    parser.add_argument("--best", type=_number(1, 1000), metavar="N", help="how many evenings count, with --by best")
    parser.add_argument("--least", type=_number(1, 1000), metavar="N", help="evenings that a place needs (default 1)")


def need(condition, sentence):
    """Raise Trouble with the sentence unless the condition holds."""
    if not condition:
        raise Trouble(sentence)
