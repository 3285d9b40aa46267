"""Provide USB cables for tests: a device, the real client with faults on request, and sync into a store in memory."""

from kiebitz.link.wire import REQUEST, unframe
from kiebitz_host.library.store import Store
from kiebitz_host.link.client import Client
from kiebitz_host.link.ports import Port
from kiebitz_host.link.sync import Sync
from kiebitz_host.link.trouble import LinkLost, LinkTrouble

from helpers.device import Device
from helpers.faulty_storage import FaultyStorage
from helpers.play import ev, setup, short_game
from helpers.shelf import Noise

TURN_S = 0.005


class Cable:
    """A transport. After `cut` bytes, counted in both directions, it is pulled; `damage` may change what passes.

    damage(data, to_device) -> data is called for everything that is carried. on_turn is called after every turn of the
    device, where a test can press keys.
    """

    name = "cable"

    def __init__(self, device, cut=None, damage=None, on_turn=None):
        self.device = device
        self.carried = 0
        self._left = cut
        self._damage = damage
        self._on_turn = on_turn
        device.hw.usb.connect()

    def clock(self):
        return self.device.hw.time.elapsed / 1000

    def read(self, seconds):
        self._check()
        end = self.clock() + seconds
        while True:
            self.device.wait(5)
            if self._on_turn:
                self._on_turn()
            data = self._carry(self.device.hw.usb.receive(), False)
            if data or self.clock() >= end:
                return data
            self._check()

    def write(self, data):
        self._check()
        self.device.hw.usb.send(self._carry(data, True))

    def close(self):
        self.device.hw.usb.disconnect()

    def _check(self):
        if self._left == 0:
            self.device.wait(5)  # process what arrived before
            self.device.hw.usb.pull()
            self.device.wait(20)
            raise LinkLost(self.name)

    def _carry(self, data, to_device):
        if self._damage and data:
            data = self._damage(data, to_device)
        if self._left is not None:
            data = data[: self._left]
            self._left -= len(data)
        self.carried += len(data)
        return data


class Requests:
    """A `damage` function for Cable that records the requests of a laptop as (verb, value)."""

    def __init__(self):
        self.asked = []

    def __call__(self, data, to_device):
        for line in data.split(b"\n") if to_device else ():
            request = unframe(REQUEST, line)
            if request:
                self.asked.append(request[1:])
        return data


def client(device, **faults):
    """Return a client at the other end of a new cable."""
    return Client(Cable(device, **faults))


class Answering:
    """A port as the client of the link uses it; write() in a derived class adds to `unread`."""

    name = "answering"

    def __init__(self):
        self.unread = b""
        self._now = 0.0

    def clock(self):
        return self._now

    def read(self, seconds):
        data, self.unread = self.unread, b""
        if not data:
            self._now += seconds
        return data

    def close(self):
        pass


def plug_in(monkeypatch, command, devices):
    """Let a command, which is a module, find these devices by their ports; an exception is raised when it is opened."""

    def open_port(port):
        found = devices[port.path]
        if isinstance(found, Exception):
            raise found
        cable = Cable(found)
        cable.name = port.path
        return cable

    monkeypatch.setattr(command, "ports", lambda: [Port(name, "Pico") for name in devices])
    monkeypatch.setattr(command, "open_port", open_port)


NOW = 1_800_000_000


def memory_store():
    """Return a store in memory."""
    return Store("/there/is/no/such/file", create=False, now=lambda: NOW)


def sync(device, store, now=NOW, **faults):
    """Run sync once. Returns its report."""
    return Sync(client(device, **faults), store, now).run()


def sync_anyhow(device, store, **faults):
    """Run sync once over a cable that may fail. Returns True if it completed."""
    try:
        sync(device, store, **faults)
    except LinkTrouble:
        return False
    return True


def outcomes(report):
    """Return the outcome of each game, the oldest first."""
    return [game.outcome for game in report.games]


def copy(device):
    """Return another device with the same flash, as restored from a backup."""
    return Device(FaultyStorage(device.storage.files))


def other_random(device, k):
    """Let the ids of further games of a device differ from those of its copies."""
    noise = Noise()
    noise.k = k
    device.hw.urandom = noise


def lines_of(device, game_id):
    """Return the lines of a game on the device's flash, without numbers and checksums."""
    data = device.app.library.files.read(game_id + ".kbz").decode()
    return [line.rsplit(" ", 2)[0] for line in data.splitlines()]


END = (ev("point", p=1), ev("end_game"), ev("next_game"))
KINDS = ("royal_flush", "poker_carre", "poch", "top_spot")


def spot():
    """Return the set-up of a short match."""
    return setup("top_spot", 3, match_length=1, confirm=True)


def whole_evening():
    """Return a device with one game of each kind, and a finished one."""
    device = Device()
    for kind in KINDS:
        device.sit_down(*short_game(kind))
    return device.sit_down(spot(), END)


def ids(device):
    """Return the ids of the games on a device, the oldest first."""
    return device.app.library.ids()[::-1]


def held(store, game_id):
    """Return the lines of a game that a store has."""
    return store.stored_game(game_id).lines
