"""The names of the people who play here, the ones who played last first."""

from ..games.base import Refused, bad, check_name, check_names
from .safe_file import SafeFile

NAMES_MAX = 40


class Roster:
    """Every change is on flash when it returns; OSError and Refused mean that nothing has changed."""

    def __init__(self, storage):
        self._file = SafeFile(storage, "roster")
        value, self.report = self._file.load()
        value = value if isinstance(value, dict) else {}
        self.names = _good_names(value.get("names"))
        self.last = _good_names(value.get("last"))  # the line-up of the last game, in the order of the seats

    def _save(self, names, last):
        names = names[:NAMES_MAX]
        if names != self.names or last != self.last:
            self._file.save({"names": names, "last": last})
            self.names = names
            self.last = last

    def add(self, name):
        """Put a name in front and return it as it is kept; beyond 40 the one unused for longest drops out."""
        name = check_name(name)
        self._save([name] + _without(self.names, name), self.last)
        return name

    def rename(self, old, new):
        new = check_name(new)
        if old not in self.names or (new != old and new in self.names):
            raise bad("players")
        self._save(_exchanged(self.names, old, new), _exchanged(self.last, old, new))
        return new

    def remove(self, name):
        """Take a name off; a line-up with it is no longer offered."""
        if name not in self.names:
            raise bad("players")
        self._save(_without(self.names, name), [] if name in self.last else self.last)

    def played(self, names):
        """These people sit down to a game, in this order: they come first, and are "the same players again"."""
        names = check_names(names)
        rest = [name for name in self.names if name not in names]
        self._save(names + rest, names)

    def replace(self, names):
        """Take over a whole list, as the laptop knows it."""
        names = check_names(names)
        if len(names) > NAMES_MAX:
            raise bad("players")
        self._save(names, self.last if all(name in names for name in self.last) else [])


def _without(names, name):
    return [other for other in names if other != name]


def _exchanged(names, old, new):
    return [new if name == old else name for name in names]


def _good_names(value):
    """A list from the file; it was ours and whole, but perhaps written by another version."""
    try:
        return check_names(value)
    except Refused:
        return []
