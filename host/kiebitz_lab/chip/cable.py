"""Connects the client of the link to an emulated Pico, in emulated time."""

from .bench import Bench

TURN_MS = 0.5  # between two polls of the port by the computer
ENUMERATED_MS = 1000


class ChipCable:
    """A transport that runs the bench while the client waits."""

    name = "emulated Pico"

    def __init__(self, bench: Bench):
        self.bench = bench
        bench.serial.connect()
        bench.pico.run_until(lambda: bench.serial.connected_ms is not None, ENUMERATED_MS)

    def clock(self) -> float:
        return self.bench.ms / 1000

    def read(self, seconds: float) -> bytes:
        end = self.clock() + seconds
        data = self.bench.serial.receive()
        while not data and self.clock() < end:
            self.bench.run_ms(TURN_MS)
            data = self.bench.serial.receive()
        return data

    def write(self, data: bytes) -> None:
        self.bench.serial.send(data)

    def close(self) -> None:
        self.bench.serial.disconnect()
        self.bench.run_ms(10)
