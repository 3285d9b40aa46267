"""Post every entry, undo and end of a game to a server in the user's own network, such as Home Assistant.

The payload is described in docs/webhook.md. A receiver that is slow or gone delays nothing: only the newest lines of
each game wait, every post has a time limit, and a post that has failed twice is dropped.
"""

import http.client
import ipaddress
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from kiebitz.games import Refused
from kiebitz.store.events import CHANGES
from kiebitz.store.replay import ReplayedTable, parse
from kiebitz.store.table import Table
from kiebitz.text import text

from ..games.live import live_table
from ..languages import speaking
from ..outcome import Trouble

VERSION = 1  # of the payload
TIME_MAX_S = 5.0  # for a post, from the connection to the answer
TRIES = 2
PAUSE_S = 1.0  # between two tries
LINES_MAX = 50  # posted at once; of more that have waited the oldest are left out
GAMES_MAX = 50  # remembered; a device has one in play
_STEPS = ("undo", "redo")


class Receiver:
    """The address to which payloads are posted."""

    def __init__(self, address: str):
        """Parse an address; raises Trouble with the reason if nothing can be posted to it."""
        try:
            parts = urlsplit(address)
            self.host, port = parts.hostname or "", parts.port
        except ValueError:
            raise Trouble(f"{address} is not a valid address.") from None
        if parts.scheme not in ("http", "https") or not self.host or not address.isascii() or not address.isprintable():
            raise Trouble(f"{address}: give an address as http://homeassistant.local:8123/api/webhook/kiebitz.")
        if parts.username is not None:
            raise Trouble("an address for --tell cannot contain a user name or a password.")
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._port = port or (443 if self._tls else 80)
        self._netloc = parts.netloc
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")

    def post(self, payload: bytes) -> None:
        """Post a payload. Raises OSError or HTTPException if it does not arrive within TIME_MAX_S."""
        end = time.monotonic() + TIME_MAX_S
        connection = http.client.HTTPConnection(self.host, self._port)
        opened = self._connect(end)  # not by its name, which may have another address by then
        opened.settimeout(_left(end))
        if self._tls:
            opened = self._tls.wrap_socket(opened, server_hostname=self.host)
        connection.sock = opened
        # The timeout of a socket starts again with each byte
        late = threading.Timer(_left(end), _shut, (opened,))
        late.daemon = True
        late.start()
        try:
            headers = {"Content-Type": "application/json", "User-Agent": "kiebitz", "Host": self._netloc}
            connection.request("POST", self._path, payload, headers)
            status = connection.getresponse().status
            if not 200 <= status < 300:
                raise OSError(f"status {status}")
        finally:
            late.cancel()
            connection.close()
            opened.close()

    def _connect(self, end: float) -> socket.socket:
        """Connect to the host by the first of its addresses that answers.

        Names of players never leave the user's own network.
        """
        trouble = OSError(f"{self.host} is not in your own network")
        for *_, place in socket.getaddrinfo(self.host, self._port, type=socket.SOCK_STREAM):
            address = str(place[0])
            if not ipaddress.ip_address(address.partition("%")[0]).is_global:
                try:
                    return socket.create_connection((address, self._port), _left(end))
                except OSError as error:
                    trouble = error
        raise trouble


def _left(end: float) -> float:
    """Return the seconds until a moment, at least a few milliseconds, because 0 means no timeout."""
    return max(0.01, end - time.monotonic())


def _shut(opened: socket.socket) -> None:
    try:
        socket.socket.shutdown(opened, socket.SHUT_RDWR)  # that of TLS would drop what the other thread is using
    except OSError:
        pass  # it has just ended


class FollowedGame:
    """A game of which the lines so far are known."""

    def __init__(self, game_id: str, device: str):
        self.id = game_id
        self.device = device
        self._lines: list[str] = []
        self._replayed = ReplayedTable()
        self._over = False

    def payloads(self, lines: list[str]) -> Iterator[dict[str, Any]]:
        """Feed the new lines. Yield a payload for each; a single `state` if the game had already begun."""
        known = len(self._lines)
        if lines[:known] != self._lines:  # another history of the game
            known, self._replayed = 0, ReplayedTable()
        if known == 0 and len(lines) > 1:
            self._feed(lines)
            yield self._payload("state", None)
        else:
            quiet = max(known, len(lines) - LINES_MAX)
            self._feed(lines[known:quiet])
            for line in lines[quiet:]:
                yield from self._fed(line)
        self._lines = list(lines)

    def _feed(self, lines: list[str]) -> None:
        for line in lines:
            self._replayed.feed(line.encode())
        if self._replayed.table:
            self._over = self._replayed.table.game.over

    def _fed(self, line: str) -> Iterator[dict[str, Any]]:
        """Feed a line; yield its payload, and one more if it ends the game."""
        event = parse(line.encode())
        name, before, was_over = event.get("ev"), self._replayed.table, self._over
        taken = before.last_event() if before and name == "undo" and before.can_undo else None
        self._feed([line])
        table = self._replayed.table
        assert table is not None
        if name is None:
            yield self._payload("begin", None)
            return
        what = name if name in _STEPS else "change" if name in CHANGES else "entry"
        yield self._payload(what, taken or (table.last_event() if table.can_undo else None))
        if self._over and not was_over:
            yield self._payload("over", None)

    def _payload(self, what: str, entry: dict | None) -> dict[str, Any]:
        table: Table | None = self._replayed.table
        assert table is not None
        game = table.game
        leaders, winners = game.leaders(), game.winners()
        return {
            "kiebitz": VERSION,
            "what": what,
            "at": int(time.time()),
            "device": self.device,
            "game": {"id": self.id, "kind": game.KIND, "title": game.title or text(f"game.{game.KIND}")},
            "phase": game.phase,
            "over": game.over,
            "entries": len(table),
            "entry": entry,
            "text": live_table(game.KIND).entry_words(game, entry) if entry else None,
            "players": [
                {"name": name, "total": total, "leads": p in leaders, "winner": p in winners}
                for p, (name, total) in enumerate(zip(game.names, game.totals(), strict=True))
            ],
        }


class Webhook:
    """A thread that posts the changes of all games; keep() is thread-safe and returns at once."""

    def __init__(self, receiver: Receiver, lang: str, tell=lambda sentence: None):
        """Post to a receiver, with texts in a language; tell(sentence) reports the first failure and the recovery."""
        self._receiver = receiver
        self._lang = lang
        self._tell = tell
        self._waiting: dict[str, tuple[str, list[str]]] = {}  # id of a game -> device, lines
        self._games: dict[str, FollowedGame] = {}
        self._wake = threading.Condition()
        self._ends = threading.Event()
        self._fails = False
        self._thread = threading.Thread(target=self._run, name="webhook", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Request the end of the thread without waiting for it; what has not been posted is dropped."""
        self._ends.set()
        with self._wake:
            self._wake.notify_all()

    def keep(self, device: str, game_id: str, lines: list[str]) -> None:
        """Schedule the newest lines of a game to be posted."""
        with self._wake:
            self._waiting[game_id] = (device, lines)
            while len(self._waiting) > GAMES_MAX:
                del self._waiting[next(iter(self._waiting))]
            self._wake.notify_all()

    def _run(self) -> None:
        while not self._ends.is_set():
            with self._wake:
                self._wake.wait_for(lambda: self._waiting or self._ends.is_set())
                waiting, self._waiting = self._waiting, {}
            for game_id, (device, lines) in waiting.items():
                game = self._games.pop(game_id, None) or FollowedGame(game_id, device)
                self._games[game_id] = game
                while len(self._games) > GAMES_MAX:
                    del self._games[next(iter(self._games))]
                try:
                    with speaking(self._lang):
                        payloads = list(game.payloads(lines))
                except Refused:
                    continue  # these lines are not a game that the rules here can replay
                for payload in payloads:
                    self._post(json.dumps(payload).encode())

    def _post(self, payload: bytes) -> None:
        """Post a payload; give up after TRIES."""
        for _ in range(TRIES):
            if self._ends.is_set():
                return
            try:
                self._receiver.post(payload)
            except (OSError, http.client.HTTPException, UnicodeError) as trouble:
                reason = str(trouble)
                self._ends.wait(PAUSE_S)
                continue
            if self._fails:
                self._tell("the webhook arrives again.")
            self._fails = False
            return
        if not self._fails:
            self._tell(f"the webhook does not arrive: {reason}.")
        self._fails = True
