"""Provide a real file system for tests: littlefs in memory on MicroPython, a temporary folder on CPython."""

import os

BLOCK = 512
BLOCKS = 32


class RamDisk:
    """A block device for littlefs; blocks take memory once they are written."""

    def __init__(self):
        self.blocks = {}

    def readblocks(self, block, buffer, offset=0):
        data = self.blocks.get(block)
        for k in range(len(buffer)):
            buffer[k] = data[offset + k] if data else 0xFF

    def writeblocks(self, block, buffer, offset=0):
        if block not in self.blocks:
            self.blocks[block] = bytearray(BLOCK)
        self.blocks[block][offset : offset + len(buffer)] = buffer

    def ioctl(self, what, argument):
        return {4: BLOCKS, 5: BLOCK}.get(what, 0)


def with_real_flash(action):
    """Call action(path) with the path of a folder that does not exist yet."""
    if not hasattr(os, "VfsLfs2"):
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            action(folder + "/some/data")
        return
    disk = RamDisk()
    os.VfsLfs2.mkfs(disk, readsize=128, progsize=128, lookahead=32)
    os.mount(os.VfsLfs2(disk, readsize=128, progsize=128, lookahead=32), "/flash")
    try:
        action("/flash/some/data")
    finally:
        os.umount("/flash")
