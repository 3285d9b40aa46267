"""Copies the firmware to the drive of a Pico in its boot loader, which restarts as soon as it has the whole file."""

import errno
import os
import time
from collections.abc import Callable
from pathlib import Path

from . import trouble
from .find_picos import LABELS_OF, Usb, drive_label
from .uf2 import RP2040, Uf2, read_part

DRIVE_S = 30
MOUNT_S = 10  # a desktop may take this long to mount a drive
LOOK_S = 0.2
_PIECE = 64 * 1024
_PROTECTED = (errno.EROFS, errno.EACCES, errno.EPERM)
_NO_RESTART = (*_PROTECTED, errno.ENOSPC)  # errors that a drive does not report because it is gone

Progress = Callable[[str], None]


def wait_for_drive(
    usb: Usb,
    before: set[Path],
    progress: Progress = lambda _: None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> Path:
    """Wait for a drive that was not there before. Returns its folder."""
    started = clock()
    seen = None  # time when an unmounted drive was first seen
    while clock() < started + DRIVE_S:
        progress(f"waiting for the drive of the Pico, {clock() - started:.0f} s")
        new = [drive for drive in usb.drives() if drive not in before]
        if len(new) > 1:
            raise trouble.SeveralPicos("install", [], new)
        if new:
            return new[0]
        device = None if before else usb.unmounted()
        seen = (seen or clock()) if device else None
        if device and seen is not None and clock() >= seen + MOUNT_S:
            raise trouble.NotMounted(device)
        sleep(LOOK_S)
    raise trouble.NoDrive(DRIVE_S)


def copy(
    uf2: Uf2,
    drive: Path,
    progress: Progress = lambda _: None,
    fsync: Callable[[int], None] = os.fsync,
) -> trouble.InstallTrouble | None:
    """Copy the chip's part of the file, with each piece on the drive before the next.

    Raises a trouble if something is missing there.
    The Pico restarts as soon as it has the last block, while the system still writes the folder: then the last step
    fails although all is well. Returns the trouble of such a step, None without one; the Pico that comes back, or does
    not, decides whether it is one.
    """
    data = read_part(uf2, LABELS_OF.get(drive_label(drive), RP2040))
    name = uf2.path.name
    done = 0
    is_last = False
    try:
        with open(drive / name, "wb", buffering=0) as target:
            while done < len(data):
                progress(f"copying {name} to {drive}, {100 * done // len(data)} %")
                is_last = done + _PIECE >= len(data)
                done += target.write(data[done : done + _PIECE])
                fsync(target.fileno())
        progress(f"copying {name} to {drive}, 100 %")
    except OSError as failed:
        why = _why(drive, failed, 100 * done // len(data))
        if not is_last or failed.errno in _NO_RESTART:
            raise why from None
        return why if done < len(data) or drive_label(drive) else None
    return None


def _why(drive: Path, failed: OSError, percent: int) -> trouble.InstallTrouble:
    if failed.errno in _PROTECTED:
        return trouble.DriveProtected(drive)
    if not drive_label(drive):
        return trouble.DriveGone(drive, percent)
    if failed.errno == errno.ENOSPC:
        return trouble.DriveFull(drive)
    return trouble.DriveFailed(drive, failed.strerror)


def wait_for_port(
    usb: Usb,
    number: str | None,
    before: set[str],
    progress: Progress = lambda _: None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> str:
    """Wait for the Pico with this serial number, or for any new one. Returns its port."""
    started = clock()
    while clock() < started + DRIVE_S:
        progress(f"waiting for the Pico to come back, {clock() - started:.0f} s")
        new = [path for path in usb.picos() if path not in before]
        found = usb.port_of(number) or (new[0] if new else None)
        if found:
            return found
        sleep(LOOK_S)
    raise trouble.NoRestart(DRIVE_S)
