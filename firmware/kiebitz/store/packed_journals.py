"""Store several short journals in one file, because every file takes at least a flash block of four kilobytes.

A packed file holds whole journals, one after the other, byte for byte, and is never changed: it is written beside and
renamed, or removed. A journal that also has a file of its own is older in the packed file, and does not count there.
"""

from ..machine_code import const
from .journal_files import PACKED as SUFFIX
from .sealed_lines import CORRUPT

FILE_BYTES = 4096  # a block of the flash
_SHORT_BYTES = const(2048)  # a longer journal leaves too little of the block to others
_BESIDE = "pack.tmp"
_FIRST_LINE = b'{"game":'
_ID = b'"id":"'


class PackedJournals:
    """The journals in packed files, by the name that the file of each would have."""

    def __init__(self, storage, suffix):
        self._flash = storage
        self._suffix = suffix  # of the file of a journal
        self._places = None  # file name of a journal -> (packed file, offset, size); None: not read yet

    def release(self):
        """Free the memory; the packed files are read again when they are needed."""
        self._places = None

    def places(self):
        """Return {file name of a journal: (packed file, offset, size)}."""
        if self._places is None:
            places = {}
            for file in self._flash.names():
                if file.endswith(SUFFIX):
                    self._note(places, file)
            self._places = places
        return self._places

    def _note(self, places, file):
        """Note the journals in a packed file; those in a part of the flash that is lost are not found."""
        try:
            data = self._flash.read(file) or b""
        except OSError as trouble:
            if trouble.args[0] != CORRUPT:
                raise
            return
        for game_id, start, size in journals_in(data):
            places[game_id + self._suffix] = (file, start, size)

    def _place(self, name):
        """Return (packed file, offset, size) of a journal, or None."""
        return self.places().get(name) if name.endswith(self._suffix) else None

    def size(self, name):
        """Return the size of a packed journal, or None."""
        place = self._place(name)
        return place and place[2]

    def read(self, name, start=0, size=-1):
        """Return bytes of a packed journal, as a Storage does, or None."""
        place = self._place(name)
        if place is None:
            return None
        file, at, length = place
        rest = max(0, length - start)
        return self._flash.read(file, at + start, rest if size < 0 else min(size, rest))

    def open(self, name):
        """Open a packed journal for reading. Returns a file, or None without the journal."""
        place = self._place(name)
        return place and _Part(self._flash.open(place[0]), place[1], place[2])

    def pack(self, journals, least):
        """Move short journals, given as (file name, size), into one packed file.

        Returns False if fewer than two, or fewer than `least` bytes, can be moved.
        """
        chosen, total = [], 0
        for name, size in journals:
            if size <= _SHORT_BYTES and total + size <= FILE_BYTES:
                data = self._flash.read(name)
                if data.startswith(_FIRST_LINE) and data.endswith(b"\n"):  # else it is repaired when it is opened
                    chosen.append((name, data))
                    total += len(data)
        if len(chosen) < 2 or total < least:
            return False
        for name, _ in chosen:
            self.drop(name)  # an older copy, if the power went while a journal was packed or unpacked
        names = [file[: -len(SUFFIX)] for file in self._flash.names() if file.endswith(SUFFIX)]
        numbers = [int(name) for name in names if name.isdigit()]
        self._write("%04d%s" % (max(numbers + [0]) + 1, SUFFIX), b"".join([data for _, data in chosen]))
        for name, _ in chosen:
            self._flash.remove(name)
        return True

    def _write(self, file, data):
        """Write a packed file, whole or not at all."""
        self._flash.write(_BESIDE, data)
        self._flash.rename(_BESIDE, file)
        if self._places is not None:
            self._note(self._places, file)

    def drop(self, name):
        """Remove a journal from its packed file, if there is one."""
        place = self._place(name)
        if place is None:
            return
        file, start, size = place
        data = self._flash.read(file)
        rest = data[:start] + data[start + size :]
        self.release()
        if rest:
            self._write(file, rest)
        else:
            self._flash.remove(file)


def journals_in(data):
    """Yield (game id, offset, size) of the journals in a packed file."""
    start = 0
    while start < len(data):
        end = data.find(b"\n" + _FIRST_LINE, start) + 1 or len(data)
        at = data.find(_ID, start, end) + len(_ID)
        stop = data.find(b'"', at, end)
        if at >= len(_ID) and stop > at:
            try:
                yield str(data[at:stop], "utf-8"), start, end - start
            except UnicodeError:
                pass  # damaged: its lines are found by their checksums
        start = end


class _Part:
    """A part of an open file, which reads as if it were a file of its own."""

    def __init__(self, file, start, size):
        self._file = file
        self._start = start
        self._size = size
        self._at = 0

    def seek(self, at, whence=0):
        """Go to an offset, counted from the end if `whence` is 2. Returns the offset."""
        self._at = at + (self._size if whence == 2 else 0)
        return self._at

    def readinto(self, buffer):
        """Read into the buffer. Returns how many bytes were read."""
        rest = max(0, self._size - self._at)
        self._file.seek(self._start + self._at)
        size = self._file.readinto(memoryview(buffer)[: min(len(buffer), rest)]) if rest else 0
        self._at += size
        return size

    def close(self):
        """Close the file."""
        self._file.close()
