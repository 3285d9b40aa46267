"""A Pico in memory at its prompt: runs what a session sends it, on files and blocks that a test gives it."""

import binascii
import builtins
import io
import json
from types import SimpleNamespace

from kiebitz_host.flash_layout import BLOCK, BLOCKS
from kiebitz_host.install.prompt_session import AGENT, Failed, Lost


class FakePico:
    """`flash` is what its blocks hold; `spoils` counts, for a block, how many more times it arrives damaged."""

    path = "/dev/ttyFAKE"

    def __init__(self, files=None, kiebitz="0.1.0", flash=b""):
        self.files = files  # by path; None: no file system is mounted
        self.kiebitz = kiebitz
        self.flash = flash or bytes(BLOCK * BLOCKS)
        self.version = (1, 25, 0, "")
        self.machine = "Raspberry Pi Pico with RP2040"
        self.platform = "rp2"
        self.hz = 200_000_000
        self.sys_path = [".frozen", "", "/lib"]
        self.spoils = {}
        self.lost_after = None  # so many more times something is run before the cable is pulled
        self.restarts = 0
        self.in_bootloader = False

    # --- what a session does ---

    def session(self, path):
        """Return a session on this Pico, whatever the port is called."""
        self.path = path
        self._names = {"__builtins__": self._builtins(), "__name__": "__main__"}
        self.run(AGENT.read_text())
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.restarts += not self.in_bootloader

    def enter_bootloader(self):
        self.in_bootloader = True

    def run(self, code):
        if self.lost_after is not None:
            self.lost_after -= 1
            if self.lost_after < 0:
                raise Lost
        self._out = io.BytesIO()
        try:
            exec(code, self._names)
        except Exception as error:
            raise Failed(f"{type(error).__name__}: {error}") from None
        printed = self._out.getvalue().decode()
        return self._spoilt(printed) if code.startswith("blocks(") else printed

    # --- what its programs find ---

    def _builtins(self):
        known = {"os": self._os(), "sys": self._sys(), "json": json, "binascii": binascii}
        known["machine"] = SimpleNamespace(freq=lambda: self.hz)
        known["_rp2"] = SimpleNamespace(Flash=lambda: self)
        if self.kiebitz:
            known["kiebitz"] = SimpleNamespace(VERSION=self.kiebitz)
        known.update(self._modules())

        def importer(name, *how):
            if name.startswith("kiebitz."):
                return builtins.__import__(name, *how)
            if name not in known:
                raise ImportError(f"no module named '{name}'")
            return known[name]

        def say(*words, end="\n"):
            self._out.write((" ".join(map(str, words)) + end).encode())

        return {**vars(builtins), "__import__": importer, "open": self._open, "print": say}

    def _modules(self):
        """Return more modules, or others."""
        return {}

    def _sys(self):
        buffer = SimpleNamespace(write=lambda data: self._out.write(data))
        made = SimpleNamespace(name="micropython", version=self.version, _machine=self.machine)
        stdout = SimpleNamespace(buffer=buffer)
        return SimpleNamespace(stdout=stdout, path=self.sys_path, platform=self.platform, implementation=made)

    def _os(self):
        return SimpleNamespace(statvfs=self._statvfs, listdir=self._listdir)

    def _mounted(self):
        if self.files is None:
            raise OSError(19, "ENODEV")
        return self.files

    def _statvfs(self, _):
        used = sum(len(data) // BLOCK + 1 for data in self._mounted().values())
        return (BLOCK, BLOCK, BLOCKS, BLOCKS - used, BLOCKS - used, 0, 0, 0, 0, 255)

    def _listdir(self, folder):
        inside = folder.strip("/") + "/" if folder.strip("/") else ""
        names = {path[len(inside) :].split("/")[0] for path in self._mounted() if path.startswith(inside)}
        if inside and not names:
            raise OSError(2, "ENOENT")
        return sorted(names)

    def _open(self, path, mode):
        if path not in self._mounted():
            raise OSError(2, "ENOENT")
        return io.BytesIO(self.files[path])

    # --- its flash ---

    def ioctl(self, what, _):
        return {4: BLOCKS, 5: BLOCK}[what]

    def readblocks(self, number, buffer):
        buffer[:] = self.flash[number * BLOCK : (number + 1) * BLOCK]

    def _spoilt(self, printed):
        """Return what arrives of it, changed if something on the way changes it."""
        lines = printed.splitlines()
        for k, line in enumerate(lines):
            number = int(line.split(" ")[0])
            if self.spoils.get(number, 0) > 0:
                self.spoils[number] -= 1
                lines[k] = line[:-9] + "AAAA" + line[-5:]
        return "\n".join(lines)
