"""Send requests to a device and wait for the answers: retry lost requests, skip other lines, and time out."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from kiebitz.link.wire import ANSWER, LINE_MAX, REQUEST, frame, unframe
from kiebitz.store.events import encode

from ..received import Check, Unfit
from .answers import REFUSAL, Collector
from .trouble import DeviceRefused, Endless, NoAnswer, Nonsense

# Silence before a request is retried: a device may be silent for this long while it replays a long game or erases
# its flash
ANSWER_S = 5.0
# Shorter for `who`, which the device can answer at once
HELLO_S = 1.0
ATTEMPTS = 3
# Only new data extends the wait, and no request takes longer or receives more than this, retries included: the whole
# flash of a Pico is sent within seconds, and has two megabytes
REQUEST_S = 300.0
REQUEST_BYTES = 8 << 20
# A Pico that is busy while its port is opened miscounts the bytes sent meanwhile, and then receives nothing
SETTLE_S = 0.1
SETTLE_READS = 100

Value = dict[str, Any]


class Transport(Protocol):
    """An open port. Its methods raise LinkLost when the port is gone."""

    name: str

    def clock(self) -> float:
        """Return the seconds of a monotonic clock."""

    def read(self, seconds: float) -> bytes:
        """Wait at most `seconds` for data. Returns the bytes that have arrived, possibly none."""

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class Channel:
    """A channel to one device: send requests, retry lost ones, and validate answers."""

    def __init__(self, transport: Transport, seed: int | None = None):
        self.transport = transport
        self.clock = transport.clock
        # The device dedupes requests by number, so two clients must not start with the same number
        self._seq = int.from_bytes(os.urandom(3), "big") if seed is None else seed
        self._lines: deque[bytes] = deque()  # received but not yet read
        self.unread = b""  # the beginning of the next line
        self._left = REQUEST_BYTES  # bytes that may still arrive for the current request
        self._give_up = float("inf")  # deadline of all requests
        self.news: Value | None = None  # the latest

    @property
    def port(self) -> str:
        return self.transport.name

    def close(self) -> None:
        self.transport.close()

    def give_up_after(self, seconds: float) -> None:
        """Limit the total time of all further requests."""
        self._give_up = self.clock() + seconds

    def settle(self) -> None:
        """Wait for SETTLE_S without sending, and drop the device's stale output."""
        end = self.clock() + SETTLE_S
        for _ in range(SETTLE_READS):
            if self.clock() >= end:
                break
            self.transport.read(end - self.clock())

    # --- request and answer ---

    def checked(self, verb: str, check: Check, value: Any) -> Any:
        """Return the validated value; raise Nonsense if it is invalid."""
        try:
            return check(value)
        except Unfit:
            raise Nonsense(self.port, verb) from None

    def ask(self, verb: str, value: Value | None = None) -> Value:
        return self.final(verb, value or {})

    def collect(self, verb: str, collector: Collector) -> Value:
        """Collect an answer in pieces, and retry until all have arrived. Returns the end of the answer."""

        def hear(line: bytes) -> bool:
            before = collector.size()
            collector.hear(line)
            return collector.size() > before

        def take(piece: Value) -> bool:
            before = collector.size()
            self.checked(verb, collector.take, piece)
            return collector.size() > before

        for _ in range(ATTEMPTS):
            collector.forget()
            for word, content in self.words(verb, {}, ANSWER_S, hear, take):
                if word == "again":
                    collector.forget()
                elif word == "ok" and self.checked(verb, collector.is_all, content):
                    return content
        raise NoAnswer(self.port)

    def final(self, verb, value, look=None, seconds=ANSWER_S) -> Value:
        for word, content in self.words(verb, value, seconds, look):
            if word == "ok":
                return content
        raise NoAnswer(self.port)

    def request(self, verb: str, value: Value) -> bytes:
        return frame(REQUEST, self._seq, verb, encode(value))

    def words(
        self,
        verb: str,
        value: Value,
        seconds: float,
        look: Callable[[bytes], bool] | None = None,
        take: Callable[[Value], bool] | None = None,
    ) -> Iterator[tuple[str, Value]]:
        """Yield "ok" with the end of the answer to a request, and before it "again" whenever the answer restarts.

        Lines that are not answers go to `look`, the pieces of the answer to `take`. Both return True for new data: only
        that extends the wait. After a new line, "line" is yielded.
        """
        self._seq = self._seq % 99_999_999 + 1
        self._left = REQUEST_BYTES
        limit = min(self.clock() + REQUEST_S, self._give_up)
        cuts = 0
        for attempt in range(ATTEMPTS):
            if self.clock() >= limit:
                return
            if attempt:
                yield "again", {}
            self.transport.write(self.request(verb, value))
            end = self.clock() + seconds
            while True:
                line = self._line(min(end, limit))
                if line is None:
                    break
                heard = self._hear(line)
                is_new = False
                if heard is None:
                    is_new = look is not None and look(line)
                    if is_new:
                        yield "line", {}
                elif heard[0] == self._seq:
                    _, word, content = heard
                    if word == "ok":
                        yield "ok", content
                        return
                    if word == "+" and take:
                        is_new = take(content)
                    elif word == "no":
                        self._refused(verb, content)
                        # The device cut off our first attempt: the second follows
                        cuts += 1
                        if cuts > ATTEMPTS:
                            return
                        yield "again", {}
                if is_new:
                    end = self.clock() + seconds

    def _refused(self, verb: str, content: Value) -> None:
        """Raise DeviceRefused, unless the answer was only cut off by a new request."""
        refusal = self.checked(verb, REFUSAL, content)
        if refusal["code"] != "E_CUT":
            raise DeviceRefused(self.port, verb, refusal["code"], refusal.get("errno", 0))

    def next_news(self, seconds: float) -> Value | None:
        """Wait at most `seconds` for news. Returns the latest, or None."""
        end = self.clock() + seconds
        self._left = REQUEST_BYTES
        while self.news is None:
            line = self._line(end)
            if line is None:
                return None
            self._hear(line)
        latest, self.news = self.news, None
        return latest

    # --- lines ---

    def _hear(self, line: bytes):
        """Parse an answer. Returns (seq, word, value), None for any other line; keeps news for next_news()."""
        heard = unframe(ANSWER, line[-LINE_MAX:])
        if heard and heard[:2] == (0, "now"):
            self.news = heard[2]
        return heard

    def _line(self, end: float) -> bytes | None:
        """Return the next line that is not blank; None if none is complete at the time `end`.

        Raises Endless if too much has arrived since the request.
        """
        while True:
            while self._lines:
                line = self._lines.popleft()
                if line.strip():
                    return line
            left = end - self.clock()
            if left <= 0:
                return None
            data = self.transport.read(left)
            self._left -= len(data)
            if self._left < 0:
                raise Endless(self.port)
            *lines, self.unread = (self.unread + data).split(b"\n")
            self._lines.extend(lines)
            self.unread = self.unread[-LINE_MAX:]
