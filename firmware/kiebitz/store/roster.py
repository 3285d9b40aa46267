"""Store who plays on this device, the most recent players first, and the seats that a club has drawn for it."""

from ..games import new_game
from ..games.base import Refused, bad, check_name, check_names, integer
from .safe_file import SafeFile

NAMES_MAX = 40
TABLE_MAX = 99  # the highest number of a table
# What the set-up of a drawn table may have; the rest of a set-up is asked on the device or added by it
_SEATED = ("game", "players", "dealer", "title", "options")
FORMAT = 1  # of the file (docs/formats.md)


class Roster:
    """The list of names. A change is on flash when its method returns; after OSError or Refused nothing has changed."""

    def __init__(self, storage):
        self._file = SafeFile(storage, "roster", FORMAT)
        value, self.report = self._file.load()
        value = value or {}
        self.names = _good_names(value.get("names"))
        self.last = _good_names(value.get("last"))  # the line-up of the last game, in the order of the seats
        self.seats = _good_seats(value.get("seats"))  # {"table": its number, "setup": of its next game}, or None

    def _save(self, names, last, seats=False):
        """Store what has changed; `seats` stay unless given."""
        names = names[:NAMES_MAX]
        seats = self.seats if seats is False else seats
        if names != self.names or last != self.last or seats != self.seats:
            value = {"names": names, "last": last}
            if seats:
                value["seats"] = seats
            self._file.save(value)
            self.names = names
            self.last = last
            self.seats = seats

    def seat(self, value):
        """Store the table, with its set-up, that a club has drawn for this device; None removes it.

        Refused if the rules do not accept the set-up.
        """
        if value is not None:
            value = checked_seats(value)
        self._save(self.names, self.last, value)

    def add(self, name):
        """Put a name first and return it as stored; beyond 40 names the one unused for longest drops out."""
        name = check_name(name)
        self._save([name] + _without(self.names, name), self.last)
        return name

    def rename(self, old, new):
        """Replace a name and return the new name as stored."""
        new = check_name(new)
        if old not in self.names or (new != old and new in self.names):
            raise bad("players")
        self._save(_exchanged(self.names, old, new), _exchanged(self.last, old, new))
        return new

    def remove(self, name):
        """Remove a name, and the last line-up if it has this name."""
        if name not in self.names:
            raise bad("players")
        self._save(_without(self.names, name), [] if name in self.last else self.last)

    def played(self, names, guests=()):
        """Move the players of a game to the front, and store them in seat order as the last line-up.

        guests: the names of guests, who are not put on the list. Drawn seats of these players are removed.
        """
        names = check_names(names)
        people = [name for name in names if name not in guests]
        rest = [name for name in self.names if name not in names]
        is_seated = self.seats and self.seats["setup"]["players"] == names
        self._save(people + rest, names, None if is_seated else self.seats)

    def replace(self, names):
        """Replace the whole list by the laptop's, and drop the last line-up if it loses a name."""
        names = check_names(names)
        if len(names) > NAMES_MAX:
            raise bad("players")
        gone = [name for name in self.names if name not in names]
        self._save(names, [] if any(name in gone for name in self.last) else self.last)


def checked_seats(value):
    """Return drawn seats as they are stored. Refused if something is wrong with them."""
    setup = value.get("setup") if isinstance(value, dict) else None
    if not isinstance(setup, dict):
        raise bad("setup")
    for key in setup:
        if key not in _SEATED:
            raise bad(key)
    game = new_game(setup)
    if setup.get("title", game.title) != game.title:  # games without titles do not check it
        raise bad("title")
    kept = {key: setup[key] for key in setup}
    kept["players"] = list(game.names)
    return {"table": integer(value.get("table"), "table", 1, TABLE_MAX), "setup": kept}


def _without(names, name):
    """Return the list without this name."""
    return [other for other in names if other != name]


def _exchanged(names, old, new):
    """Return the list with `new` in the place of `old`."""
    return [new if name == old else name for name in names]


def _good_names(value):
    """Return a list of names from the file, or [] if the list is not valid."""
    try:
        return check_names(value)
    except Refused:
        return []


def _good_seats(value):
    """Return drawn seats from the file, or None if the rules do not accept them."""
    try:
        return checked_seats(value)
    except Refused:
        return None
