"""The files of the device: small operations on one folder, each of them on flash before it returns."""

import os

from ..machine_code import const

_NO_ENTRY = const(2)
_NO_SPACE = const(28)


class Storage:
    """Files by name in the folder `root`. Trouble is an OSError; a name that does not exist reads as None."""

    def __init__(self, root: str):
        self.root = root.rstrip("/")
        self._prefix = self.root + "/"
        try:
            self._make_folders(self.root)
        except OSError:
            pass  # the flash is full: whoever wants to write is told, and the others can go on

    def _make_folders(self, folder):
        path = ""
        for part in folder.split("/"):
            path += part
            if path and not _exists(path):
                os.mkdir(path)
            path += "/"

    def _path(self, name):
        return self._prefix + name

    def read(self, name: str, start: int = 0, size: int = -1):
        """The bytes of a file, or at most `size` of them from `start` on; None without a file."""
        file = self.open(name)
        if file is None:
            return None
        with file:
            if start:
                file.seek(start)
            return file.read(size)

    def open(self, name: str):
        """A file to be read piece by piece, opened once: that takes 3 ms. None without a file."""
        try:
            return open(self._path(name), "rb")
        except OSError as trouble:
            if trouble.args[0] != _NO_ENTRY:
                raise
        return None

    def append(self, name: str, data: bytes):
        self._put(name, "ab", data)

    def write(self, name: str, data: bytes):
        """Make the file anew. Not atomic by promise: what matters is written beside and renamed over."""
        self._put(name, "wb", data)

    def _put(self, name, mode, data):
        try:
            file = open(self._path(name), mode)
        except OSError as trouble:
            if trouble.args[0] != _NO_ENTRY:
                raise
            self._make_folders(self._path(name).rpartition("/")[0])
            file = open(self._path(name), mode)
        with file:
            if file.write(data) != len(data):
                raise OSError(_NO_SPACE)

    def rename(self, old: str, new: str):
        """Give a file another name; a file that had this name is replaced, in one step."""
        os.rename(self._path(old), self._path(new))

    def remove(self, name: str):
        os.remove(self._path(name))

    def names(self):
        try:
            return sorted(os.listdir(self.root))
        except OSError as trouble:
            if trouble.args[0] != _NO_ENTRY:
                raise
            return []

    def sizes(self):
        """Yield name and size of every file: to ask for the size of each takes the Pico five times as long."""
        if not hasattr(os, "ilistdir"):
            for name in self.names():
                yield name, self.size(name)
            return
        for entry in os.ilistdir(self.root):
            yield entry[0], entry[3] if len(entry) > 3 else self.size(entry[0])

    def size(self, name: str):
        """The length of a file in bytes, or None without a file."""
        try:
            return os.stat(self._path(name))[6]
        except OSError as trouble:
            if trouble.args[0] == _NO_ENTRY:
                return None
            raise

    def free(self):
        """How many bytes are free. On littlefs this walks through all files: not for every key press."""
        state = os.statvfs(self.root)
        return state[1] * state[4]


def _exists(path):
    try:
        os.stat(path)
    except OSError:
        return False
    return True
