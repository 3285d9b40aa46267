"""Brings a Pico from whatever is on it to the firmware of this checkout, so that a cut at any moment does no harm.

What has changed is written beside the firmware in use, and checked. Then a program that puts it in place is left on the
device and run: from that moment on the new firmware is certain, before it the old one is. Games, players, settings,
board.txt and whatever else is on the device are not touched.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ..firmware import MAIN
from .device import FOLDER, MANIFEST, Device, check
from .finish import FINISH, STAGE, finishing_program
from .session import Failed, Lost
from .trouble import DeviceFailed, FlashWrong, NoRoom, Pulled

OTHER_MAIN = "main.py.bak"  # a main.py that is none of ours is kept as this
_NEW = ".new"  # what is to replace a file at once has this behind its name
_SPARE_BLOCKS = 8  # that stay free for what the file system itself needs
_ATTEMPTS = 2

Files = Mapping[str, bytes]
Hashes = Mapping[str, str]


def manifest(files: Files) -> bytes:
    """What is installed, as sha256sum writes it."""
    return "".join(f"{digest(data)}  {path}\n" for path, data in sorted(files.items())).encode()


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass
class Report:
    """What an install has done."""

    files: int
    sent: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    other_main: bool = False


class Installer:
    """`on_progress` hears how many bytes are written and how many there are to write."""

    def __init__(self, device: Device, files: Files, on_progress: Callable[[int, int], None] = lambda *_: None):
        self._device = device
        listed = {**files, MANIFEST: manifest(files)}
        self._files = {path: listed[path] for path in sorted(listed, key=lambda path: (path == MAIN, path))}
        self._wanted = {path: digest(data) for path, data in self._files.items()}
        self._on_progress = on_progress
        self._before: bool | None = None  # whether there was a firmware when we began
        self.report = Report(len(self._files))

    def run(self) -> Report:
        """InstallTrouble, if it cannot be done; it can be repeated then."""
        try:
            self._install()
        except Lost:
            raise Pulled(self._device.path, self._before) from None
        except Failed as failed:
            raise DeviceFailed(failed, self._before) from None
        return self.report

    def _install(self) -> None:
        device = self._device
        facts = device.facts()
        check(device.path, facts)
        device.finish()
        there = device.hashes(FOLDER, MAIN)
        ours = self._is_ours(there)
        self._before = ours and len(there) > 1
        changed = {path: data for path, data in self._files.items() if there.get(path) != self._wanted[path]}
        gone = self._gone(there)
        if changed or gone:
            if ours:
                self._beside(changed, gone, there)
            else:
                self._at_once(changed, gone, there)
        self.report.sent = list(changed)
        self.report.removed = gone
        device.drop(STAGE, FINISH + _NEW, MAIN + _NEW)

    def _is_ours(self, there: Hashes) -> bool:
        """Whether the device starts with a main.py that finishes what an install has begun."""
        if there.get(MAIN) == self._wanted[MAIN]:
            return True
        return MAIN in there and FINISH.encode() in self._device.read(MAIN)

    def _gone(self, there: Hashes) -> list[str]:
        """What an earlier install has left and nobody wants any more. Files of others stay, unless they hide ours."""
        unknown = [path for path in there if path not in self._wanted]
        earlier = self._device.manifest() if unknown else {}
        return [path for path in unknown if path in earlier or self._hides_a_module(path)]

    def _hides_a_module(self, path: str) -> bool:
        """A .py beside our .mpy is what MicroPython would load."""
        return path.endswith(".py") and path[:-3] + ".mpy" in self._wanted

    # --- beside the firmware in use ---

    def _beside(self, changed: Files, gone: list[str], there: Hashes) -> None:
        device = self._device
        moves = [(_staged_name(path, data), path) for path, data in changed.items()]
        old, new = _folders(there), _folders([*self._wanted, *(path for path in there if path not in gone)])
        last_step = finishing_program(sorted(new - old), moves, gone, sorted(old - new, reverse=True))
        staged = {f"{STAGE}/{name}": changed[path] for name, path in moves}
        device.folders(STAGE)
        self._write({**staged, FINISH + _NEW: last_step}, STAGE, FINISH + _NEW)
        device.rename(FINISH + _NEW, FINISH)
        device.finish()
        self._check(changed, device.hashes(*changed))

    # --- where nothing of ours runs yet ---

    def _at_once(self, changed: Files, gone: list[str], there: Hashes) -> None:
        """Everything to its place, and main.py, which makes a firmware of it, last."""
        device = self._device
        device.folders(*sorted(_folders(changed)))
        self._write({path: data for path, data in changed.items() if path != MAIN}, FOLDER)
        device.drop(*gone)
        if MAIN in there:
            device.drop(OTHER_MAIN)
            device.rename(MAIN, OTHER_MAIN)
            self.report.other_main = True
        self._write({MAIN + _NEW: changed[MAIN]}, MAIN + _NEW)
        device.rename(MAIN + _NEW, MAIN)

    # --- writing ---

    def _write(self, files: Files, *places: str) -> None:
        """Write the files, unless they are there already, and read them again; they all lie in these places."""
        have = self._device.hashes(*places)
        self._need_room([data for path, data in files.items() if have.get(path) != digest(data)])
        for _ in range(_ATTEMPTS):
            missing = [path for path, data in files.items() if have.get(path) != digest(data)]
            if not missing:
                return
            self._send({path: files[path] for path in missing})
            have = self._device.hashes(*places)
        self._check(files, have)

    def _send(self, files: Files) -> None:
        total = sum(map(len, files.values()))
        done = 0
        for path, data in files.items():
            self._on_progress(done, total)
            self._device.write(path, data)
            done += len(data)
        self._on_progress(done, total)

    def _check(self, files: Files, have: Hashes) -> None:
        for path, data in files.items():
            if have.get(path) != digest(data):
                raise FlashWrong(path, self._before)

    def _need_room(self, data: list[bytes]) -> None:
        facts = self._device.facts()
        need = sum(len(content) // facts.block + 1 for content in data) + _SPARE_BLOCKS
        if need > facts.free:
            raise NoRoom(need * facts.block // 1024, facts.free * facts.block // 1024)


def _staged_name(path: str, data: bytes) -> str:
    """The same for the same content at the same place: what an install before has staged is found again."""
    return digest(path.encode() + b"\n" + data)[:12]


def _folders(paths: Iterable[str]) -> set[str]:
    """All folders these files lie in, and those around them."""
    found = set()
    for path in paths:
        while "/" in path:
            path = path.rpartition("/")[0]
            found.add(path)
    return found
