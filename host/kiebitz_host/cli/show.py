"""Run `kiebitz show`: print one game as on paper, round by round, with all its entries."""

from kiebitz.text import text
from kiebitz.text.describe import minutes_text

from .. import languages
from ..library import query
from ..library.location import read_store
from ..library.schema import minutes_of
from ..outcome import OK, Trouble
from ..printable import say
from ..show.present import FIX_STATES, local, name_of, print_json, public, public_fix
from .options import add_db_option, add_json_option


def add(subparsers):
    parser = subparsers.add_parser(
        "show",
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
        facts = _facts(store, number) if args.history == 1 else _aside(store, number, histories, args.history)
    if args.json:
        print_json({**public(facts), "corrections": [public_fix(fix) for fix in facts["corrections"]]})
    else:
        show(facts, args.log)
    return OK


def _facts(store, number):
    from ..show.game_sheet import facts_of  # imports the rules

    return facts_of(store, number)


def _aside(store, number, histories, k):
    """Return the facts of another history of the game, with its own scores and without corrections."""
    from ..library.derive import DerivedGame  # as in _facts()
    from ..show.entries import entries
    from ..show.game_sheet import sheet_rows

    derived = DerivedGame(histories[k - 1])
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
        setup=derived.setup,
        scores=[
            {"name": name, "score": score, "rank": rank, "winner": won, "starts": starts}
            for name, (score, rank, won, starts) in scores
        ],
        rows=sheet_rows(derived.rows(), table),
        entries=entries(table, derived.names),
        corrections=[],
        histories=[len(lines) - 1 for lines in histories],
    )
    return facts


def show(facts, with_log):
    from rich.text import Text  # slow to import, and not needed for --json

    from ..library.fixes import changed_entries
    from ..show.entries import variant_of
    from ..show.game_sheet import print_log, print_rows, remarks
    from ..terminal import Terminal

    terminal = Terminal()
    played = local(facts["at"], facts["approximate"])
    took = [minutes_text(facts["minutes"])] if facts["minutes"] else []
    title = [text("sheet.title", n=facts["number"]), name_of(facts), played, *took, facts["id"]]
    terminal.print(Text(" · ".join(title), style="bold"))
    for remark in remarks(facts):
        terminal.print(Text(remark, style="yellow"))
    if facts["phase"] is None:
        return
    names = [score["name"] for score in facts["scores"]]
    if variant := variant_of(facts["setup"]):
        terminal.print(Text(variant))
    terminal.print()
    print_rows(terminal, facts)
    if with_log:
        terminal.print()
        fixed = changed_entries(facts["corrections"])
        print_log(terminal, facts["game"], facts["entries"], names, fixed)
    for fix in facts["corrections"]:
        state = text(FIX_STATES[fix["state"]])
        terminal.print()
        made = local(fix["made"])
        terminal.print(Text(text("sheet.fix", k=fix["entry"], moment=made, what=fix["text"], state=state)))
