"""Clears away what a version of loose files has left on the flash: its modules are dead, and take room from games."""

import os

_OURS = ("power_on.mpy", "power_on.py")  # in the folder kiebitz: no other program has one there
_STARTER = b"kiebitz.power_on"  # what our own main.py names
_DIR = 0x4000


class Leftovers:
    """One file each time somebody has a moment: to remove one takes the flash up to a tenth of a second."""

    def __init__(self, root=""):
        self._root = root
        self._names = None  # not looked for yet

    def clear_one(self):
        """Remove the next file; returns False when there is none left. Trouble ends it until the next start."""
        if self._names is None:
            self._names = self._find()
        if not self._names:
            return False
        name = self._names.pop()
        try:
            (os.rmdir if name.endswith("/") else os.remove)(self._root + name)
        except OSError:
            self._names = []
        return True

    def _find(self):
        """Return the names, to be removed from the end on; folders end with a slash.

        The file by which our folder is known goes last of all, so that a cut does not leave half of it for ever.
        """
        found = []
        try:
            modules = os.listdir(self._root + "kiebitz")
            ours = [name for name in _OURS if name in modules]
            if ours:
                found = ["kiebitz/"] + ["kiebitz/" + name for name in ours]
                rest = self._walk("kiebitz/")
                found += [name for name in rest if name not in found]
                for name in ("kiebitz.new/", "finish.py", "board.txt", "main.py"):
                    found += self._present(name)
        except OSError:
            pass  # there is no such folder
        return found

    def _present(self, name):
        try:
            if name.endswith("/"):
                return [name] + self._walk(name)
            if name == "main.py" and not self._starts_us(name):
                return []
            os.stat(self._root + name)
            return [name]
        except OSError:
            return []

    def _starts_us(self, name):
        with open(self._root + name, "rb") as file:
            return _STARTER in file.read(4096)

    def _walk(self, folder):
        """Return everything in a folder, what is in a folder after the folder itself."""
        found = []
        for name in os.listdir(self._root + folder):
            path = folder + name
            if os.stat(self._root + path)[0] & _DIR:
                found += [path + "/"] + self._walk(path + "/")
            else:
                found.append(path)
        return found
