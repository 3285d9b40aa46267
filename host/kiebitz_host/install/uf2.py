"""Finds the firmware as one UF2 file, and checks before copying that it is complete and made for the Pico."""

import hashlib
import os
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import kiebitz
from kiebitz import VERSION

from .trouble import BadUf2, NoUf2, OtherSum

MICROPYTHON = "1.25.0"
FLASH_START = 0x10000000
FS_START = 0xA0000  # offset of the file system: the program must end before it
SUM_SUFFIX = ".sha256"

# The folders to search if no file is named: the installed package, then the checkout
SHIPPED = Path(__file__).parents[1] / "uf2"
BUILD = Path(kiebitz.__file__).parents[2] / "build"

_SIZE_MOST = 8 * 1024 * 1024  # every block of 512 bytes carries 256 bytes of a flash of 2 MB, with room to spare
_BLOCK = 512
_PAYLOAD_MAX = 476
_MAGIC = (0x0A324655, 0x9E5D5157)
_MAGIC_END = 0x0AB16F30
_FAMILY_GIVEN = 0x2000
_RP2040 = 0xE48BFF56
_SIZE_LEAST = 200_000  # a smaller file is no MicroPython
_MARKER = re.compile(rb"kiebitz-image:([0-9A-Za-z.+-]{1,32})\n")
_SUM = re.compile(r"\b[0-9a-f]{64}\b")


class BadImage(ValueError):
    """The file does not belong on a Pico; the message says why."""


@dataclass(frozen=True)
class Uf2:
    """A firmware file that has passed all checks."""

    path: Path
    version: str  # of the Kiebitz in it
    sha256: str
    compared: bool = True  # True if the file was compared with the checksum in the file beside it


def find_uf2(
    given: str | None = None,
    environ: Mapping[str, str] = os.environ,
    folders: tuple[Path, ...] = (SHIPPED, BUILD),
) -> Uf2:
    """Find the firmware: the named file, or that of this version in a folder.

    Returns it checked, raises NoUf2 if missing.
    """
    named = given or environ.get("KIEBITZ_UF2")
    if named:
        return check(Path(named).expanduser(), named=True)
    paths = [folder / f"kiebitz-{VERSION}.uf2" for folder in folders]
    for path in paths:
        if path.is_file():
            return check(path)
    raise NoUf2(paths[-1].name)


def check(path: Path, named: bool = False) -> Uf2:
    """Read the file and its checksum. Returns the checked file; only a `named` file may lack a checksum."""
    try:
        with path.open("rb") as file:
            data = file.read(_SIZE_MOST + 1)  # a device node may have no end
        content = flash_content(data)
        check_micropython(content)
    except OSError as trouble:
        raise BadUf2(path, f"it cannot be read ({trouble.strerror})") from None
    except BadImage as trouble:
        raise BadUf2(path, str(trouble)) from None
    found = _MARKER.search(content)
    if found is None:
        raise BadUf2(path, "there is MicroPython in it, but no Kiebitz")
    digest = hashlib.sha256(data).hexdigest()
    return Uf2(path, found[1].decode(), digest, _compare(path, digest, named))


def read_again(uf2: Uf2) -> bytes:
    """Return the bytes of the file; raises BadUf2 if they are not those that were checked."""
    try:
        data = uf2.path.read_bytes()
    except OSError as trouble:
        raise BadUf2(uf2.path, f"it cannot be read ({trouble.strerror})") from None
    if hashlib.sha256(data).hexdigest() != uf2.sha256:
        raise BadUf2(uf2.path, "it has changed since it was checked")
    return data


def _compare(path: Path, digest: str, named: bool) -> bool:
    """Compare the digest with the checksum file. Returns False if there is none and none is needed."""
    beside = path.with_name(path.name + SUM_SUFFIX)
    try:
        text = beside.read_text(errors="replace")
    except FileNotFoundError:
        if named:
            return False
        raise BadUf2(path, f"its checksum {beside.name} is missing") from None
    except OSError as trouble:
        raise BadUf2(path, f"its checksum {beside.name} cannot be read ({trouble.strerror})") from None
    found = _SUM.search(text.lower())
    if found is None or found[0] != digest:
        raise OtherSum(path, beside)
    return True


# --- what is in the file ---


def read_uf2(path: Path, version: str = MICROPYTHON) -> bytes:
    """Read a file with this MicroPython.

    Returns its flash content from the start of the flash; raises BadImage if there is none.
    """
    content = flash_content(path.read_bytes())
    check_micropython(content, version)
    return content


def check_micropython(content: bytes, version: str = MICROPYTHON) -> None:
    """Raise BadImage unless the flash has the required MicroPython."""
    if len(content) < _SIZE_LEAST or b"MicroPython v" not in content:
        raise BadImage("there is no MicroPython in it")
    if f"MicroPython v{version}".encode() not in content:
        raise BadImage(f"it is not version {version}")


def flash_content(data: bytes) -> bytes:
    """Return the flash content of a UF2 file from the start of the flash; raises BadImage if it is not for a Pico."""
    if len(data) > _SIZE_MOST:
        raise BadImage("it is larger than the flash of a Pico")
    if not data or len(data) % _BLOCK:
        raise BadImage("its length is no multiple of 512")
    parts: dict[int, bytes] = {}
    for number in range(len(data) // _BLOCK):
        block = data[number * _BLOCK : (number + 1) * _BLOCK]
        address, payload = _block(block)
        if struct.unpack_from("<2I", block, 20) != (number, len(data) // _BLOCK):
            raise BadImage("it is not complete")
        parts[address] = payload
    end = max(address + len(payload) for address, payload in parts.items())
    if min(parts) != FLASH_START or end > FLASH_START + FS_START:
        raise BadImage("it does not lie where a Pico keeps MicroPython")
    flash = bytearray(b"\xff" * (end - FLASH_START))
    for address, payload in parts.items():
        flash[address - FLASH_START : address - FLASH_START + len(payload)] = payload
    return bytes(flash)


def _block(block: bytes) -> tuple[int, bytes]:
    """Return (address, content) of one block of a UF2 file; raises BadImage if it is none for this chip."""
    first, second, flags, address, size, _, _, family = struct.unpack_from("<8I", block)
    if (first, second) != _MAGIC or struct.unpack_from("<I", block, _BLOCK - 4)[0] != _MAGIC_END:
        raise BadImage("it is no UF2 file")
    if not flags & _FAMILY_GIVEN or family != _RP2040:
        raise BadImage("it is made for another chip")
    if size > _PAYLOAD_MAX:
        raise BadImage("it is no UF2 file")
    return address, block[32 : 32 + size]
