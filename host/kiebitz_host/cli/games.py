"""Run `kiebitz games`: list the games in the store, newest first."""

from argparse import ArgumentTypeError

from kiebitz.text import text

from .. import languages
from ..library import query
from ..library.location import read_store
from ..outcome import OK
from ..printable import say
from ..show.present import heads_of, listed_games, no_games, print_json, public
from .options import add_db_option, add_filter_options, add_json_option, chosen_period, filter_of

SHOWN = 20  # default number of games
GLUE = "\u00a0"  # a non-breaking space: a name and its points stay together
COUNT_MAX = 2**63 - 1  # the largest integer of SQLite
LONG = 300  # a longer list is printed as plain lines, because the layout of a table would take seconds


def add(subparsers):
    parser = subparsers.add_parser(
        "games",
        description=f"List the games that were fetched or added, the newest first, {SHOWN} unless more are asked for. "
        "* marks the winners; ~ marks an estimated date.",
    )
    add_filter_options(parser)
    parser.add_argument("--unfinished", action="store_true", help="only games that are not over")
    parser.add_argument("--deleted", action="store_true", help="the deleted games instead")
    parser.add_argument("-n", "--limit", type=_count, default=None, metavar="N", help=f"how many (default {SHOWN})")
    parser.add_argument("--all", action="store_true", help="all of them")
    add_json_option(parser)
    languages.add_option(parser)
    add_db_option(parser)
    return parser


def _count(word):
    if not word.isdecimal() or int(word) < 1:
        raise ArgumentTypeError(f"{word!r} is not a number of games: write it like 10")
    return min(int(word), COUNT_MAX)


def run(args):
    languages.speak(args)
    wanted = filter_of(args, deleted=args.deleted, finished=False if args.unfinished else None, imported=None)
    # The default is everything for --json, and one page for people
    limit = args.limit or (None if args.all or args.json else SHOWN)
    with read_store(args) as store:
        found = query.games(store.db, wanted, limit)
        in_all = len(found) if limit is None else query.count(store.db, wanted)
        anything = bool(found) or query.has_journals(store.db)
    if args.json:
        print_json([public(game) for game in found])
    elif found:
        show(found, in_all)
    elif anything:
        filtered = bool(args.game or args.player or args.unfinished or args.deleted)
        say(no_games(chosen_period(args), filtered))
    else:
        say(text("games.none"))
        say("`kiebitz sync` fetches them from a device, `kiebitz add FILE` takes recorded ones.")
    return OK


def show(found, in_all):
    from rich.text import Text  # slow to import, and not needed for --json

    from ..terminal import Terminal, table

    games = listed_games(found)
    if len(games) > LONG:
        return _print_lines(games)
    headers = heads_of(games, "number", "date", "game", "players")
    sheet = table(*headers, numbers=headers[:1], wrap=headers[3:])
    for game in games:
        notes = [Text(game.notes, style="yellow")] if len(headers) > 4 else []
        sheet.add_row(str(game.number), game.date, game.game, _players(game), *notes)
    terminal = Terminal()
    with terminal.capture() as printed:
        terminal.print(sheet)
    print(printed.get().replace(GLUE, " "), end="")
    if in_all > len(found):
        terminal.print(Text(f"\n{in_all - len(found)} more; -n NUMBER or --all shows them.", style="dim"))


def _words(game):
    """Yield (name with points, True if the player has won) for each player, by rank."""
    from ..terminal import shown  # as above

    for name, points, won in game.players:
        yield f"{shown(name)} {points}{'*' if won else ''}", won


def _players(game):
    from rich.text import Text  # as above

    cell = Text()
    for k, (words, won) in enumerate(_words(game)):
        cell.append(", " if k else "")
        cell.append(words.replace(" ", GLUE), style="bold" if won else "")
    return cell


def _print_lines(games):
    """Print one game per line, however long, as plain text."""
    width = len(str(max(game.number for game in games)))
    for game in games:
        players = ", ".join(words for words, _ in _words(game))
        notes = f"  ({game.notes})" if game.notes else ""
        say(f"{game.number:{width}}  {game.date:16}  {game.game:11}  {players}{notes}")
