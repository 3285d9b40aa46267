"""Create the board on a real Pico. No other module imports what only a Pico has."""

import select
import sys
import time

import machine
import vfs

from ..store.settings import Settings
from . import Board
from .storage import Storage

FROZEN = ".frozen"  # the first entry of sys.path, unless a developer's tree is in front


def this_board():
    """Return the board this program runs on; its files are in the folder `data`, if the flash can be read at all."""
    storage = Storage("data") if is_mounted() else _no_storage()
    console = (sys.stdin.buffer, sys.stdout.buffer, select)
    board = Board(machine, time, Settings(storage), storage, console=console)
    board.format = format_flash
    if sys.path[0] != FROZEN:
        board.tree = sys.path[0]
    return board


def _no_storage():
    from ..store.no_storage import NoStorage

    return NoStorage()


def is_mounted():
    """Return True if _boot.py has mounted a file system."""
    return len(vfs.mount()) > 0


def format_flash():
    """Erase the flash and make a new file system, which the next start mounts."""
    from _rp2 import Flash  # type: ignore[import-not-found]  # exists only on a Pico

    vfs.VfsLfs2.mkfs(Flash(), progsize=256)
