"""Serve the link in the background of the game, a few milliseconds in each turn."""

from ..machine_code import const
from .requests import Requests
from .wire import ANSWER, REQUEST, REQUEST_MAX, frame, unframe

# A turn ends as soon as a key is pressed. While a key is down a turn is short, as nothing reports the release of the
# key; during a beep it is short too, as the beep would go on
_BUDGET_MS = const(100)
SHORT_BUDGET_MS = 8
# The most that is read or sent in one turn, however fast the board's clock and the host are
READ_BYTES = 512
_PIECES = const(16)
# Bytes read from the port at once, in four milliseconds. A piece of an answer is handed to the port as a whole: the
# longest piece, of a journal, takes seven milliseconds
_READ_SLICE = const(128)
# After an answer, the device waits for the next request through this many turns without a rest, about 20 ms
_EAGER_TURNS = const(16)


class Link:
    """The device's end of the link, with never more than one request and one piece of an answer in memory.

    If a host does not read, the answer stops; then its further requests are not taken from the port either.
    """

    def __init__(self, app):
        self.busy = False  # True: the next turn should follow without a rest
        self._app = app
        self._port = app.board.serial
        self._clock = app.board.clock
        self._key_pressed = app.board.key_pressed
        self._budget = 0  # milliseconds for this turn
        self._heard = b""  # the received part of the line that is arriving
        self._too_long = False
        self._request = None
        self._answer = None  # generator of the pieces of the current answer
        self._seq = 0
        self._out = b""
        self._sent = 0
        self._eager = 0  # turns left without a rest
        self._requests = None  # created with the first request, because without a laptop the game needs the memory

    def step(self):
        """Do one turn: read, answer and send for a few milliseconds."""
        start = self._clock.ms()
        self._budget = SHORT_BUDGET_MS if self._app.keys.down or self._app.board.buzzer.sounds else _BUDGET_MS
        self._eager -= self._eager > 0
        self.busy = self._eager > 0
        for _ in range(READ_BYTES // _READ_SLICE):
            if self._request is not None or not self._listen() or self._is_over(start):
                break
        for _ in range(_PIECES):
            if not self._send(start) or not self._next():
                return
            self.busy = True
            if self._is_over(start):
                return

    def _is_over(self, start):
        """Return True if the turn has to end."""
        return self._key_pressed() or self._clock.diff(self._clock.ms(), start) >= self._budget

    # --- in ---

    def _listen(self):
        """Read what has arrived. Returns False if nothing more is waiting."""
        heard = self._port.read(_READ_SLICE)
        if heard:
            self._heard += heard
        at = self._heard.find(b"\n")
        while at >= 0 and self._request is None:
            if not self._too_long:
                self._request = unframe(REQUEST, self._heard[:at])
            self._too_long = False
            self._heard = self._heard[at + 1 :]
            at = self._heard.find(b"\n")
        if at < 0 and len(self._heard) >= REQUEST_MAX:
            self._too_long = True
            self._heard = b""
        return len(heard) == _READ_SLICE

    # --- out ---

    def _send(self, start):
        """Hand the current piece to the port. Returns False if a part of the piece is left."""
        while self._sent < len(self._out):
            if self._is_over(start):
                return False
            taken = self._port.write(memoryview(self._out)[self._sent :] if self._sent else self._out)
            if not taken:
                return False
            self._sent += taken
            self.busy = True
        self._out = b""
        self._sent = 0
        return True

    def _next(self):
        """Make the next piece to send, or do a part of the work for it. Returns False if there is nothing to do."""
        if self._answer is None:
            return self._begin()
        if self._request is not None:
            # A new request has arrived, so the host no longer reads this answer
            self._answer = None
            self._out = frame(ANSWER, self._seq, "no", '{"code":"E_CUT"}')
            return True
        try:
            self._out = next(self._answer)
        except StopIteration:
            self._answer = None
            self._eager = _EAGER_TURNS
        return True

    def _begin(self):
        """Begin the answer to the request, or send news without one. Returns False if there is nothing to send."""
        if self._request is None:
            news = self._requests.news() if self._requests else None
            if news:
                self._out = news
            return news is not None
        if self._requests is None:
            self._requests = Requests(self._app)
        self._seq, word, value = self._request
        self._request = None
        self._answer = self._requests.answer(self._seq, word, value)
        return True
