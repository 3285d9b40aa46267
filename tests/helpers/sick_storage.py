"""A flash of which some files cannot be read any more, or not be written."""

from helpers.faulty_storage import FaultyStorage

IO_ERROR = 5
CORRUPT = 84


class SickStorage(FaultyStorage):
    """unreadable and unwritable: names of files, each with the number of the error."""

    def __init__(self, files=None):
        super().__init__(files)
        self.unreadable = {}
        self.unwritable = {}

    def read(self, name, start=0, size=-1):
        _fail(self.unreadable, name)
        return super().read(name, start, size)

    def append(self, name, data):
        _fail(self.unwritable, name)
        super().append(name, data)

    def write(self, name, data):
        _fail(self.unwritable, name)
        super().write(name, data)


class HalfReadable(SickStorage):
    """Nothing behind the first `good` bytes of a file can be read."""

    name = ""
    good = 0

    def read(self, name, start=0, size=-1):
        if name == self.name and (size < 0 or start + size > self.good):
            raise OSError(CORRUPT)
        return super().read(name, start, size)


def _fail(sick, name):
    if name in sick:
        raise OSError(sick[name])
