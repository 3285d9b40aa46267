"""`kiebitz players send`: puts names on the list of players of every Kiebitz on USB."""

import re

from kiebitz.games import Refused
from kiebitz.games.base import NAME_MAX, check_name
from kiebitz.store.roster import NAMES_MAX
from kiebitz.text import LANGUAGES, listed

from ..languages import read
from ..link.client import Client
from ..link.ports import named_port, open_port, ports
from ..link.trouble import LinkTrouble, NotAKiebitz
from ..outcome import BAD_USAGE, OK, Trouble
from ..printable import complain, printable, say
from ..results.present import print_json
from ..results.results_file import read_store
from .port_option import NOBODY

NO_NAMES = "nobody has played yet: write the names behind the command, as in `kiebitz players send Anna Ben`."


def run(args):
    """Send the names to every device. Returns the exit code."""
    names = _checked(args.names) if args.names else _people(args)
    found = [named_port(args.port)] if args.port else ports()
    if not found:
        raise Trouble(NOBODY)
    sent: list[dict] = []
    troubles: list[LinkTrouble] = []
    for port in found:
        try:
            sent.append(_send(port, names, bool(args.names)))
        except LinkTrouble as trouble:
            troubles.append(trouble)
            continue
        if not args.json:
            say(_sentence(sent[-1]))
    if args.json:
        print_json(sent)
    if sent:  # another Pico beside a Kiebitz is no trouble
        troubles = [trouble for trouble in troubles if not isinstance(trouble, NotAKiebitz)]
    for reason in troubles:
        complain(reason)
    full = [device for device in sent if device["left_out"] and args.names]
    return BAD_USAGE if troubles or full else OK


def _checked(words):
    """Return the names as a device stores them, each once; raises Trouble for one that no device accepts."""
    names = []
    for word in words:
        try:
            names.append(check_name(word))
        except Refused:
            raise Trouble(
                f"{printable(word)!r} cannot be a name on the device: a name has 1 to {NAME_MAX} letters, digits or "
                "signs. Nothing was sent."
            ) from None
    return list(dict.fromkeys(names))


def _people(args):
    """Return the names of all who have played, without guests, those who played last first."""
    with read_store(args) as store:
        names = [name for name in store.roster_names() if not _is_guest(name)]
    if not names:
        raise Trouble(NO_NAMES)
    return names


def _is_guest(name):
    """Tell whether a device calls its guests so, in any language."""
    patterns = [re.escape(read(lang)["players.guest"]).replace(r"\{n\}", "[0-9]+") for lang in LANGUAGES]
    return any(re.fullmatch(pattern, name) for pattern in patterns)


def _send(port, names, first):
    """Add the names that a device does not have; first: before its own names, for tonight.

    Returns a dict: port, device, added, known, and the names left out because its list is full.
    """
    with Client(open_port(port)) as client:
        device = client.hello()["device"]
        known = client.roster()
        new = [name for name in names if name not in known]
        added = new[: NAMES_MAX - len(known)]
        if added:
            client.write_roster(added + known if first else known + added)
    return {
        "port": port.path,
        "device": device,
        "added": added,
        "known": [name for name in names if name in known],
        "left_out": new[len(added) :],
    }


def _sentence(sent):
    """Return what was done on one device."""
    title = f"Kiebitz {sent['device'][-6:]} on {sent['port']}: "
    added, left_out = listed(sent["added"]), listed(sent["left_out"])
    full = f"ts list of {NAMES_MAX} names is full, without {left_out}: take names off it first."
    if added:
        return f"{title}{added} can be chosen there now." + (" I" + full if left_out else "")
    return title + ("i" + full if left_out else "it has all these names already.")
