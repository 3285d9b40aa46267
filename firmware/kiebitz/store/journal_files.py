"""Manage the files of all journals, and the tail, a small file for the newest lines that needs no erase.

littlefs stores a file of up to 512 bytes inside its folder, and appending to such a file takes 4 ms. Appending to a
longer file takes 60 ms or more, mostly to erase a block. New lines of a journal therefore go into the small file first.
When there is time, several lines at once move from the small file to the end of the journal. No other module
depends on the two files. Games that were thrown away are kept for a month, or until their space is needed.
"""

from ..machine_code import const
from .sealed_lines import CORRUPT, attempt, seal, set_aside, unseal

NAME = "fresh/lines"  # in its own folder, because littlefs would take twice as long to compact the folder of all games
# The size limit of the small file, its first line included
MOST_BYTES = 480
# The size of an entry for which make_room() reserves space
LONG_BYTES = 240

SUFFIX = ".kbz"  # of a journal's file name
PACKED = ".pack"  # of a file that several short journals share
_FOLDER = "fresh"
SOME = "?"


class JournalFiles:
    """The journals of all games by file name, each with its newest lines, wherever they are on flash.

    The small file begins with a sealed line: the name of the journal, and the offset in the journal where the bytes
    that follow belong. Bytes that the journal has already are skipped, so that moving the bytes may be interrupted
    anywhere and started again.
    """

    def __init__(self, storage):
        self._flash = storage
        self.write = storage.write
        self.free = storage.free
        self.lost = None  # the journal of which the newest lines were set aside or lost, SOME: one of the journals
        self._known = False  # the small file was read
        self._name = None  # the journal whose end is in the small file; None: nothing in the small file counts
        self._at = 0  # the offset in the journal where the bytes belong
        self._bytes = b""
        self._room = 0  # bytes left in the small file
        self._pack = None

    @property
    def _packed(self):
        """The PackedJournals, created on first use."""
        if self._pack is None:
            from .packed_journals import PackedJournals

            self._pack = PackedJournals(self._flash, SUFFIX)
        return self._pack

    def release(self):
        """Free the memory that the list of packed journals takes."""
        self._pack = None

    def _is_split(self, name):
        """Return True if the end of this file is in the small file."""
        if not self._known and name.endswith(SUFFIX):
            self._look()
        return name == self._name

    def _look(self):
        """Read the small file and note the journal that it continues."""
        try:
            data = self._flash.read(NAME) or b""
        except OSError as trouble:
            if trouble.args[0] != CORRUPT:
                raise
            if self._name:
                self._move()  # the small file is lost, but its lines are in memory
                return
            self.lost = SOME
            data = b""  # the journals are not lost, and play continues without the small file
        self._name = None
        start = data.find(b"\n") + 1
        first = _place(unseal(data[: start - 1], NAME)) if start else None
        if first:
            self._take(first[0], first[1], data[start:], MOST_BYTES - len(data))
        elif start:
            self._set_aside(SOME)  # the first line, with the name of the journal, is damaged
        self._known = True

    def _take(self, name, at, data, room):
        """Note that these bytes belong at offset `at` of a journal, unless the journal has all of them already."""
        size = self._flash.size(name)
        if size is None:
            return
        try:
            moved = self._flash.read(name, at, len(data)) if size > at else b""
        except OSError as trouble:
            if trouble.args[0] != CORRUPT:
                raise
            moved = data[: size - at]  # nobody can compare
        if size < at or moved != data[: len(moved)]:
            lines = moved.split(b"\n")[:-1]
            damaged = None in [unseal(line, name[: -len(SUFFIX)]) for line in lines]
            if len(moved) < len(data) or not damaged:
                self._set_aside(name)  # the journal has other lines there; damage there is found when it is read
        elif len(moved) < len(data):
            self._name, self._at, self._bytes, self._room = name, at, data, room

    def _set_aside(self, name):
        """Keep the small file under another name, and note whose lines are in it."""
        self.lost = name
        attempt(set_aside, self._flash, NAME, "newest")

    # --- reading ---

    def size(self, name):
        if self._is_split(name):
            return self._at + len(self._bytes)
        size = self._flash.size(name)
        return self._packed.size(name) if size is None else size

    def exists(self, name):
        """Return True if a file exists, without reading the small file.

        This is called at power-on, when trouble with the small file cannot be reported yet.
        """
        return self._flash.size(name) is not None or self._packed.size(name) is not None

    def read(self, name, start=0, size=-1):
        """Return bytes of a file, as a Storage does, or None.

        A part of a journal is returned only up to the start of the small file, because joining both takes memory.
        """
        if not self._is_split(name) or 0 <= size <= self._at - start:
            data = self._flash.read(name, start, size)
            return self._packed.read(name, start, size) if data is None else data
        at = start - self._at
        if at >= 0:
            return self._bytes[at:] if size < 0 else self._bytes[at : at + size]
        data = self._flash.read(name, start, -at)
        return data + self._bytes if size < 0 and data is not None else data

    def open(self, name):
        """Open a whole file for reading; the returned file is valid until something is appended to it."""
        if self._is_split(name):
            self.settle()
        return self.open_stored(name)

    def open_stored(self, name):
        """Open a file for reading, but without its lines in the small file. Returns the file, or None."""
        return self._flash.open(name) or self._packed.open(name)

    def ids(self):
        """Return the ids of all games that have a journal."""
        names = [name for name in self._flash.names() if name.endswith(SUFFIX)]
        names += [name for name in self._packed.places() if name not in names]
        return [name[: -len(SUFFIX)] for name in names]

    def sizes(self):
        """Yield name and size of every journal, and of every file that is not part of a journal."""
        single = []
        for name, size in self._flash.sizes():
            if name.endswith(SUFFIX):
                single.append(name)
            if not name.startswith(_FOLDER) and not name.endswith(PACKED):
                yield name, self.size(name) if self._is_split(name) else size
        packed = self._packed.places()
        for name in packed:
            if name not in single:
                yield name, packed[name][2]

    # --- writing ---

    def append(self, name, data):
        if not name.endswith(SUFFIX):
            self._flash.append(name, data)
            return
        if self._is_split(name) and len(data) <= self._room:
            self._known = False  # if the flash raises an error, the content of the small file is unknown
            try:
                self._flash.append(NAME, data)
            except OSError as trouble:
                if trouble.args[0] != CORRUPT:
                    raise
                self._move(data)
                return
            self._bytes += data
            self._room -= len(data)
            self._known = True
            return
        self.settle(name)
        at = self._flash.size(name)
        if at is None:
            self._unpack(name)
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
            self._flash.append(name, data)  # slower, but on flash; a copy in the small file is skipped
            self._known = True
            return
        self._name, self._at, self._bytes, self._room = name, at, data, room
        self._known = True

    def make_room(self):
        """Move the lines to the journal if the small file is nearly full.

        Call this when there is time, so that the next entry need not wait for the move.
        """
        if self._name and self._room < LONG_BYTES:
            self.settle()

    def settle(self, place_for=None):
        """Move the lines of the small file to their journal; the small file does not count until the next entry.

        If the journal can never be written again, the small file is set aside, but only if the lines of the file
        `place_for` need its place.
        """
        if not self._known:
            self._look()
        if self._name:
            self._known = False
            try:
                self._move()
            except OSError as trouble:
                if trouble.args[0] != CORRUPT or place_for in (None, self._name):
                    raise
                # Nothing can be appended to this journal any more; other games go on
                self._set_aside(self._name)
                self._name = None
                self._known = True

    def _move(self, more=b""):
        """Append the lines, as they are in memory, and more to their journal; the small file does not count then."""
        size = self._flash.size(self._name) or 0
        self._flash.append(self._name, self._bytes[size - self._at :] + more)
        self._name = None
        self._known = True

    def pack(self, keep, least):
        """Move some short journals together into one file, but none of the files in `keep`.

        Returns False if fewer than two, or fewer than `least` bytes, can be moved.
        """
        journals = sorted([(name, size) for name, size in self._flash.sizes() if name.endswith(SUFFIX)])
        chosen = [(name, size) for name, size in journals if name not in keep and not self._is_split(name)]
        return self._packed.pack(chosen, least)

    def _unpack(self, name):
        """Give a packed journal a file of its own again."""
        if self._flash.size(name) is None and self._packed.size(name) is not None:
            beside = name[: -len(SUFFIX)] + ".tmp"
            self._flash.write(beside, self._packed.read(name))
            self._flash.rename(beside, name)
            self._packed.drop(name)

    def rename(self, old, new):
        if new.endswith(SUFFIX) or self._is_split(old):
            self.settle(new)  # a damaged journal is set aside with all its lines
        if old.endswith(SUFFIX):
            self._unpack(old)
        self._flash.rename(old, new)
        if new.endswith(SUFFIX):
            self._forget()

    def remove(self, name):
        gone = self._is_split(name)
        self._packed.drop(name)
        if self._flash.size(name) is not None:
            self._flash.remove(name)
        if gone:
            self._forget()

    def _forget(self):
        """Empty the small file, so that its lines no longer count even if their journal has become shorter.

        The empty file remains, so that the first entry of a game need not wait for its folder to be made.
        """
        self._name = None
        attempt(self._flash.write, NAME, b"")


def _place(first):
    """Return (file name, offset) in the first line of the small file, or None if the line is not valid."""
    try:
        name, at = (first or b"").decode().split(" ")
    except ValueError:  # UnicodeError too
        return None
    return (name, int(at)) if name.endswith(SUFFIX) and at.isdigit() else None


_KEPT_S = const(30 * 86400)
_KEPT_MAX = const(20)


class Trash:
    """The games that were thrown away.

    `pairs` lists them, the latest last: [id, time in unix seconds, or 0 if the clock was not set].
    """

    def __init__(self, library, pairs):
        self._library = library
        self.pairs = pairs

    def ids(self):
        """Return the ids of the games, the latest last."""
        return [game_id for game_id, _ in self.pairs]

    def throw(self, game_id, now):
        """Throw the game in play away. After an OSError nothing has changed."""
        kept = [pair for pair in self.pairs if pair[0] != game_id and not (now and 0 < pair[1] < now - _KEPT_S)]
        kept = kept[1 - _KEPT_MAX :]
        gone = [pair[0] for pair in self.pairs if pair not in kept and pair[0] != game_id]
        self._set(kept + [[game_id, now]], None)
        self._library.close()
        for old in gone:
            attempt(self._library.erase, old)

    def bring_back(self, game_id):
        """Take a game out of those that were thrown away."""
        self._set([pair for pair in self.pairs if pair[0] != game_id], self._library.running)

    def make_room(self):
        """Remove the game that was thrown away first. Returns False if there is none."""
        if not self.pairs:
            return False
        self._library.erase(self.pairs[0][0])
        self._set(self.pairs[1:], self._library.running)
        return True

    def _set(self, pairs, running):
        """Store the list, together with the id of the running game."""
        before, self.pairs = self.pairs, pairs
        try:
            self._library.set_running(running)
        except OSError:
            self.pairs = before
            raise
