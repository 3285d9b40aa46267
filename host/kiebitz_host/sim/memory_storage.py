"""Keeps the files of a device in memory: for a device that is switched on once and then forgotten."""

import io

from .flash_folder import DATA

_NO_ENTRY = 2
_FREE = 1_000_000


class MemoryStorage:
    """A device's files in memory, with the operations of its Storage; counts the operations that change something."""

    def __init__(self, files=()):
        self.files: dict[str, bytes] = dict(files)
        self.count = 0

    @classmethod
    def of(cls, files):
        """Return a storage with these files, given by their paths on the chip."""
        return cls({path.removeprefix(DATA + "/"): data for path, data in files.items()})

    def read(self, name, start=0, size=-1):
        data = self.files.get(name)
        if data is None:
            return None
        return data[start:] if size < 0 else data[start : start + size]

    def open(self, name):
        return io.BytesIO(self.files[name]) if name in self.files else None

    def append(self, name, data):
        self.write(name, self.files.get(name, b"") + data)

    def write(self, name, data):
        self.count += 1
        self.files[name] = data

    def rename(self, old, new):
        self.files[new] = self._taken(old)

    def remove(self, name):
        self._taken(name)

    def _taken(self, name):
        if name not in self.files:
            raise OSError(_NO_ENTRY)
        self.count += 1
        return self.files.pop(name)

    def names(self):
        return sorted(self.files)

    def sizes(self):
        return ((name, len(self.files[name])) for name in self.names())

    def size(self, name):
        return len(self.files[name]) if name in self.files else None

    def free(self):
        return _FREE
