"""Run `kiebitz live`: show the game in play on a connected Kiebitz, redrawn at every change."""

import json

from rich.console import Group
from rich.live import Live
from rich.text import Text

from .. import languages
from ..link.client import Client
from ..link.follower import GameFollower
from ..link.ports import named_port, open_port, ports
from ..link.trouble import LinkTrouble
from ..outcome import OK
from ..printable import say
from ..show.entries import sheet
from ..terminal import Terminal
from .options import NOBODY, add_port_option

IDLE = "No game is being played. It appears here as soon as one is."


def add(subparsers):
    parser = subparsers.add_parser(
        "live",
        description="Show the score sheet of the game that is being played on a Kiebitz on USB, or on the simulator, "
        "and redraw it with every entry. Unplugged, it waits until the device is back. Ctrl-C ends it.",
    )
    add_port_option(parser)
    languages.add_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line for every change")
    return parser


def run(args):
    languages.speak(args)
    terminal = Terminal()
    if args.json:
        return _watch(args.port, JsonLines())
    if not terminal.is_terminal:
        return _watch(args.port, Sheets(terminal))
    with Live(console=terminal, screen=True, auto_refresh=False, vertical_overflow="crop") as live:
        picture = Picture(live)
        code = _watch(args.port, picture)
    for part in picture.parts:  # the last picture stays on the terminal
        terminal.print(part)
    return code


def _watch(port, listener):
    try:
        GameFollower(lambda: answering(port), listener).run()
    except KeyboardInterrupt:
        pass
    return OK


def answering(name=None):
    """Return (client, identity) of each Kiebitz that answers, or of the one on a port; raise LinkTrouble if none."""
    found = []
    trouble = LinkTrouble(NOBODY)
    for port in [named_port(name)] if name else ports():
        try:
            client = Client(open_port(port))
        except LinkTrouble as reason:
            trouble = reason
            continue
        try:
            found.append((client, client.hello()))
        except LinkTrouble as reason:
            client.close()
            trouble = reason
    if not found:
        raise trouble
    return found


# --- listeners ---


class Picture:
    """A listener that shows the current state full-screen."""

    def __init__(self, live):
        self.parts = []
        self._live = live

    def shows(self, port, table, flaw):
        self._draw(port, [*sheet(table), *([Text(), Text(flaw, style="yellow")] if flaw else [])])

    def idle(self, port):
        self._draw(port, [Text(IDLE)])

    def lost(self, sentence):
        self._live.update(Group(*self.parts, Text(), Text(sentence, style="yellow")), refresh=True)

    def _draw(self, port, parts):
        self.parts = parts
        foot = Text(f"{port} · Ctrl-C ends", style="dim")
        self._live.update(Group(*parts, Text(), foot), refresh=True)


class Sheets:
    """A listener that prints one sheet after the other as plain text, for a pipe or a file."""

    def __init__(self, terminal):
        self._terminal = terminal

    def shows(self, port, table, flaw):
        self._print(*sheet(table), *([Text(flaw)] if flaw else []))

    def idle(self, port):
        self._print(Text(IDLE))

    def lost(self, sentence):
        self._print(Text(sentence))

    def _print(self, *parts):
        for part in parts:
            self._terminal.print(part)
        self._terminal.print()
        self._terminal.file.flush()


class JsonLines:
    """A listener that prints one JSON object per change, in the format of `kiebitz replay --json`."""

    def shows(self, port, table, flaw):
        self._print({"port": port, **table.game.summary(), "events": len(table), "flaw": flaw or None})

    def idle(self, port):
        self._print({"port": port, "game": None})

    def lost(self, sentence):
        self._print({"port": None, "lost": sentence})

    def _print(self, value):
        say(json.dumps(value))
