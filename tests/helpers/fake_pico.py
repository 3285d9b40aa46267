"""A Pico in memory for the installer: runs its code on a small file system, and can be cut off at any change to it."""

import binascii
import builtins
import gc
import hashlib
import io
import json
from types import SimpleNamespace

from kiebitz_host.firmware import MAIN, SOURCE
from kiebitz_host.install.session import AGENT, Failed, Lost

FOLDER = 0x4000
FILE = 0x8000
BLOCK = 4096


class PowerCut(BaseException):
    """The power goes in the middle of what the device is doing."""


class FakePico:
    """`pull_at` is the number of the change at which the power goes: before it, or after half or all of it."""

    path = "/dev/ttyFAKE"

    def __init__(self, files=()):
        self.files = {}
        self.folders = set()
        self.blocks = 352
        self.version = (1, 25, 0, "")
        self.mpy = 6
        self.platform = "rp2"
        self.changes = 0
        self.pull_at = None
        self.how = "before"
        self.spoils = {}  # path -> how many more times it is written wrongly
        self.put(dict(files))
        self.connect()

    def put(self, files):
        """Files that are there from the beginning."""
        for path, data in files.items():
            parts = path.split("/")[:-1]
            self.folders |= {"/".join(parts[: i + 1]) for i in range(len(parts))}
            self.files[path] = data

    # --- power ---

    def connect(self):
        """Power on, at the prompt, as a session finds it."""
        self.pull_at = None
        self._alive = True
        self._names = {"__builtins__": self._builtins(), "__name__": "__main__"}
        exec(AGENT.read_text(), self._names)
        return self

    def boot(self, pull_at=None):
        """Power on. Returns the files of the firmware that is started, or None if there is nothing to start."""
        self.pull_at = None if pull_at is None else self.changes + pull_at
        started = []
        if MAIN not in self.files:
            return None
        power_on = SimpleNamespace(power_on=lambda: started.append(self.firmware()))
        names = {"__builtins__": self._builtins({"kiebitz.power_on": power_on}), "__name__": "__main__"}
        try:
            exec(self.files[MAIN].decode(), names)
        except PowerCut:
            return "cut"
        return started[0]

    def firmware(self):
        return {path: data for path, data in self.files.items() if path == MAIN or path.startswith("kiebitz/")}

    # --- what a session does ---

    def run(self, code, blocks=()):
        if not self._alive:
            raise Lost
        self._out = io.StringIO()
        self._in = io.BytesIO(b"".join(blocks))
        if b"\x03" in self._in.getvalue():
            raise Failed("KeyboardInterrupt")
        try:
            exec(code, self._names)
        except PowerCut:
            self._alive = False
            raise Lost from None
        except Exception as error:
            raise Failed(f"{type(error).__name__}: {error}") from None
        printed = self._out.getvalue()
        return printed.replace(".", "") if blocks else printed

    def _builtins(self, modules=()):
        known = {"os": self._os(), "sys": self._sys(), "json": json, "hashlib": hashlib, "binascii": binascii}
        known.update(gc=gc, time=SimpleNamespace(ticks_ms=lambda: 0, ticks_diff=lambda now, then: now - then))
        known.update(modules)

        def importer(name, globals=None, locals=None, fromlist=(), level=0):
            if name not in known:
                raise ImportError(f"no module named '{name}'")
            return known[name]

        def say(*words, end="\n"):
            self._out.write(" ".join(map(str, words)) + end)

        return {**vars(builtins), "__import__": importer, "open": self._open, "print": say}

    def _sys(self):
        buffer = SimpleNamespace(readinto=lambda view: self._in.readinto(view))
        return SimpleNamespace(
            stdin=SimpleNamespace(buffer=buffer),
            path=[],
            platform=self.platform,
            implementation=SimpleNamespace(
                name="micropython",
                version=self.version,
                _mpy=self.mpy | 0x1200,
                _machine="Raspberry Pi Pico with RP2040",
            ),
        )

    # --- its file system ---

    def _os(self):
        calls = ("stat", "listdir", "ilistdir", "mkdir", "rmdir", "remove", "rename", "statvfs")
        mount = {"mount": lambda _volume, _path: None}  # another way to the same files
        return SimpleNamespace(**{name: getattr(self, "_" + name) for name in calls}, **mount)

    def _change(self, action):
        """Every change goes through here; the last one may be the last."""
        mine = self.changes == self.pull_at
        self.changes += 1
        if mine and self.how == "before":
            raise PowerCut
        action()
        if mine:
            raise PowerCut

    def free(self):
        used = sum(len(data) // BLOCK + 1 for data in self.files.values()) + 2 * (len(self.folders) + 1)
        return self.blocks - used

    def _statvfs(self, _):
        return (BLOCK, BLOCK, self.blocks, self.free(), self.free(), 0, 0, 0, 0, 255)

    def _stat(self, path):
        if path in self.folders:
            return (FOLDER, 0, 0, 0, 0, 0, 0)
        return (FILE, 0, 0, 0, 0, 0, len(self._file(path)))

    def _file(self, path):
        if path not in self.files:
            raise OSError(2, "ENOENT")
        return self.files[path]

    def _listdir(self, folder):
        return [entry[0] for entry in self._ilistdir(folder.strip("/"))]

    def _ilistdir(self, folder):
        if folder and folder not in self.folders:
            raise OSError(2, "ENOENT")
        inside = folder + "/" if folder else ""
        for paths, kind in ((self.folders, FOLDER), (self.files, FILE)):
            for path in sorted(paths):
                name = path[len(inside) :]
                if path.startswith(inside) and name and "/" not in name:
                    yield (name, kind, 0)

    def _mkdir(self, path):
        if path in self.folders or path in self.files:
            raise OSError(17, "EEXIST")
        self._need_folder(path)
        self._change(lambda: self.folders.add(path))

    def _need_folder(self, path):
        folder = path.rpartition("/")[0]
        if folder and folder not in self.folders:
            raise OSError(2, "ENOENT")

    def _rmdir(self, path):
        if path not in self.folders:
            raise OSError(2, "ENOENT")
        if list(self._ilistdir(path)):
            raise OSError(39, "ENOTEMPTY")
        self._change(lambda: self.folders.discard(path))

    def _remove(self, path):
        self._file(path)
        self._change(lambda: self.files.pop(path))

    def _rename(self, old, new):
        self._file(old)
        self._need_folder(new)
        self._change(lambda: self.files.update({new: self.files.pop(old)}))

    def _open(self, path, mode="r"):
        if mode == "wb":
            self._need_folder(path)
            return _Written(self, path)
        data = self._file(path)
        return io.BytesIO(data) if "b" in mode else io.StringIO(data.decode())

    def written(self, path, data):
        """A file was closed; one that was being written when the power went is empty, or has lost its end."""
        if self.spoils.get(path, 0) > 0:
            self.spoils[path] -= 1
            data = b"?" + data[1:]
        if self.free() < len(data) // BLOCK + 1:
            raise OSError(28, "ENOSPC")
        self._change(lambda: self.files.update({path: b""}))
        self._change(lambda: self.files.update({path: data[: len(data) // 2]}))
        self._change(lambda: self.files.update({path: data}))


class _Written(io.BytesIO):
    def __init__(self, pico, path):
        super().__init__()
        self._pico = pico
        self._path = path

    def __exit__(self, kind, *rest):
        if kind is None:
            self._pico.written(self._path, self.getvalue())
        super().__exit__(kind, *rest)


def real_main():
    """The main.py of this checkout."""
    return (SOURCE / MAIN).read_bytes()
