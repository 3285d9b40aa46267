"""Runs before everything else on the device: mounts the file system, and never formats one that may hold games."""

import vfs
from rp2 import Flash

_BLOCK = 4096
_COUNT = 4  # what ioctl() is asked for: the number of blocks


def is_empty(flash):
    """Tell whether nothing can be lost: all blocks are erased but those of the root, where there are no games."""
    blank = b"\xff" * _BLOCK
    piece = bytearray(_BLOCK)
    for block in range(2, flash.ioctl(_COUNT, 0)):
        flash.readblocks(block, piece)
        if piece != blank:
            return False
    return True


def mount():
    flash = Flash()
    try:
        system = vfs.VfsLfs2(flash, progsize=256)
    except OSError:
        if not is_empty(flash):
            return  # the firmware sees that nothing is mounted, and asks the players
        vfs.VfsLfs2.mkfs(flash, progsize=256)
        system = vfs.VfsLfs2(flash, progsize=256)
    vfs.mount(system, "/")


mount()
