"""Ticks for tests of what counts time: they pass when a test says so, and wrap round as on the Pico."""

MINUTE = 60_000
TICKS = 1 << 30


class Watch:
    """A clock of the board with ticks alone."""

    def __init__(self, start=0):
        self.at = start

    def ms(self):
        return self.at

    def diff(self, end, start):
        return ((end - start + TICKS // 2) & (TICKS - 1)) - TICKS // 2

    def go(self, ms):
        self.at = (self.at + ms) % TICKS
