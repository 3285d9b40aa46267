"""Fixtures for the tests of the pages: a server on a free port, a simulated device, and a real browser."""

import pytest
from helpers.browser import PATIENCE_MS
from kiebitz.board.storage import Storage
from kiebitz.store.settings import Settings
from kiebitz_host.link.ports import Port
from kiebitz_host.sim.device import set_board
from kiebitz_host.sim.flash_folder import DATA, MARK
from kiebitz_host.sim.in_thread import SimulatedDevice
from kiebitz_lab.handheld import presses
from kiebitz_lab.pages import WebStand, wait_until
from web.support import Events, Visitor

PORT = Port("cable", "simulator")
HOLD_MS = 800


@pytest.fixture
def serve(tmp_path):
    """Return a function that starts a server for this test. Devices are given by `find` and `open_port`."""
    stands = []

    def start(db=None, **options):
        stands.append(WebStand(db or tmp_path / "results.db", **options).__enter__())
        return stands[-1]

    yield start
    while Events.opened:
        Events.opened.pop().close()
    for stand in stands:
        stand.stop()


@pytest.fixture
def stand(serve):
    """Return a server without any device."""
    return serve()


@pytest.fixture
def visitor(stand):
    """Return a client of `stand` without the token."""
    return Visitor(stand)


class OnTheTable:
    """A simulated device that can be unplugged from the server and plugged in."""

    def __init__(self, flash):
        self.plugged = True
        self.device = SimulatedDevice(flash)

    def find(self):
        return [PORT] if self.plugged else []

    def open_port(self, port):
        return self.device.plug()

    def unplug(self):
        self.plugged = False
        self.device.pull()

    def plug(self):
        self.plugged = True

    def keys(self, script):
        """Press the keys of a script one after the other: "up ok*2 hold:undo"."""
        for word in presses(script):
            key = word.removeprefix("hold:")
            self.device.tap(key) if key == word else self.device.tap(key, HOLD_MS)


@pytest.fixture
def flash(tmp_path):
    """Return a function that returns the folder of a new device with a chosen language."""

    def make(board=None, language="en"):
        folder = tmp_path / "flash"
        folder.mkdir()
        (folder / MARK).touch()
        set_board(folder, board)
        if language:
            Settings(Storage(str(folder / DATA))).set("language", language)
        return folder

    return make


@pytest.fixture
def plugged(serve, flash):
    """Return a function that returns (server, simulated device).

    play(storage) may put games on its flash first; `options` are those of the server.
    """
    found = []

    def plug(play=None, board=None, db=None, **options):
        folder = flash(board)
        if play:
            play(Storage(str(folder / DATA)))
        table = OnTheTable(folder)
        table.device.start()
        found.append(table)
        stand = serve(db, find=table.find, open_port=table.open_port, **options)
        wait_until(lambda: any(one.version for one in stand.site.devices.seen()), "the device is followed")
        return stand, table

    yield plug
    for table in found:
        table.device.stop()


# --- a real browser ---


@pytest.fixture(scope="session")
def browser(chromium):
    """Return the browser that all tests of pages share."""
    return chromium


@pytest.fixture
def look(browser):
    """Return a function that opens a page and fails on errors and on requests to other hosts.

    Options are those of a new context of Playwright; token: with the rights of the laptop's own browser.
    """
    contexts, troubles = [], []

    def open_page(stand, path="/live", token=False, **options):
        options.setdefault("viewport", {"width": 1280, "height": 800})
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda message: message.type in ("error", "warning") and troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        own = (stand.address, "data:")
        page.on("request", lambda request: request.url.startswith(own) or troubles.append(request.url))
        page.goto(stand.link(path) if token else stand.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []
