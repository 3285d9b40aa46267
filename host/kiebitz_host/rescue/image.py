"""Read an image of a Pico's flash: its blocks, and how littlefs chains them."""

import struct
from collections.abc import Iterator
from pathlib import Path

from kiebitz.store.sealed_lines import LINE_MAX

from ..flash_layout import BLOCK, BLOCKS, FLASH_SIZE, FS_SIZE, FS_START
from ..outcome import Trouble

SIZE_MAX = 16 * 1024 * 1024  # no Pico has a larger flash

_POINTERS_MAX = 32
# How much of the previous block is read again: a line that began there, and the line before it
_OVERLAP = 2 * LINE_MAX


def read_image(path: Path) -> bytes:
    """Read an image of the file system alone or of the whole flash.

    Returns the file system; raises Trouble if it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(SIZE_MAX + 1)  # a device file may be endless
    except OSError as trouble:
        raise Trouble(f"cannot read {path}: {trouble.strerror}.") from None
    if len(data) > SIZE_MAX:
        raise Trouble(f"{path} is not an image of a Pico's flash: it is too large.")
    return data[FS_START : FS_START + FS_SIZE] if len(data) == FLASH_SIZE else data


def streams(image: bytes) -> Iterator[bytes]:
    """Yield the content of each block, preceded by the end of the block that it continues.

    littlefs stores a long file as linked blocks. Each block but the first begins with pointers: the first one to the
    previous block, the others further back. A pointer is a block number in four bytes, little-endian, and cannot be
    mistaken for text.
    """
    for at in range(0, len(image), BLOCK):
        before, content = _content(image, at)
        if before is not None:
            content = _content(image, before * BLOCK)[1][-_OVERLAP:] + content
        yield content


def _content(image: bytes, at: int) -> tuple[int | None, bytes]:
    """Return (number of the block that this block continues, or None; content after the pointers)."""
    block = image[at : at + BLOCK]
    blocks = len(image) // BLOCK
    pointers: list[int] = []
    for (number,) in struct.iter_unpack("<I", block[: min(_POINTERS_MAX, len(block) & ~3)]):
        if number >= blocks:
            break
        pointers.append(number)
    return pointers[0] if pointers else None, block[4 * len(pointers) :]


def mounted_files(image: bytes) -> dict[str, bytes] | None:
    """Read the journals and the newest lines through the file system. Returns {path: content}.

    Returns None if the image cannot be mounted, or littlefs-python is not installed. Unreadable files are skipped.
    """
    try:
        from littlefs import LittleFS, LittleFSError, UserContext
    except ImportError:
        return None
    if len(image) != FS_SIZE:
        return None
    context = UserContext(buffsize=FS_SIZE)
    context.buffer[:] = image
    lfs = LittleFS(context=context, block_size=BLOCK, block_count=BLOCKS, prog_size=256, mount=False)
    found: dict[str, bytes] = {}
    try:
        lfs.mount()
        for root, _, names in lfs.walk("/data"):
            for name in names:
                path = f"{root}/{name}"
                try:
                    with lfs.open(path, "rb") as file:
                        found[path] = file.read()
                except (LittleFSError, OSError):
                    pass
    except (LittleFSError, OSError, ValueError):
        return found or None
    return found
