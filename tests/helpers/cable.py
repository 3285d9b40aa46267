"""Provide USB cables for tests: bytes in fake time between a device and the real client, with faults on request."""

from kiebitz.link.wire import REQUEST, unframe
from kiebitz_host.link.client import Client
from kiebitz_host.link.ports import Port
from kiebitz_host.link.trouble import LinkLost

TURN_S = 0.005


class Cable:
    """A transport. After `cut` bytes, counted in both directions, it is pulled; `damage` may change what passes.

    damage(data, to_device) -> data is asked for everything that is carried. on_turn is called after every turn of the
    device: there a test can press keys.
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
            self.device.wait(5)  # what arrived before is still acted on
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
    """The requests of a laptop, heard on the cable that this is the `damage` of: (verb, value) in order."""

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
