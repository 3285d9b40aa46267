"""Mount the file system before anything else runs, and never format one that may hold games."""

import vfs
from _rp2 import Flash  # type: ignore[import-not-found]

_BLOCK = 4096
_PAGE = 256  # all that a new file system has in its root
_ROOT = (0, 1)  # the blocks of the root
_COUNT = 4  # the request of ioctl() for the number of blocks


def is_empty(flash):
    """Return True if all blocks of the flash are erased, except for an empty root directory.

    A power cut while a new flash is being formatted leaves at most the first page of a root.
    """
    blank = b"\xff" * _BLOCK
    piece = bytearray(_BLOCK)
    for block in range(flash.ioctl(_COUNT, 0)):
        flash.readblocks(block, piece)
        if block in _ROOT and (piece[8:16] != b"littlefs" or piece[_PAGE:] == blank[_PAGE:]):
            continue
        if piece != blank:
            return False
    return True


def mount():
    """Mount the file system; format the flash first if it is empty, mount nothing if it may hold games."""
    flash = Flash()
    try:
        system = vfs.VfsLfs2(flash, progsize=256)
    except OSError:
        if not is_empty(flash):
            return  # the firmware finds nothing mounted, and asks the players
        vfs.VfsLfs2.mkfs(flash, progsize=256)
        system = vfs.VfsLfs2(flash, progsize=256)
    vfs.mount(system, "/")


mount()
