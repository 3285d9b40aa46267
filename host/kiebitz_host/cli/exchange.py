"""Run `kiebitz exchange`: exchange games with a folder or a club's database."""

import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path

from kiebitz.text import text

from .. import languages
from ..exchange import Folder, StoreSide, exchange, need_other
from ..library.club_arrivals import clashes
from ..library.location import is_address, open_store
from ..library.store import Store
from ..outcome import BAD_USAGE, OK
from ..printable import say
from ..show.present import print_json
from .options import add_db_option, add_json_option

DESCRIPTION = """\
Exchange games with another place, so that both have all games and all decisions about them
(corrections, deletions, joined names). PLACE is a folder (a synced one, a USB stick, a git checkout) or a club's
database (postgresql://...). In a folder every game and every decision is a separate file, and none is ever
changed. What both have is not sent; run the command again to resume an interrupted exchange.
"""
SKIPPED_SHOWN = 10


def add(subparsers):
    parser = subparsers.add_parser(
        "exchange",
        description=DESCRIPTION,
        epilog="example: kiebitz exchange /media/stick/kiebitz",
    )
    parser.add_argument("place", metavar="PLACE", help="a folder, or the address of a club's database")
    add_json_option(parser)
    languages.add_option(parser)
    add_db_option(parser)
    return parser


def run(args):
    languages.speak(args)
    skipped: list[str] = []
    with open_store(args) as store:
        need_other(store, args.place)
        with _side(args.place, skipped) as there:
            here = StoreSide(store)
            report = _exchange(here, there, skipped)
        drawn_twice = clashes(store, here.new)
    if args.json:
        told = {"drawn_twice": drawn_twice} if drawn_twice else {}
        print_json({"taken": report.taken, "given": report.given, "skipped": report.skipped, **told})
    else:
        say(text("exchange.taken", **_counts(report.taken)))
        say(text("exchange.given", **_counts(report.given)))
        for sentence in drawn_twice:
            say(sentence)
    for sentence in report.skipped[:SKIPPED_SHOWN]:
        say(f"kiebitz: {sentence}", sys.stderr)
    if len(report.skipped) > SKIPPED_SHOWN:
        say(f"kiebitz: {len(report.skipped) - SKIPPED_SHOWN} more were left out.", sys.stderr)
    return BAD_USAGE if report.skipped else OK


def _counts(done):
    return {"games": done["journals"], "decisions": done["decisions"]}


def _side(place, skipped):
    """Return a context manager for the other side of the exchange."""
    if not is_address(place):
        return nullcontext(Folder(Path(place).expanduser()))

    @contextmanager
    def club():
        with Store(place) as store:
            yield StoreSide(store)

    return club()


def _exchange(here, there, skipped):
    """Run the exchange with a progress bar. Returns its report."""
    from rich.progress import Progress  # slow to import, and only a terminal shows progress

    from ..terminal import Terminal

    terminal = Terminal()
    with Progress(console=terminal, transient=True, disable=not terminal.is_terminal) as progress:
        task = progress.add_task("", total=None)
        return exchange(
            here,
            there,
            skipped,
            lambda done, total: progress.update(task, completed=done, total=total),
        )
