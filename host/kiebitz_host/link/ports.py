"""Where a Kiebitz may be: the Picos on USB, and after them the simulators that are running."""

import errno
import os
import time
from dataclasses import dataclass
from pathlib import Path

import serial
from serial.tools import list_ports

from ..outcome import Trouble
from ..sim.flash_folder import default_folder, usb_port
from .trouble import LinkLost, NoPermission, NoPort, PortBusy, PortTrouble

# The USB name of a Pico with MicroPython
PICO = (0x2E8A, 0x0005)

BAUD = 115_200  # means nothing on USB
WRITE_S = 5.0
# No read waits longer at a stretch, so that Ctrl-C is heard everywhere
SLICE_S = 0.25


@dataclass(frozen=True)
class Port:
    path: str
    what: str  # "Pico" or "simulator"


def ports() -> list[Port]:
    """Every port where a Kiebitz may be, Picos first."""
    picos = sorted(port.device for port in list_ports.comports() if (port.vid, port.pid) == PICO)
    simulator = usb_port(default_folder())
    return [Port(path, "Pico") for path in picos] + ([Port(simulator, "simulator")] if simulator else [])


def named_port(name: str) -> Port:
    """The port of --port: a device, or the flash folder of a simulator that is running."""
    if not Path(name).is_dir():
        return Port(name, "port")
    path = usb_port(Path(name))
    if path is None:
        raise Trouble(f"no simulator is running on {name}: start it with kiebitz sim --flash {name}.")
    return Port(path, "simulator")


class SerialTransport:
    """An open port, ours alone. Made by open_port()."""

    clock = staticmethod(time.monotonic)

    def __init__(self, port: serial.Serial, name: str):
        self.name = name
        self._port = port

    def read(self, seconds: float) -> bytes:
        end = self.clock() + seconds
        try:
            while True:
                wait = max(0.0, min(SLICE_S, end - self.clock()))
                if wait != self._port.timeout:  # to set it configures the port anew
                    self._port.timeout = wait
                data = self._port.read(1)
                if data:
                    return data + self._port.read(self._port.in_waiting)
                if self.clock() >= end:
                    return b""
        except (OSError, TypeError):  # TypeError: pyserial, of a port that was pulled while it waits
            raise LinkLost(self.name) from None

    def write(self, data: bytes) -> None:
        """Hand over the data; a device that does not take them is noticed when its answer does not come."""
        try:
            self._port.write(data)
        except serial.SerialTimeoutException:
            self._port.reset_output_buffer()
        except OSError:
            raise LinkLost(self.name) from None

    def close(self) -> None:
        try:
            self._port.close()
        except OSError:
            pass


def open_port(port: Port) -> SerialTransport:
    """Open a port for ourselves alone, or say in a sentence why not."""
    try:
        opened = serial.Serial(port.path, BAUD, timeout=SLICE_S, write_timeout=WRITE_S, exclusive=True)
    except (OSError, ValueError) as trouble:
        raise _why(port.path, trouble) from None
    return SerialTransport(opened, port.path)


def _why(path: str, trouble: Exception) -> Trouble:
    code = getattr(trouble, "errno", None)
    words = str(trouble)
    if code in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in words:
        return PortBusy(path)
    if code in (errno.EACCES, errno.EPERM) or "PermissionError" in words:
        # Windows says the same of a port that is in use
        return PortBusy(path) if os.name == "nt" else NoPermission(path, _group(path))
    if code in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or "FileNotFoundError" in words:
        return NoPort(path)
    return PortTrouble(path, words)


def _group(path: str) -> str:
    """The group that may open a port, if joining it would help."""
    try:
        import grp

        state = os.stat(path)
        return grp.getgrgid(state.st_gid).gr_name if state.st_gid and state.st_mode & 0o060 == 0o060 else ""
    except (ImportError, OSError, KeyError):
        return ""
