"""`kiebitz doctor --save-flash`: writes the file system of a Pico into a file, bit by bit, whatever state it is in."""

import os
from collections.abc import Callable
from pathlib import Path

from .device import Device
from .trouble import CannotSave

_BLOCKS = 16  # blocks in one read


def save_flash(device: Device, target: Path, progress: Callable[[str], None] = lambda _: None) -> int:
    """Write the flash to a file, which is created completely or not at all. Returns its size in bytes."""
    if target.exists():
        raise CannotSave(target, "it is there already")
    beside = target.with_name(target.name + ".part")
    try:
        with open(beside, "wb") as file:
            for piece in _pieces(device, progress):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        os.replace(beside, target)
    except OSError as trouble:
        raise CannotSave(target, trouble.strerror) from None
    finally:
        _remove(beside)
    return size


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        pass  # the file has been renamed, or never existed


def _pieces(device: Device, progress: Callable[[str], None]):
    """Yield the flash in pieces, from its first block on."""
    count, size = device.geometry()
    for first in range(0, count, _BLOCKS):
        progress(f"reading the flash, {100 * first // count} %")
        yield device.blocks(first, min(_BLOCKS, count - first), size)
    progress("reading the flash, 100 %")
