"""Where the Picos are: those with MicroPython on serial ports, those that wait for it as a drive."""

import os
import shutil
import string
import sys
import time
from collections.abc import Callable
from pathlib import Path

from serial.tools import list_ports

from ..link.ports import PICO
from . import trouble

RASPBERRY_PI = PICO[0]
LABEL = "RPI-RP2"
RESTART_S = 30
LOOK_S = 0.2
# Where systems mount the drive; on Windows it is one of the letters
PLACES = ["/media/*/" + LABEL, "/run/media/*/" + LABEL, "/media/" + LABEL, "/mnt/" + LABEL, "/Volumes/" + LABEL]
UNMOUNTED = Path("/dev/disk/by-label") / LABEL


# --- ports ---


def picos() -> list[str]:
    """The ports of the Picos with MicroPython."""
    return sorted(port.device for port in list_ports.comports() if (port.vid, port.pid) == PICO)


def others() -> list[str]:
    """The ports of boards by Raspberry Pi that run something else."""
    ports = list_ports.comports()
    return sorted(port.device for port in ports if port.vid == RASPBERRY_PI and port.pid != PICO[1])


def serial_number(path: str) -> str | None:
    """By which a Pico is known again when it comes back on another port."""
    return next((port.serial_number for port in list_ports.comports() if port.device == path), None)


def port_of(number: str | None) -> str | None:
    """Where the Pico with this serial number is now."""
    found = (port.device for port in list_ports.comports() if number and port.serial_number == number)
    return next(found, None)


def find(command: str, given: str | None, image: Callable[[], Path | None] = lambda: None) -> str:
    """The port of the one Pico there is, or of the one that was given; `image` tells of a MicroPython to copy."""
    found = picos()
    if given:
        return _checked(given, found)
    if len(found) > 1:
        raise trouble.SeveralPicos(command, found)
    if found:
        return found[0]
    if drives():
        raise trouble.InBootsel(drives()[0], image())
    if UNMOUNTED.exists():
        raise trouble.NotMounted()
    if others():
        raise trouble.OtherProgram(others()[0])
    raise trouble.NoPico()


def _checked(given: str, found: list[str]) -> str:
    if sys.platform != "win32" and not Path(given).exists():
        raise trouble.NoSuchPort(given, found)
    if given in others():
        raise trouble.OtherProgram(given)
    return given


# --- drives ---


def drives() -> list[Path]:
    """The drives of the Picos that were plugged in with BOOTSEL held down."""
    if os.name == "nt":
        places = [Path(f"{letter}:/") for letter in string.ascii_uppercase]
    else:
        places = [place for pattern in PLACES for place in Path("/").glob(pattern.lstrip("/"))]
    return [place for place in places if _is_bootsel(place)]


def _is_bootsel(place: Path) -> bool:
    try:
        return LABEL in (place / "INFO_UF2.TXT").read_text(errors="replace")
    except OSError:
        return False


def waiting_drive() -> Path:
    """The drive to put MicroPython on."""
    found = drives()
    if found:
        return found[0]
    raise trouble.NotMounted() if UNMOUNTED.exists() else trouble.NoDrive()


def put_micropython(image: Path, drive: Path, clock=time.monotonic, sleep=time.sleep) -> str:
    """Copy the image to the drive, and wait for the port of the Pico that restarts with it."""
    before = set(picos())
    try:
        with open(image, "rb") as source, open(drive / image.name, "wb") as target:
            shutil.copyfileobj(source, target)
            target.flush()
            os.fsync(target.fileno())
    except OSError as failed:
        if drive.exists():  # else it has taken all of it, and restarts already
            raise trouble.DriveFailed(drive, failed.strerror) from None
    end = clock() + RESTART_S
    while clock() < end:
        new = [path for path in picos() if path not in before]
        if new:
            return new[0]
        sleep(LOOK_S)
    raise trouble.NoRestart()
