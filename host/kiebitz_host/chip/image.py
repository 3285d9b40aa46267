"""Finds or builds MicroPython for the Pico: given by the user, cached, downloaded, or made from Debian's sources."""

import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

from ..outcome import Trouble
from .cache import cache_folder, only_one

VERSION = "1.25.0"
FLASH_START = 0x10000000
FS_START = 0xA0000  # where the file system begins: MicroPython itself must end before it

_NAME = f"micropython-{VERSION}-RPI_PICO.uf2"
_BUILD = Path(__file__).with_name("build_uf2.sh")
_DOWNLOAD_S = 20  # for an answer, and for each piece of the file

_BLOCK = 512
_MAGIC = (0x0A324655, 0x9E5D5157)
_MAGIC_END = 0x0AB16F30
_FAMILY_GIVEN = 0x2000
_RP2040 = 0xE48BFF56
_SIZE_LEAST = 200_000  # a MicroPython that is smaller is none

Say = Callable[[str], None]


class BadImage(ValueError):
    """A file that is no MicroPython for the Pico, and why."""


def say_aside(line: str) -> None:
    """Progress, on standard error: what the command prints stays clean."""
    print(f"MicroPython for the Pico: {line}", file=sys.stderr, flush=True)


def find_image(given: str | None = None, say: Say = say_aside) -> Path:
    """The UF2 file, made on first use; `given` or KIEBITZ_UF2 is taken instead of everything else."""
    given = given or os.environ.get("KIEBITZ_UF2")
    if given:
        return _given(Path(given))
    cached = cache_folder() / _NAME
    if _is_good(cached):
        return cached
    with only_one(_NAME, say):
        if not _is_good(cached):  # nor has somebody made it while we waited
            _make(cached, say)
    return cached


def kept_image() -> Path | None:
    """The UF2 file that is in the cache already, if there is one."""
    cached = cache_folder() / _NAME
    return cached if _is_good(cached) else None


def _given(path: Path) -> Path:
    try:
        read_uf2(path)
    except OSError as trouble:
        raise Trouble(f"cannot read {path}: {trouble.strerror}.") from None
    except BadImage as trouble:
        raise Trouble(f"{path} is no MicroPython {VERSION} for the Pico: {trouble}.") from None
    return path


def _is_good(path: Path) -> bool:
    try:
        read_uf2(path)
    except (OSError, BadImage):
        return False
    return True


def _make(target: Path, say: Say) -> None:
    """Tries every way in turn; only a file that was looked through gets the name."""
    reasons = []
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="making-") as work:
        made = Path(work) / _NAME
        for way in (_download, _build):
            try:
                way(made, say)
                read_uf2(made)
            except (OSError, BadImage, Failed) as trouble:
                reasons.append(str(trouble).rstrip(".") or type(trouble).__name__)
                say(reasons[-1])
                continue
            os.replace(made, target)
            say(f"kept as {target}")
            return
    raise Trouble(
        f"there is no MicroPython {VERSION} for the Pico ({'; '.join(reasons)}): "
        "fetch the UF2 file from micropython.org and give it with --uf2 FILE or KIEBITZ_UF2=FILE."
    )


class Failed(Exception):
    """One way to an image did not lead there, and why."""


def _download(target: Path, say: Say) -> None:
    try:
        from rp2040py.utils.firmware_retrieve import MICROPYTHON
    except ImportError:
        raise Failed("the emulator, which knows where to find it, is not installed") from None
    known = MICROPYTHON.boards["pico"].fw if MICROPYTHON.boards else {}
    if VERSION not in known:
        raise Failed(f"the emulator does not know where to find version {VERSION}")
    url = known[VERSION]
    say(f"downloading {url}")
    try:
        with urlopen(url, timeout=_DOWNLOAD_S) as answer, open(target, "wb") as file:
            shutil.copyfileobj(answer, file)
    except (OSError, ValueError) as trouble:
        raise Failed(f"the download failed: {getattr(trouble, 'reason', trouble)}") from None


def _build(target: Path, say: Say) -> None:
    """From Debian's sources; of a build that fails the log is kept in the cache."""
    work = target.parent / "work"
    say("building it from Debian's source packages")
    try:
        with subprocess.Popen(
            ["bash", str(_BUILD), str(target), str(work)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as build:
            assert build.stdout and build.stderr
            for line in build.stdout:
                say(line.strip())
            reason = build.stderr.read().strip()
    except FileNotFoundError:
        raise Failed("there is no bash to build it with") from None
    if build.returncode:
        log = work / "build.log"
        if log.exists():
            kept = shutil.copy(log, cache_folder() / "micropython-build.log")
            reason += f" (the log is {kept})"
        raise Failed(reason or "the build failed")


# --- the file ---


def read_uf2(path: Path) -> bytes:
    """What the file puts into flash from its start on; raises BadImage unless it is this MicroPython."""
    data = path.read_bytes()
    if not data or len(data) % _BLOCK:
        raise BadImage("its length is no multiple of 512")
    parts: dict[int, bytes] = {}
    for at in range(0, len(data), _BLOCK):
        address, payload = _block(data[at : at + _BLOCK])
        parts[address] = payload
    end = max(address + len(payload) for address, payload in parts.items())
    if min(parts) != FLASH_START or end > FLASH_START + FS_START:
        raise BadImage("it does not lie where a Pico keeps MicroPython")
    flash = bytearray(b"\xff" * (end - FLASH_START))
    for address, payload in parts.items():
        flash[address - FLASH_START : address - FLASH_START + len(payload)] = payload
    if len(flash) < _SIZE_LEAST or b"MicroPython v" not in flash:
        raise BadImage("there is no MicroPython in it")
    if f"MicroPython v{VERSION}".encode() not in flash:
        raise BadImage(f"it is not version {VERSION}")
    return bytes(flash)


def _block(block: bytes) -> tuple[int, bytes]:
    """Address and content of one block of a UF2 file."""
    first, second, flags, address, size, _, _, family = struct.unpack_from("<8I", block)
    if (first, second) != _MAGIC or struct.unpack_from("<I", block, _BLOCK - 4)[0] != _MAGIC_END:
        raise BadImage("it is no UF2 file")
    if not flags & _FAMILY_GIVEN or family != _RP2040:
        raise BadImage("it is made for another chip")
    return address, block[32 : 32 + size]
