"""Connect devices with pages: render each state once per language and send it to all streams.

Each page has one stream of server-sent events. Each event holds a whole state, so a slow page skips old states, always
gets the newest, and delays no other page.
"""

import asyncio
import json
import re
import secrets
from argparse import Namespace
from base64 import b64encode
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path

from kiebitz.raster.tints import COLOURS
from starlette.responses import StreamingResponse

from ..games.live import DeviceState, in_order
from ..languages import speaking
from ..library.location import is_address
from ..link import ports as usb_ports
from ..link.answers import Screen
from .devices import Devices, DeviceThread
from .store_watch import Recorder, StoreWatch
from .webhook import Webhook

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


ALL = ""  # stands for a device: the page of all devices
CLUB = "club-"  # begins what stands for a device on the wall of an evening: all its tables

LIVE, SCREEN, STORE = "live", "screen", "store"  # kinds of topics, and of events
PLUGGED = "plugged"  # event on the topic of a display: 1 or 0


class Site:
    """The shared state of all requests: the database, the devices, and the open streams."""

    def __init__(
        self,
        db: Path | str,
        token: str,
        render: Callable[[list[DeviceState], str], str],
        find=usb_ports.ports,
        open_port=usb_ports.open_port,
        names: Iterable[str] = (),
        webhook: Webhook | None = None,
    ):
        """Open nothing yet; `render` returns the markup of the live table of a device, or of all devices.

        names: host names by which the server is reached, besides those of this computer
        """
        self.args = Namespace(db=str(db))  # as parsed by the commands, for open_store() and read_store()
        self.token = token
        self.codes: set[str] = set()  # unused one-time codes; a link with one works once, as if it had the token
        self.names = tuple(names)
        self.lan: str | None = None  # address in the local network, if it is shared
        self.hub = Hub()
        recorder = Recorder(self.args) if is_address(self.args.db) else None
        self._keepers = [keeper for keeper in (recorder, webhook) if keeper]  # get the lines of a game in play
        self.devices = Devices(self._told, self._pictured, find, open_port, self._keep)
        self.store_watch = StoreWatch(self.args, self._store_told)
        self._render = render
        self._run = secrets.token_hex(3)  # distinguishes events from those of an earlier run
        self._loop: asyncio.AbstractEventLoop | None = None
        self._seen: dict[str, DeviceState] = {}  # state shown by the pages; only for the event loop
        self._stored: dict[str, DeviceState] = {}  # tables of a club, from its database
        self._changes = 0  # of the store
        self._walls: dict[str, Callable[[list[DeviceState]], str]] = {}  # of evenings, those shown last
        self._kept: dict[Topic, tuple[str, Event]] = {}  # topic -> (state, event)

    def start(self) -> None:
        """Start following the devices; called in the event loop."""
        self._loop = asyncio.get_running_loop()
        self.devices.start()
        self.store_watch.start()
        for keeper in self._keepers:
            keeper.start()

    def stop(self) -> None:
        self.hub.end()
        self._loop = None
        self.store_watch.stop()
        self.devices.stop()
        for keeper in self._keepers:
            keeper.stop()

    def _keep(self, device: str, game_id: str, lines: list[str]) -> None:
        for keeper in self._keepers:
            keeper.keep(device, game_id, lines)

    # --- live ---

    def seen(self) -> list[DeviceState]:
        """Return all devices as the pages show them. No change is skipped."""
        return self._with_stored(self._seen)

    def _with_stored(self, own: dict[str, DeviceState]) -> list[DeviceState]:
        """Return this laptop's devices and those of a club's other laptops; a device plugged in here is newer."""
        found = {**self._stored, **own}
        for device, stored in self._stored.items():
            mine = own.get(device)
            if mine is None or not mine.lost or stored.snapshot is None:
                continue
            if mine.snapshot is None or mine.snapshot.events < stored.snapshot.events:
                found[device] = stored
        return in_order(found.values())

    def state(self, device: str, seen: list[DeviceState] | None = None) -> str:
        """Return a version string that changes with the live page of a device, or for ALL, of any device.

        seen: a snapshot of the devices (default: now, which the pages may not show yet).
        """
        if seen is None:
            seen = self._with_stored({one.device: one for one in self.devices.seen()})
        found = [one for one in seen if device in (ALL, one.device) or device in self._walls]
        return ".".join([self._run, *[f"{one.device}-{one.version}{'s' * self._is_stored(one)}" for one in found]])

    def _is_stored(self, seen: DeviceState) -> bool:
        return self._stored.get(seen.device) is seen

    def live_event(self, device: str, lang: str) -> Event:
        """Return the event with the state to show; cached per language for all viewers."""
        topic, seen = (LIVE, device, lang), self.seen()
        state = self.state(device, seen)
        kept = self._kept.get(topic)
        if kept is None or kept[0] != state:
            with speaking(lang):
                wall = self._walls.get(device)
                markup = wall(seen) if wall else self._render(seen, device)
            kept = (state, Event(LIVE, markup, id=state))
            if device == ALL or device in self._seen:  # because unknown names must not fill the memory
                self._kept[topic] = kept
        return kept[1]

    def put_on_wall(self, device: str, render: Callable[[list[DeviceState]], str], most: int) -> None:
        """Let the live page of this name, which begins with CLUB, show all tables as `render` returns them."""
        self._walls.pop(device, None)
        self._walls[device] = render
        while len(self._walls) > most:
            del self._walls[next(iter(self._walls))]

    def follow(self, device: str, lang: str, known: str):
        """Return the stream of a live page; `known` is the state that the page already shows."""
        first = None if known == self.state(device, self.seen()) else self.live_event(device, lang)
        return self.hub.answer((LIVE, device, lang), first)

    def _told(self, seen: DeviceState) -> None:
        self._soon(self._send_live, seen)

    def _send_live(self, seen: DeviceState) -> None:
        self._seen[seen.device] = seen
        for forgotten in self._seen.keys() - self.devices.followers.keys():
            del self._seen[forgotten]
            self._kept = {topic: kept for topic, kept in self._kept.items() if topic[1] != forgotten}
        self.hub.send((SCREEN, seen.device, ""), _plugged_event(seen))
        self._send_tables({seen.device})

    def _send_tables(self, changed: set[str]) -> None:
        """Send the tables of these devices to all their viewers."""
        for topic in self.hub.topics():
            kind, of, lang = topic
            if kind == LIVE and (of == ALL or of in changed or of in self._walls):
                self.hub.send(topic, self.live_event(of, lang))

    # --- the store ---

    def store_state(self) -> str:
        """Return a version string of the store; read it before the store, so that no change is missed."""
        return f"{self._run}.{self._changes}"

    def follow_store(self, known: str):
        """Return the stream of a results page; `known` is the state that the page already shows."""
        first = None if known == self.store_state() else self._store_event()
        return self.hub.answer((STORE, "", ""), first)

    def _store_event(self) -> Event:
        return Event(STORE, self.store_state(), id=self.store_state())

    def _store_told(self, tables: list[DeviceState]) -> None:
        self._soon(self._store_changed, {seen.device: seen for seen in tables})

    def _store_changed(self, tables: dict[str, DeviceState]) -> None:
        self._changes += 1
        self.hub.send((STORE, "", ""), self._store_event())
        before, self._stored = self._stored, tables
        changed = {device for device in {**before, **tables} if before.get(device) is not tables.get(device)}
        if changed:
            self._send_tables(changed)

    # --- the display ---

    def watch_screen(self, follower: DeviceThread):
        """Return the stream of a device's display. The display is read only while such a stream is open."""
        device = follower.seen.device

        def changed() -> None:
            follower.watched_by(self.hub.followers((SCREEN, device, "")))

        return self.hub.answer((SCREEN, device, ""), _plugged_event(follower.seen), changed)

    def _pictured(self, device: str, picture: Screen) -> None:
        self._soon(self._send_picture, device, picture)

    def _send_picture(self, device: str, picture: Screen) -> None:
        self.hub.send((SCREEN, device, ""), screen_event(picture))

    def _soon(self, what: Callable, *arguments) -> None:
        """Schedule a call in the event loop; called by other threads."""
        loop = self._loop
        try:
            if loop is not None:
                loop.call_soon_threadsafe(what, *arguments)
        except RuntimeError:
            pass  # the loop has just ended


def _plugged_event(seen: DeviceState) -> Event:
    return Event(PLUGGED, "0" if seen.lost else "1")


def screen_event(picture: Screen) -> Event:
    """Return a picture of the display as an event: its size, and its pages and colours as the device sends them."""
    width, height, pages, tints = picture
    shown: dict = {"w": width, "h": height, "pages": b64encode(pages).decode()}
    if tints:
        shown["tints"] = b64encode(tints).decode()
        shown["colours"] = [rgb for _, rgb in COLOURS]
    return Event(SCREEN, json.dumps(shown))
