"""`kiebitz replay`: plays a recorded game through the rules and prints its state."""

import json
import sys
from collections.abc import Iterable

from kiebitz.games import GAMES, Refused
from kiebitz.games.base import bad
from kiebitz.store.replay import Script, parse
from kiebitz.store.table import Table
from kiebitz.text import refusal

from .. import languages
from ..lines import read_lines
from ..outcome import OK, REFUSED


def add(subparsers):
    parser = subparsers.add_parser(
        "replay",
        help="print how a recorded game stands",
        description="Play a recorded game (JSON lines: the set-up, then one event per line) through the rules "
        "and print its score sheet. A refused line ends the replay with exit code 3.",
    )
    parser.add_argument("file", metavar="FILE", help="the recorded game, - for standard input")
    parser.add_argument("--json", action="store_true", help="print the state as one JSON object")
    languages.add_option(parser)
    return parser


def run(args) -> int:
    languages.speak(args)
    replay = Replay(read_lines(args.file))
    if args.json:
        print(json.dumps(replay.report()))
    else:
        show(replay)
    return REFUSED if replay.refused else OK


class Replay:
    """A script, replayed to its end or to the first refused line."""

    def __init__(self, lines: Iterable[bytes]):
        self.script = Script()
        self.refused: Refused | None = None
        self.kind = None  # the game that a refused set-up names
        try:
            for line in lines:
                self._feed(line)
            self.script.close()
        except Refused as refused:
            self.refused = refused

    def _feed(self, line: bytes) -> None:
        if _has_constants(line):
            self.script.line += 1
            raise bad("line")
        try:
            self.script.feed(line)
        except Refused:
            if self.table is None:
                self.kind = _kind_of(line)
            raise

    @property
    def table(self) -> Table | None:
        return self.script.table

    @property
    def line(self) -> int:
        """The number of the line that was read last: the refused line, if there is one."""
        return self.script.line

    @property
    def message(self) -> str:
        return refusal(self.refused, self.table.game.names if self.table else [])

    def report(self) -> dict:
        """Return the state in the form for programs."""
        report: dict = {"game": self.kind, "phase": None, "players": [], "events": 0, "totals": [], "winners": []}
        report["refused"] = None
        if self.table:
            report.update(self.table.game.summary(), events=len(self.table))
        if self.refused:
            report["refused"] = {"line": self.line, "code": self.refused.code, "message": self.message}
        return report


def _has_constants(line: bytes) -> bool:
    """Return True if the line has NaN or Infinity, which Python's parser accepts although they are not JSON."""
    if b"NaN" not in line and b"Infinity" not in line:
        return False
    found: list[str] = []
    try:
        json.loads(line, parse_constant=found.append)
    except (ValueError, RecursionError):
        return False  # the script reports it, too
    return bool(found)


def _kind_of(line: bytes):
    """Return the game that a refused set-up names, or None."""
    try:
        kind = parse(line).get("game")
    except Refused:
        return None
    return kind if kind in GAMES else None


def show(replay: Replay) -> None:
    """Print the score sheet for people; a refusal goes to the error output."""
    if replay.table:
        from ..sheets import print_sheet

        print_sheet(replay.table)
    if replay.refused:
        sys.stdout.flush()
        print(f"line {replay.line}: {replay.refused.code} - {replay.message}", file=sys.stderr)
        if replay.refused.code.startswith("W_"):
            print('To go on all the same, add "confirm":true to this line.', file=sys.stderr)
