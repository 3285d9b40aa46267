"""Send server-sent events to pages: one stream for each page, and a slow page delays no other.

Each event holds a whole state, so a slow page skips old states and always gets the newest.
"""

import asyncio
import re
from collections import deque
from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse

WAITING_MAX = 8  # events queued for a page; the oldest are dropped
HEARTBEAT_S = 15.0
Topic = tuple[str, str, str]  # kind, device, language

_HEARTBEAT = b":\n\n"
_RETRY = b"retry: 1000\n\n"  # milliseconds until a browser reconnects


_LINE_END = re.compile("\r\n|\r|\n")  # every line end that a browser recognizes


class Event:
    """An encoded event. Streams accept nothing else, so no text can add a field or an event of its own."""

    def __init__(self, name: str, data: str, id: str = ""):
        """Encode the fields: each line of `data` becomes a field; line ends and NULs in the others become spaces."""
        fields = [("id", _one_line(id))] if id else []
        fields += [("event", _one_line(name)), *[("data", line) for line in _LINE_END.split(data)]]
        self.encoded = "".join([*[f"{key}: {value}\n" for key, value in fields], "\n"]).encode(errors="replace")


def _one_line(words: str) -> str:
    return _LINE_END.sub(" ", words).replace("\0", " ")


class Stream:
    """The queue of events for one page."""

    def __init__(self) -> None:
        self._waiting: deque[Event] = deque(maxlen=WAITING_MAX)
        self._wake = asyncio.Event()
        self._ends = False

    def put(self, event: Event) -> None:
        """Queue an event; if the page is too slow, drop the oldest queued event."""
        self._waiting.append(event)
        self._wake.set()

    def end(self) -> None:
        self._ends = True
        self._wake.set()

    async def events(self) -> AsyncIterator[bytes]:
        """Yield queued events, and a heartbeat after a while without any."""
        yield _RETRY
        while not self._ends:
            try:
                await asyncio.wait_for(self._wake.wait(), HEARTBEAT_S)
            except TimeoutError:
                yield _HEARTBEAT
                continue
            self._wake.clear()
            while self._waiting and not self._ends:
                yield self._waiting.popleft().encoded


class Hub:
    """All open streams by topic. Only for the event loop's thread."""

    def __init__(self) -> None:
        self._streams: dict[Topic, set[Stream]] = {}
        self._ends = False

    def __len__(self) -> int:
        return sum(map(len, self._streams.values()))

    def topics(self) -> list[Topic]:
        return list(self._streams)

    def followers(self, topic: Topic) -> int:
        return len(self._streams.get(topic, ()))

    def send(self, topic: Topic, event: Event) -> None:
        for stream in self._streams.get(topic, ()):
            stream.put(event)

    def answer(self, topic: Topic, first: Event | None, changed=lambda: None) -> StreamingResponse:
        """Return the stream of a topic as an answer; `first` is sent at once.

        changed() is called when the stream opens and when it closes.
        """
        stream = Stream()
        if first is not None:
            stream.put(first)
        if self._ends:
            stream.end()

        async def content() -> AsyncIterator[bytes]:
            self._streams.setdefault(topic, set()).add(stream)
            changed()
            try:
                async for piece in stream.events():
                    yield piece
            finally:
                self._streams[topic].discard(stream)
                if not self._streams[topic]:
                    del self._streams[topic]
                changed()

        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(content(), media_type="text/event-stream", headers=headers)

    def end(self) -> None:
        """End all streams, so that the server can stop."""
        self._ends = True
        for streams in self._streams.values():
            for stream in streams:
                stream.end()
