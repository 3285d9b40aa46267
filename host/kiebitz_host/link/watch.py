"""Watches the game in play on a Kiebitz through any number of connections: unplugged, it waits and goes on."""

import time
from collections.abc import Callable
from typing import Any, Protocol

from kiebitz.games import Refused
from kiebitz.store.replay import Script
from kiebitz.store.table import Table

from .client import Client, Value
from .journal import mark
from .trouble import DeviceRefused, LinkTrouble

# How often a device that went away is looked for
RETRY_S = 0.5
# The device goes on telling for half a minute after it was last asked to
RENEW_S = 10.0
SLICE_S = 0.25


class Onlooker(Protocol):
    """Whoever is told what happens."""

    def shows(self, port: str, table: Table, flaw: str) -> None:
        """The game has changed."""

    def idle(self, port: str) -> None:
        """No game is being played."""

    def lost(self, sentence: str) -> None:
        """The connection is gone; it is being looked for."""


class Watch:
    """`connect` gives a client for each Kiebitz that answers now; LinkTrouble if there is none."""

    def __init__(
        self,
        connect: Callable[[], list[tuple[Client, Value]]],
        onlooker: Onlooker,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Any] = time.sleep,
    ):
        self._connect = connect
        self._onlooker = onlooker
        self._clock = clock
        self._sleep = sleep
        self._device = None  # the one we have watched before
        self._game: str | None = None
        self._lines: list[str] = []
        self._script = Script()
        self._flaw = ""

    def run(self) -> None:
        """Until somebody interrupts. LinkTrouble only if there is nothing to watch in the first place."""
        while True:
            try:
                client = self._choose(self._connect())
            except LinkTrouble:
                if self._device is None:
                    raise
                client = None
            if client is not None:
                with client:
                    try:
                        self._follow(client)
                    except LinkTrouble as trouble:
                        self._onlooker.lost(str(trouble))
            self._sleep(RETRY_S)

    def _choose(self, found: list[tuple[Client, Value]]) -> Client | None:
        """The device from before; at first one with a game in play, or the first that is there. Others are closed."""
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
            state = client.news(SLICE_S)
            if self._clock() - renewed >= RENEW_S:
                renewed = self._clock()
                state = client.follow()
                if self._has(state):
                    continue
            if state is not None:
                self._show(client, state)

    def _has(self, state: Value) -> bool:
        return state["id"] == self._game and (not self._game or len(self._lines) == state["lines"])

    def _show(self, client: Client, state: Value) -> None:
        if state["id"] is None:
            self._game = None
            self._onlooker.idle(client.port)
            return
        try:
            self._catch_up(client, state)
        except DeviceRefused as refused:
            if refused.code != "E_GAME":  # it ended in this moment: the next state says so
                raise
            return
        if self._script.table is not None:
            self._onlooker.shows(client.port, self._script.table, self._flaw)

    def _catch_up(self, client: Client, state: Value) -> None:
        """Fetch what we do not have of the game in play."""
        if state["id"] == self._game:
            lines, whole = client.read(state["id"], self._lines)
            if whole and mark(state["id"], (self._lines + lines)[: state["lines"]]) == state["mark"]:
                self._take(lines)
                return
        self._game = state["id"]
        self._lines = []
        self._script = Script()
        self._flaw = ""
        self._take(client.read(state["id"])[0])

    def _take(self, lines: list[str]) -> None:
        for line in lines:
            self._lines.append(line)
            if self._flaw:
                continue
            try:
                self._script.feed(line.encode())
            except Refused as refused:
                self._flaw = f"Entry {len(self._lines) - 1} is refused by the rules on this computer ({refused.code})."
