"""Restarts a program that no longer gets on. Unlike the watchdog in the chip it can be sent away.

That one, once started, would bite whoever works at the prompt after Ctrl-C, or copies files. This one is a timer that
calls in between two steps of the program: while the flash is being written it waits, and it is gone when the app is.
"""

TICK_MS = 1000
LIMIT = 20  # ticks without a turn of the app; the longest work in one turn takes a few seconds


class Watchdog:
    def __init__(self, machine):
        self._machine = machine
        self._timer = None
        self._ticks = 0  # since the app was last heard of

    def start(self) -> None:
        self.stop()
        self._ticks = 0
        timer = self._machine.Timer
        self._timer = timer(mode=timer.PERIODIC, period=TICK_MS, callback=self._tick)

    def feed(self) -> None:
        """The app gets on; to be called in every turn of the loop."""
        self._ticks = 0

    def stop(self) -> None:
        if self._timer:
            self._timer.deinit()
            self._timer = None

    def _tick(self, _):
        self._ticks += 1
        if self._ticks >= LIMIT and self._timer:
            self._machine.reset()
