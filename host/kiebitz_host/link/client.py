"""Send each request of the protocol to one Kiebitz, and return its validated answer."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from kiebitz.link import PROTOCOL
from kiebitz.link.wire import REQUEST, REQUEST_MAX

from ..received import Check, Unfit, number, seats, version
from . import answers
from .answers import GameList
from .channel import ANSWER_S, HELLO_S, Channel, Transport, Value
from .journal import JournalDownload
from .trouble import DeviceRefused, Endless, NameTooLong, NoAnswer, Nonsense, NotAKiebitz, OtherProtocol

# More bytes of journals than a Pico can hold
JOURNALS_BYTES = 4 << 20
# Games in one request: each takes up to 33 bytes of the request
CONFIRM_MAX = 29
READ_MAX = 29

_PROTOCOL = number(1_000_000, 1)


class Client:
    """A connection to one Kiebitz through a transport."""

    def __init__(self, transport: Transport, seed: int | None = None):
        self.transport = transport
        self.channel = Channel(transport, seed)
        self._journals = 0  # bytes of journals read so far
        self._index: Value = {}  # length and CRC32 of the device's index when the games were listed
        self._indexed: set[str] = set()  # games whose latest state is in the index
        self.thrown: dict[str, int] = {}  # games discarded there -> unix timestamp

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def port(self) -> str:
        """The name of the port."""
        return self.channel.port

    def close(self) -> None:
        """Close the port."""
        self.channel.close()

    def give_up_after(self, seconds: float) -> None:
        """Limit the total time of all further requests."""
        self.channel.give_up_after(seconds)

    def hello(self) -> Value:
        """Request the identity of the device.

        Returns the answer; raises NotAKiebitz or OtherProtocol if the client cannot use it.
        """
        prompt = False

        def look(line: bytes) -> bool:
            nonlocal prompt
            prompt = prompt or b">>>" in line
            return False

        self.channel.settle()
        self.transport.write(b"\n")  # terminates a partial line that another program may have left
        try:
            answer = self.channel.final("who", {}, look, HELLO_S)
        except (NoAnswer, DeviceRefused, Endless):
            # An idle prompt only echoes its input, without line ends
            prompt = prompt or b">>>" in self.channel.unread or REQUEST in self.channel.unread
            raise NotAKiebitz(self.port, prompt) from None
        protocol = _fitting(_PROTOCOL, answer.get("protocol"), None)
        if answer.get("product") != "kiebitz" or protocol is None:
            raise NotAKiebitz(self.port)
        if protocol != PROTOCOL:
            raise OtherProtocol(self.port, _fitting(version, answer.get("version"), "?"), protocol, PROTOCOL)
        return self.channel.checked("who", answers.WHO, answer)

    def games(self) -> tuple[list[Value], int]:
        """List the games on the device.

        Returns (games, newest first; number of corrupt files on the device).
        """
        listing = GameList()
        end = answers.LIST_END(self.channel.collect("games", listing))
        known = {game_id: listing.entry(game_id) for game_id in listing.ids()}
        self._index = {key: end[key] for key in ("index", "mark")}
        self.thrown = dict(end["thrown"])
        self._indexed = {game_id for game_id in known if known[game_id] and game_id != end.get("playing")}
        return [entry or self._game(game_id) for game_id, entry in known.items()], listing.aside()

    def _game(self, game_id: str) -> Value:
        """Request one game that is not in the index; the device may have to replay it.

        Returns its entry.
        """
        answer = self.channel.ask("game", {"id": game_id})
        check = answers.READABLE if "lines" in answer else answers.UNREADABLE
        return {**self.channel.checked("game", check, answer), "id": game_id}

    def read(self, game_id: str, known: Sequence[str] = ()) -> tuple[list[str], bool]:
        """Read the lines of a game after the known ones. Returns (lines, True if the device has no more)."""
        reading = JournalDownload(game_id, known)
        for _ in self.read_all([reading]):
            if reading.ended:
                break
        if reading.code == "E_GAME":
            raise DeviceRefused(self.port, "read", reading.code, 0)
        return reading.lines, reading.whole

    def read_all(self, readings: Sequence[JournalDownload]) -> Iterator[JournalDownload]:
        """Read games. Yields a game after each of its lines, and once at its end, while the next ones arrive."""
        left = list(readings)
        self._journals = 0
        while left:
            yield from self._read_some(left[:READ_MAX])
            left = [reading for reading in left if not reading.ended]

    def _read_some(self, readings: list[JournalDownload]) -> Iterator[JournalDownload]:
        heard = deque(readings)  # the game that received the last line comes first

        def look(line: bytes) -> bool:
            for _ in range(len(heard)):
                reached, start = heard[0].reached, heard[0].start
                if heard[0].hear(line):
                    self._journals += heard[0].start - start
                    return heard[0].reached > reached
                heard.rotate(-1)
            return False

        games = [part for reading in readings for part in (reading.id, reading.start)]
        given: set[str] = set()
        for word, content in self.channel.words("read", {"games": games}, ANSWER_S, look):
            if self._journals > JOURNALS_BYTES:
                raise Endless(self.port)
            if word == "again":
                for reading in readings:
                    reading.reached = 0
            if word == "ok":
                ends = self.channel.checked("read", answers.READ, content)["ends"]
                if len(ends) != len(readings):
                    raise Nonsense(self.port, "read")
                for reading, end in zip(readings, ends, strict=True):
                    if not reading.ended:
                        reading.told(end)
            for reading in [heard[0]] if word == "line" else readings:
                if reading.ended and reading.id not in given:
                    given.add(reading.id)
                    yield reading
                elif word == "line" and not reading.ended:
                    yield reading
        if word != "ok":
            raise NoAnswer(self.port)

    def confirm(self, marks: dict[str, str], everything: bool = False) -> set[str]:
        """Confirm that these games are stored here, each up to its mark. Returns those that have not changed since.

        With `everything`, all games listed by games() are stored here: one request confirms most of them.
        """
        done: set[str] = set()
        if everything and self._index and self._indexed & marks.keys():
            answer = self.channel.ask("confirm", self._index)
            if self.channel.checked("confirm", answers.CONFIRMED_INDEX, answer)["confirmed"]:
                done = self._indexed & marks.keys()
        games = [(game_id, mark) for game_id, mark in marks.items() if game_id not in done]
        for at in range(0, len(games), CONFIRM_MAX):
            answer = self.channel.ask("confirm", {"games": dict(games[at : at + CONFIRM_MAX])})
            done.update(self.channel.checked("confirm", answers.CONFIRMED, answer)["confirmed"])
        return done & marks.keys()

    def set_clock(self, unix: int) -> None:
        self.channel.ask("clock", {"now": unix})

    def roster(self) -> list[str]:
        names = answers.Names()
        self.channel.collect("roster", names)
        return names.names

    def write_roster(self, names: list[str]) -> None:
        """Replace the device's roster. Raises NameTooLong if a name does not fit into a request."""
        at = 0
        while True:
            piece = names[at:]
            while len(self.channel.request("names", {"at": at, "names": piece, "more": True})) > REQUEST_MAX:
                if len(piece) == 1:
                    raise NameTooLong(self.port, piece[0])
                piece = piece[: -max(1, len(piece) // 4)]
            more = at + len(piece) < len(names)
            self.channel.ask("names", {"at": at, "names": piece, "more": more})
            at += len(piece)
            if not more:
                return

    def seats(self, new: Value | None = None) -> Value:
        """Store a table and its set-up on the device, if given. Returns those that are stored, {} without any.

        Raises NameTooLong if they do not fit into a request.
        """
        if new and len(self.channel.request("seats", new)) > REQUEST_MAX:
            raise NameTooLong(self.port, max(new["setup"]["players"], key=len))
        return self.channel.checked("seats", seats, self.channel.ask("seats", new or {}))

    def remove_seats(self) -> None:
        """Remove the table that was stored on the device."""
        self.channel.ask("seats", {"gone": True})

    def presets(self) -> list[Value]:
        presets = answers.PresetList()
        self.channel.collect("presets", presets)
        return presets.presets

    def write_preset(self, preset: Value) -> None:
        """Add a preset to the device, or replace the one with the same title; the longest title fits into a request."""
        self.channel.ask("preset", preset)

    def remove_preset(self, preset: Value) -> None:
        """Remove the preset with this title from the device, if there is one."""
        self.channel.ask("preset", {"game": preset["game"], "title": preset["title"], "gone": True})

    def settings(self) -> Value:
        return self.channel.checked("settings", answers.SETTINGS, self.channel.ask("settings"))["settings"]

    def set(self, name: str, value: object) -> None:
        self.channel.ask("set", {"name": name, "value": value})

    def screen(self) -> answers.Screen:
        """Read the display. Returns its picture, and its coloured rectangles if it has any."""
        picture = answers.Picture()
        self.channel.collect("screen", picture)
        return picture.content()

    def press(self, key: str, hold: bool = False) -> None:
        """Press a key: UP, DOWN, LEFT, RIGHT, OK or UNDO."""
        self.channel.ask("key", {"key": key, "hold": hold})

    def update(self) -> None:
        """Make the device enter its bootloader; it leaves this port after its answer."""
        self.channel.ask("update")

    def follow(self) -> Value:
        """Subscribe to the game in play. Returns its state; news() then reports every change for half a minute."""
        self.channel.news = None
        return self.channel.checked("follow", answers.STATE, self.channel.ask("follow", {"on": True}))

    def unfollow(self) -> None:
        self.channel.ask("follow", {"on": False})
        self.channel.news = None

    def news(self, seconds: float) -> Value | None:
        """Wait at most `seconds` for a change of the game in play.

        Returns its latest state, or None if it has not changed.
        """
        latest = self.channel.next_news(seconds)
        return None if latest is None else self.channel.checked("follow", answers.STATE, latest)


def _fitting(check: Check, value: Any, default: Any) -> Any:
    """Return the value if it is valid, else the default."""
    try:
        return check(value)
    except Unfit:
        return default
