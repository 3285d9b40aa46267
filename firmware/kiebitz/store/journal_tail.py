"""Keeps the newest lines of a journal in a small file of their own, so that an entry is on flash without an erase.

littlefs holds a file of up to 512 bytes inside its folder, and adding to it takes 4 ms; adding to a longer one takes 60
or more, most of it to erase a block. So what is appended to a journal goes into the small file first, and from there,
several lines at once, to the end of the journal when there is time. To whoever reads, the two are one file.
"""

from .sealed_lines import CORRUPT, attempt, seal, set_aside, unseal

NAME = "fresh/lines"  # in a folder of its own: tidying up that of all games would take littlefs twice as long
# Of the small file, its first line included
MOST_BYTES = 480
# An entry for which there should be room
LONG_BYTES = 240

SUFFIX = ".kbz"  # of a journal
_FOLDER = "fresh"


class Newest:
    """The operations of a Storage, on another one.

    The small file begins with a sealed line: the name of the long one, and where in it the bytes that follow belong.
    What the long one has already is passed over, so that moving them may be cut off anywhere and begun again.
    """

    def __init__(self, storage):
        self._flash = storage
        self.write = storage.write
        self.free = storage.free
        self.lost = False  # some of the newest lines, with the small file, and nobody was told yet
        self._known = False  # the small file was read
        self._name = None  # the file whose end is in the small one; None: there is nothing in it that counts
        self._at = 0  # where in that file the bytes belong
        self._bytes = b""
        self._room = 0  # that is left for more

    def _is_split(self, name):
        """Whether the end of this file is in the small one."""
        if not self._known and name.endswith(SUFFIX):
            self._look()
        return name == self._name

    def _look(self):
        """Read the small file."""
        self._name = None
        try:
            data = self._flash.read(NAME) or b""
        except OSError as trouble:
            if trouble.args[0] != CORRUPT:
                raise
            self.lost = True
            data = b""  # lost for ever: the journals are not, and are played on without it
        start = data.find(b"\n") + 1
        first = unseal(data[: start - 1], NAME) if start else None
        if start and first is None:
            self.lost = True
            attempt(set_aside, self._flash, NAME, "newest")  # whose lines these are is damaged
        elif start:
            name, at = first.decode().split(" ")
            size = self._flash.size(name)
            if size is not None and int(at) <= size < int(at) + len(data) - start:
                self._name, self._at, self._bytes = name, int(at), data[start:]
                self._room = MOST_BYTES - len(data)
        self._known = True

    # --- reading ---

    def size(self, name):
        if self._is_split(name):
            return self._at + len(self._bytes)
        return self._flash.size(name)

    def exists(self, name):
        """Whether there is such a file; asked at power-on, when trouble with the small file is not told yet."""
        return self._flash.size(name) is not None

    def read(self, name, start=0, size=-1):
        """As a Storage does, but a part of a file ends where the small one begins: joining them would take memory."""
        if not self._is_split(name) or 0 <= size <= self._at - start:
            return self._flash.read(name, start, size)
        at = start - self._at
        if at >= 0:
            return self._bytes[at:] if size < 0 else self._bytes[at : at + size]
        data = self._flash.read(name, start, -at)
        return data + self._bytes if size < 0 and data is not None else data

    def open(self, name):
        """The file as a whole, to be read until something is added to it."""
        if self._is_split(name):
            self.settle()
        return self._flash.open(name)

    def names(self):
        return [name for name in self._flash.names() if not name.startswith(_FOLDER)]

    def sizes(self):
        """Yield name and size of every file."""
        for name, size in self._flash.sizes():
            if not name.startswith(_FOLDER):
                yield name, self.size(name) if self._is_split(name) else size

    # --- writing ---

    def append(self, name, data):
        if not name.endswith(SUFFIX):
            self._flash.append(name, data)
            return
        if self._is_split(name) and len(data) <= self._room:
            self._known = False  # if the flash complains, nobody knows what is there
            self._flash.append(NAME, data)
            self._bytes += data
            self._room -= len(data)
            self._known = True
            return
        self.settle(name)
        at = self._flash.size(name) or 0
        first = seal("%s %d" % (name, at), NAME)
        room = MOST_BYTES - len(first) - len(data)
        if room < 0:
            self._forget()
            self._flash.append(name, data)
            return
        self._known = False
        try:
            self._flash.write(NAME, first + data)
        except OSError as trouble:
            if trouble.args[0] != CORRUPT:
                raise
            self._flash.append(name, data)  # slower, but it counts; should the other be there too, it is passed over
            self._known = True
            return
        self._name, self._at, self._bytes, self._room = name, at, data, room
        self._known = True

    def make_room(self):
        """To be called when there is time: the next entry is not to wait until the small file is empty."""
        if self._name and self._room < LONG_BYTES:
            self.settle()

    def settle(self, place_for=None):
        """Move what is in the small file to where it belongs; until the next entry it does not count any more.

        If that can never be done, the lines are kept aside, but only to make place for those of another file.
        """
        if not self._known:
            self._look()
        if self._name:
            size = self._flash.size(self._name) or 0
            self._known = False
            try:
                self._flash.append(self._name, self._bytes[size - self._at :])
            except OSError as trouble:
                if trouble.args[0] != CORRUPT or place_for in (None, self._name):
                    raise
                # Nothing can be added to this journal any more: other games go on
                set_aside(self._flash, NAME, "newest")
            self._name = None
            self._known = True

    def rename(self, old, new):
        if new.endswith(SUFFIX) or self._is_split(old):
            self.settle(new)  # a damaged journal is set aside with all there is of it
        self._flash.rename(old, new)
        if new.endswith(SUFFIX):
            self._forget()

    def remove(self, name):
        gone = self._is_split(name)
        self._flash.remove(name)
        if gone:
            self._forget()

    def _forget(self):
        """What the small file holds counts no longer, not even if the file that it continues has become shorter.

        It is there from now on, so that the first entry of a game does not have to wait for its folder.
        """
        self._name = None
        attempt(self._flash.write, NAME, b"")
