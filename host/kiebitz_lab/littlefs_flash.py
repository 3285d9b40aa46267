"""Provide a flash in memory with a real littlefs, set up as MicroPython does, and a log of every write and erase."""

from kiebitz_host.flash_layout import BLOCK, BLOCKS
from littlefs import LittleFS, LittleFSError, UserContext

_ERASED = b"\xff" * BLOCK


class _Flash(UserContext):
    """The bytes of the flash, and a log of all changes."""

    def __init__(self, buffer: bytearray):
        super().__init__(buffer=buffer)
        self.log: list[tuple[int, bytes]] = []  # (offset, bytes written or erased)

    def read(self, cfg, block, off, size):
        start = block * BLOCK + off
        return self.buffer[start : start + size]

    def prog(self, cfg, block, off, data):
        return self._change(block * BLOCK + off, bytes(data))

    def erase(self, cfg, block):
        return self._change(block * BLOCK, _ERASED)

    def _change(self, start: int, data: bytes) -> int:
        self.log.append((start, data))
        self.buffer[start : start + len(data)] = data
        return 0


def after_cut(image: bytes, log: list[tuple[int, bytes]], at: int, part: float) -> bytes:
    """Return the flash after a power cut in operation `at` of the log, when this part of it is done."""
    flash = bytearray(image)
    for start, data in log[:at]:
        flash[start : start + len(data)] = data
    start, data = log[at]
    data = data[: int(len(data) * part)]
    flash[start : start + len(data)] = data
    return bytes(flash)


class LittlefsStorage:
    """The operations of a Storage in the folder /data, on a new flash or on these bytes."""

    def __init__(self, image: bytes | None = None, consistent: bool = True):
        """Mount the flash. Unless `consistent`, do not finish a rename interrupted by a power cut."""
        self.flash = _Flash(bytearray(image if image is not None else b"\xff" * (BLOCK * BLOCKS)))
        sizes: dict = {"block_size": BLOCK, "block_count": BLOCKS, "read_size": 32, "prog_size": 256}
        self._lfs = LittleFS(context=self.flash, cache_size=1024, lookahead_size=32, mount=False, **sizes)
        if image is None:
            self._lfs.format()
        self._lfs.mount()
        if consistent:
            self._lfs.makedirs("/data", exist_ok=True)

    def image(self) -> bytes:
        """Return all bytes of the flash as they are now."""
        return bytes(self.flash.buffer)

    def _do(self, action, *args, **keys):
        try:
            return action(*args, **keys)
        except LittleFSError as trouble:
            raise OSError(-trouble.code) from None

    def read(self, name, start=0, size=-1):
        file = self.open(name)
        if file is None:
            return None
        with file:
            file.seek(start)
            return file.read(size)

    def open(self, name):
        return self._do(self._lfs.open, "/data/" + name, "rb") if self.size(name) is not None else None

    def append(self, name, data):
        self._put(name, "ab" if self.size(name) is not None else "wb", data)

    def write(self, name, data):
        self._put(name, "wb", data)

    def _put(self, name, mode, data):
        if "/" in name:
            self._do(self._lfs.makedirs, ("/data/" + name).rpartition("/")[0], exist_ok=True)
        self._do(self._write, name, mode, data)

    def _write(self, name, mode, data):
        with self._lfs.open("/data/" + name, mode) as file:
            file.write(data)

    def rename(self, old, new):
        self._do(self._lfs.rename, "/data/" + old, "/data/" + new)

    def remove(self, name):
        self._do(self._lfs.remove, "/data/" + name)

    def names(self):
        return sorted(self._do(self._lfs.listdir, "/data"))

    def sizes(self):
        for name in self.names():
            yield name, self.size(name)

    def size(self, name):
        try:
            return self._lfs.stat("/data/" + name).size
        except LittleFSError as trouble:
            if trouble.code == LittleFSError.Error.LFS_ERR_NOENT:
                return None
            raise OSError(-trouble.code) from None

    def free(self):
        return (BLOCKS - self._do(lambda: self._lfs.used_block_count)) * BLOCK
