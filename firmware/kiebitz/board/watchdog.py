"""Restarts a program that hangs. Unlike the watchdog in the chip, this one can be stopped.

The watchdog in the chip, once started, would restart the device while somebody works at the prompt after Ctrl-C, or
copies files. This one is a timer whose callback runs between two steps of the program: it waits while the flash is
being written, and it ends with the app.
"""

TICK_MS = 1000
LIMIT = 20  # ticks without a turn of the app; the longest work in one turn takes a few seconds


class Watchdog:
    """A timer that resets the device if feed() is not called for LIMIT ticks."""

    def __init__(self, machine):
        self._machine = machine
        self._timer = None
        self._ticks = 0  # since the last feed()

    def start(self) -> None:
        """Start the timer anew."""
        self.stop()
        self._ticks = 0
        timer = self._machine.Timer
        self._timer = timer(mode=timer.PERIODIC, period=TICK_MS, callback=self._tick)

    def feed(self) -> None:
        """Report that the app still runs. Call this in every turn of the loop."""
        self._ticks = 0

    def stop(self) -> None:
        """Stop the timer, if it runs."""
        if self._timer:
            self._timer.deinit()
            self._timer = None

    def _tick(self, _):
        self._ticks += 1
        if self._ticks >= LIMIT and self._timer:
            self._machine.reset()
