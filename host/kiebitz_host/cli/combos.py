"""Run `kiebitz combos`: list the Royal Flush boards that a hand of cards satisfies."""

import json
import sys

from kiebitz.games import GAMES, Refused
from kiebitz.store.replay import LINE_MAX
from kiebitz.text import text

from .. import languages
from ..games import on_laptop
from ..outcome import OK, REFUSED
from ..printable import say
from ..received import STDIN, read_lines


def add(subparsers):
    """Add the command to the parser and return its parser."""
    parser = subparsers.add_parser(
        "combos",
        description="List the Royal Flush boards whose combination these cards make; house rules do not apply. "
        "With - as CARDS every input line is a hand, and every output line its JSON list of boards, "
        "or null for a line that is not cards.",
    )
    parser.add_argument("cards", metavar="CARDS", help='ranks 2-9 T J Q K A with suits S H D C, * = joker: "7H 7D"')
    parser.add_argument("--json", action="store_true", help="print a JSON list of board ids")
    languages.add_option(parser)
    return parser


def run(args):
    """Print the boards of one hand, or of every hand on standard input. Returns the exit code."""
    languages.speak(args)
    if args.cards == STDIN:
        for line in read_lines(STDIN):
            say(json.dumps(ids_of(boards_of(line))))
        return OK
    boards = boards_of(args.cards.encode("utf-8", "surrogateescape"))
    if args.json:
        say(json.dumps(ids_of(boards)))
    elif boards is not None:
        show(boards)
    if boards is None:
        say("E_ARG - these are not cards: write rank and suit like 7H or TD, * for a joker.", sys.stderr)
        return REFUSED
    return OK


def boards_of(line):
    """Return (id, points of its slots) of the boards that a line of cards satisfies; None if the line is not cards."""
    if len(line) > LINE_MAX:
        return None
    try:
        cards = line.decode("utf-8").replace("\t", " ")
        return [board for kind in GAMES for board in on_laptop(kind).boards_of(cards)]
    except (Refused, UnicodeDecodeError):
        return None


def ids_of(boards):
    """Return the ids of the boards, or None without a list."""
    return None if boards is None else [board for board, _ in boards]


def show(boards):
    """Print the boards with the points of their slots."""
    from ..terminal import Terminal, table

    if not boards:
        Terminal().print(text("sheet.no_board"))
        return
    found = table(text("sheet.board"), text("rules.id"), text("sheet.pays"))
    for board, points in boards:
        found.add_row(text(f"board.{board}"), board, "  ".join(map(str, points)))
    Terminal().print(found)
