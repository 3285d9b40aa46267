"""Run `kiebitz rebuild`: derive all results again from the journals, and import games from another database."""

from ..library.location import open_store
from ..library.repair import rescue
from ..outcome import OK
from ..printable import say
from ..show.present import print_json
from .options import add_db_option, add_json_option


def add(subparsers):
    parser = subparsers.add_parser(
        "rebuild",
        description="Rebuild scores, winners and tables from the journals of the games. With --from, first import "
        "every game, correction and name that can be read in another database, such as a backup or a damaged one.",
    )
    parser.add_argument("--from", dest="source", metavar="FILE", help="another database to import games from")
    add_json_option(parser)
    add_db_option(parser)
    return parser


def run(args):
    taken = None
    with open_store(args) as store, store.batch():
        if args.source:
            taken = rescue(store, args.source)
        games = _rebuild(store)
    if args.json:
        print_json({"games": games, "taken": taken})
        return OK
    if taken:
        say(f"New here: {taken['new']}. Known already: {taken['known']}. Not readable as a whole: {taken['lost']}.")
    say(f"Rebuilt: {games} {'game' if games == 1 else 'games'}.")
    return OK


def _rebuild(store):
    """Rebuild the derived tables, with a progress bar because ten thousand games take most of a minute.

    Returns the number of games.
    """
    from rich.progress import Progress  # slow to import, and only a terminal shows progress

    from ..terminal import Terminal

    terminal = Terminal()
    with Progress(console=terminal, transient=True, disable=not terminal.is_terminal) as progress:
        task = progress.add_task("Rebuilding", total=None)
        return store.rebuild(lambda done, total: progress.update(task, completed=done, total=total))
