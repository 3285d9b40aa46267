"""`kiebitz show`: prints one game as on paper, round by round, with all its entries."""

from .. import languages
from ..outcome import OK, Trouble
from ..printable import say
from ..results.present import FIX_STATES, add_json_option, local, name_of, print_json, public, public_fix, state_of
from ..results.results_file import add_db_option, read_store


def add(subparsers):
    parser = subparsers.add_parser(
        "show",
        help="show a game as on paper, with its entry log",
        description="Show the score sheet of a game, round by round, and the log of its entries. The numbers of the "
        "entries are those that `kiebitz fix` takes.",
    )
    parser.add_argument("game", metavar="GAME", help="the number in `kiebitz games`, or the beginning of its id")
    parser.add_argument("--no-log", dest="log", action="store_false", help="without the entry log")
    parser.add_argument("--raw", action="store_true", help="print the journal as it was received, for `kiebitz replay`")
    parser.add_argument(
        "--history", type=int, default=1, metavar="K", help="another history of the same game, if several are kept"
    )
    add_json_option(parser)
    languages.add_option(parser)
    add_db_option(parser)
    return parser


def run(args):
    from ..results import query

    languages.speak(args)
    with read_store(args) as store:
        number = query.find(store.db, args.game)
        histories = store.histories(number)
        if not 1 <= args.history <= len(histories):
            if len(histories) == 1:
                raise Trouble(f"game {number} has only one history: leave out --history.")
            raise Trouble(f"game {number} has {len(histories)} histories: --history takes 1 to {len(histories)}.")
        if args.raw:
            for line in histories[args.history - 1]:
                say(line)
            return OK
        facts = facts_of(store, number) if args.history == 1 else _aside(store, number, histories, args.history)
    if args.json:
        print_json({**public(facts), "corrections": [public_fix(fix) for fix in facts["corrections"]]})
    else:
        show(facts, args.log)
    return OK


def facts_of(store, number):
    """Return everything known about a game."""
    from ..results import fixes, query
    from ..results.entries_in_words import entries
    from ..results.play_time import minutes_of_game

    derived = store.replayed(number)
    facts = query.one(store.db, number)
    facts["minutes"] = minutes_of_game(store.db, number)
    facts["setup"] = derived.table.setup if derived.table else None
    facts["rows"] = _rows(query.rounds(store.db, number), derived.table)
    names = [score["name"] for score in facts["scores"]]
    facts["entries"] = entries(derived.table, names) if derived.table else []
    facts["corrections"] = fixes.history(store, number, names)
    facts["histories"] = [len(lines) - 1 for lines in store.histories(number)]
    return facts


def _rows(rows, table):
    """Return the rows of the score sheet, each with what it adds beside the seats, if anything ever was there."""
    from ..games import on_laptop

    beside = on_laptop(table.game.KIND).rows_beside(table) if table else []
    sheet = [{"label": label, "points": points} for label, points in rows]
    if not any(any(more.values()) for more in beside):
        return sheet
    return [{**row, "beside": more} for row, more in zip(sheet, beside, strict=True)]


def _aside(store, number, histories, k):
    """Return the facts of another history of the game: its own scores, without the game's corrections."""
    from ..results import query
    from ..results.derive import Derived
    from ..results.entries_in_words import entries
    from ..results.play_time import minutes_of

    derived = Derived(histories[k - 1])
    facts = query.one(store.db, number)
    table = derived.table
    if table is None:
        raise Trouble("nothing of this history can be read; --raw prints it.")
    scores = zip(derived.names, derived.scores(), strict=True)
    facts.update(
        minutes=minutes_of(reversed(histories[k - 1])),
        finished=derived.finished,
        early=derived.early,
        phase=table.game.phase,
        events=len(table),
        flaw=derived.flaw,
        fixes=0,
        setup=table.setup,
        scores=[
            {"name": name, "score": score, "rank": rank, "winner": won, "starts": starts}
            for name, (score, rank, won, starts) in scores
        ],
        rows=_rows(derived.rows(), table),
        entries=entries(table, derived.names),
        corrections=[],
        histories=[len(lines) - 1 for lines in histories],
    )
    return facts


def show(facts, with_log):
    from kiebitz.text import text
    from kiebitz.text.formats import minutes_text
    from rich.text import Text

    from ..results.entries_in_words import variant_of
    from ..results.fixes import changed_entries
    from ..results.sheet import print_log, print_rows
    from ..terminal import Terminal

    terminal = Terminal()
    played = local(facts["at"], facts["approximate"])
    took = [minutes_text(facts["minutes"])] if facts["minutes"] else []
    title = [text("sheet.title", n=facts["number"]), name_of(facts["game"]), played, *took, facts["id"]]
    terminal.print(Text(" · ".join(title), style="bold"))
    for remark in _remarks(facts):
        terminal.print(Text(remark, style="yellow"))
    if facts["phase"] is None:
        return
    names = [score["name"] for score in facts["scores"]]
    if variant := variant_of(facts["setup"]):
        terminal.print(Text(variant))
    terminal.print()
    print_rows(terminal, facts, facts["rows"])
    if with_log:
        terminal.print()
        fixed = changed_entries(facts["corrections"])
        print_log(terminal, facts["game"], facts["entries"], names, fixed)
    for fix in facts["corrections"]:
        state = text(FIX_STATES[fix["state"]])
        terminal.print()
        made = local(fix["made"])
        terminal.print(Text(text("sheet.fix", k=fix["entry"], moment=made, what=fix["text"], state=state)))


def _remarks(facts):
    """Yield remarks on everything unusual about a game."""
    from kiebitz.text import text

    if state := state_of(facts):
        yield state.capitalize() + "."
    if facts["flaw"]:
        line, _, code = facts["flaw"].partition(":")
        yield text("sheet.flaw", line=line, code=code)
    if facts["damaged"]:
        yield text("sheet.damaged")
    if len(facts["histories"]) > 1:
        lengths = ", ".join(map(str, facts["histories"]))
        yield text("sheet.histories", n=len(facts["histories"]), lengths=lengths)
