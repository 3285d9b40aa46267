"""The client: asks one Kiebitz, waits for the answer, asks again if it got lost, and passes over everything else."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from kiebitz.link import PROTOCOL
from kiebitz.link.wire import ANSWER, LINE_MAX, REQUEST, REQUEST_MAX, frame, unframe
from kiebitz.table.log import encode

from .journal import journal_line, sealed
from .trouble import DeviceRefused, NoAnswer, Nonsense, NotAKiebitz, OtherProtocol

# Silence after which a request is repeated; a device that replays a long game or clears its flash is that quiet
ANSWER_S = 5.0
# A device that is asked who it is has nothing to think about
HELLO_S = 1.0
ATTEMPTS = 3
# A Pico that is busy while its port is opened loses count of what it is sent in that moment, and is deaf from then on
SETTLE_S = 0.1
SETTLE_READS = 100
# Games in one request: each takes 32 bytes of it
CONFIRM_MAX = 24
# A line of a game that comes damaged so many times in a row is damaged on the device
READ_ATTEMPTS = 3

Value = dict[str, Any]


class Transport(Protocol):
    """A port that is open; LinkLost when it is gone."""

    name: str

    def clock(self) -> float:
        """Seconds, for measuring how long an answer takes."""

    def read(self, seconds: float) -> bytes:
        """What has arrived; waits until something has, at most so long."""

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class Client:
    """One Kiebitz behind a transport."""

    def __init__(self, transport: Transport, seed: int | None = None):
        self.transport = transport
        self._clock = transport.clock
        # The device tells a repeated request by its number, so two clients must not begin with the same
        self._seq = int.from_bytes(os.urandom(3), "big") if seed is None else seed
        self._unread = b""
        self._news: list[Value] = []

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
        """Who is there; NotAKiebitz and OtherProtocol if we cannot talk to it."""
        prompt = False

        def look(line: bytes) -> bool:
            nonlocal prompt
            prompt = prompt or b">>>" in line
            return False

        self._settle()
        self.transport.write(b"\n")  # ends whatever half a line somebody has left there
        try:
            answer = self._final("who", {}, look, HELLO_S)
        except (NoAnswer, DeviceRefused):
            raise NotAKiebitz(self.port, prompt or b">>>" in self._unread) from None
        if answer.get("product") != "kiebitz" or not isinstance(answer.get("protocol"), int):
            raise NotAKiebitz(self.port)
        if answer["protocol"] != PROTOCOL:
            raise OtherProtocol(self.port, answer.get("version", "?"), answer["protocol"], PROTOCOL)
        return self._typed("who", answer, device=str, version=str, now=int)

    def _settle(self) -> None:
        """Say nothing yet; what the device has left from before is passed over."""
        end = self._clock() + SETTLE_S
        for _ in range(SETTLE_READS):
            if self._clock() >= end:
                break
            self.transport.read(end - self._clock())

    def games(self) -> tuple[list[Value], int]:
        """The games on the device, the newest first, and how many damaged files it keeps."""
        pieces, answer = self._all("games", {})
        for entry in pieces:
            self._typed("games", entry, id=str)
            if "lines" in entry:
                self._typed("games", entry, game=str, players=list, at=int, lines=int, mark=str)
                self._typed("games", entry, finished=bool, confirmed=bool, damaged=bool)
        return pieces, self._typed("games", answer, aside=int)["aside"]

    def read(
        self, game_id: str, known: Sequence[str] = (), on_line: Callable[[int], None] = lambda n: None
    ) -> tuple[list[str], bool]:
        """The lines of a game after those that are known, each checked; False with them if these are not all.

        Then the next one is damaged, or the device does not have the known ones. That they are the same there as here
        must be checked with a mark.
        `on_line` hears how many lines there are.
        """
        start = sum(len(sealed(game_id, number, text)) for number, text in enumerate(known))
        lines: list[str] = []
        fruitless = 0
        while True:
            before, at = len(lines), start

            def look(line: bytes) -> bool:
                nonlocal start
                found = journal_line(game_id, line)
                if found and found[0] == len(known) + len(lines):
                    lines.append(found[1])
                    start += len(sealed(game_id, *found))
                    on_line(len(lines))
                return found is not None

            answer = self._final("read", {"id": game_id, "at": at}, look)
            size = self._typed("read", answer, size=int)["size"]
            if start >= size:
                return lines, start == size
            fruitless = 0 if len(lines) > before else fruitless + 1
            if fruitless == READ_ATTEMPTS:
                return lines, False

    def confirm(self, marks: dict[str, str]) -> set[str]:
        """Say that these games are safe here, each up to its mark; those that have not gone on meanwhile."""
        done: set[str] = set()
        games = list(marks.items())
        for at in range(0, len(games), CONFIRM_MAX):
            answer = self._ask("confirm", {"games": dict(games[at : at + CONFIRM_MAX])})
            done.update(self._typed("confirm", answer, confirmed=list)["confirmed"])
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
        """Width, height and the picture on the display: pages of eight rows, a byte a column."""
        pieces, answer = self._all("screen", {})
        pages = sorted(pieces, key=lambda piece: piece["page"])
        return answer["width"], answer["height"], b"".join(bytes.fromhex(page["columns"]) for page in pages)

    def press(self, key: str, hold: bool = False) -> None:
        """Press a key: UP, DOWN, LEFT, RIGHT, OK or UNDO."""
        self._ask("key", {"key": key, "hold": hold})

    def follow(self) -> Value:
        """The state of the game in play; news() tells of every change for half a minute from now on."""
        self._news = []
        return self._state(self._ask("follow", {"on": True}))

    def unfollow(self) -> None:
        self._ask("follow", {"on": False})
        self._news = []

    def news(self, seconds: float) -> Value | None:
        """The latest state of the game in play, if it changes within this time."""
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
        """The value, if it has these keys with values of these kinds."""
        if any(type(value.get(key)) is not kind for key, kind in kinds.items()):
            raise Nonsense(self.port, verb)
        return value

    def _ask(self, verb: str, value: Value | None = None) -> Value:
        return self._final(verb, value or {})

    def _all(self, verb: str, value: Value) -> tuple[list[Value], Value]:
        """The pieces of an answer, and its end; asked again until as many have come as it says."""
        for _ in range(ATTEMPTS):
            pieces: list[Value] = []
            for word, content in self._words(verb, value, None, ANSWER_S):
                if word == "ok" and self._are_all(verb, pieces, content):
                    return pieces, content
                if word == "+":
                    pieces.append(content)
                elif word == "again":
                    pieces = []
        raise NoAnswer(self.port)

    def _are_all(self, verb: str, pieces: list[Value], end: Value) -> bool:
        """Whether all pieces are there that the end of the answer speaks of."""
        if verb == "games":
            return len({str(piece.get("id")) for piece in pieces}) == len(pieces) == end.get("games")
        if verb == "roster":
            return sum(len(self._typed(verb, piece, names=list)["names"]) for piece in pieces) == end.get("names")
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
        """What the device says to a request, up to the "ok"; "again" where it has to begin anew.

        Lines that are no answers go to `look`, which tells whether they belong to this one all the same.
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
                        end = self._clock() + seconds
                    continue
                end = self._clock() + seconds
                _, word, content = heard
                if word == "no" and content.get("code") != "E_CUT":
                    raise DeviceRefused(self.port, verb, str(content.get("code")), content.get("errno", 0))
                # A cut is the end of our own first attempt: the second follows
                yield word if word in ("ok", "+") else "again", content
                if word == "ok":
                    return

    # --- lines ---

    def _hear(self, line: bytes):
        """(seq, word, value) of an answer, None for any other line; news are kept."""
        heard = unframe(ANSWER, line)
        if heard and heard[:2] == (0, "now"):
            self._news.append(heard[2])
        return heard

    def _line(self, end: float) -> bytes | None:
        """The next line that is not blank, or None if none is complete by then."""
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
