"""Sends requests to one Kiebitz, waits for the answers, repeats requests that got lost, and skips all other lines."""

import os
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from kiebitz.link import PROTOCOL
from kiebitz.link.wire import ANSWER, LINE_MAX, REQUEST, REQUEST_MAX, frame, unframe
from kiebitz.store.events import encode

from .listing import KINDS, Listing
from .reading import Reading
from .trouble import DeviceRefused, NoAnswer, Nonsense, NotAKiebitz, OtherProtocol

# Silence after which a request is repeated: a device that replays a long game or clears its flash may be silent for as
# long
ANSWER_S = 5.0
# Shorter for the request `who`: the device can answer it at once
HELLO_S = 1.0
ATTEMPTS = 3
# A Pico that is busy while its port is opened loses count of the bytes sent in that moment, and is deaf from then on
SETTLE_S = 0.1
SETTLE_READS = 100
# Games in one request: each takes up to 33 bytes of the request
CONFIRM_MAX = 29
READ_MAX = 29

Value = dict[str, Any]


class Transport(Protocol):
    """An open port. Its methods raise LinkLost when the port is gone."""

    name: str

    def clock(self) -> float:
        """Return seconds from a clock that measures how long an answer takes."""

    def read(self, seconds: float) -> bytes:
        """Wait at most `seconds` for data. Returns the bytes that have arrived, empty if none has."""

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class Client:
    """A connection to one Kiebitz through a transport."""

    def __init__(self, transport: Transport, seed: int | None = None):
        self.transport = transport
        self._clock = transport.clock
        # The device recognises a repeated request by its number, so two clients must not start with the same number
        self._seq = int.from_bytes(os.urandom(3), "big") if seed is None else seed
        self._unread = b""
        self._news: list[Value] = []
        self._index: Value = {}  # length and CRC32 of the device's index when the games were listed
        self._indexed: set[str] = set()  # the games whose latest state the index holds

    @property
    def port(self) -> str:
        return self.transport.name

    def close(self) -> None:
        self.transport.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- requests ---

    def hello(self) -> Value:
        """Ask the device for its identity.

        Returns the answer, raises NotAKiebitz or OtherProtocol if the client cannot use it.
        """
        prompt = False

        def look(line: bytes) -> bool:
            nonlocal prompt
            prompt = prompt or b">>>" in line
            return False

        self._settle()
        self.transport.write(b"\n")  # ends a half line that another program may have left there
        try:
            answer = self._final("who", {}, look, HELLO_S)
        except (NoAnswer, DeviceRefused):
            # A prompt at which nobody has pressed Enter only echoes what it is sent, without line ends
            prompt = prompt or b">>>" in self._unread or REQUEST in self._unread
            raise NotAKiebitz(self.port, prompt) from None
        if answer.get("product") != "kiebitz" or not isinstance(answer.get("protocol"), int):
            raise NotAKiebitz(self.port)
        if answer["protocol"] != PROTOCOL:
            raise OtherProtocol(self.port, answer.get("version", "?"), answer["protocol"], PROTOCOL)
        who = self._typed("who", answer, device=str, version=str, now=int)
        if not who["device"].isascii() or not who["version"].isascii():
            raise Nonsense(self.port, "who")
        return who

    def _settle(self) -> None:
        """Wait for SETTLE_S without sending, and drop what the device has left from before."""
        end = self._clock() + SETTLE_S
        for _ in range(SETTLE_READS):
            if self._clock() >= end:
                break
            self.transport.read(end - self._clock())

    def games(self) -> tuple[list[Value], int]:
        """List the games on the device.

        Returns (games, newest first; number of damaged files that the device keeps).
        """
        listing = Listing()
        pieces, answer = self._all("games", {}, listing.hear, listing.forget)
        for piece in pieces:
            listing.files(piece["files"])
        known = {game_id: listing.entry(game_id) for game_id in listing.ids()}
        # Older firmware tells no CRC32: its games are confirmed one by one
        told = self._typed("games", answer, index=int)
        self._index = {key: told[key] for key in ("index", "mark")} if isinstance(told.get("mark"), str) else {}
        self._indexed = {game_id for game_id in known if known[game_id] and game_id != answer.get("playing")}
        return [entry or self._game(game_id) for game_id, entry in known.items()], listing.aside()

    def _game(self, game_id: str) -> Value:
        """Ask for one game that the index does not describe; the device may have to replay the game.

        Returns its entry.
        """
        entry = self._typed("game", self._ask("game", {"id": game_id}), damaged=bool)
        if "lines" in entry:
            self._typed("game", entry, confirmed=bool, **{key: kind for key, kind in KINDS.items() if key != "size"})
        return {**entry, "id": game_id}

    def read(self, game_id: str, known: Sequence[str] = ()) -> tuple[list[str], bool]:
        """Read the lines of a game after the known ones. Returns (lines, True if the device has no more)."""
        reading = next(self.read_all([Reading(game_id, known)]))
        if reading.code == "E_GAME":
            raise DeviceRefused(self.port, "read", reading.code, 0)
        return reading.lines, reading.whole

    def read_all(self, readings: Sequence[Reading]) -> Iterator[Reading]:
        """Read games. Yields each game as soon as it has ended, while the next ones arrive."""
        left = list(readings)
        while left:
            yield from self._read_some(left[:READ_MAX])
            left = [reading for reading in left if not reading.ended]

    def _read_some(self, readings: list[Reading]) -> Iterator[Reading]:
        heard = deque(readings)  # the game that received the last line comes first

        def look(line: bytes) -> bool:
            for _ in range(len(heard)):
                if heard[0].hear(line):
                    return True
                heard.rotate(-1)
            return False

        games = [part for reading in readings for part in (reading.id, reading.start)]
        given: set[str] = set()
        for word, content in self._words("read", {"games": games}, look, ANSWER_S):
            if word == "ok":
                ends = self._typed("read", content, ends=list)["ends"]
                if len(ends) != len(readings):
                    raise Nonsense(self.port, "read")
                for reading, end in zip(readings, ends, strict=True):
                    if not reading.ended:
                        reading.told(end)
            for reading in [heard[0]] if word == "line" else readings:
                if reading.ended and reading.id not in given:
                    given.add(reading.id)
                    yield reading
        if word != "ok":
            raise NoAnswer(self.port)

    def confirm(self, marks: dict[str, str], everything: bool = False) -> set[str]:
        """Confirm that these games are stored here, each up to its mark. Returns those that have not changed since.

        With `everything`, all games listed by games() are stored here: one request confirms most of them.
        """
        done: set[str] = set()
        if everything and self._index and self._indexed & marks.keys():
            answer = self._ask("confirm", self._index)
            if self._typed("confirm", answer, confirmed=bool)["confirmed"]:
                done = self._indexed & marks.keys()
        games = [(game_id, mark) for game_id, mark in marks.items() if game_id not in done]
        for at in range(0, len(games), CONFIRM_MAX):
            answer = self._ask("confirm", {"games": dict(games[at : at + CONFIRM_MAX])})
            done.update(self._strings("confirm", answer, "confirmed"))
        return done

    def set_clock(self, unix: int) -> None:
        self._ask("clock", {"now": unix})

    def roster(self) -> list[str]:
        pieces, _ = self._all("roster", {})
        return [name for piece in pieces for name in piece["names"]]

    def write_roster(self, names: list[str]) -> None:
        at = 0
        while True:
            piece = names[at:]
            while len(self._request("names", {"at": at, "names": piece, "more": True})) > REQUEST_MAX:
                piece = piece[: -max(1, len(piece) // 4)]
            more = at + len(piece) < len(names)
            self._ask("names", {"at": at, "names": piece, "more": more})
            at += len(piece)
            if not more:
                return

    def settings(self) -> Value:
        return self._typed("settings", self._ask("settings"), settings=dict)["settings"]

    def set(self, name: str, value: object) -> None:
        self._ask("set", {"name": name, "value": value})

    def screen(self) -> tuple[int, int, bytes]:
        """Read the display.

        Returns (width, height, picture); the picture has pages of eight rows, one byte for each column.
        """
        pieces, answer = self._all("screen", {})
        pages = sorted(pieces, key=lambda piece: piece["page"])
        return answer["width"], answer["height"], b"".join(bytes.fromhex(page["columns"]) for page in pages)

    def press(self, key: str, hold: bool = False) -> None:
        """Press a key: UP, DOWN, LEFT, RIGHT, OK or UNDO."""
        self._ask("key", {"key": key, "hold": hold})

    def update(self) -> None:
        """Ask the device to become a drive for its next firmware; it leaves this port after its answer."""
        self._ask("update")

    def follow(self) -> Value:
        """Follow the game in play. Returns its state; news() reports every change for half a minute from now on."""
        self._news = []
        return self._state(self._ask("follow", {"on": True}))

    def unfollow(self) -> None:
        self._ask("follow", {"on": False})
        self._news = []

    def news(self, seconds: float) -> Value | None:
        """Wait at most `seconds` for a change of the game in play.

        Returns its latest state, or None if it has not changed.
        """
        end = self._clock() + seconds
        while not self._news:
            line = self._line(end)
            if line is None:
                return None
            self._hear(line)
        latest = self._news[-1]
        self._news = []
        return self._state(latest)

    def _state(self, state: Value) -> Value:
        if state.get("id", "") is None:
            return state
        return self._typed("follow", state, id=str, lines=int, mark=str)

    # --- question and answer ---

    def _typed(self, verb: str, value: Value, **kinds: type) -> Value:
        """Return the value if it has these keys with values of these types, else raise Nonsense."""
        if any(type(value.get(key)) is not kind for key, kind in kinds.items()):
            raise Nonsense(self.port, verb)
        return value

    def _strings(self, verb: str, value: Value, key: str) -> list[str]:
        found = self._typed(verb, value, **{key: list})[key]
        if any(type(item) is not str for item in found):
            raise Nonsense(self.port, verb)
        return found

    def _ask(self, verb: str, value: Value | None = None) -> Value:
        return self._final(verb, value or {})

    def _all(self, verb: str, value: Value, look=None, forget=lambda: None) -> tuple[list[Value], Value]:
        """Collect the pieces of an answer, and ask again until all have come. Returns (pieces, end of the answer)."""
        for _ in range(ATTEMPTS):
            pieces: list[Value] = []
            forget()
            for word, content in self._words(verb, value, look, ANSWER_S):
                if word == "ok" and self._are_all(verb, pieces, content):
                    return pieces, content
                if word == "+":
                    pieces.append(content)
                elif word == "again":
                    pieces = []
                    forget()
        raise NoAnswer(self.port)

    def _are_all(self, verb: str, pieces: list[Value], end: Value) -> bool:
        """Tell whether all pieces are there that the end of the answer counts."""
        if verb == "games":
            sizes = [self._typed(verb, piece, files=dict)["files"] for piece in pieces]
            if any(type(size) is not int or not name.isascii() for files in sizes for name, size in files.items()):
                raise Nonsense(self.port, verb)
            return len({name for files in sizes for name in files}) == end.get("files")
        if verb == "roster":
            return sum(len(self._strings(verb, piece, "names")) for piece in pieces) == end.get("names")
        height = self._typed(verb, end, width=int, height=int)["height"]
        pages = [self._typed(verb, piece, page=int, columns=str)["page"] for piece in pieces]
        return sorted(pages) == list(range(height // 8))

    def _final(self, verb, value, look=None, seconds=ANSWER_S) -> Value:
        for word, content in self._words(verb, value, look, seconds):
            if word == "ok":
                return content
        raise NoAnswer(self.port)

    def _request(self, verb: str, value: Value) -> bytes:
        return frame(REQUEST, self._seq, verb, encode(value))

    def _words(self, verb, value, look, seconds) -> Iterator[tuple[str, Value]]:
        """Yield what the device answers to a request, up to the "ok"; yields "again" where the answer starts again.

        Lines that are no answers go to `look`. If `look` returns True, the line belongs to this answer, and "line" is
        yielded.
        """
        self._seq = self._seq % 99_999_999 + 1
        for attempt in range(ATTEMPTS):
            if attempt:
                yield "again", {}
            self.transport.write(self._request(verb, value))
            end = self._clock() + seconds
            while True:
                line = self._line(end)
                if line is None:
                    break
                heard = self._hear(line)
                if heard is None or heard[0] != self._seq:
                    if heard is None and look and look(line):
                        yield "line", {}
                        end = self._clock() + seconds
                    continue
                _, word, content = heard
                if word == "no" and content.get("code") != "E_CUT":
                    raise DeviceRefused(self.port, verb, str(content.get("code")), content.get("errno", 0))
                # A cut ends our own first attempt: the second follows
                yield word if word in ("ok", "+") else "again", content
                if word == "ok":
                    return
                end = self._clock() + seconds

    # --- lines ---

    def _hear(self, line: bytes):
        """Return (seq, word, value) of an answer, None for any other line. News are kept for news()."""
        heard = unframe(ANSWER, line)
        if heard and heard[:2] == (0, "now"):
            self._news.append(heard[2])
        return heard

    def _line(self, end: float) -> bytes | None:
        """Return the next line that is not blank, or None if none is complete at the time `end`."""
        while True:
            line, found, rest = self._unread.partition(b"\n")
            if found:
                self._unread = rest
                if line.strip():
                    return line
                continue
            if len(self._unread) > 2 * LINE_MAX:
                self._unread = self._unread[-LINE_MAX:]
            left = end - self._clock()
            if left <= 0:
                return None
            self._unread += self.transport.read(left)
