"""The layout of a Pico's flash: the firmware first, then the file system. This module also runs on MicroPython."""

BLOCK = 4096
FLASH_SIZE = 2 * 1024 * 1024
FS_START = 0x100000  # offset of the file system, fixed forever: the program must end before it
FS_SIZE = FLASH_SIZE - FS_START
BLOCKS = FS_SIZE // BLOCK  # of the file system
