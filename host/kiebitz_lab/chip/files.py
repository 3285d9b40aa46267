"""Create and read the file system on the Pico's flash: littlefs in MicroPython's layout."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from kiebitz_host.flash_layout import BLOCK, BLOCKS, FLASH_SIZE, FS_START
from kiebitz_host.install.uf2 import read_uf2

FS_END = FS_START + BLOCK * BLOCKS

_FILLER = "filler"


class BadFileSystem(Exception):
    """The flash holds no file system, or a damaged one."""


def flash_with(uf2: Path, files: Mapping[str, bytes] = MappingProxyType({})) -> bytes:
    """Return a whole flash with an image and a new file system with these files."""
    flash = bytearray(b"\xff" * FLASH_SIZE)
    program = read_uf2(uf2)
    flash[: len(program)] = program
    flash[FS_START:FS_END] = make_file_system(files)
    return bytes(flash)


def make_file_system(files: Mapping[str, bytes], blocks: int = BLOCKS) -> bytes:
    """Return a new file system with these files."""
    lfs, context = _littlefs(blocks=blocks)
    lfs.format()
    lfs.mount()
    _put(lfs, files)
    return bytes(context.buffer)


def read_files(flash: bytes, folder: str = "") -> dict[str, bytes]:
    """Return the files on a flash by path, or only those in a folder; raises BadFileSystem."""
    from littlefs import LittleFSError

    lfs, _ = _littlefs(flash)
    found = {}
    try:
        lfs.mount()
        for root, _, names in lfs.walk("/" + folder):
            for name in names:
                path = f"{root.rstrip('/')}/{name}"
                with lfs.open(path, "rb") as file:
                    found[path.lstrip("/")] = file.read()
    except LittleFSError as trouble:
        if trouble.code == LittleFSError.Error.LFS_ERR_NOENT:
            return {}
        raise BadFileSystem(str(trouble)) from None
    return found


def changed(flash: bytes, files: Mapping[str, bytes | None]) -> bytes:
    """Return the flash with these files written; None removes a file."""
    lfs, context = _littlefs(flash)
    lfs.mount()
    _put(lfs, {name: data for name, data in files.items() if data is not None})
    for name, data in files.items():
        if data is None:
            lfs.remove(name)
    return _with_file_system(flash, bytes(context.buffer))


def filled(flash: bytes, free_blocks: int = 0) -> bytes:
    """Return the flash filled up to `free_blocks` free blocks."""
    lfs, context = _littlefs(flash)
    lfs.mount()
    with lfs.open(_FILLER, "wb") as file:
        while lfs.fs_stat().block_count - lfs.used_block_count > free_blocks:
            file.write(bytes(BLOCK // 8))
            file.flush()
    return _with_file_system(flash, bytes(context.buffer))


def damaged(flash: bytes) -> bytes:
    """Return the flash with both copies of the root damaged, so that it cannot be mounted."""
    spoilt = bytearray(flash)
    for at in range(FS_START, FS_START + 2 * BLOCK):
        spoilt[at] ^= 0x5A
    return bytes(spoilt)


def _littlefs(flash: bytes | None = None, blocks: int = BLOCKS):
    from littlefs import LittleFS, UserContext

    context = UserContext(buffsize=BLOCK * blocks)
    if flash is not None:
        context.buffer[:] = flash[FS_START:FS_END]
    lfs = LittleFS(context=context, block_size=BLOCK, block_count=blocks, prog_size=256, mount=False)
    return lfs, context


def _put(lfs, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        folder = name.rpartition("/")[0]
        if folder:
            lfs.makedirs(folder, exist_ok=True)
        with lfs.open(name, "wb") as file:
            file.write(data)


def _with_file_system(flash: bytes, content: bytes) -> bytes:
    return flash[:FS_START] + content + flash[FS_END:]
