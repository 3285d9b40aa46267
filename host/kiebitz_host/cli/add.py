"""Run `kiebitz add`: add recorded games (replay files) to the store."""

import json
import os
import sys

from ..library.imported import add_file
from ..library.journal_record import LIMITS
from ..library.journals import TOO_LONG
from ..library.location import open_store
from ..link.journal import unsealed
from ..outcome import OK, REFUSED, Trouble
from ..printable import say
from ..received import STDIN, read_lines
from ..show.present import print_json
from .options import add_db_option, add_json_option
from .replay import Recording

WORDS = {
    "new": "added",
    "longer": "known, and longer now",
    "same": "known already",
    "shorter": "known already, and longer here",
    "apart": "known with another course of the game; both are kept, the longer one counts",
    "namesake": "added; another game has the same id, and both are kept",
}


def add(subparsers):
    parser = subparsers.add_parser(
        "add",
        description="Add recorded games (the files that `kiebitz replay` reads) to the store. A game is identified by "
        "the id in its first line, or by its content; adding it twice changes nothing. Its date is that in its first "
        'line, as in "at":"2026-01-31" or "at":"2026-01-31 20:15", or else that of the file. A file that the rules '
        "refuse, or with another date, is not added, and the exit code is 3.",
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a recorded game, - for standard input")
    add_json_option(parser)
    add_db_option(parser)
    return parser


def run(args):
    games = [(name, *_read(name)) for name in args.files]  # read everything before writing anything
    report = []
    with open_store(args) as store, store.batch():
        for name, lines, replay in games:
            report.append(_add(store, name, lines, replay))
    if args.json:
        print_json(report)
    else:
        for item in report:
            _tell(item)
    return REFUSED if any(item["refused"] for item in report) else OK


def _read(name):
    kept = []

    def lines():
        for line in unsealed(read_lines(name)):
            if line.strip():
                kept.append(line)
            yield line

    replay = Recording(lines())  # stops reading at a refused line
    return kept, replay


def _add(store, name, lines, replay):
    if replay.refused:
        refused = {"line": replay.line, "code": replay.refused.code, "message": replay.message}
        return {"file": name, "result": "refused", "number": None, "id": None, "refused": refused}

    texts = [line.decode() for line in lines]
    result, game_id = add_file(store, texts, replay.table.setup, _time_of(name))
    if result == TOO_LONG:
        refused = {"line": len(lines), "code": "E_LONG", "message": LIMITS}
        return {"file": name, "result": "refused", "number": None, "id": None, "refused": refused}
    return {"file": name, "result": result, "number": store.number(game_id), "id": game_id, "refused": None}


def _time_of(name):
    """Return the file's modification time, or None for standard input."""
    try:
        return None if name == STDIN else int(os.path.getmtime(name))
    except OSError as trouble:
        raise Trouble(f"cannot read {name}: {trouble.strerror}.") from None


def _tell(item):
    name = json.dumps(item["file"], ensure_ascii=False) if not item["file"].isprintable() else item["file"]
    if item["refused"]:
        sys.stdout.flush()
        refused = item["refused"]
        say(f"{name}: not taken, line {refused['line']}: {refused['code']} - {refused['message']}", sys.stderr)
    else:
        say(f"{name}: game {item['number']}, {WORDS[item['result']]}.")
