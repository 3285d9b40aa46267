"""Run `kiebitz presets`: list, add and remove titles with their settings, and send them to devices.

The presets of this laptop are a file beside the results, in the format of a device.
"""

import os
from argparse import SUPPRESS
from pathlib import Path

from kiebitz.board.storage import Storage
from kiebitz.games import GAMES, Refused, game_class, presets_of
from kiebitz.games.base import NAME_MAX
from kiebitz.store.presets import PRESETS_MAX, Presets, check_preset
from kiebitz.store.safe_file import DAMAGED, NEWER
from kiebitz.text import listed, text

from .. import languages
from ..library.location import db_path, default_path
from ..link.trouble import DeviceRefused
from ..outcome import BAD_USAGE, OK, REFUSED, Trouble
from ..printable import complain, printable, say
from ..show.present import print_json
from .options import add_db_option, add_json_option, add_port_option
from .sync import on_every_device


class Folder(Storage):
    """Access the files of a folder with the interface of the device's storage; every write is synced to disk."""

    def write(self, name: str, data: bytes) -> None:
        """Replace the content of a file, and sync it to disk."""
        path = Path(self.root, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def rename(self, old: str, new: str) -> None:
        """Rename a file, atomically replacing any file of the new name."""
        os.replace(Path(self.root, old), Path(self.root, new))

    def __init__(self, root: Path):
        self.root = str(root)  # created by the first write
        self._prefix = f"{self.root}{os.sep}"


def laptop_presets(args) -> Presets:
    """Open the presets beside a command's database and return them; report corruption on standard error.

    Raises Trouble if they were written by a newer Kiebitz.
    """
    place = db_path(args)
    folder = (default_path() if isinstance(place, str) else place).parent  # a club's database has no folder
    presets = Presets(Folder(folder))
    if presets.report == NEWER:
        raise Trouble(f"{folder / 'presets'} was written by a newer Kiebitz: update Kiebitz. Nothing was changed.")
    if presets.report:
        state = "empty now" if presets.report == DAMAGED else "the previous one now"
        complain(f"the list of presets in {folder} was damaged: it is {state}. The damaged file is kept beside it.")
    return presets


# Name of a setting -> why the rules refuse it
_REASONS = {
    "end": "a counter has no rounds: leave out --counter, or end the game by --target.",
    "limit": "--target is a number from -100000 to 100000, --rounds one from 1 to 999.",
    "start": "--start is a number from -100000 to 100000.",
}
# Games that can have a title; these settings belong to the last one in the menus, the sheet of any other game
KINDS = tuple(kind for kind in GAMES if presets_of(kind))


def add(subparsers):
    parser = subparsers.add_parser(
        "presets",
        description="List the titles with their settings that this laptop can send to a Kiebitz.",
        epilog="example: kiebitz presets add Skyjo --low --target 100, then kiebitz presets send",
    )
    actions = parser.add_subparsers(title="what to do", metavar="ACTION", dest="action")
    shown = actions.add_parser(
        "list",
        help="list the presets of this laptop, or with --port those of a Kiebitz",
        description="List the presets of this laptop; with --port those of the Kiebitz there, played last first.",
    )
    added = actions.add_parser(
        "add",
        help="add a title, or change its settings",
        description="Add a title with its settings, or change those of a title on the list. Without settings, a title "
        "that every Kiebitz knows has its usual ones, and any other is an open sheet on which most points win.",
        epilog='examples: kiebitz presets add Skyjo --low --target 100; kiebitz presets add "Magic" --counter '
        "--start 20 --target 0",
    )
    added.add_argument("title", metavar="TITLE", help=f"the name of the game, 1 to {NAME_MAX} letters")
    added.add_argument("--low", action="store_true", help="the fewest points win (otherwise the most)")
    ends = added.add_mutually_exclusive_group()
    ends.add_argument("--target", metavar="N", type=int, help="the game ends when somebody has N points")
    ends.add_argument("--rounds", metavar="N", type=int, help="the game ends after N rounds")
    added.add_argument("--counter", action="store_true", help="points at any time, not once a round")
    added.add_argument("--start", metavar="N", type=int, help="everybody begins with N points (otherwise 0)")
    steps = presets_of(KINDS[-1]).KEPT["step"]
    added.add_argument("--step", type=int, choices=steps, help=f"points for one press of a key (otherwise {steps[0]})")
    removed = actions.add_parser(
        "remove",
        help="take titles off the list of this laptop, or with --port off that of a Kiebitz",
        description="Take titles off the list of this laptop; with --port off that of the Kiebitz there.",
    )
    removed.add_argument("titles", metavar="TITLE", nargs="+")
    sent = actions.add_parser(
        "send",
        help="put presets on the list of every Kiebitz on USB",
        description="Put the presets of this laptop, or only those named, on the list of every Kiebitz on USB, and of "
        "the simulator if it is running. Others there stay as they are, and none is lost. Sent again, nothing changes.",
    )
    sent.add_argument("titles", metavar="TITLE", nargs="*")
    for command in (shown, removed, sent):
        add_port_option(command)
    for command in (parser, shown, added, removed, sent):  # these options may come before the action or at the end
        add_json_option(command, default=False if command is parser else SUPPRESS)
        languages.add_option(command, default=None if command is parser else SUPPRESS)
        add_db_option(command, default=None if command is parser else SUPPRESS)
    return parser


def run(args):
    languages.speak(args)
    action = {"add": _add, "remove": _remove, "send": _send}.get(args.action, _list)
    return action(args)


# --- list ---


def _list(args):
    if getattr(args, "port", None):
        return _list_device(args)
    presets = laptop_presets(args).all
    if args.json:
        print_json(presets)
    elif presets:
        _show(presets)
    else:
        say(text("presets.none", command="kiebitz presets add Skyjo --low --target 100"))
    if not args.json:
        titles = [text(f"title.{title}") for title in presets_of(KINDS[-1]).TITLES]
        say(text("presets.built_in", titles=listed(titles)))
    return OK


def _list_device(args):
    found: list[dict] = []

    def read(client):
        found.extend(client.presets())
        return {"presets": list(found)}

    _, trouble = on_every_device(args, read, lambda done, place: place + text("presets.count", n=len(found)))
    if found and not args.json:
        _show(found)
    return BAD_USAGE if trouble else OK


def _show(presets):
    from rich.text import Text  # slow to import, and not needed for --json

    from ..show.entries import preset_in_words  # slow to import: it needs all games and their sheets
    from ..terminal import Terminal, shown, table

    heads = (text("presets.title"), text("presets.settings"))
    sheet = table(*heads, wrap=heads)
    for preset in presets:
        sheet.add_row(Text(shown(preset["title"])), Text(shown(preset_in_words(preset))))
    Terminal().print(sheet)


# --- add and remove ---


def _add(args):
    kept = dict(presets_of(KINDS[-1]).kept_for(args.title))
    if args.step is not None:
        kept["step"] = args.step
    try:
        preset = check_preset({**kept, "game": KINDS[-1], "title": args.title, "options": _options(args)})
    except Refused as refused:
        if refused.info.get("what") == "title":
            raise Trouble(
                f"{printable(args.title)!r} cannot be a title: a title has 1 to {NAME_MAX} letters, digits or signs."
            ) from None
        complain(_REASONS[refused.info["name"]])
        return REFUSED
    presets = laptop_presets(args)
    try:
        presets.add(preset)
    except Refused:
        raise Trouble(f"the list is full, it has {PRESETS_MAX} presets: remove one first.") from None
    if args.json:
        print_json(preset)
    else:
        from ..show.entries import preset_in_words

        say(text("presets.added", title=preset["title"], settings=preset_in_words(preset)))
    return OK


def _options(args):
    """Return the options in the arguments; without any, the defaults of a built-in title."""
    options: dict = {}
    if args.low:
        options["wins"] = "low"
    if args.counter:
        options["entry"] = "counter"
    for end in ("target", "rounds"):
        if getattr(args, end) is not None:
            options.update(end=end, limit=getattr(args, end))
    if args.start is not None:
        options["start"] = args.start
    built_in = presets_of(KINDS[-1])
    if not options and args.title in built_in.TITLES:
        return built_in.options_for(args.title, game_class(KINDS[-1]).PLAYERS[1] // 2)
    return options


def _remove(args):
    if args.port:
        _, trouble = on_every_device(args, lambda client: _remove_there(client, args), _removed_there)
        return BAD_USAGE if trouble else OK
    presets = laptop_presets(args)
    gone = [_named(presets.all, title) for title in dict.fromkeys(args.titles)]
    for preset in gone:
        presets.remove(preset["game"], preset["title"])
    if args.json:
        print_json(gone)
    else:
        say(text("presets.removed", titles=listed([preset["title"] for preset in gone])))
    return OK


def _remove_there(client, args):
    known = client.presets()
    gone = [_named(known, title) for title in dict.fromkeys(args.titles)]
    for preset in gone:
        client.remove_preset(preset)
    return {"removed": [preset["title"] for preset in gone]}


def _removed_there(done, place):
    return place + text("presets.removed", titles=listed(done["removed"]))


def _named(presets, title):
    """Return the preset with this title; raise Trouble if there is none."""
    for preset in presets:
        if preset["title"] == title:
            return preset
    raise Trouble(f"there is no preset {printable(title)!r} on the list: `kiebitz presets list` shows them.")


# --- send ---


def _send(args):
    presets = laptop_presets(args).all
    if args.titles:
        presets = [_named(presets, title) for title in dict.fromkeys(args.titles)]
    if not presets:
        raise Trouble("there are no presets to send: add one, as in `kiebitz presets add Skyjo --low --target 100`.")
    sent, trouble = on_every_device(args, lambda client: _send_there(client, presets), _sentence)
    return BAD_USAGE if trouble or any(device["left_out"] for device in sent) else OK


def _send_there(client, presets):
    """Send missing presets to a device. Returns a dict of titles: sent, known, and left out of a full list."""
    there = client.presets()
    done: dict[str, list[str]] = {"sent": [], "known": [], "left_out": []}
    for preset in presets:
        if preset in there:
            done["known"].append(preset["title"])
            continue
        try:
            client.write_preset(preset)
        except DeviceRefused as refused:
            if refused.code != "E_FULL":
                raise
            done["left_out"].append(preset["title"])
        else:
            done["sent"].append(preset["title"])
    return done


def _sentence(done, place):
    """Describe the result on one device."""
    words = []
    if done["sent"]:
        words.append(text("presets.sent", titles=listed(done["sent"])))
    if done["left_out"]:
        words.append(text("presets.full", n=PRESETS_MAX, titles=listed(done["left_out"])))
    return place + (" ".join(words) or text("presets.known"))
