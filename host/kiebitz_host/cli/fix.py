"""`kiebitz fix`: corrects an entry of a finished game, and keeps a record of every change."""

import sys

from ..outcome import OK, REFUSED, Trouble
from ..printable import say
from ..results.present import add_json_option, local, print_json, public, public_fix
from ..results.results_file import add_db_option, open_store, read_store

EXAMPLES = """\
examples:
  kiebitz show 12                                                the entries with their numbers
  kiebitz fix 12 --entry 7 --with '{"ev":"spend","p":0,"k":1}'   put another entry in its place
  kiebitz fix 12 --undo                                          take the last correction back
  kiebitz fix 12                                                 what was corrected, and when
"""


def add(subparsers):
    from argparse import RawDescriptionHelpFormatter

    parser = subparsers.add_parser(
        "fix",
        help="correct an entry of a finished game",
        description="Put another entry in the place of one in a finished game. The rules check the whole game with it: "
        "if it does not fit, nothing is changed and the exit code is 3. The journal itself is never altered.",
        epilog=EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help="the number in `kiebitz games`, or the beginning of its id")
    parser.add_argument("--entry", type=int, metavar="K", help="the number of the entry in `kiebitz show`")
    parser.add_argument("--with", dest="event", metavar="EVENT", help="the right entry, as in a recorded game")
    parser.add_argument("--undo", action="store_true", help="take back the last correction")
    add_json_option(parser)
    add_db_option(parser)
    return parser


def run(args):
    changes = args.entry is not None or args.event is not None
    if changes and (args.undo or args.entry is None or args.event is None):
        raise Trouble("a correction takes --entry and --with together, and --undo stands alone.")
    if not changes and not args.undo:
        return _history(args)
    from ..results import query
    from ..results.fixes import Unfit, last_correction

    try:
        with open_store(args) as store:
            if args.undo:
                last_correction(store, query.find(store.db, args.game))  # a store that cannot be written can say this
            with store.batch():
                number = query.find(store.db, args.game)
                before = query.one(store.db, number)
                entry, then, now = _change(store, number, args)
                after = query.one(store.db, number)
    except Unfit as unfit:
        if args.json:
            print_json({"refused": str(unfit)})
        else:
            say(unfit, sys.stderr)
        return REFUSED
    if args.json:
        print_json({"entry": entry, "was": then, "now": now, "before": public(before), "after": public(after)})
    else:
        _tell(entry, then, now, before, after)
    return OK


def _change(store, number, args):
    """Make the correction, or take the last one back. Returns (number of the entry, event before, event now)."""
    from ..results.fixes import correct, parse_event, take_back

    if args.undo:
        fix = take_back(store, number)
        return fix["entry"], fix["new"], fix["old"]
    return args.entry, *correct(store, number, args.entry, parse_event(args.event))


def _tell(entry, then, now, before, after):
    """Print the correction in words, and the scores it has changed."""
    from kiebitz.text.describe import describe

    names = [score["name"] for score in after["scores"]]
    words = [describe(event, names, after["game"]) for event in (then, now)]
    say(f"Game {after['number']}, entry {entry}: {words[0]} -> {words[1]}")
    for old, new in zip(before["scores"], after["scores"], strict=True):
        if old != new:
            say(f"  {new['name']}: {_standing(old)} -> {_standing(new)}")


def _standing(score):
    won = ", won" if score["winner"] else ""
    return f"{score['score']} (place {score['rank']}{won})" if score["rank"] else str(score["score"])


def _history(args):
    from ..results import query
    from ..results.fixes import history

    with read_store(args) as store:
        number = query.find(store.db, args.game)
        names = [score["name"] for score in query.one(store.db, number)["scores"]]
        trail = history(store, number, names)
    if args.json:
        print_json([public_fix(fix) for fix in trail])
        return OK
    if not trail:
        say(f"Game {number} was never corrected. `kiebitz fix --help` tells how.")
    for fix in trail:
        undone = f" on {local(fix['undone'])}" if fix["undone"] else ""
        say(f"{local(fix['made'])}  entry {fix['entry']}: {fix['text']} ({fix['state']}{undone})")
    return OK
