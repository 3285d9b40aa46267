"""The flash of a device in memory, with littlefs as MicroPython sets it up: for tests that look at its blocks."""

from littlefs import LittleFS, LittleFSError, UserContext

BLOCK = 4096
BLOCKS = 352
_NO_ENTRY = 2


class LfsStorage:
    """The operations of a Storage, in the folder /data of a new file system."""

    def __init__(self):
        self._context = UserContext(buffsize=BLOCK * BLOCKS)
        self._context.buffer[:] = b"\xff" * (BLOCK * BLOCKS)
        sizes = {"block_size": BLOCK, "block_count": BLOCKS, "read_size": 32, "prog_size": 256, "cache_size": 1024}
        self._lfs = LittleFS(context=self._context, lookahead_size=32, mount=False, **sizes)
        self._lfs.format()
        self._lfs.mount()
        self._lfs.mkdir("/data")

    def image(self):
        """Returns all bytes of the file system as they are now."""
        return bytes(self._context.buffer)

    def read(self, name, start=0, size=-1):
        file = self.open(name)
        if file is None:
            return None
        with file:
            file.seek(start)
            return file.read(size)

    def open(self, name):
        return self._lfs.open("/data/" + name, "rb") if self.size(name) is not None else None

    def append(self, name, data):
        self._put(name, "ab" if self.size(name) is not None else "wb", data)

    def write(self, name, data):
        self._put(name, "wb", data)

    def _put(self, name, mode, data):
        self._lfs.makedirs(("/data/" + name).rpartition("/")[0], exist_ok=True)
        with self._lfs.open("/data/" + name, mode) as file:
            file.write(data)

    def rename(self, old, new):
        self._lfs.rename("/data/" + old, "/data/" + new)

    def remove(self, name):
        self._lfs.remove("/data/" + name)

    def names(self):
        return sorted(self._lfs.listdir("/data"))

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
        return (BLOCKS - self._lfs.used_block_count) * BLOCK
