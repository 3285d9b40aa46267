"""Find the firmware as one UF2 file for Pico and Pico 2, and check that it is complete before it is copied."""

import hashlib
import os
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import kiebitz
from kiebitz import VERSION
from kiebitz.board.family import MARK

from ..flash_layout import FS_START
from .trouble import BadUf2, NoUf2, OtherSum

MICROPYTHON = "1.25.0"
FLASH_START = 0x10000000
SUM_SUFFIX = ".sha256"

# Default search path: the installed package, then the checkout
SHIPPED = Path(__file__).parents[1] / "uf2"
BUILD = Path(kiebitz.__file__).parents[2] / "build"

_SIZE_MOST = 8 * 1024 * 1024  # two parts of at most 1 MB; every block of 512 bytes carries 256 bytes
_BLOCK = 512
_PAYLOAD_MAX = 476
_MAGIC = (0x0A324655, 0x9E5D5157)
_MAGIC_END = 0x0AB16F30
_FAMILY_GIVEN = 0x2000
_SIZE_LEAST = 200_000  # a smaller file is not MicroPython
_MARKER = re.compile(rb"kiebitz-image:([0-9A-Za-z.+-]{1,32})\n")
_SUM = re.compile(r"\b[0-9a-f]{64}\b")


class Chip(NamedTuple):
    """A chip that the firmware is compiled for, and the family id of its blocks in a UF2 file."""

    name: str
    family: int


RP2040 = Chip("RP2040", 0xE48BFF56)
RP2350 = Chip("RP2350", 0xE48BFF59)  # its Arm cores
# The order of the parts in the file. A board restarts once it has its part: if a whole file is dragged onto a Pico 2,
# the computer reports an error while it copies the rest. So the part of the common Pico comes last.
CHIPS = (RP2350, RP2040)


class BadImage(ValueError):
    """The file is not a firmware for a Pico; the message gives the reason."""


@dataclass(frozen=True)
class Uf2:
    """A firmware file that has passed all checks."""

    path: Path
    version: str  # of Kiebitz
    sha256: str
    compared: bool = True  # True if the file was compared with the checksum file beside it
    family: str = ""  # of boards; a file that is not made for a family is changed to this one while it is copied


def uf2_name(version: str, family: str = "") -> str:
    """Return the name of the file for a family of boards."""
    return f"kiebitz-{version}{'-' if family else ''}{family}.uf2"


def mark_of(family: str) -> bytes:
    """Return the mark of an image whose boards are of this family."""
    return MARK[:15] + family.encode().ljust(len(MARK) - 16) + MARK[-1:]


def find_uf2(
    given: str | None = None,
    environ: Mapping[str, str] = os.environ,
    folders: tuple[Path, ...] = (SHIPPED, BUILD),
) -> Uf2:
    """Find the firmware: the named file, or the one of this version in a folder.

    Returns the checked file; raises NoUf2 if it is missing.
    """
    named = given or environ.get("KIEBITZ_UF2")
    if named:
        return check(Path(named).expanduser(), named=True)
    paths = [folder / uf2_name(VERSION) for folder in folders]
    for path in paths:
        if path.is_file():
            return check(path)
    raise NoUf2(paths[-1].name)


def check(path: Path, named: bool = False) -> Uf2:
    """Read the file and its checksum. Returns the checked file; only a `named` file may lack a checksum."""
    try:
        with path.open("rb") as file:
            data = file.read(_SIZE_MOST + 1)  # limited, because a device node may be endless
        contents = flash_contents(data)
        for content in contents.values():
            check_micropython(content)
    except OSError as trouble:
        raise BadUf2(path, f"it cannot be read ({trouble.strerror})") from None
    except BadImage as trouble:
        raise BadUf2(path, str(trouble)) from None
    versions = {found[1].decode() if (found := _MARKER.search(content)) else "" for content in contents.values()}
    if "" in versions:
        raise BadUf2(path, "there is MicroPython in it, but no Kiebitz")
    if len(versions) > 1:
        raise BadUf2(path, "its parts are different versions")
    digest = hashlib.sha256(data).hexdigest()
    return Uf2(path, versions.pop(), digest, _compare(path, digest, named))


def read_part(uf2: Uf2, chip: Chip) -> bytes:
    """Return the blocks for this chip and family of boards; raise BadUf2 if the file has changed since the check."""
    try:
        data = uf2.path.read_bytes()
    except OSError as trouble:
        raise BadUf2(uf2.path, f"it cannot be read ({trouble.strerror})") from None
    if hashlib.sha256(data).hexdigest() != uf2.sha256:
        raise BadUf2(uf2.path, "it has changed since it was checked")
    return _for_boards(b"".join(block for block in _blocks(data) if _family(block) == chip.family), uf2.family)


def _for_boards(part: bytes, family: str) -> bytes:
    """Return the blocks with the mark of a family in place of the usual one, which may lie in two blocks."""
    content = flash_content(part) if family else b""
    if MARK not in content:
        return part
    content = content.replace(MARK, mark_of(family))
    blocks = []
    for block in _blocks(part):
        address, size = struct.unpack_from("<2I", block, 12)
        at = address - FLASH_START
        blocks.append(block[:32] + content[at : at + size] + block[32 + size :])
    return b"".join(blocks)


def _compare(path: Path, digest: str, named: bool) -> bool:
    """Compare the digest with the checksum file. Returns False if there is none and none is required."""
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


def read_uf2(path: Path, version: str = MICROPYTHON, chip: Chip = RP2040) -> bytes:
    """Return a chip's flash content from a file with this MicroPython; raise BadImage if there is none."""
    content = flash_contents(path.read_bytes())[chip]
    check_micropython(content, version)
    return content


def check_micropython(content: bytes, version: str = MICROPYTHON) -> None:
    """Raise BadImage unless the flash content has the required MicroPython."""
    if len(content) < _SIZE_LEAST or b"MicroPython v" not in content:
        raise BadImage("there is no MicroPython in it")
    if f"MicroPython v{version}".encode() not in content:
        raise BadImage(f"it is not version {version}")


def flash_contents(data: bytes) -> dict[Chip, bytes]:
    """Return the flash content for each chip, from the start of the flash; raise BadImage for an invalid part."""
    if len(data) > _SIZE_MOST:
        raise BadImage("it is larger than the flash of a Pico")
    if not data or len(data) % _BLOCK:
        raise BadImage("its length is not a multiple of 512")
    parts = _parts(_blocks(data))
    chips = {chip.family: chip for chip in CHIPS}
    if any(family not in chips for family, _ in parts):
        raise BadImage("it is made for another chip")
    found = tuple(chips[family] for family, _ in parts)
    if set(found) != set(CHIPS):
        missing = next(chip for chip in CHIPS if chip not in found)
        raise BadImage(f"the part for the {missing.name} is missing")
    if found != CHIPS:
        raise BadImage("its parts are in the wrong order")
    return {chip: flash_content(b"".join(blocks)) for chip, (_, blocks) in zip(found, parts, strict=True)}


def _blocks(data: bytes) -> list[bytes]:
    return [data[at : at + _BLOCK] for at in range(0, len(data), _BLOCK)]


def _parts(blocks: list[bytes]) -> list[tuple[int, list[bytes]]]:
    """Return (family, blocks) of each part; raise BadImage if blocks are missing or out of order."""
    for block in blocks:
        _check_block(block)
    parts: list[tuple[int, list[bytes]]] = []
    at = 0
    while at < len(blocks):
        family = _family(blocks[at])
        (count,) = struct.unpack_from("<I", blocks[at], 24)
        part = blocks[at : at + count]
        numbers = [struct.unpack_from("<2I", block, 20) for block in part]
        if not part or numbers != [(k, count) for k in range(count)] or any(_family(block) != family for block in part):
            raise BadImage("it is not complete")
        parts.append((family, part))
        at += count
    return parts


def flash_content(part: bytes) -> bytes:
    """Return the flash content of one part from the start of the flash; raise BadImage if it has another address."""
    payloads: dict[int, bytes] = {}
    for block in _blocks(part):
        address, size = struct.unpack_from("<2I", block, 12)
        payloads[address] = block[32 : 32 + size]
    end = max(address + len(payload) for address, payload in payloads.items())
    if min(payloads) != FLASH_START or end > FLASH_START + FS_START:
        raise BadImage("it does not lie where a Pico keeps MicroPython")
    flash = bytearray(b"\xff" * (end - FLASH_START))
    for address, payload in payloads.items():
        flash[address - FLASH_START : address - FLASH_START + len(payload)] = payload
    return bytes(flash)


def _family(block: bytes) -> int:
    return struct.unpack_from("<I", block, 28)[0]


def _check_block(block: bytes) -> None:
    """Raise BadImage if this is not a UF2 block with a family."""
    first, second, flags, _, size = struct.unpack_from("<5I", block)
    if (first, second) != _MAGIC or struct.unpack_from("<I", block, _BLOCK - 4)[0] != _MAGIC_END:
        raise BadImage("it is not a UF2 file")
    if not flags & _FAMILY_GIVEN:
        raise BadImage("it is made for another chip")
    if size > _PAYLOAD_MAX:
        raise BadImage("it is not a UF2 file")
