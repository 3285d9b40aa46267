"""Run `kiebitz replay`: replay a recorded game through the rules and print its state."""

import json
import sys

from .. import languages
from ..bounded_lines import read_lines
from ..library.replay import Replay
from ..link.journal import unsealed
from ..outcome import OK, REFUSED
from ..printable import say


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
    replay = Replay(unsealed(read_lines(args.file)))
    if args.json:
        say(json.dumps(replay.report()))
    else:
        show(replay)
    return REFUSED if replay.refused else OK


def show(replay: Replay) -> None:
    """Print the score sheet; print a refusal on standard error."""
    if replay.table:
        from ..show.sheets import print_sheet  # slow to import, and not needed for --json

        print_sheet(replay.table)
    if replay.refused:
        sys.stdout.flush()
        say(f"line {replay.line}: {replay.refused.code} - {replay.message}", sys.stderr)
        if replay.refused.code.startswith("W_"):
            say('To go on all the same, add "confirm":true to this line.', sys.stderr)
