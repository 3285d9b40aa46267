"""Connect the simulator's USB cable to a pseudo-terminal, which other programs open like the port of a Pico."""

import os

from ..system import open_serial_pair, read_now, write_now

PIECE = 4096


class PtyPort:
    """A context in which pump() transfers data in both directions; other programs open `path`."""

    def __init__(self, usb):
        self._usb = usb
        self._unsent = b""

    def __enter__(self):
        # Keeping the far end open preserves its modes, and allows reads on the near end while no program is
        # connected
        self._near, self._far, self.path = open_serial_pair()
        self._usb.connect()
        return self

    def __exit__(self, *_):
        self._usb.disconnect()
        os.close(self._near)
        os.close(self._far)

    def pump(self):
        """Transfer all data that is ready."""
        if self._usb.unread < PIECE:
            self._usb.send(read_now(self._near, PIECE))
        self._unsent += self._usb.receive()
        if self._unsent:
            self._unsent = self._unsent[write_now(self._near, self._unsent) :]
        self._usb.reading = len(self._unsent) < PIECE
