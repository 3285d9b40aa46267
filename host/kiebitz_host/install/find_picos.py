"""Finds Picos: those with a running program on serial ports, those in their boot loader as drives."""

import os
import string
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from serial.tools import list_ports

from ..link.ports import PICO
from ..printable import printable
from . import trouble
from .uf2 import RP2040, RP2350

RASPBERRY_PI = PICO[0]
LABELS_OF = {"RP2350": RP2350, "RPI-RP2": RP2040}  # what the boot loader of each chip calls its drive
INFO = "INFO_UF2.TXT"
_INFO_BYTES = 4096  # the file of a boot loader is shorter
_MODEL_MAX = 64
MOUNTS = Path("/proc/mounts")
LABELS = Path("/dev/disk/by-label")
_FOLDERS = ("/media/*", "/run/media/*", "/media", "/mnt", "/Volumes")


class Usb:
    """The plugged-in devices as the system reports them: serial ports, folders that may be drives, and disk labels."""

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
        """Return the ports of boards by Raspberry Pi that run another program."""
        return self._ports(lambda pid: pid != PICO[1])

    def serial_number(self, path: str) -> str | None:
        """Return the serial number that identifies a Pico when it comes back on another port; None if it has none."""
        return next((port.serial_number for port in self._comports() if port.device == path), None)

    def port_of(self, number: str | None) -> str | None:
        """Return the port of the Pico with this serial number, or None if it is not plugged in."""
        found = (port.device for port in self._comports() if number and port.serial_number == number)
        return next(found, None)

    # --- drives ---

    def drives(self) -> list[Path]:
        """Return the drives of the Picos that wait for a firmware."""
        return [place for place in self._places() if drive_label(place) in LABELS_OF]

    def unmounted(self) -> Path | None:
        """Return the device of a drive that is not mounted, or None.

        To be called only if drives() does not list the drive.
        """
        links = [self._labels / label for label in LABELS_OF]
        return next((link.resolve() for link in links if link.exists()), None)


def drive_label(place: Path) -> str:
    """Return the boot loader of a drive: a key of LABELS_OF or another model; "" if the folder is not such a drive."""
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
    """Return the folders that may be such a drive: the drive letters, or the mounted ones at the usual places."""
    if os.name == "nt":
        return [Path(f"{letter}:/") for letter in string.ascii_uppercase]
    found = [place for folder in _FOLDERS for place in Path("/").glob(f"{folder}/RP*".lstrip("/"))]
    try:
        mounts = [line.split(" ") for line in MOUNTS.read_text().splitlines()]
    except OSError:  # not on Linux
        mounts = []
    found += [Path(mount[1].replace("\\040", " ")) for mount in mounts if len(mount) > 2 and mount[2] == "vfat"]
    return list(dict.fromkeys(found))


# --- which one is meant ---


def find_pico(usb: Usb, port: str | None = None, drive: str | None = None) -> str | Path:
    """Find the one Pico that is meant.

    Returns its port, or the folder of its drive; raises a trouble if there is not one.
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
    """Return the trouble to raise if there is no Pico for a firmware."""
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
    """Return the port. Raises a trouble if the port does not exist, or a Kiebitz cannot be on it."""
    if sys.platform != "win32" and not Path(port).exists():
        raise trouble.NoSuchPort(port, usb.picos())
    if port in usb.others():
        raise trouble.OtherProgram(port)
    return port
