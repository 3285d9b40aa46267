"""`kiebitz players send`: puts names on the list of players of every Kiebitz on USB."""

import re

from kiebitz.games.base import NAME_MAX
from kiebitz.store.roster import NAMES_MAX
from kiebitz.text import LANGUAGES, listed

from ..languages import read
from ..link.rosters import BadName, checked_names
from ..outcome import BAD_USAGE, OK, Trouble
from ..printable import printable
from ..results.results_file import read_store
from .every_device import on_every_device

NO_NAMES = "nobody has played yet: write the names behind the command, as in `kiebitz players send Anna Ben`."


def run(args):
    """Send the names to every device. Returns the exit code."""
    names = _checked(args.names) if args.names else _people(args)
    sent, trouble = on_every_device(args, lambda client: _send(client, names, bool(args.names)), _sentence)
    full = [device for device in sent if device["left_out"] and args.names]
    return BAD_USAGE if trouble or full else OK


def _checked(words):
    """Return the names as a device stores them, each once; raises Trouble for one that no device accepts."""
    try:
        return checked_names(words)
    except BadName as bad:
        raise Trouble(
            f"{printable(bad.args[0])!r} cannot be a name on the device: a name has 1 to {NAME_MAX} letters, digits or "
            "signs. Nothing was sent."
        ) from None


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


def _send(client, names, first):
    """Add the names that a device does not have; first: before its own names, for tonight.

    Returns a dict: added, known, and the names left out because its list is full.
    """
    known = client.roster()
    new = [name for name in names if name not in known]
    added = new[: NAMES_MAX - len(known)]
    if added:
        client.write_roster(added + known if first else known + added)
    return {"added": added, "known": [name for name in names if name in known], "left_out": new[len(added) :]}


def _sentence(sent, place):
    """Return what was done on one device."""
    added, left_out = listed(sent["added"]), listed(sent["left_out"])
    full = f"ts list of {NAMES_MAX} names is full, without {left_out}: take names off it first."
    if added:
        return f"{place}{added} can be chosen there now." + (" I" + full if left_out else "")
    return place + ("i" + full if left_out else "it has all these names already.")
