"""Store a small value atomically, by a new file that is renamed over the old one, and keep the previous copy."""

import json

from .sealed_lines import CORRUPT, READ_ONLY, attempt, checked, seal, set_aside, unseal

PREVIOUS = "previous"  # the file was damaged or lost: the previous value is in force
DAMAGED = "damaged"  # the file was damaged, without a previous copy
NEWER = "newer"  # a newer version has written the file: it is left alone
UNREADABLE = "unreadable"  # a read error that may pass: no file is moved because of it


class SafeFile:
    """One JSON value, a list or an object, under a name. An object may have a format number in its key `format`.

    The file `name` has the value in force, `name.old` the previous value, `name.new` a value being saved. `name` is
    missing for an instant between the renames; `name.new` is complete then, and load() finds it.

    is_valid(value) returns False for a value that this firmware never stores, which then counts as damaged.
    """

    def __init__(self, storage, name: str, format=0, is_valid=None):
        self.storage = storage
        self.name = name
        self._format = format  # the highest number that this version reads, and the one that it writes; 0: no number
        self._is_valid = is_valid
        self._newer = False

    def save(self, value):
        """Store a value, which is on flash when this returns. After an OSError the previous value is still in force."""
        if self._newer:
            raise OSError(READ_ONLY)
        try:
            checked(self._save, value)
        except OSError:
            if self.load()[0] != value:
                raise
            # The flash raised an error, but the value is stored

    def _save(self, value):
        """Store a value; a full flash raises a plain OSError."""
        from .events import encode

        storage, name = self.storage, self.name
        if self._format:
            value = dict(value)
            value["format"] = self._format
        if storage.size(name) is None and self._read(name + ".new")[1] is not None:
            storage.rename(name + ".new", name)  # an earlier save stopped half way
        storage.write(name + ".new", seal(encode(value), name))
        if storage.size(name) is not None:
            storage.rename(name, name + ".old")
        storage.rename(name + ".new", name)

    def load(self):
        """Return (value, report). report is None, PREVIOUS, DAMAGED or NEWER; both are None without a file.

        A damaged file is set aside as `name.bad`. After NEWER, which has no value, save() refuses to write.
        """
        name = self.name
        self._newer = False
        there, value = self._read(name)
        if self._newer:
            return None, NEWER
        if value is not None:
            return value, None
        new_there, value = self._read(name + ".new")
        moving_up = value is not None
        old_there = False
        if not moving_up:
            old_there, value = self._read(name + ".old")
        if self._newer:
            return None, NEWER
        if UNREADABLE not in (there, new_there, old_there):
            attempt(self._repair, there, moving_up, value)
        if value is None:
            return None, DAMAGED if there or old_there else None
        return value, None if moving_up and not there else PREVIOUS

    def _repair(self, damaged, moving_up, value):
        """Rename the files into their normal state; until this succeeds, every load() returns the same value."""
        storage, name = self.storage, self.name
        if damaged:
            set_aside(storage, name, name)
        if moving_up:
            storage.rename(name + ".new", name)
        elif value is not None:
            self._save(value)

    def _read(self, name):
        """Return (exists, value). exists is True, False or UNREADABLE; value is None if the file is damaged."""
        try:
            data = self.storage.read(name)
        except OSError as trouble:
            return True if trouble.args[0] == CORRUPT else UNREADABLE, None
        if data is None:
            return False, None
        text = unseal(data[:-1], self.name) if data[-1:] == b"\n" else None
        try:
            value = None if text is None else json.loads(text.decode())
        except ValueError:  # UnicodeError too
            return True, None
        if self._format:
            value = self._without_number(value)
        if value is not None and self._is_valid and not self._is_valid(value):
            value = None
        return True, value

    def _without_number(self, value):
        """Return an object without its format number; None if the number is invalid or of a newer version."""
        number = value.pop("format", None) if isinstance(value, dict) else None
        if type(number) is not int or number < 1:
            return None
        if number > self._format:
            self._newer = True
            return None
        return value
