"""Copies the firmware to the drive of a Pico in its boot loader, which restarts as soon as it has the whole file."""

import errno
import os
import time
from collections.abc import Callable
from pathlib import Path

from . import trouble
from .boards import Usb, drive_label

DRIVE_S = 30
MOUNT_S = 10  # a desktop may take this long to mount a drive
LOOK_S = 0.2
_PIECE = 64 * 1024

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
        foreign = [drive for drive in usb.drives_2() if drive not in before]
        if foreign:
            raise trouble.Pico2(foreign[0])
        device = None if before else usb.unmounted()
        seen = (seen or clock()) if device else None
        if device and seen is not None and clock() >= seen + MOUNT_S:
            raise trouble.NotMounted(device)
        sleep(LOOK_S)
    raise trouble.NoDrive(DRIVE_S)


def copy(
    source: Path,
    drive: Path,
    progress: Progress = lambda _: None,
    fsync: Callable[[int], None] = os.fsync,
) -> None:
    """Copy the file, with each piece on the drive before the next.

    Raises a trouble if the Pico cannot have the whole file.
    """
    data = source.read_bytes()
    done = 0
    try:
        with open(drive / source.name, "wb", buffering=0) as target:
            while done < len(data):
                progress(f"copying {source.name} to {drive}, {100 * done // len(data)} %")
                done += target.write(data[done : done + _PIECE])
                fsync(target.fileno())
        progress(f"copying {source.name} to {drive}, 100 %")
    except OSError as failed:
        if done < len(data) or drive_label(drive):
            raise _why(drive, failed, 100 * done // len(data)) from None
        # else the drive has taken the whole file and is gone: the Pico restarts already


def _why(drive: Path, failed: OSError, percent: int) -> trouble.InstallTrouble:
    if failed.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
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
