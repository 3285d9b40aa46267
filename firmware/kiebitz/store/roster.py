"""Store the names of the people who play on this device, the most recent players first."""

from ..games.base import Refused, bad, check_name, check_names
from .safe_file import SafeFile

NAMES_MAX = 40
FORMAT = 1  # of the file (docs/formats.md)


class Roster:
    """The list of names. A change is on flash when its method returns; after OSError or Refused nothing has changed."""

    def __init__(self, storage):
        self._file = SafeFile(storage, "roster", FORMAT)
        value, self.report = self._file.load()
        value = value or {}
        self.names = _good_names(value.get("names"))
        self.last = _good_names(value.get("last"))  # the line-up of the last game, in the order of the seats

    def _save(self, names, last):
        """Store both lists if one of them has changed."""
        names = names[:NAMES_MAX]
        if names != self.names or last != self.last:
            self._file.save({"names": names, "last": last})
            self.names = names
            self.last = last

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

        guests: the names of guests, who are not put on the list.
        """
        names = check_names(names)
        people = [name for name in names if name not in guests]
        rest = [name for name in self.names if name not in names]
        self._save(people + rest, names)

    def replace(self, names):
        """Replace the whole list by the laptop's, and drop the last line-up if it loses a name."""
        names = check_names(names)
        if len(names) > NAMES_MAX:
            raise bad("players")
        gone = [name for name in self.names if name not in names]
        self._save(names, [] if any(name in gone for name in self.last) else self.last)


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
