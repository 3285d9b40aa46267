"""Simulate a flash in memory that fails on request: power cuts, a full flash, flipped bits, unreadable files."""


NO_ENTRY = 2
NO_SPACE = 28
# Files are lists of pieces up to this size: a heap in pieces has no room for a long file in one
PIECE = 512


class PowerCut(BaseException):
    """The device is off. No program catches this, as none runs on after a real one."""


class FaultyStorage:
    """The operations of Storage. Every one that changes something is counted; faults are told by that number, from 0.

    cut_at(k, part): the power goes in operation k, after `part` bytes of it, or "before" or "after" it.
    full_at(k, part): operation k finds the flash full after `part` bytes; all further ones too, if it `stays`. Removing
    is always possible.
    """

    def __init__(self, files=None, capacity=1 << 20):
        self._files = {}
        self.capacity = capacity
        self.count = 0  # operations so far that change something
        self.operations = None  # (kind, name, bytes it writes) of each of them, once record() was called
        self._cut = None
        self._full = None
        self._off = False
        for name in files or {}:
            self.put(name, files[name])

    # --- what tests do to it ---

    def record(self):
        """Remember the operations from now on."""
        self.operations = []
        return self

    def cut_at(self, k, part):
        self._cut = (k, part)
        return self

    def full_at(self, k, part=0, stays=False):
        self._full = (k, part, stays)
        return self

    def make_room(self):
        self._full = None

    def put(self, name, data):
        """Make this the content of a file, without any fault."""
        self._files[name] = [data[at : at + PIECE] for at in range(0, len(data), PIECE)]

    def get(self, name):
        return b"".join(self._files[name])

    @property
    def files(self):
        """Everything that is there: name -> bytes."""
        return {name: self.get(name) for name in self._files}

    def flip(self, name, byte, bit):
        data = bytearray(self.get(name))
        data[byte] ^= 1 << bit
        self.put(name, bytes(data))

    def restart(self):
        """Return the same flash after the power has come back, with no faults planned."""
        again = FaultyStorage(capacity=self.capacity)
        again._files = self._files
        self._files = {}
        self._off = True
        return again

    # --- faults ---

    def _begin(self, kind, name, size=0):
        """Count an operation; stop before it, or return how many of its bytes get through (None: all of them)."""
        self._alive()
        k = self.count
        self.count += 1
        if self.operations is not None:
            self.operations.append((kind, name, size))
        if self._cut and self._cut[0] == k:
            if self._cut[1] == "before":
                self._go_off()
            return None if self._cut[1] == "after" else self._cut[1]
        return None

    def _end(self):
        if self._cut and self._cut[0] == self.count - 1:
            self._go_off()

    def _alive(self):
        if self._off:
            raise PowerCut()

    def _go_off(self):
        self._off = True
        raise PowerCut()

    def _is_full(self):
        k = self.count - 1
        return self._full is not None and (k == self._full[0] or (self._full[2] and k > self._full[0]))

    def _room_for(self, data):
        """Return what of the data fits, and whether that is all of it."""
        if self._is_full():
            return data[: self._full[1]], False
        room = self._free()
        return data[:room], len(data) <= room

    # --- the operations of Storage ---

    def read(self, name, start=0, size=-1):
        self._alive()
        if name not in self._files:
            return None
        parts = []
        left = size if size >= 0 else self.size(name)
        for piece in self._files[name]:
            if start < len(piece) and left > 0:
                part = piece[start : start + left]
                parts.append(part)
                left -= len(part)
            start = max(0, start - len(piece))
        return b"".join(parts)

    def open(self, name):
        self._alive()
        return File(self, name) if name in self._files else None

    def append(self, name, data):
        part = self._begin("append", name, len(data))
        self._add(name, data, part)

    def write(self, name, data):
        part = self._begin("write", name, len(data))
        self._files[name] = []
        self._add(name, data, part)

    def _add(self, name, data, part):
        fits, all_of_it = self._room_for(data)
        if part is not None:
            fits = fits[:part]
        pieces = self._files.setdefault(name, [])
        if pieces and len(pieces[-1]) + len(fits) <= PIECE:
            pieces[-1] += fits
        elif fits:
            pieces.append(fits)
        self._end()
        if not all_of_it:
            raise OSError(NO_SPACE)

    def rename(self, old, new):
        self._begin("rename", old)
        if self._is_full():
            raise OSError(NO_SPACE)
        if old not in self._files:
            raise OSError(NO_ENTRY)
        self._files[new] = self._files.pop(old)
        self._end()

    def remove(self, name):
        self._begin("remove", name)
        if name not in self._files:
            raise OSError(NO_ENTRY)
        del self._files[name]
        self._end()

    def names(self):
        self._alive()
        return sorted(self._files)

    def sizes(self):
        for name in self.names():
            yield name, self.size(name)

    def size(self, name):
        self._alive()
        return sum([len(piece) for piece in self._files[name]]) if name in self._files else None

    def free(self):
        self._alive()
        return self._free()

    def _free(self):
        return self.capacity - sum([self.size(name) for name in self.names()])


class File:
    """A file that is read piece by piece."""

    def __init__(self, storage, name):
        self._storage = storage
        self._name = name
        self._at = 0

    def seek(self, offset, whence=0):
        self._at = offset + (self._storage.size(self._name) if whence else 0)
        return self._at

    def read(self, size):
        data = self._storage.read(self._name, self._at, size)
        self._at += len(data)
        return data

    def readinto(self, buffer):
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def cuts(operations, every=1):
    """Yield (k, part) for every place where the power can go: around each operation, and within each write."""
    for k, (_, _, size) in enumerate(operations):
        yield k, "before"
        for part in range(0, size, every):
            yield k, part
        yield k, "after"


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
