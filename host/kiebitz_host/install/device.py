"""A Pico as the installer sees it: what it is, the files on it, and what can be done with them."""

import base64
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from ..firmware import MAIN
from .session import Failed
from .trouble import MICROPYTHON, OldMicroPython, OtherBoard

FOLDER = "kiebitz"
MANIFEST = "kiebitz/files.txt"

_BLOCK = 2048  # bytes that are sent at once; the agent has room for twice as many
_MPY = 6  # the version of .mpy files that is loaded
_NEEDED = tuple(int(part) for part in MICROPYTHON.split("."))


class Runner(Protocol):
    """Runs code where the agent is, and sends a block for each dot it prints; Session is the real one."""

    path: str

    def run(self, code: str, blocks: Iterable[bytes] = ()) -> str: ...


@dataclass(frozen=True)
class Facts:
    name: str
    version: tuple[int, ...]
    mpy: int
    machine: str
    platform: str
    block: int
    blocks: int
    free: int  # blocks
    names: tuple[str, ...]  # in the first folder

    @property
    def micropython(self) -> str:
        return ".".join(map(str, self.version))


class Device:
    """Failed and Lost, as the session raises them, mean that what was asked for may have been done in part."""

    def __init__(self, session: Runner):
        self.path = session.path
        self._run = session.run

    # --- what is there ---

    def facts(self) -> Facts:
        told = json.loads(self._run("facts()"))
        told["version"] = tuple(told["version"])
        told["names"] = tuple(told["names"])
        return Facts(**told)

    def hashes(self, *paths: str) -> dict[str, str]:
        """The checksums of these files and of all files in these folders, as far as they are there."""
        told = self._run(f"hashes(*{paths!r})")
        return {path: digest for digest, path in (line.split(" ", 1) for line in told.splitlines())}

    def read(self, path: str) -> bytes:
        """The bytes of a file; none if it is not there."""
        return b"".join(base64.b64decode(line) for line in self._run(f"show({path!r})").splitlines())

    def manifest(self) -> dict[str, str]:
        """The checksums that the last install has left; empty without one."""
        lines = self.read(MANIFEST).decode(errors="replace").splitlines()
        parts = [line.split("  ", 1) for line in lines]
        return {part[1]: part[0] for part in parts if len(part) == 2}

    def version(self) -> str | None:
        """Of the firmware that starts on it; None if there is none."""
        try:
            return self._run(f"import kiebitz\nos.stat({MAIN!r})\nprint(kiebitz.VERSION)").strip()
        except Failed:
            return None

    def games(self) -> int:
        """How many there are on it."""
        return int(self._run("games()"))

    # --- what can be done ---

    def folders(self, *paths: str) -> None:
        """Make folders, the outer ones first; those that are there stay."""
        self._run(f"folders(*{paths!r})")

    def write(self, path: str, data: bytes) -> None:
        """Make a file, in a folder that is there."""
        pieces = [data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK)]
        blocks = [piece.replace(b"\x1b", b"\x1b[").replace(b"\x03", b"\x1b#") for piece in pieces]
        self._run(f"take({path!r}, {[len(block) for block in blocks]})", blocks)

    def rename(self, path: str, name: str) -> None:
        """A file of that name is replaced, in one step."""
        self._run(f"os.rename({path!r}, {name!r})")

    def drop(self, *paths: str) -> None:
        """Remove files and whole folders, if they are there."""
        self._run(f"drop(*{paths!r})")

    def finish(self) -> None:
        """Do the last step of an install that was left on the device, if there is one."""
        self._run("finish()")


def check(path: str, facts: Facts) -> None:
    """Whether the firmware runs there; a newer MicroPython is given a chance."""
    if facts.platform != "rp2":
        raise OtherBoard(path, facts.machine)
    if facts.name != "micropython" or facts.mpy != _MPY or facts.version < _NEEDED:
        raise OldMicroPython(path, facts.micropython)
