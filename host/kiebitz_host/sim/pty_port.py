"""Replaces the simulator's USB cable by a pseudo-terminal, which other programs open like the port of a Pico."""

import os
import tty

PIECE = 4096


class PtyPort:
    """A context in which pump() transfers what both sides have sent; other programs open `path`."""

    def __init__(self, usb):
        self._usb = usb
        self._unsent = b""

    def __enter__(self):
        # Holding the far end open ourselves keeps its modes, and keeps reads on the near end possible while nobody is
        # connected
        self._near, self._far = os.openpty()
        tty.setraw(self._far)
        os.set_blocking(self._near, False)
        self.path = os.ttyname(self._far)
        self._usb.connect()
        return self

    def __exit__(self, *_):
        self._usb.disconnect()
        os.close(self._near)
        os.close(self._far)

    def pump(self):
        """Transfer what can be transferred now."""
        if self._usb.unread < PIECE:
            try:
                self._usb.send(os.read(self._near, PIECE))
            except BlockingIOError:
                pass
        self._unsent += self._usb.receive()
        if self._unsent:
            try:
                self._unsent = self._unsent[os.write(self._near, self._unsent) :]
            except BlockingIOError:
                pass
        self._usb.reading = len(self._unsent) < PIECE
