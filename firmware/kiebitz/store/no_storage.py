"""A storage without files that takes none: what is on flash stays as it is, whatever the app does."""

import errno


class NoStorage:
    """The operations of a Storage."""

    emergency = "lost"  # why there is none, unless the board knows better

    def read(self, name, start=0, size=-1):
        return None

    def open(self, name):
        return None

    def size(self, name):
        return None

    def names(self):
        return []

    def sizes(self):
        return iter(())

    def free(self):
        return 0

    def write(self, name, data):
        raise OSError(errno.EIO)

    append = rename = write

    def remove(self, name):
        raise OSError(errno.EIO)
