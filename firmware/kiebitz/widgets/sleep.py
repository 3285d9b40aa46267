"""Dim the display, switch it off and rest the processor while nobody presses a key, and wake them."""

from ..machine_code import const

AWAKE = 0
DIMMED = 1
OFF = 2

_POLL_MS = const(5)
# The pause until the next turn on battery with nobody pressing; a press ends it
_PAUSE_ON_MS = const(25)
_PAUSE_DIMMED_MS = const(50)
_PAUSE_OFF_MS = const(800)
_DIM_CONTRAST = const(1)
_SCOREBOARD_MS = const(30000)  # after this time without a key
_EMPTY_MS = const(8000)  # until the display is off with an empty battery: long enough to read why


class Sleep:
    """The sleep state of the device. `depth` is AWAKE, DIMMED or OFF."""

    def __init__(self, app):
        self._app = app
        self._board = app.board
        self._clock = app.clock
        self.depth = AWAKE
        self._last_key = self._clock.ms()

    def apply(self, settings):
        """Take the times until the display is dimmed and switched off, and until the scoreboard is shown."""
        self._dim_ms = settings["dim_s"] * 1000
        self._off_ms = settings["off_s"] * 1000
        # Before the display is dimmed, while it can be read
        soonest = min(_SCOREBOARD_MS, self._dim_ms or _SCOREBOARD_MS)
        self._scoreboard_ms = soonest if settings["scoreboard"] else 0

    def press(self):
        """Note that a key was pressed just now."""
        self._last_key = self._clock.ms()

    def idle_ms(self, now):
        """Return the milliseconds since the last key."""
        return self._clock.diff(now, self._last_key)

    def doze(self, now):
        """Dim the display, switch it off or show the scoreboard when no key was pressed for long enough."""
        idle = self.idle_ms(now)
        if idle < 0:  # the clock wraps round after a very long pause: start counting again
            self._last_key = now
            return
        app = self._app
        off_ms = _EMPTY_MS if self._board.supply.empty else self._off_ms
        if off_ms and idle >= off_ms and self.depth < OFF:
            self.depth = OFF
            app.library.time.rest(True)
            self._board.display.power(False)
            app.close_scoreboard()  # the key that switches the display on shows the table
        elif self._dim_ms and idle >= self._dim_ms and self.depth < DIMMED:
            self.depth = DIMMED
            self._board.display.contrast(_DIM_CONTRAST)
        if self._scoreboard_ms and idle >= self._scoreboard_ms and self.depth < OFF:
            app.table_rests()

    def wake(self):
        """Switch the display on; the app then sets its brightness from the settings."""
        if self.depth == OFF:
            self._app.library.time.rest(False)
            self._board.display.power(True)
        self.depth = AWAKE

    def rest(self):
        """Let the processor sleep until the next turn, longer on battery if nothing is pending."""
        app, board = self._app, self._board
        if app.link and app.link.busy:
            return
        if app.keys.active or board.buzzer.sounds or not board.supply.on_battery():
            board.rest(_POLL_MS)
        elif self.depth == OFF:
            board.rest_dark(_PAUSE_OFF_MS)
        else:
            board.rest(_PAUSE_DIMMED_MS if self.depth else _PAUSE_ON_MS)
