"""Remove the files of an older version that was installed as loose files: they are unused, and take room from games."""

import os

_OURS = ("power_on.mpy", "power_on.py")  # in the folder kiebitz: no other program has such a file there
_STARTER = b"kiebitz.power_on"  # text in our own main.py
_DIR = 0x4000


class Leftovers:
    """The remover of old files, one file per call: removing a file takes the flash up to a tenth of a second."""

    def __init__(self, root=""):
        self._root = root
        self._names = None  # not looked for yet

    def clear_one(self):
        """Remove the next file. Returns False if there is none left. An OSError ends the removal until restart."""
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
        """Return the names, to be removed from the end of the list; the names of folders end with a slash.

        The file that identifies our folder is removed last, so that a power cut does not leave half of it for ever.
        """
        found = []
        try:
            modules = os.listdir(self._root + "kiebitz")
            ours = [name for name in _OURS if name in modules]
            if ours:
                found = ["kiebitz/"] + ["kiebitz/" + name for name in ours] + self._present("board.txt")
                rest = self._walk("kiebitz/")
                found += [name for name in rest if name not in found]
                for name in ("kiebitz.new/", "finish.py", "main.py"):
                    found += self._present(name)
        except OSError:
            pass  # there is no such folder
        return found

    def _present(self, name):
        """Return the names of a file or of a folder and its contents; an empty list unless it exists and is ours."""
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
        """Tell whether a main.py starts Kiebitz."""
        with open(self._root + name, "rb") as file:
            return _STARTER in file.read(4096)

    def _walk(self, folder):
        """Return the paths of everything in a folder; a folder comes before its contents."""
        found = []
        for name in os.listdir(self._root + folder):
            path = folder + name
            if os.stat(self._root + path)[0] & _DIR:
                found += [path + "/"] + self._walk(path + "/")
            else:
                found.append(path)
        return found
