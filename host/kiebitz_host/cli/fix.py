"""Run `kiebitz fix`: correct an entry of a finished game; every change stays on record."""

import sys
from argparse import SUPPRESS, RawDescriptionHelpFormatter

from kiebitz.text import text

from .. import languages
from ..asking import NOTHING, Asker
from ..games import on_laptop
from ..library import fixes, query
from ..library.fixes import Change, Unfit, history, last_correction, parse_event, stored, table_for, take_back, tried
from ..library.location import open_store, read_store
from ..outcome import OK, REFUSED, Trouble
from ..printable import say
from ..show.entries import in_words
from ..show.present import FIX_STATES, local, print_json, public, public_fix
from .options import add_db_option, add_json_option

EXAMPLES = """\
examples:
  kiebitz show 12                                 the entries with their numbers
  kiebitz fix 12 7                                asks what entry 7 should be, and shows what that changes
  kiebitz fix 12 7 '{"ev":"spend","p":0,"k":1}'   puts this in its place
  kiebitz fix 12 7 --insert                       asks for an entry that was forgotten before entry 7
  kiebitz fix 12 7 --remove                       takes out an entry that never happened
  kiebitz fix 12 --undo                           takes the last correction back
  kiebitz fix 12                                  what was corrected, and when

Without a terminal the answers are read from the standard input, a line for each; if they end too early, nothing is
changed.
"""


def add(subparsers):
    parser = subparsers.add_parser(
        "fix",
        description="Replace an entry of a finished game, insert a forgotten one, or remove one. The rules check the "
        "whole game with the change: if they refuse it, nothing is changed and the exit code is 3. The journal itself "
        "is never altered.",
        epilog=EXAMPLES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help="the number in `kiebitz games`, or the beginning of its id")
    parser.add_argument("entry", metavar="ENTRY", nargs="?", type=int, help="the number of the entry in `kiebitz show`")
    parser.add_argument("event", metavar="EVENT", nargs="?", help="the right entry as JSON, as in a recorded game")
    parser.add_argument(
        "--insert", nargs="?", const="", metavar="EVENT", help="insert an entry before ENTRY; EVENT may be here, too"
    )
    parser.add_argument("--remove", action="store_true", help="remove ENTRY")
    parser.add_argument("--undo", action="store_true", help="undo the last correction")
    # The long form of ENTRY and EVENT, for scripts
    parser.add_argument("--entry", dest="long_entry", type=int, help=SUPPRESS)
    parser.add_argument("--with", dest="long_event", help=SUPPRESS)
    add_json_option(parser)
    languages.add_option(parser)
    add_db_option(parser)
    return parser


def run(args):
    languages.speak(args)
    entry, event = _entry_and_event(args)
    if entry is None:
        if args.undo:
            return _take_back(args)
        return _history(args)

    name = "remove" if args.remove else "correct" if args.insert is None else "insert"
    try:
        return _change(args, name, entry, event)
    except Unfit as unfit:
        if args.json:
            print_json({"refused": str(unfit)})
        else:
            say(unfit, sys.stderr)
        return REFUSED


def _entry_and_event(args):
    """Return (entry, event as JSON) of the command line, None for a missing one; raise Trouble if options conflict."""
    if (args.long_entry is None) != (args.long_event is None) or (args.undo and args.long_entry is not None):
        raise Trouble("a correction takes --entry and --with together, and --undo stands alone.")
    if args.long_entry is not None and args.entry is not None:
        raise Trouble("write the entry once: after the game, or with --entry and --with.")
    entry = args.long_entry if args.entry is None else args.entry
    event = (args.long_event if args.entry is None else args.event) or args.insert or None
    changes = (args.insert is not None) + args.remove + args.undo
    if changes > 1 or (args.undo and entry is not None):
        raise Trouble("--insert, --remove and --undo do not go together, and --undo stands alone.")
    if (args.insert is not None or args.remove) and entry is None:
        raise Trouble("--insert and --remove take the number of an entry, as in: kiebitz fix 12 7 --remove.")
    if args.remove and event is not None:
        raise Trouble("--remove removes an entry: write no other entry after it.")
    if args.json and entry is not None and event is None and not args.remove:
        raise Trouble("--json asks nothing: write the right entry as JSON behind its number.")
    return entry, event


def _change(args, name, entry, event):
    """Change an entry, given on the command line or interactively. Returns the exit code."""
    asked = event is None and name != "remove"
    parsed = None if event is None else parse_event(event)
    seen = None
    if not args.json and (asked or (sys.stdin is not None and sys.stdin.isatty())):
        with read_store(args) as store:
            number = query.find(store.db, args.game)
            before = query.one(store.db, number)
            if asked:
                seen = _ask(store, number, before, name, entry)
            else:
                seen = tried(store, number, Change(name, entry, parsed))
        if not _accepted(before, seen):
            say(text("fix.unchanged"))
            return OK
    with open_store(args) as store, store.batch():
        number = query.find(store.db, args.game)
        before = query.one(store.db, number)
        change = Change(name, entry, parsed) if seen is None else seen.change
        trial = stored(store, number, change, seen)
        after = query.one(store.db, number)
    if args.json:
        facts = {"entry": entry, "was": trial.old, "now": trial.new, "before": public(before), "after": public(after)}
        print_json({**facts, "moved": [dict(zip(("round", "was", "now"), end, strict=True)) for end in trial.moved]})
    elif seen is None:
        _tell(before, entry, trial.old, trial.new, after["scores"])
        _tell_ends(before, trial)
    else:
        say(text("fix.stored", n=number))
    return OK


def _ask(store, number, game, name, entry):
    """Ask for an entry until it is accepted. Returns the preview of the change."""
    table = table_for(store, number, name, entry)
    then = table.game_at(entry - 1)
    then.names = [score["name"] for score in game["scores"]]
    old = {} if name == "insert" else table.event(entry - 1)
    say(text("fix.head", n=number, k=entry, what=in_words(old, then) if old else "..."))
    asker = Asker()
    while True:
        event = on_laptop(game["game"]).ask(asker, then, old)
        try:
            return tried(store, number, Change(name, entry, event))
        except Unfit as unfit:
            if unfit.doubt:
                if asker.yes(unfit.doubt):
                    return tried(store, number, Change(name, entry, {**event, "confirm": True}))
            elif asker.patient:
                say(unfit)
            else:
                raise
        old = event


def _accepted(before, trial):
    """Show the effect of a change, and ask whether to store it. Returns True for yes."""
    scores = [
        {"name": score["name"], "score": points, "rank": rank, "winner": won}
        for score, (points, rank, won, _) in zip(before["scores"], trial.scores, strict=True)
    ]
    _tell(before, trial.change.entry, trial.old, trial.new, scores)
    _tell_ends(before, trial)
    return Asker().yes(text("fix.store"), NOTHING if trial.moved else True)


def _take_back(args):
    """Undo the last correction. Returns the exit code."""
    with open_store(args) as store:
        last_correction(store, query.find(store.db, args.game))  # first: this check also works on a read-only store
        with store.batch():
            number = query.find(store.db, args.game)
            before = query.one(store.db, number)
            fix = take_back(store, number)
            after = query.one(store.db, number)
    entry, then, now = fix["entry"], fix["new"], fix["old"]
    if args.json:
        print_json({"entry": entry, "was": then, "now": now, "before": public(before), "after": public(after)})
    else:
        _tell(before, entry, then, now, after["scores"])
    return OK


def _tell(game, entry, old, new, scores):
    """Print a description of a change, and the scores it changes."""
    what = fixes.in_words(old, new, [score["name"] for score in game["scores"]], game["game"])
    say(text("fix.head", n=game["number"], k=entry, what=what))
    rows = [
        text("fix.row", name=now["name"], before=_standing(then), after=_standing(now))
        for then, now in zip(game["scores"], scores, strict=True)
        if _standing(then) != _standing(now)
    ]
    for row in rows or [text("fix.no_effect")]:
        say(f"  {row}")


def _tell_ends(game, trial):
    """Print the rounds whose end has moved."""
    own = on_laptop(game["game"])
    for k, (label, before, after) in enumerate(trial.moved):
        if not k:
            say(text("fix.moves"))
        key = "fix.end_new" if before is None else "fix.end_gone" if after is None else "fix.end_moved"
        say(f"  {text(key, round=own.row_name(label), before=before, after=after)}")


def _standing(score):
    if not score["rank"]:
        return str(score["score"])
    return text("fix.won" if score["winner"] else "fix.place", score=score["score"], rank=score["rank"])


def _history(args):
    with read_store(args) as store:
        number = query.find(store.db, args.game)
        names = [score["name"] for score in query.one(store.db, number)["scores"]]
        trail = history(store, number, names)
    if args.json:
        print_json([public_fix(fix) for fix in trail])
        return OK
    if not trail:
        say(text("fix.never", n=number))
    for fix in trail:
        state = text(FIX_STATES[fix["state"]])
        if fix["undone"]:
            state = text("fix.undone_on", moment=local(fix["undone"]))
        line = text("fix.line", k=fix["entry"], what=fix["text"], state=state)
        say(f"{local(fix['made'])}  {line}")
    return OK
