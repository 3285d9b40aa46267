"""Find Picos on serial ports and as drives, and copy the firmware to a drive."""

import errno
import os
import string
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from serial.tools import list_ports

from ..link.ports import PICO
from ..printable import printable
from . import trouble
from .uf2 import RP2040, RP2350, Uf2, read_part

RASPBERRY_PI = PICO[0]
LABELS_OF = {"RP2350": RP2350, "RPI-RP2": RP2040}  # volume label of each chip's bootloader
INFO = "INFO_UF2.TXT"
_INFO_BYTES = 4096  # the info file of a bootloader is shorter
_MODEL_MAX = 64
MOUNTS = Path("/proc/mounts")
LABELS = Path("/dev/disk/by-label")
_FOLDERS = ("/media/*", "/run/media/*", "/media", "/mnt", "/Volumes")


class Usb:
    """The devices reported by the system: serial ports, folders that may be drives, and disk labels."""

    def __init__(
        self,
        comports: Callable[[], Iterable[Any]] | None = None,
        places: Callable[[], Iterable[Path]] | None = None,
        labels: Path = LABELS,
    ):
        self._comports = comports or list_ports.comports
        self._places = places or _places
        self._labels = labels

    # --- ports ---

    def _ports(self, is_wanted: Callable[[int], bool]) -> list[str]:
        ports = [port for port in self._comports() if port.vid == RASPBERRY_PI]
        return sorted(port.device for port in ports if is_wanted(port.pid))

    def picos(self) -> list[str]:
        """Return the ports of the Picos with MicroPython."""
        return self._ports(lambda pid: pid == PICO[1])

    def others(self) -> list[str]:
        """Return the ports of Raspberry Pi boards that run another program."""
        return self._ports(lambda pid: pid != PICO[1])

    def serial_number(self, path: str) -> str | None:
        """Return the serial number, which identifies a Pico when it comes back on another port; None if it has none."""
        return next((port.serial_number for port in self._comports() if port.device == path), None)

    def port_of(self, number: str | None) -> str | None:
        """Return the port of the Pico with this serial number; None if it is not plugged in."""
        found = (port.device for port in self._comports() if number and port.serial_number == number)
        return next(found, None)

    # --- drives ---

    def drives(self) -> list[Path]:
        """Return the drives of the Picos in bootloader mode."""
        return [place for place in self._places() if drive_label(place) in LABELS_OF]

    def unmounted(self) -> Path | None:
        """Return the device of an unmounted drive, or None.

        Call this only if drives() does not list the drive.
        """
        links = [self._labels / label for label in LABELS_OF]
        return next((link.resolve() for link in links if link.exists()), None)


def drive_label(place: Path) -> str:
    """Return the bootloader of a drive: a key of LABELS_OF or another model; "" if the folder is not such a drive."""
    try:
        with open(place / INFO, "rb") as file:
            text = file.read(_INFO_BYTES).decode(errors="replace")
    except (OSError, ValueError):  # ValueError: a zero byte in the path
        return ""
    for label in LABELS_OF:
        if label in text:
            return label
    model = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("Model:")]
    return printable(model[0])[:_MODEL_MAX] if model and model[0] else "another board"


def _places() -> list[Path]:
    """Return the folders that may be such a drive: drive letters, or mount points at the usual places."""
    if os.name == "nt":
        return [Path(f"{letter}:/") for letter in string.ascii_uppercase]
    found = [place for folder in _FOLDERS for place in Path("/").glob(f"{folder}/RP*".lstrip("/"))]
    try:
        mounts = [line.split(" ") for line in MOUNTS.read_text().splitlines()]
    except OSError:  # not on Linux
        mounts = []
    found += [Path(mount[1].replace("\\040", " ")) for mount in mounts if len(mount) > 2 and mount[2] == "vfat"]
    return list(dict.fromkeys(found))


# --- selecting one ---


def find_pico(usb: Usb, port: str | None = None, drive: str | None = None) -> str | Path:
    """Find the selected Pico.

    Returns its port, or the folder of its drive; raises Trouble unless there is exactly one.
    """
    if drive:
        return _checked_drive(Path(drive).expanduser())
    if port:
        return check_port(usb, port)
    ports, drives = usb.picos(), usb.drives()
    if len(ports) + len(drives) > 1:
        raise trouble.SeveralPicos("install", ports, drives)
    if ports or drives:
        return ports[0] if ports else drives[0]
    raise why_none(usb)


def why_none(usb: Usb) -> trouble.InstallTrouble:
    """Return the Trouble to raise if there is no Pico for a firmware."""
    device = usb.unmounted()
    if device:
        return trouble.NotMounted(device)
    return trouble.OtherProgram(usb.others()[0]) if usb.others() else trouble.NoPico()


def _checked_drive(drive: Path) -> Path:
    label = drive_label(drive)
    if not label:
        raise trouble.NoSuchDrive(drive)
    if label not in LABELS_OF:
        raise trouble.OtherBoard(drive, label)
    return drive


def check_port(usb: Usb, port: str) -> str:
    """Return the port. Raises Trouble if the port does not exist, or cannot have a Kiebitz."""
    if sys.platform != "win32" and not Path(port).exists():
        raise trouble.NoSuchPort(port, usb.picos())
    if port in usb.others():
        raise trouble.OtherProgram(port)
    return port


DRIVE_S = 30
MOUNT_S = 10  # a desktop may take this long to mount a drive
LOOK_S = 0.2
_PIECE = 64 * 1024
_PROTECTED = (errno.EROFS, errno.EACCES, errno.EPERM)
_NO_RESTART = (*_PROTECTED, errno.ENOSPC)  # errors that do not come from a restart of the Pico

Progress = Callable[[str], None]


def wait_for_drive(
    usb: Usb,
    before: set[Path],
    progress: Progress = lambda _: None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> Path:
    """Wait for a drive that was not in `before`. Returns its folder."""
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
    """Copy the chip's part of the file; sync each piece to the drive before the next.

    Raises Trouble if the copy is incomplete.
    The Pico restarts as soon as it has the last block, while the system still writes the directory, so the last step
    may fail although all is well. Returns the Trouble of such a step, or None; whether the Pico comes back decides if
    it is a real error.
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
