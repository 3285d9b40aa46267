"""Run `kiebitz replay`: replay a recorded game through the rules and print its state."""

import json
import sys

from kiebitz.games import Refused
from kiebitz.text import text

from .. import languages
from ..library.derive import Replay
from ..link.journal import unsealed
from ..outcome import OK, REFUSED
from ..printable import say
from ..received import read_lines


class Recording(Replay):
    """A recorded game, which may have the date of the game in its first line."""

    def __init__(self, lines):
        from ..library.imported import played_at  # imports sqlite3, which the help does not need

        super().__init__(lines)
        self._bad_date = False
        try:
            if self.table:
                played_at(self.table.setup)
        except Refused as refused:
            self.refused, self.script.line, self._bad_date = refused, 1, True

    @property
    def message(self) -> str:
        return text("add.date") if self._bad_date else super().message


def add(subparsers):
    parser = subparsers.add_parser(
        "replay",
        description="Play a recorded game (JSON lines: the set-up, then one event per line; or a journal of a device, "
        "ID.kbz) through the rules and print its score sheet. A refused line ends the replay with exit code 3.",
    )
    parser.add_argument("file", metavar="FILE", help="the recorded game, - for standard input")
    parser.add_argument("--json", action="store_true", help="print the state as one JSON object")
    languages.add_option(parser)
    return parser


def run(args) -> int:
    languages.speak(args)
    replay = Recording(unsealed(read_lines(args.file)))
    if args.json:
        say(json.dumps(replay.report()))
    else:
        show(replay)
    return REFUSED if replay.refused else OK


def show(replay: Replay) -> None:
    """Print the score sheet; print a refusal on standard error."""
    if replay.table:
        from ..show.entries import print_sheet  # slow to import, and not needed for --json

        print_sheet(replay.table)
    if replay.refused:
        sys.stdout.flush()
        say(f"line {replay.line}: {replay.refused.code} - {replay.message}", sys.stderr)
        if replay.refused.code.startswith("W_"):
            say('To go on all the same, add "confirm":true to this line.', sys.stderr)
