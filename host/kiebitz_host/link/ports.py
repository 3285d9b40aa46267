"""Find and open the ports of Kiebitz devices: Picos on USB first, then running simulators."""

import errno
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import serial
from serial.tools import list_ports

from ..outcome import Trouble
from ..system import group_of, simulator_folder, simulator_port
from .trouble import LinkLost, NoPermission, NoPort, NoSimulator, PortBusy, PortTrouble

# The USB vendor and product number of a Pico with MicroPython
PICO = (0x2E8A, 0x0005)

BAUD = 115_200  # USB ignores it
WRITE_S = 5.0
# Limit for a single read, so that Ctrl-C always works
SLICE_S = 0.25
READ_MAX = 1 << 16  # bytes in one read


@dataclass(frozen=True)
class Port:
    path: str
    what: str  # "Pico" or "simulator"


def ports() -> list[Port]:
    """Return all ports that may have a Kiebitz, Picos first."""
    picos = sorted(port.device for port in list_ports.comports() if (port.vid, port.pid) == PICO)
    simulator = simulator_port(simulator_folder())
    return [Port(path, "Pico") for path in picos] + ([Port(simulator, "simulator")] if simulator else [])


def named_port(name: str) -> Port:
    """Return the port for --port: a serial device, or the simulator that is running on a flash folder."""
    if not Path(name).is_dir():
        return Port(name, "port")
    path = simulator_port(Path(name))
    if path is None:
        raise NoSimulator(name)
    return Port(path, "simulator")


class SerialTransport:
    """An exclusively opened port, as returned by open_port()."""

    def __init__(self, port: serial.Serial, name: str, clock: Callable[[], float] = time.monotonic):
        self.name = name
        self.clock = clock
        self._port = port

    def read(self, seconds: float) -> bytes:
        end = self.clock() + seconds
        try:
            while True:
                wait = max(0.0, min(SLICE_S, end - self.clock()))
                if wait != self._port.timeout:  # because setting it reconfigures the port
                    self._port.timeout = wait
                data = self._port.read(1)
                if data:
                    return data + self._port.read(min(self._port.in_waiting, READ_MAX))
                if self.clock() >= end:
                    return b""
        except (OSError, TypeError):  # pyserial raises TypeError if the port is pulled during a read
            raise LinkLost(self.name) from None

    def write(self, data: bytes) -> None:
        """Send the data. A device that does not receive it is detected by its missing answer."""
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
    """Open a port exclusively. Returns the transport; raises LinkTrouble if that fails."""
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
        # Windows reports the same for a port that is in use
        return PortBusy(path) if os.name == "nt" else NoPermission(path, group_of(path))
    if code in (errno.ENOENT, errno.ENODEV, errno.ENXIO) or "FileNotFoundError" in words:
        return NoPort(path)
    return PortTrouble(path, words)
