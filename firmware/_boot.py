"""Mount the file system before anything else runs, and never format one that may hold games."""

import vfs
from _rp2 import Flash  # type: ignore[import-not-found]

_BLOCK = 4096
_COUNT = 4  # the request of ioctl() for the number of blocks


def is_empty(flash):
    """Tell whether the flash holds no games: all blocks are erased except those of the root, which hold no games."""
    blank = b"\xff" * _BLOCK
    piece = bytearray(_BLOCK)
    for block in range(2, flash.ioctl(_COUNT, 0)):
        flash.readblocks(block, piece)
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
