"""Simulate a valid Kiebitz on the link and at its prompt, with answers that can be replaced."""

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from kiebitz.link.wire import ANSWER, REQUEST, escape, frame, unframe
from kiebitz.store.index import NAME as INDEX
from kiebitz.store.sealed_lines import seal
from kiebitz_host.flash_layout import BLOCK, BLOCKS
from kiebitz_host.link.channel import Value
from kiebitz_host.link.journal import mark, sealed

PORT = "/dev/null"  # which exists
LISTED = "5b3c0f-0001-c67e81"  # a game that the index describes
ASKED = "5b3c0f-0002-aabbcc"  # one that it does not
VERSION = "0.2.0"  # of every device
PLAYERS = ["Anna", "Ben", "Cleo"]
EVENTS = ({"ev": "point", "p": 1}, {"ev": "point", "p": 2}, {"ev": "undo"})
CRASHES = b"kiebitz 0.2.0\nmain.py:3 m\napp.py:7 draw\nValueError: bad\n--\n"

BYTE_S = 1e-6  # for each byte on the cable
TURN_S = 1e-3  # for each read
CABLE_BYTES = 64 << 20  # most bytes that a laptop may read
PATIENCE_S = 4 * 3600.0  # longest time that a laptop may read, in device time

# What a cable carries: bytes, or seconds of silence
Sent = Iterable[bytes | float]


class Endless(BaseException):
    """The laptop still reads, long after it should have timed out."""


class Clock:
    """A clock that advances while the laptop reads or sleeps. `limit` raises an exception then."""

    def __init__(self, limit_s: float = PATIENCE_S, limit_bytes: int = CABLE_BYTES, limit: type = Endless):
        self.now = 0.0
        self._limit_s = limit_s
        self._bytes = limit_bytes
        self._limit = limit

    def __call__(self) -> float:
        return self.now

    monotonic = __call__

    def sleep(self, seconds: float) -> None:
        """Advance the clock."""
        self.now += max(seconds, TURN_S)
        if self.now > self._limit_s:
            raise self._limit

    def carry(self, data: bytes) -> bytes:
        """Return the data after their transfer time."""
        self._bytes -= len(data)
        self.sleep(len(data) * BYTE_S)
        if self._bytes < 0:
            raise self._limit
        return data


class Cable:
    """A transport to a device whose answer(seq, verb, value) yields what it sends after a request."""

    name = PORT

    def __init__(self, answer: Callable[[int, str, Value], Sent], clock: Clock):
        self.clock = clock
        self._answer = answer
        self._sent: Iterator[bytes | float] = iter(())
        self._silent_until = 0.0

    def read(self, seconds: float) -> bytes:
        end = self.clock() + seconds
        while self.clock() < end:
            if self.clock() < self._silent_until:
                self.clock.sleep(min(end, self._silent_until) - self.clock())
                continue
            sent = next(self._sent, None)
            if sent is None:
                self._silent_until = end
            elif isinstance(sent, float):
                self._silent_until = self.clock() + sent
            else:
                return self.clock.carry(sent)
        return b""

    def write(self, data: bytes) -> None:
        for line in data.splitlines():
            request = unframe(REQUEST, line)
            if request:
                self._silent_until = 0.0
                self._sent = iter(self._answer(*request))

    def close(self) -> None:
        pass


# --- the link ---


def framed(seq: int, word: str, value: Any) -> bytes:
    """Return a line of an answer, as the device frames it."""
    return frame(ANSWER, seq, word, value if isinstance(value, str) else json.dumps(value))


def journal(game_id: str, events: Iterable[Value] = EVENTS, **setup: Any) -> list[str]:
    """Return the lines of a game of Top Spot."""
    begin = {"game": "top_spot", "players": PLAYERS, "id": game_id, "at": 1_800_000_000, "match_length": 3, **setup}
    return [json.dumps(begin), *map(json.dumps, events)]


def on_flash(game_id: str, lines: list[str]) -> list[bytes]:
    """Return the lines as the device stores and sends them."""
    return [escape(sealed(game_id, number, text)) for number, text in enumerate(lines)]


def index_line(game_id: str, entry: Any) -> bytes:
    """Return the line of the index for a game."""
    return seal(f"{game_id} {json.dumps(entry)}", INDEX)


class Honest:
    """A valid Kiebitz. A hostile one replaces values, lines or answers."""

    def __init__(self) -> None:
        self.journals = {game_id: journal(game_id) for game_id in (LISTED, ASKED)}
        self.who: Value = {
            "product": "kiebitz", "version": VERSION, "protocol": 1, "device": "e661a4d1275b3c0f",
            "board": "pico_oled", "now": 0,
        }  # fmt: skip
        self.files: Value = {f"{game_id}.kbz": self._size(game_id) for game_id in self.journals}
        self.list_end: Value = {
            "files": len(self.files), "index": 700, "mark": "0badcafe", "thrown": [], "playing": ASKED,
        }  # fmt: skip
        self.entry: Value = {**self._told(LISTED), "lines": len(EVENTS), "size": self._size(LISTED)}
        self.entry.update(totals=[0, 1, 0], winners=[])
        self.game: Value = {**self._told(ASKED), "lines": 1 + len(EVENTS), "confirmed": False, "damaged": False}
        self.ends: Any = None  # those of the journals
        self.confirmed: Any = None  # those that the laptop names
        self.names: Value = {"names": PLAYERS}
        self.names_end: Value = {"names": len(PLAYERS)}
        self.settings: Value = {"settings": {"language": "en", "board": "pico_oled", "brightness": 6}}
        self.state: Value = {"id": ASKED, "lines": 1 + len(EVENTS), "mark": self._told(ASKED)["mark"]}
        self.refusal: Value | None = None  # to every request but `who`
        self.answers: dict[str, Callable[[int, Value], Sent]] = {}  # instead of those below
        self.before: Callable[[int], Sent] = lambda seq: ()  # sent before every answer

    def _size(self, game_id: str) -> int:
        return sum(map(len, (sealed(game_id, *line) for line in enumerate(self.journals[game_id]))))

    def _told(self, game_id: str) -> Value:
        lines = self.journals[game_id]
        return {
            "game": "top_spot", "players": PLAYERS, "at": 1_800_000_000, "events": 1, "finished": False,
            "mark": mark(game_id, lines), "id": game_id, "title": "Top Spot",
        }  # fmt: skip

    def answer(self, seq: int, verb: str, value: Value) -> Sent:
        """Yield what this device sends after a request."""
        yield from self.before(seq)
        if self.refusal is not None and verb != "who":
            yield framed(seq, "no", self.refusal)
            return
        method: Any = self.answers.get(verb) or getattr(self, f"_{verb}", self._done)
        yield from method(seq, value)

    def _done(self, seq: int, value: Value) -> Sent:
        yield framed(seq, "ok", {})

    def _who(self, seq: int, value: Value) -> Sent:
        yield framed(seq, "ok", self.who)

    def _games(self, seq: int, value: Value) -> Sent:
        yield index_line(LISTED, self.entry)
        yield framed(seq, "+", {"files": self.files})
        yield framed(seq, "ok", self.list_end)

    def _game(self, seq: int, value: Value) -> Sent:
        yield framed(seq, "ok", self.game)

    def _read(self, seq: int, value: Value) -> Sent:
        wanted = value["games"]
        ends = []
        for game_id, start in zip(wanted[::2], wanted[1::2], strict=True):
            at = 0
            for number, text in enumerate(self.journals.get(game_id, [])):
                if at >= start:
                    yield escape(sealed(game_id, number, text))
                at += len(sealed(game_id, number, text))
            ends.append(at)
        yield framed(seq, "ok", {"ends": ends if self.ends is None else self.ends})

    def _confirm(self, seq: int, value: Value) -> Sent:
        done = True if "index" in value else list(value["games"])
        yield framed(seq, "ok", {"confirmed": done if self.confirmed is None else self.confirmed})

    def _roster(self, seq: int, value: Value) -> Sent:
        yield framed(seq, "+", self.names)
        yield framed(seq, "ok", self.names_end)

    def _screen(self, seq: int, value: Value) -> Sent:
        for page in range(8):
            yield framed(seq, "+", {"page": page, "columns": "00" * 128})
        yield framed(seq, "ok", {"width": 128, "height": 64})

    def _settings(self, seq: int, value: Value) -> Sent:
        yield framed(seq, "ok", self.settings)

    def _follow(self, seq: int, value: Value) -> Sent:
        yield framed(seq, "ok", self.state)


# --- the prompt ---


class Prompt:
    """A port as mpremote uses it, with a MicroPython behind it. A hostile one replaces what it sends."""

    def __init__(self, clock: Clock):
        self.clock = clock
        self.timeout: float | None = None
        self.rts = self.dtr = True
        self.facts: Any = {
            "version": [1, 25, 0], "machine": "Raspberry Pi Pico with RP2040", "platform": "rp2",
            "path": [".frozen", "", "/lib"], "kiebitz": VERSION, "block": BLOCK, "blocks": BLOCKS, "free": 300,
            "names": ["data"], "games": 2,
        }  # fmt: skip
        self.crashes = base64.b64encode(CRASHES) + b"\n"
        self.geometry = b"32 4096\n"
        # What the stage of a report prints, and the app that it starts
        self.files: Any = {"files": 3, "crc": "0a1b2c3d"}
        self.times: Any = {
            "start_us": 100_000, "start_cache": [9, 10], "press_us": [20_000] * 5, "press_cache": [90, 100],
            "memory": 120_000, "crash": "",
        }  # fmt: skip
        self.app: Callable[[int, str, Value], Sent] | None = None
        self.error = b""
        self.plain = b"\r\n>>> "
        self.raw = b"raw REPL; CTRL-B to exit\r\n>"
        self.reboot = b"OK\r\nMPY: soft reboot\r\n"
        self.paste = b"R\x00"
        self.taken = b"OK"
        self.flood: Iterator[bytes] | None = None  # sent when nothing else is
        self._code = bytearray()
        self._is_raw = self._runs = False
        self._sent: Iterator[bytes | float] = iter(())  # by the app
        self._unread = bytearray()

    def write(self, data: bytes) -> None:
        if self._runs and b"\x03" not in data:
            self._hear(data)
        elif data.endswith(b"\x02"):
            self._is_raw = self._runs = False
            self._unread += self.plain
        elif data == b"\r\x01":
            self._is_raw = True
            self._unread += self.raw
        elif data == b"\x05A\x01":
            self._unread += self.paste
        elif data == b"\x04" and self._is_raw:
            code = bytes(self._code)
            self._code.clear()
            self._runs = code == b"app.run()" and self.app is not None
            self._unread += self.taken + self._run(code) if code else self.reboot + self.raw
        elif self._is_raw and data != b"\r\x03":
            self._code += data

    def _hear(self, data: bytes) -> None:
        """Let the app that runs answer requests."""
        for line in data.split(b"\n"):
            request = unframe(REQUEST, line)
            if request and self.app:
                self._sent = iter(self.app(*request))

    def _run(self, code: bytes) -> bytes:
        if self._runs:
            return b""
        return self._output(code) + b"\x04" + self.error + b"\x04>"

    def _output(self, code: bytes) -> bytes:
        asked = {b"facts()": self.facts, b"tell_files()": self.files, b"tell_times()": self.times}
        if code in asked:
            return asked[code] if isinstance(asked[code], bytes) else json.dumps(asked[code]).encode()
        if code.startswith(b"show("):
            return self.crashes
        if code.startswith(b"geometry("):
            return self.geometry
        if code.startswith(b"blocks("):
            first, count, size = map(int, code[7:-1].split(b","))
            return b"".join(self.block(number, bytes(size)) for number in range(first, first + count))
        return b""

    def block(self, number: int, content: bytes) -> bytes:
        """Return a block of the flash as the agent prints it."""
        return b"%d %08x " % (number, binascii.crc32(content)) + base64.b64encode(content) + b"\n"

    def read(self, size: int = 1) -> bytes:
        if not self._unread and self._runs:
            part = next(self._sent, b"")
            if isinstance(part, float):
                self.clock.sleep(part)
            else:
                self._unread += part
        if not self._unread and self.flood:
            self._unread += next(self.flood, b"")
        data = bytes(self._unread[:size])
        del self._unread[:size]
        if not data:
            self.clock.sleep(self.timeout or 1.0)
        return self.clock.carry(data)

    def inWaiting(self) -> int:
        """Return how many bytes can be read, under the name that mpremote uses."""
        return len(self._unread) or int(self.flood is not None)

    @property
    def in_waiting(self) -> int:
        return self.inWaiting()

    def close(self) -> None:
        pass
