"""Read and write the files of the device in one folder. Every operation is on flash when it returns."""

import os

from ..machine_code import const

_NO_ENTRY = const(2)
_NO_SPACE = const(28)


class Storage:
    """Files by name in the folder `root`. Trouble is an OSError; to read a name that does not exist returns None."""

    def __init__(self, root: str):
        self.root = root.rstrip("/")
        self._prefix = self.root + "/"
        try:
            # After a power cut in a rename, littlefs hides the next file until something changes the folder. To make
            # a folder that exists finishes the rename, and writes nothing otherwise
            os.mkdir(self.root)
        except OSError as trouble:
            if trouble.args[0] == _NO_ENTRY:
                self._make_folders(self.root)

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
        """Return the bytes of a file, or at most `size` of them from the offset `start`; None without a file."""
        file = self.open(name)
        if file is None:
            return None
        with file:
            if start:
                file.seek(start)
            return file.read(size)

    def open(self, name: str):
        """Open a file for reading piece by piece; opening takes 3 ms. Returns the file, or None without one."""
        try:
            return open(self._path(name), "rb")
        except OSError as trouble:
            if trouble.args[0] != _NO_ENTRY:
                raise
        return None

    def append(self, name: str, data: bytes):
        """Add data to the end of a file, which is made if it is missing."""
        self._put(name, "ab", data)

    def write(self, name: str, data: bytes):
        """Replace the content of a file. Not atomic; use a new file and rename() for that."""
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
        """Remove a file; OSError without one."""
        os.remove(self._path(name))

    def names(self):
        """Return the names of all files in order; empty without a folder."""
        try:
            return sorted(os.listdir(self.root))
        except OSError as trouble:
            if trouble.args[0] != _NO_ENTRY:
                raise
            return []

    def sizes(self):
        """Yield (name, size) of every file; to call size() for each takes the Pico five times as long."""
        if not hasattr(os, "ilistdir"):
            for name in self.names():
                yield name, self.size(name)
            return
        for entry in os.ilistdir(self.root):
            yield entry[0], entry[3] if len(entry) > 3 else self.size(entry[0])

    def size(self, name: str):
        """Return the length of a file in bytes, or None without a file."""
        try:
            return os.stat(self._path(name))[6]
        except OSError as trouble:
            if trouble.args[0] == _NO_ENTRY:
                return None
            raise

    def free(self):
        """Return how many bytes are free. Slow on littlefs, which reads all files for it."""
        state = os.statvfs(self.root)
        return state[1] * state[4]


def _exists(path):
    try:
        os.stat(path)
    except OSError:
        return False
    return True
