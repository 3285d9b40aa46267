"""Connects the client of the link to an emulated Pico, in emulated time."""

from .rig import Rig

TURN_MS = 0.5  # between two polls of the port by the computer
ENUMERATED_MS = 1000


class ChipCable:
    """A transport that runs the rig while the client waits."""

    name = "emulated Pico"

    def __init__(self, rig: Rig):
        self.rig = rig
        rig.serial.connect()
        rig.pico.run_until(lambda: rig.serial.connected_ms is not None, ENUMERATED_MS)

    def clock(self) -> float:
        return self.rig.ms / 1000

    def read(self, seconds: float) -> bytes:
        end = self.clock() + seconds
        data = self.rig.serial.receive()
        while not data and self.clock() < end:
            self.rig.run_ms(TURN_MS)
            data = self.rig.serial.receive()
        return data

    def write(self, data: bytes) -> None:
        self.rig.serial.send(data)

    def close(self) -> None:
        self.rig.serial.disconnect()
        self.rig.run_ms(10)
