"""`kiebitz players`: lists players with their spellings, joins, renames or splits them, and sends names to devices."""

from argparse import SUPPRESS
from unicodedata import combining, normalize

from kiebitz.text import text

from .. import languages
from ..outcome import OK
from ..printable import say
from ..results import people
from ..results.present import add_json_option, local, print_json, utc
from ..results.results_file import add_db_option, open_store, read_store
from .port_option import add_port_option


def add(subparsers):
    parser = subparsers.add_parser(
        "players",
        description="List everybody who has played. The devices get these names with the next sync.",
    )
    add_json_option(parser)
    languages.add_option(parser)
    add_db_option(parser)
    actions = parser.add_subparsers(title="what to change", metavar="ACTION", dest="action")
    join = actions.add_parser("join", help="two spellings of one person", description="B is A, written differently.")
    join.add_argument("a", metavar="A", help="the name that stays")
    join.add_argument("b", metavar="B", help="the other spelling of the same person")
    rename = actions.add_parser("rename", help="give a player another name")
    rename.add_argument("old", metavar="OLD")
    rename.add_argument("new", metavar="NEW")
    split = actions.add_parser("split", help="make a spelling a person of its own again: the opposite of join")
    split.add_argument("spelling", metavar="SPELLING")
    send = actions.add_parser(
        "send",
        help="put names on the list of a Kiebitz on USB, so that nobody has to write them there",
        description="Put names on the list of players of every Kiebitz on USB, and of the simulator if it is running: "
        "those given, or without any those of all who have played. Names that a device has already stay as they are, "
        "and no name is lost. Sent again, nothing changes.",
        epilog='example: kiebitz players send Anna Ben "Cleo M."',
    )
    send.add_argument("names", metavar="NAME", nargs="*", help="a name with 1 to 24 letters")
    add_port_option(send)
    for action in (join, rename, split, send):  # these options may come before the action or at the end
        add_json_option(action, default=SUPPRESS)
        languages.add_option(action, default=SUPPRESS)
        add_db_option(action, default=SUPPRESS)
    return parser


def run(args):
    languages.speak(args)
    if args.action:
        return {"join": _join, "rename": _rename, "split": _split, "send": _send}[args.action](args)
    with read_store(args) as store:
        players = listed(store.db)
    if args.json:
        print_json([{**player, "last": utc(player["last"])} for player in players])
    elif players:
        show(players)
    else:
        say(text("people.none"))
    return OK


def listed(db):
    """Return all who have played, those who played last first."""
    spellings: dict[int, list[str]] = {}
    for person, spelling in db.rows("SELECT person, spelling FROM spellings ORDER BY spelling"):
        spellings.setdefault(person, []).append(spelling)
    called = {person: (name, uuid) for person, name, uuid in db.rows("SELECT id, name, uuid FROM people")}
    found = [
        {
            "name": called[person][0],
            "id": called[person][1],
            "spellings": [spelling for spelling in spellings[person] if spelling != called[person][0]],
            "games": about.games,
            "finished": about.finished,
            "won": about.won,
            "last": about.last,
        }
        for person, about in people.played(db).items()
    ]
    return sorted(found, key=lambda player: (-player["last"], player["name"]))


def show(players):
    from rich.text import Text  # rich takes a while, and --json does without it

    from ..terminal import Terminal, shown, table

    keys = ("sheet.player", "league.games", "people.won", "people.last", "people.also")
    heads = [text(key) for key in keys]
    sheet = table(*heads, numbers=heads[1:3], wrap=(heads[0], heads[4]))
    for player in players:
        also = shown(", ".join(player["spellings"]))
        counts = [str(player["games"]), str(player["won"])]
        sheet.add_row(Text(shown(player["name"])), *counts, local(player["last"]), Text(also))
    terminal = Terminal()
    terminal.print(sheet)
    for one, other in _alike([player["name"] for player in players]):
        command = f"kiebitz players join {one!r} {other!r}"
        terminal.print(Text("\n" + text("people.alike", one=one, other=other, command=command), style="dim"))


def _alike(names):
    """Yield pairs of names that differ only in the case of letters, in accents or in blanks."""
    seen: dict[str, str] = {}
    for name in names:
        first = seen.setdefault(_bare(name), name)
        if first != name:
            yield first, name


def _bare(name):
    letters = normalize("NFKD", name.casefold())
    return "".join(char for char in letters if not combining(char) and char.isalnum()) or name


def _join(args):
    with open_store(args) as store, store.batch():
        person, other = people.find(store.db, args.a), people.find(store.db, args.b)
        kept, gone = people.name_of(store.db, person), people.name_of(store.db, other)
        people.join(store.db, person, other)
    return _done(args, text("people.joined", other=gone, name=kept), {"name": kept, "joined": gone})


def _rename(args):
    with open_store(args) as store, store.batch():
        person = people.find(store.db, args.old)
        old = people.name_of(store.db, person)
        new = people.rename(store.db, person, args.new)
        hidden = people.only_deleted(store.db, person)
    told = [text("people.renamed", old=old, new=new), *([text("people.hidden", numbers=hidden)] if hidden else [])]
    return _done(args, " ".join(told), {"name": new, "was": old})


def _split(args):
    with open_store(args) as store, store.batch():
        people.split(store.db, args.spelling)
    return _done(args, text("people.split", name=args.spelling), {"name": args.spelling})


def _send(args):
    from .players_send import run

    return run(args)


def _done(args, sentence, facts):
    if args.json:
        print_json(facts)
    else:
        say(sentence)
    return OK
