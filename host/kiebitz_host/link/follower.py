"""Follow the game in play on a Kiebitz across reconnects."""

import time
from collections.abc import Callable
from typing import Any, Protocol

from kiebitz.games import Refused
from kiebitz.store.replay import ReplayedTable
from kiebitz.store.table import Table

from .channel import Value
from .client import Client
from .journal import LINES_MAX, mark
from .trouble import DeviceRefused, LinkTrouble

# Polling interval for a disconnected device
RETRY_S = 0.5
# A subscription to changes expires after half a minute
RENEW_S = 10.0
SLICE_S = 0.25


class GameListener(Protocol):
    """Callbacks for the events of the followed device."""

    def shows(self, port: str, table: Table, flaw: str) -> None:
        """Show the changed game."""

    def idle(self, port: str) -> None:
        """Show that no game is being played."""

    def lost(self, sentence: str) -> None:
        """Show that the connection is lost; the follower looks for the device again."""


class GameFollower:
    """Follow one device.

    `connect` returns a client for each Kiebitz that answers; it raises LinkTrouble if none does. `serve` is called
    repeatedly while nothing changes: it may send requests to the client, and returns how many seconds to wait for a
    change before the next call.
    """

    def __init__(
        self,
        connect: Callable[[], list[tuple[Client, Value]]],
        listener: GameListener,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Any] = time.sleep,
        serve: Callable[[Client], float] = lambda client: SLICE_S,
    ):
        self._connect = connect
        self._listener = listener
        self._clock = clock
        self._sleep = sleep
        self._serve = serve
        self._device = None  # the device followed before
        self.game: str | None = None  # the id of the game in play
        self.lines: list[str] = []  # all lines of its journal
        self._script = ReplayedTable()
        self._flaw = ""
        self._is_idle = False  # True once idle() has been called

    def run(self) -> None:
        """Follow the device until interrupted. Raises LinkTrouble only if there is nothing to follow at the start."""
        while True:
            try:
                client = self._choose(self._connect())
            except LinkTrouble:
                if self._device is None:
                    raise
                client = None
            if client is not None:
                with client:
                    self._is_idle = False
                    try:
                        self._follow(client)
                    except LinkTrouble as trouble:
                        self._listener.lost(str(trouble))
            self._sleep(RETRY_S)

    def _choose(self, found: list[tuple[Client, Value]]) -> Client | None:
        """Return the previous device; at first one with a game in play, or else the first. Closes the others."""
        chosen = None
        try:
            if self._device is not None:
                chosen = next((client for client, who in found if who["device"] == self._device), None)
            else:
                chosen = next((client for client, _ in found if client.follow()["id"]), found[0][0])
            return chosen
        finally:
            for client, who in found:
                if client is chosen:
                    self._device = who["device"]
                else:
                    client.close()

    def _follow(self, client: Client) -> None:
        self._show(client, client.follow())
        renewed = self._clock()
        while True:
            state = client.news(self._serve(client))
            if self._clock() - renewed >= RENEW_S:
                renewed = self._clock()
                state = client.follow()
                if self._has(state):
                    continue
            if state is not None:
                self._show(client, state)

    def _has(self, state: Value) -> bool:
        return state["id"] == self.game and (not self.game or len(self.lines) == state["lines"])

    def _show(self, client: Client, state: Value) -> None:
        if state["id"] is None:
            self.game = None
            if not self._is_idle:
                self._is_idle = True
                self._listener.idle(client.port)
            return
        self._is_idle = False
        try:
            self._catch_up(client, state)
        except DeviceRefused as refused:
            if refused.code != "E_GAME":  # it has just ended: the next state reports that
                raise
            return
        if self._script.table is not None:
            self._listener.shows(client.port, self._script.table, self._flaw)

    def _catch_up(self, client: Client, state: Value) -> None:
        """Fetch the missing lines of the game in play."""
        if state["id"] == self.game:
            lines, whole = client.read(state["id"], self.lines)
            if whole and mark(state["id"], (self.lines + lines)[: state["lines"]]) == state["mark"]:
                self._take(lines)
                return
        self.game = state["id"]
        self.lines = []
        self._script = ReplayedTable()
        self._flaw = ""
        self._take(client.read(state["id"])[0])

    def _take(self, lines: list[str]) -> None:
        for line in lines[: LINES_MAX - len(self.lines)]:
            self.lines.append(line)
            if self._flaw:
                continue
            try:
                self._script.feed(line.encode())
            except Refused as refused:
                self._flaw = f"Entry {len(self.lines) - 1} is refused by the rules on this computer ({refused.code})."
