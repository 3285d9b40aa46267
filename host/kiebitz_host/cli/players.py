"""Run `kiebitz players`: list, join, rename and split players, import and export members, send names to devices."""

from argparse import SUPPRESS, RawDescriptionHelpFormatter
from unicodedata import combining, normalize

from kiebitz.games.base import NAME_MAX
from kiebitz.store.roster import NAMES_MAX
from kiebitz.text import listed, text

from .. import languages
from ..league.names import is_guest
from ..library import people
from ..library.location import open_store, read_store
from ..outcome import BAD_USAGE, OK, Trouble
from ..printable import printable, say
from ..show.present import local, no_players, print_json, utc
from .import_file import accepted, add_import_options, code_of, complain, refused, show_columns
from .options import (
    add_db_option,
    add_imported_option,
    add_json_option,
    add_period_options,
    add_port_option,
    chosen_period,
)

NO_NAMES = "nobody has played yet: write the names behind the command, as in `kiebitz players send Anna Ben`."


IMPORT = """\
Take the members of a club from a CSV file: name, number, club. The columns may have their English, German, French,
Italian or Dutch names, in any order; others are not used, and the name may be in two columns. The file is shown first,
then you are asked. A member who is there already is not doubled; another number or club replaces that from before.
"""
IMPORT_EXAMPLE = """\
an example of a file (Windows-1252, UTF-8 or UTF-16; separated by commas, semicolons or tabs):
  Mitgliedsnr;Vorname;Nachname;Verein
  12;Anna;Kern;Skatfreunde
  13;Ben;Maier;Skatfreunde

example: kiebitz players import members.csv --dry-run
"""


def add(subparsers):
    parser = subparsers.add_parser(
        "players",
        description="List everybody who has played, and all members. The devices get these names with the next sync.",
    )
    add_period_options(parser)
    add_imported_option(parser)
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
    split = actions.add_parser("split", help="undo join: make a spelling a separate person again")
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
    take = actions.add_parser(
        "import",
        help="take members from a CSV file",
        description=IMPORT,
        epilog=IMPORT_EXAMPLE,
        formatter_class=RawDescriptionHelpFormatter,
    )
    take.add_argument("file", metavar="FILE.csv", help="the file, - for standard input")
    add_import_options(take)
    give = actions.add_parser(
        "export",
        help="write all members and players as CSV, which import takes",
        description="Write everybody who is a member or has played, without guests, as CSV: name, number, club.",
    )
    give.add_argument("-o", "--output", metavar="FILE", help="write to a file instead of the standard output")
    for action in (join, rename, split, send, take, give):  # these options may come before the action or at the end
        add_json_option(action, default=SUPPRESS)
        languages.add_option(action, default=SUPPRESS)
        add_db_option(action, default=SUPPRESS)
    return parser


def run(args):
    languages.speak(args)
    period = chosen_period(args)
    if args.action:
        if period:
            raise Trouble("a period is for the list of players, without an action.")
        return ACTIONS[args.action](args)
    with read_store(args) as store:
        players = people.listed(store.db, period.since, period.until, args.imported, with_members=not period)
    if args.json:
        print_json([{**player, "last": utc(player["last"]) if player["games"] else None} for player in players])
    elif players:
        show(players)
    else:
        say(no_players(period))
    return OK


def show(players):
    from rich.text import Text  # slow to import, and not needed for --json

    from ..terminal import Terminal, shown, table

    keys = ["sheet.player", "league.games", "people.won", "people.last", "people.also"]
    facts = [key for key in ("number", "club") if any(player.get(key) for player in players)]
    heads = [text(key) for key in [*keys, *[f"people.{key}" for key in facts]]]
    sheet = table(*heads, numbers=heads[1:3], wrap=(heads[0], heads[4]))
    for player in players:
        also = shown(", ".join(player["spellings"]))
        counts = [str(player["games"]), str(player["won"])]
        last = local(player["last"]) if player["games"] else "–"
        more = [Text(shown(player.get(key, ""))) for key in facts]
        sheet.add_row(Text(shown(player["name"])), *counts, last, Text(also), *more)
    terminal = Terminal()
    terminal.print(sheet)
    for one, other in _alike([player["name"] for player in players]):
        command = f"kiebitz players join {one!r} {other!r}"
        terminal.print(Text("\n" + text("people.alike", one=one, other=other, command=command), style="dim"))


def _alike(names):
    """Yield pairs of names that differ only in case, accents or spaces."""
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
    told = [text("people.joined", other=gone, name=kept), *_about_guests(gone, kept)]
    return _done(args, " ".join(told), {"name": kept, "joined": gone})


def _rename(args):
    with open_store(args) as store, store.batch():
        person = people.find(store.db, args.old)
        old = people.name_of(store.db, person)
        new = people.rename(store.db, person, args.new)
        hidden = people.only_deleted(store.db, person)
    told = [text("people.renamed", old=old, new=new), *([text("people.hidden", numbers=hidden)] if hidden else [])]
    return _done(args, " ".join([*told, *_about_guests(old, new)]), {"name": new, "was": old})


def _about_guests(guest, name):
    """Return the warning that all later games of a guest count for the new name."""
    return [text("people.guest", guest=guest, name=name)] if is_guest(guest) else []


def _split(args):
    with open_store(args) as store, store.batch():
        people.split(store.db, args.spelling)
    return _done(args, text("people.split", name=args.spelling), {"name": args.spelling})


def _done(args, sentence, facts):
    if args.json:
        print_json(facts)
    else:
        say(sentence)
    return OK


# --- members ---


def _import(args):
    from ..exchange.members import read_members  # only for this action

    with read_store(args) as store:
        found = read_members(store.db, args.file)
    if not args.json:
        _preview(args.file, found)
    complain(args.file, found.bad)
    taken = 0
    if refused(args, found.bad):
        code = BAD_USAGE
    elif not found.wanted:
        code = code_of(found.bad)
    elif accepted(args, f"{len(found.wanted):,}") if not args.json else args.yes and not args.dry_run:
        with open_store(args) as store, store.batch():
            people.add_members(store.db, found.wanted)
        taken, code = len(found.wanted), code_of(found.bad)
    else:
        code = OK
    if args.json:
        wrong = [row._asdict() for row in found.bad]
        facts = {"new": found.new, "changed": found.changed, "same": found.same, "taken": taken, "wrong": wrong}
        print_json({**facts, "notes": found.notes})
    elif taken:
        say(f"{len(found.new):,} members added, {len(found.changed):,} changed.")
    return code


def _preview(name, found):
    show_columns(name, found.table)
    for spelling in list(found.wanted)[:5]:
        say("  " + " · ".join(filter(None, [spelling, *found.wanted[spelling]])))
    if len(found.wanted) > 5:
        say(f"  ... {len(found.wanted) - 5:,} more")
    for note in found.notes[:20]:
        say(note)
    say(f"{len(found.new):,} new, {len(found.changed):,} changed, {found.same:,} as before.")


def _export(args):
    from ..export.files import members_csv, write_output  # imports all rules

    with read_store(args) as store:
        players = people.listed(store.db, imported=True, with_members=True)
    content = members_csv(sorted([player for player in players if not is_guest(player["name"])], key=_by_name))
    write_output(content, args.output)
    return OK


def _by_name(player):
    return player["name"]


# --- send ---


def _send(args):
    """Send the names to every device. Returns the exit code."""
    from .sync import on_every_device  # needs the serial port; only for this action

    names = _checked(args.names) if args.names else _people(args)
    sent, trouble = on_every_device(args, lambda client: _send_there(client, names, bool(args.names)), _sentence)
    full = [device for device in sent if device["left_out"] and args.names]
    return BAD_USAGE if trouble or full else OK


def _checked(words):
    """Return the names normalized as on a device, without duplicates; raise Trouble for an invalid one."""
    from ..received import BadName, checked_names  # only for this action

    try:
        return checked_names(words)
    except BadName as bad:
        raise Trouble(
            f"{printable(bad.args[0])!r} cannot be a name on the device: a name has 1 to {NAME_MAX} letters, digits or "
            "signs. Nothing was sent."
        ) from None


def _people(args):
    """Return the names of all people with games, most recent first, without guests."""
    with read_store(args) as store:
        names = store.roster_names()
    if not names:
        raise Trouble(NO_NAMES)
    return names


def _send_there(client, names, first):
    """Add missing names to a device's roster; with `first`, before its own names, for tonight.

    Returns a dict: added, known, and the names left out because the roster is full.
    """
    known = client.roster()
    new = [name for name in names if name not in known]
    added = new[: NAMES_MAX - len(known)]
    if added:
        client.write_roster(added + known if first else known + added)
    return {"added": added, "known": [name for name in names if name in known], "left_out": new[len(added) :]}


def _sentence(sent, place):
    """Describe the result on one device."""
    added, left_out = listed(sent["added"]), listed(sent["left_out"])
    full = f"ts list of {NAMES_MAX} names is full, without {left_out}: take names off it first."
    if added:
        return f"{place}{added} can be chosen there now." + (" I" + full if left_out else "")
    return place + ("i" + full if left_out else "it has all these names already.")


ACTIONS = {
    "join": _join, "rename": _rename, "split": _split, "send": _send, "import": _import, "export": _export,
}  # fmt: skip
