"""Query a Pico at its prompt, save its flash to a file, and make it enter its bootloader."""

import base64
import binascii
import json
import os
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ..link.client import Client
from ..link.ports import Port, open_port
from ..link.trouble import DeviceRefused, LinkLost, LinkTrouble, NoAnswer, Nonsense, NotAKiebitz, OtherProtocol
from ..received import Check, listed, number, record, text, version
from .prompt_session import Failed, Lost, Session
from .trouble import CannotSave, DeviceFailed, DoesNotStart, FlashUnreadable, OtherBoard, Pulled

FROZEN = ".frozen"  # the firmware in sys.path
_ATTEMPTS = 3  # attempts to read a block
_FLASH_MAX = 1 << 24  # bytes, of the largest flash that a Pico can have
_BLOCK_SIZES = range(256, 1 << 16)
_COUNT = number(_FLASH_MAX)
_FACTS = record(
    {"version": listed(number(9999), 3), "machine": text(128), "platform": text(32), "path": listed(text(255), 32)},
    {"kiebitz": version, "mhz": number(1000), "block": _COUNT, "blocks": _COUNT, "free": _COUNT,
     "names": listed(text(255), 4096), "games": _COUNT},
)  # fmt: skip


class Runner(Protocol):
    """Run code on the device; Session is the real implementation."""

    path: str

    def run(self, code: str) -> str: ...


@dataclass(frozen=True)
class PicoFacts:
    """The device's report about itself; fields that need a mounted file system are 0 or empty without one."""

    version: list[int]  # of MicroPython
    machine: str
    platform: str
    path: list[str]  # sys.path
    kiebitz: str | None = None
    mhz: int = 0  # the processor clock; 0 if unknown
    block: int = 0  # of the file system, in bytes; 0 if none is mounted
    blocks: int = 0
    free: int = 0
    names: list[str] = field(default_factory=list)  # in the root folder
    games: int = 0

    @property
    def micropython(self) -> str:
        return ".".join(map(str, self.version))

    @property
    def is_mounted(self) -> bool:
        return bool(self.block)


class Device:
    """Query a device through a session, and convert its errors to Trouble."""

    def __init__(self, session: Runner):
        self.path = session.path
        self._session = session

    def facts(self) -> PicoFacts:
        """Return the facts about the device; raise OtherBoard if it is not a Pico."""
        facts = PicoFacts(**self.ask("facts()", _FACTS))
        if facts.platform != "rp2":
            raise OtherBoard(self.path, facts.machine)
        return facts

    def ask(self, code: str, check: Check) -> Any:
        """Run code that prints JSON. Returns the validated value."""
        with self._trouble():
            return check(json.loads(self._session.run(code)))

    def tell(self, code: str) -> None:
        """Run code that prints nothing."""
        with self._trouble():
            self._session.run(code)

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; empty if the file does not exist."""
        with self._trouble():
            return b"".join(base64.b64decode(line) for line in self._session.run(f"show({path!r})").splitlines())

    def geometry(self) -> tuple[int, int]:
        """Return (number of blocks in the file system, bytes in a block)."""
        with self._trouble():
            count, size = map(int, self._session.run("geometry()").split())
            if count < 1 or size not in _BLOCK_SIZES or count * size > _FLASH_MAX:
                raise ValueError("no flash of a Pico")
        return count, size

    def blocks(self, first: int, count: int, size: int) -> bytes:
        """Read blocks of the flash, and retry corrupt ones.

        Returns their bytes; raises FlashUnreadable if that fails.
        """
        found: dict[int, bytes] = {}
        for _ in range(_ATTEMPTS):
            missing = [at for at in range(first, first + count) if at not in found]
            if not missing:
                break
            with self._trouble():
                told = self._session.run(f"blocks({missing[0]}, {missing[-1] - missing[0] + 1}, {size})")
            blocks = [block for block in map(_block, told.splitlines()) if block and len(block[1]) == size]
            found.update(block for block in blocks if first <= block[0] < first + count)
        for at in range(first, first + count):
            if at not in found:
                raise FlashUnreadable(self.path, at)
        return b"".join(found[at] for at in range(first, first + count))

    @contextmanager
    def _trouble(self):
        try:
            yield
        except Lost:
            raise Pulled(self.path) from None
        except Failed as failed:
            raise DeviceFailed(self.path, failed) from None
        except (ValueError, TypeError, RecursionError):
            raise DeviceFailed(self.path, "something that this computer does not understand") from None


def _block(line: str) -> tuple[int, bytes] | None:
    """Return (number, content) of a block that has arrived intact, or None."""
    try:
        number, crc, text = line.split(" ")
        content = base64.b64decode(text, validate=True)
        return (int(number), content) if binascii.crc32(content) == int(crc, 16) else None
    except ValueError:
        return None


_BLOCKS = 16  # blocks per read


def save_flash(device: Device, target: Path, progress: Callable[[str], None] = lambda _: None) -> int:
    """Write the flash to a file atomically. Returns its size in bytes."""
    if target.exists():
        raise CannotSave(target, "it is there already")
    beside = target.with_name(target.name + ".part")
    try:
        with open(beside, "wb") as file:
            for piece in _pieces(device, progress):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        os.replace(beside, target)
    except OSError as trouble:
        raise CannotSave(target, trouble.strerror) from None
    finally:
        _remove(beside)
    return size


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        pass  # the file has been renamed, or never existed


def _pieces(device: Device, progress: Callable[[str], None]):
    """Yield the flash in pieces, from its first block on."""
    count, size = device.geometry()
    for first in range(0, count, _BLOCKS):
        progress(f"reading the flash, {100 * first // count} %")
        yield device.blocks(first, min(_BLOCKS, count - first), size)
    progress("reading the flash, 100 %")


def open_client(path: str) -> Client:
    """Open the link to this port. Returns a client, without checking that a Kiebitz answers."""
    return Client(open_port(Port(path, "Pico")))


def enter_bootloader(
    path: str,
    connect: Callable[[str], Client] = open_client,
    session: Callable[[str], Any] = Session,
) -> tuple[str | None, str]:
    """Make the Pico on this port a drive.

    Returns (version of the Kiebitz that ran on it or None, its board or an empty string).

    A Kiebitz that does not support the request, or does not answer, is stopped and sent to its bootloader from the
    prompt, like any MicroPython.
    """
    ran = _ask(path, connect)
    if ran and ran[2]:
        return ran[:2]
    with session(path) as prompt:
        facts = Device(prompt).facts()
        prompt.enter_bootloader()
    return ran[:2] if ran else (facts.kiebitz, "")


def _ask(path: str, connect: Callable[[str], Client]) -> tuple[str, str, bool] | None:
    """Send the request over the link. Returns (version, board, True if accepted); None if no Kiebitz answers."""
    with connect(path) as client:
        try:
            hello = client.hello()
        except (NotAKiebitz, OtherProtocol, Nonsense):
            return None
        ran = hello["version"], hello.get("board", "")
        try:
            client.update()
        except LinkLost:
            pass  # the Pico disconnected before its answer arrived
        except (DeviceRefused, NoAnswer):
            return *ran, False
        return *ran, True


START_S = 60.0
RESET_S = 5.0  # until then the prompt may be left over from before the restart
LOOK_S = 0.2


def wait_for_first_screen(
    path: Callable[[], str],
    connect: Callable[[str], Client] = open_client,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> str:
    """Wait until the app answers, which it does once its first screen is drawn. Returns its version.

    path() returns the current port of the Pico.
    """
    begun = clock()
    while True:
        try:
            with connect(path()) as client:
                return client.hello()["version"]
        except NotAKiebitz as trouble:
            if trouble.prompt and clock() >= begun + RESET_S:
                raise DoesNotStart(path(), "it has stopped at the MicroPython prompt") from None
            last: LinkTrouble = trouble
        except LinkTrouble as trouble:  # the Pico is not back yet, or the system is still enumerating it
            last = trouble
        if clock() >= begun + START_S:
            reason = "it does not answer" if isinstance(last, NotAKiebitz) else str(last).rstrip(".")
            raise DoesNotStart(path(), reason) from None
        sleep(LOOK_S)
