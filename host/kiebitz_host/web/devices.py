"""Follow every connected Kiebitz in a separate thread, and run the requests of pages there."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from kiebitz.store.table import Table

from ..games import on_laptop
from ..games.live import DeviceState, in_order, snapshot_of
from ..link import ports as usb_ports
from ..link.answers import Screen
from ..link.channel import Transport, Value
from ..link.client import Client
from ..link.follower import SLICE_S, GameFollower
from ..link.ports import Port
from ..link.trouble import DeviceRefused, LinkTrouble, NameTooLong, NotAKiebitz

Result = TypeVar("Result")

SEARCH_S = 1.0  # polling interval for new devices
OTHER_S = 30.0  # before a port with another device is tried again
WATCHED_SLICE_S = 0.02  # while a page shows the display, because a key must not wait
PICTURE_S = 0.2  # minimum interval between two pictures of the display
PICTURE_PART = 4  # the display is read for at most a quarter of the time
AFTER_KEY_S = 0.03  # until the device has drawn the effect of a key
ASK_S = 20.0  # timeout for requests of pages
DEVICES_MAX = 50  # that are remembered; a hostile device may have another id each time


class Gone(Exception):
    """Raised inside a follower to stop it."""


class DeviceThread:
    """Follow one device across reconnects, in a thread that runs while the device is plugged in."""

    def __init__(
        self,
        device: str,
        tell: Callable[[DeviceState], None],
        show: Callable[[str, Screen], None],
        keep: Callable[[str, str, list[str]], None] = lambda *journal: None,
    ):
        self.seen = DeviceState(device)
        self.picture: Screen | None = None
        self.watchers = 0  # pages that show the display
        self._tell = tell
        self._show = show
        self._keep = keep
        self._game_follower = GameFollower(self._arrived, self, sleep=self._rest, serve=self._serve)
        self._lock = threading.Lock()  # for the end of the thread, arrivals and requests
        self._arrivals: SimpleQueue[tuple[Client, Value]] = SimpleQueue()
        self._wanted: SimpleQueue[tuple[Callable[[Client], Any], Future]] = SimpleQueue()
        self._ends = threading.Event()
        self._pictured = 0.0  # when the display was last read
        self._pause = PICTURE_S
        self._connected = False
        self._table: Table | None = None  # the table shown last
        self._thread: threading.Thread | None = None

    # --- called by other threads ---

    def arrive(self, client: Client, who: Value, port: str) -> None:
        """Switch to a new connection to this device."""
        self.seen = replace(self.seen, port=port, board=who["board"])
        with self._lock:
            self._connected = True
            self._arrivals.put((client, who))
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name=f"follow {who['device']}", daemon=True)
                self._thread.start()

    @property
    def connected(self) -> bool:
        return self._connected

    def ask(self, what: Callable[[Client], Result], seconds: float = ASK_S) -> Result:
        """Run `what` with the connection, between two entries. Returns the result; raises LinkTrouble."""
        future: Future = Future()
        with self._lock:
            if not self._connected:
                raise LinkTrouble("the device is not connected.")
            self._wanted.put((what, future))
        try:
            return future.result(seconds)
        except TimeoutError:
            raise LinkTrouble("the device does not answer.") from None

    def press(self, key: str, hold: bool = False) -> None:
        """Press a key of the device, and schedule a read of the display."""
        self.ask(lambda client: client.press(key, hold))
        self._pictured = time.monotonic() + AFTER_KEY_S - self._pause

    def watched_by(self, pages: int) -> None:
        """Set how many pages show the display. A new page gets the next picture, even if it has not changed."""
        if pages > self.watchers:
            self.picture = None
        self.watchers = pages

    def end(self) -> None:
        self._ends.set()

    def join(self, seconds: float) -> None:
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    # --- the thread ---

    def _run(self) -> None:
        has_ended = False
        while not has_ended:
            try:
                self._game_follower.run()
            except (Gone, LinkTrouble):
                pass
            finally:
                with self._lock:
                    has_ended = self._ends.is_set() or self._arrivals.empty()
                    if has_ended:
                        self._connected = False
                        self._thread = None
                        self._refuse_all()

    def _arrived(self) -> list[tuple[Client, Value]]:
        """Return the next connection; raise Gone if there is none, which ends the thread."""
        try:
            return [self._arrivals.get_nowait()]
        except Empty:
            raise Gone from None

    def _rest(self, seconds: float) -> None:
        """Return at once, because a new connection starts the thread."""

    def _serve(self, client: Client) -> float:
        """Run the requests of pages, and read the display if a page shows it. Returns how long to wait for news."""
        if self._ends.is_set():
            raise Gone
        try:
            while True:
                what, future = self._wanted.get_nowait()
                _answer(what, client, future)
        except Empty:
            pass
        if not self.watchers:
            return SLICE_S
        if time.monotonic() - self._pictured >= self._pause:
            self._read_picture(client)
        return WATCHED_SLICE_S

    def _read_picture(self, client: Client) -> None:
        began = time.monotonic()
        picture = client.screen()
        self._pictured = time.monotonic()
        self._pause = max(PICTURE_S, PICTURE_PART * (self._pictured - began))
        if picture != self.picture:
            self.picture = picture
            self._show(self.seen.device, picture)

    def _refuse_all(self) -> None:
        """Fail all requests that wait for a lost connection."""
        try:
            while True:
                self._wanted.get_nowait()[1].set_exception(LinkTrouble("the device was unplugged."))
        except Empty:
            pass

    # --- GameListener ---

    def shows(self, port: str, table: Table, flaw: str) -> None:
        last = self.seen.snapshot if table is self._table else None
        self._table = table
        rows = on_laptop(table.game.KIND).rows(table)
        self._change(snapshot=snapshot_of(table, rows, flaw, last), lost=False)
        if self._game_follower.game and not flaw:
            self._keep(self.seen.device, self._game_follower.game, list(self._game_follower.lines))

    def idle(self, port: str) -> None:
        self._change(snapshot=None, lost=False)

    def lost(self, sentence: str) -> None:
        self._connected = False
        self.picture = None
        self._change(lost=True)

    def _change(self, **changes: Any) -> None:
        self.seen = replace(self.seen, version=self.seen.version + 1, **changes)
        self._tell(self.seen)


def _answer(what: Callable[[Client], Any], client: Client, future: Future) -> None:
    """Run a request and set its result or error; re-raise link errors except refusals, to end the connection."""
    try:
        future.set_result(what(client))
    except Exception as trouble:
        future.set_exception(trouble)
        if isinstance(trouble, LinkTrouble) and not isinstance(trouble, (DeviceRefused, NameTooLong)):
            raise


class Devices:
    """The devices seen last, each with its follower. The followers' threads call `tell` and `show`."""

    def __init__(
        self,
        tell: Callable[[DeviceState], None],
        show: Callable[[str, Screen], None],
        find: Callable[[], list[Port]] = usb_ports.ports,
        open_port: Callable[[Port], Transport] = usb_ports.open_port,
        keep: Callable[[str, str, list[str]], None] = lambda *journal: None,
    ):
        self.followers: dict[str, DeviceThread] = {}
        self.tell = tell
        self.show = show
        self.keep = keep  # callback (device, id of the game, its lines) after every entry
        self._find = find
        self._open = open_port
        self._others: dict[str, float] = {}  # port with another device -> when it was tried
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="find devices", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, seconds: float = 1.0) -> None:
        """Disconnect all devices; wait at most `seconds` for their threads."""
        self._ends.set()
        for follower in self.followers.values():
            follower.end()
        end = time.monotonic() + seconds
        for follower in self.followers.values():
            follower.join(max(0.0, end - time.monotonic()))

    def seen(self) -> list[DeviceState]:
        """Return the current state of all devices, those with a game first."""
        return in_order([follower.seen for follower in list(self.followers.values())])

    def _run(self) -> None:
        while not self._ends.is_set():
            self.search()
            self._ends.wait(SEARCH_S)

    def search(self) -> None:
        """Connect to every device that is not followed yet."""
        try:
            found = self._find()
        except OSError:
            return  # the system cannot list its ports now: retry at the next search
        in_use = {follower.seen.port for follower in list(self.followers.values()) if follower.connected}
        paths = {port.path for port in found}
        self._others = {path: at for path, at in self._others.items() if path in paths}
        for port in found:
            tried = self._others.get(port.path)
            if port.path not in in_use and (tried is None or time.monotonic() - tried >= OTHER_S):
                self._connect(port)

    def _connect(self, port: Port) -> None:
        try:
            client = Client(self._open(port))
        except LinkTrouble:
            return  # busy or gone: retry at the next search
        try:
            who = client.hello()
        except LinkTrouble as trouble:
            client.close()
            if isinstance(trouble, NotAKiebitz):
                self._others[port.path] = time.monotonic()
            return
        device = who["device"]
        if device not in self.followers:
            self._forget_some()
            self.followers[device] = DeviceThread(device, self.tell, self.show, self.keep)
        self.followers[device].arrive(client, who, port.path)

    def _forget_some(self) -> None:
        """Forget the oldest devices that are not connected, so that there are DEVICES_MAX with a new one."""
        absent = [device for device, follower in self.followers.items() if not follower.connected]
        for device in absent[: max(0, len(self.followers) + 1 - DEVICES_MAX)]:
            del self.followers[device]
