"""Run `kiebitz delete`: remove games from every list and table; they can be restored."""

from ..library import query
from ..library.location import open_store
from ..library.removals import delete
from ..outcome import OK
from ..printable import say
from ..show.present import print_json
from .options import add_db_option, add_json_option


def add(subparsers):
    parser = subparsers.add_parser(
        "delete",
        description="Remove games from every list and table. They stay in the database, are not fetched again, and "
        "can be restored with `kiebitz restore`.",
    )
    add_arguments(parser)
    return parser


def add_arguments(parser):
    """Add the argument for the games, and the common options."""
    parser.add_argument("games", metavar="GAME", nargs="+", help="the number in `kiebitz games`, or its id")
    add_json_option(parser)
    add_db_option(parser)


def run(args):
    return mark(args, delete, "deleted")


def mark(args, action, word):
    """Apply the action to all games or to none. Returns the exit code."""
    with open_store(args) as store, store.batch():
        numbers = [query.find(store.db, game) for game in dict.fromkeys(args.games)]
        for number in numbers:
            action(store, number)
    if args.json:
        print_json({word: numbers})
    else:
        for number in numbers:
            say(f"Game {number} is {word}.")
    return OK
