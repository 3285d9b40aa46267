"""Run `kiebitz sync`: copy the games of every Kiebitz on USB to the store, and set their clocks."""

import dataclasses
import time
from collections.abc import Callable

from kiebitz.games import GAMES
from kiebitz.text import game_name, listed, text

from .. import languages
from ..library.club_arrivals import assign_synced
from ..library.location import open_store
from ..link.client import Client
from ..link.ports import named_port, open_port, ports
from ..link.sync import Sync, SyncedGame, SyncReport
from ..link.trouble import LinkTrouble, NotAKiebitz
from ..outcome import BAD_USAGE, OK, Trouble
from ..printable import complain, printable, say
from ..show.present import print_json
from .options import NOBODY, add_db_option, add_json_option, add_port_option

COPY = "mpremote fs cp -r :data ."

# Result of a game -> key of its text
OUTCOMES = {"new": "sync.new", "longer": "sync.longer", "apart": "sync.apart", "namesake": "sync.namesake"}


def add(subparsers):
    parser = subparsers.add_parser(
        "sync",
        description="Find every Kiebitz on USB, and the simulator if it is running, set its clock, and copy new "
        "games to the store. They are confirmed to the device, which may then remove them. The game in play is not "
        "interrupted; run the command again to resume an interrupted sync.",
    )
    add_port_option(parser)
    add_json_option(parser)
    languages.add_option(parser)
    add_db_option(parser)
    return parser


def run(args):
    languages.speak(args)
    found = [named_port(args.port)] if args.port else ports()
    if not found:
        raise Trouble(NOBODY)
    from ..terminal import Terminal  # only with something to show, because this import would slow down every start

    terminal = Terminal()
    reports: list[SyncReport] = []
    troubles: list[LinkTrouble] = []
    with open_store(args) as store:
        for port in found:
            try:
                reports.append(_sync(port, store, terminal))
            except LinkTrouble as trouble:
                troubles.append(trouble)
                continue
            finished = [game.id for game in reports[-1].games if game.finished]
            said = assign_synced(store, finished, [game.id for game in reports[-1].news])
            if not args.json:
                print_report(terminal, reports[-1])
                for sentence in said:
                    terminal.print(printable(sentence), soft_wrap=True, markup=False)
    if args.json:
        print_json(as_json(reports))
    if reports:  # another Pico beside a Kiebitz is not an error
        troubles = [reason for reason in troubles if not isinstance(reason, NotAKiebitz)]
    for reason in troubles:
        complain(reason)
    return BAD_USAGE if troubles else OK


def _sync(port, store, terminal):
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # slow to import

    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(text("sync.entries"), markup=False),
        console=terminal,
        transient=True,
        disable=not terminal.is_terminal,
    )
    with Client(open_port(port)) as client, progress:
        task = progress.add_task(port.path, total=None)

        def on_progress(done, total):
            progress.update(task, completed=done, total=total)

        return Sync(client, store, int(time.time()), on_progress).run()


def as_json(reports: list[SyncReport]) -> list[dict]:
    """Return the reports for JSON; a game has the keys `title` and `thrown` only if they apply."""
    told = [dataclasses.asdict(report) for report in reports]
    for report in told:
        for game in report["games"]:
            for key in ("title", "thrown"):
                if not game[key]:
                    del game[key]
    return told


# --- output for people ---


def print_report(terminal, report: SyncReport):
    """Print what was fetched, what is corrupt, and what was changed on the device."""
    news = report.news
    known = len(report.games) - len(news)
    key = "sync.empty" if not report.games else "sync.nothing" if not news else "sync.fetched_known"
    if news and not known:
        key = "sync.fetched"
    title = text(key, device=report.device[-6:], port=report.port, n=len(news) or known, known=known)
    terminal.print(title, style="bold", soft_wrap=True)
    if news:
        terminal.print(_table(news))
    for game in report.games:
        if game.flaw:
            terminal.print(text("sync.flaw", game=_name(game), flaw=game.flaw), style="yellow", soft_wrap=True)
    if report.aside:
        terminal.print(text("sync.aside", n=report.aside, command=COPY), style="yellow", soft_wrap=True)
    for outcome, key in (("apart", "sync.two_courses"), ("namesake", "sync.two_games")):
        if any(game.outcome == outcome for game in news):
            terminal.print(text(key), soft_wrap=True)
    estimated = [game for game in news if game.outcome == "new" and game.estimated]
    if estimated:
        terminal.print(text("sync.estimated", n=len(estimated)), soft_wrap=True)
    for old, new in report.renamed:
        terminal.print(text("sync.renamed", old=printable(old), new=printable(new)), soft_wrap=True)


def _table(news: list[SyncedGame]):
    from ..terminal import table  # as above

    heads = [text(key) for key in ("rules.game", "rules.players", "sync.entries")]
    sheet = table(*heads, "", numbers=heads[2:], wrap=heads[1:2])
    for game in news:
        state = text(OUTCOMES[game.outcome])
        if game.thrown:
            state = text("sync.thrown", state=state)
        elif not game.finished:
            state = text("sync.in_play", state=state)
        sheet.add_row(_title(game), ", ".join(map(printable, game.players)), str(game.entries), state)
    return sheet


def _name(game: SyncedGame):
    if not game.players:
        return text("sync.game", id=game.id)
    return text("sync.game_of", game=_title(game), names=listed([printable(name) for name in game.players]), id=game.id)


def _title(game: SyncedGame):
    return printable(game_name(game.game, game.title)) if game.game in GAMES else game.game


def on_every_device(args, work: Callable[[Client], dict], sentence: Callable[[dict, str], str]) -> tuple[list, bool]:
    """Connect to each device and call work(client), which returns a JSON-ready dict of what was done there.

    sentence(done, place) describes it. Returns (the dicts of all devices, True if there was an error).
    """
    found = [named_port(args.port)] if args.port else ports()
    if not found:
        raise Trouble(NOBODY)
    all_done: list[dict] = []
    troubles: list[LinkTrouble] = []
    for port in found:
        try:
            with Client(open_port(port)) as client:
                device = client.hello()["device"]
                all_done.append({"port": port.path, "device": device, **work(client)})
        except LinkTrouble as trouble:
            troubles.append(trouble)
            continue
        if not args.json:
            say(sentence(all_done[-1], f"Kiebitz {device[-6:]} on {port.path}: "))
    if args.json:
        print_json(all_done)
    if all_done:  # another Pico beside a Kiebitz is not an error
        troubles = [trouble for trouble in troubles if not isinstance(trouble, NotAKiebitz)]
    for reason in troubles:
        complain(reason)
    return all_done, bool(troubles)
