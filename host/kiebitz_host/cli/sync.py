"""`kiebitz sync`: brings the games of every Kiebitz on USB into the store, and sets their clocks."""

import dataclasses
import time

from kiebitz.games import GAMES
from kiebitz.text import listed, text
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from ..link.client import Client
from ..link.fetch import Fetch, Fetched, Report
from ..link.ports import named_port, open_port, ports
from ..link.trouble import LinkTrouble, NotAKiebitz
from ..outcome import BAD_USAGE, OK, Trouble
from ..printable import complain
from ..results.present import add_json_option, print_json
from ..results.results_file import add_db_option, open_store
from ..terminal import Terminal, shown, table
from .port_option import NOBODY, add_port_option

OUTCOMES = {
    "new": "new",
    "longer": "more entries",
    "apart": "another course",
}


def add(subparsers):
    parser = subparsers.add_parser(
        "sync",
        help="fetch the games of every Kiebitz on USB",
        description="Find every Kiebitz on USB, and the simulator if it is running, set its clock, and fetch what is "
        "new into the store. What was fetched is confirmed to the device, which may then remove it. The game on the "
        "table goes on meanwhile; interrupted anywhere, the command completes when it is run again.",
    )
    add_port_option(parser)
    add_json_option(parser)
    add_db_option(parser)
    return parser


def run(args):
    found = [named_port(args.port)] if args.port else ports()
    if not found:
        raise Trouble(NOBODY)
    terminal = Terminal()
    reports: list[Report] = []
    troubles: list[LinkTrouble] = []
    with open_store(args) as store:
        for port in found:
            try:
                reports.append(_sync(port, store, terminal))
            except LinkTrouble as trouble:
                troubles.append(trouble)
                continue
            if not args.json:
                print_report(terminal, reports[-1])
    if args.json:
        print_json(as_json(reports))
    if reports:  # another Pico beside a Kiebitz is no trouble
        troubles = [reason for reason in troubles if not isinstance(reason, NotAKiebitz)]
    for reason in troubles:
        complain(reason)
    return BAD_USAGE if troubles else OK


def _sync(port, store, terminal):
    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("entries"),
        console=terminal,
        transient=True,
        disable=not terminal.is_terminal,
    )
    with Client(open_port(port)) as client, progress:
        task = progress.add_task(port.path, total=None)

        def on_progress(done, total):
            progress.update(task, completed=done, total=total)

        return Fetch(client, store, int(time.time()), on_progress).run()


def as_json(reports: list[Report]) -> list[dict]:
    """Return the reports in the form for programs."""
    return [dataclasses.asdict(report) for report in reports]


# --- for people ---


def print_report(terminal, report: Report):
    """Print what was fetched, what is damaged, and what was changed on the device."""
    news = report.news
    known = len(report.games) - len(news)
    title = f"Kiebitz {report.device[-6:]} on {report.port}: "
    if news:
        title += f"{_count(len(news), 'game')} fetched" + (f", {known} known already." if known else ".")
    else:
        title += f"nothing new, {_count(known, 'game')} known already." if known else "it has no games yet."
    terminal.print(title, style="bold", soft_wrap=True)
    if news:
        terminal.print(_table(news))
    for game in report.games:
        if game.flaw:
            terminal.print(f"{_name(game)}: {game.flaw}.", style="yellow", soft_wrap=True)
    if report.aside:
        terminal.print(
            f"{_count(report.aside, 'damaged file')} kept on the device for repair: "
            "mpremote fs cp -r :data . copies everything.",
            style="yellow",
            soft_wrap=True,
        )
    if any(game.outcome == "apart" for game in news):
        terminal.print(
            "The device tells another course of a game than the store has, as after a backup was restored: "
            "both are kept, the longer one counts.",
            soft_wrap=True,
        )
    estimated = [game for game in news if game.outcome == "new" and game.estimated]
    if estimated:
        terminal.print(
            f"The clock of the device was not set when {_count(len(estimated), 'game')} began: "
            "the time is estimated, and marked so.",
            soft_wrap=True,
        )
    for old, new in report.renamed:
        terminal.print(f"{shown(old)} is called {shown(new)} on the device now.", soft_wrap=True)


def _table(news: list[Fetched]):
    sheet = table("Game", "Players", "Entries", "", numbers=("Entries",), wrap=("Players",))
    for game in news:
        state = OUTCOMES[game.outcome] + ("" if game.finished else ", still being played")
        sheet.add_row(_title(game), ", ".join(map(shown, game.players)), str(game.entries), state)
    return sheet


def _name(game: Fetched):
    if not game.players:
        return f"Game {game.id}"
    return f"{_title(game)} of {listed([shown(name) for name in game.players])} ({game.id})"


def _title(game: Fetched):
    return text(f"game.{game.game}") if game.game in GAMES else game.game


def _count(n, word):
    return f"{n} {word}{'' if n == 1 else 's'}"
