"""Somebody at the end of a cable who answers at once: time passes only while nobody has said anything."""


class Answering:
    """A port as the client of the link uses it; write() in a derived class adds to `unread`."""

    name = "answering"

    def __init__(self):
        self.unread = b""
        self._now = 0.0

    def clock(self):
        return self._now

    def read(self, seconds):
        data, self.unread = self.unread, b""
        if not data:
            self._now += seconds
        return data

    def close(self):
        pass
