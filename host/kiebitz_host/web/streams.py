"""Send server-sent events to pages: one stream for each page, and a slow page delays no other.

Each event holds a whole state, so a slow page skips old states and always gets the newest.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse

WAITING_MAX = 8  # events queued for a page; the oldest are dropped
HEARTBEAT_S = 15.0
Topic = tuple[str, str, str]  # kind, device, language

_HEARTBEAT = b":\n\n"
_RETRY = b"retry: 1000\n\n"  # milliseconds until a browser reconnects


def event(name: str, data: str) -> bytes:
    """Format an event; every line of the data needs its own field."""
    return f"event: {name}\n".encode() + b"".join(b"data: %b\n" % line.encode() for line in data.split("\n")) + b"\n"


class Stream:
    """The queue of events for one page."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque(maxlen=WAITING_MAX)
        self._wake = asyncio.Event()
        self._ends = False

    def put(self, content: bytes) -> None:
        """Queue an event; if the page is too slow, drop the oldest queued event."""
        self._waiting.append(content)
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
                yield self._waiting.popleft()


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

    def send(self, topic: Topic, content: bytes) -> None:
        for stream in self._streams.get(topic, ()):
            stream.put(content)

    def answer(self, topic: Topic, first: bytes | None, changed=lambda: None) -> StreamingResponse:
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
