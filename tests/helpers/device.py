"""Provide a whole device for tests, what they change and measure on it, and a laptop on its USB port."""

import json

from kiebitz.board.profiles import DEFAULT
from kiebitz.link.wire import ANSWER, REQUEST, frame, unframe
from kiebitz.text import said
from kiebitz_lab import handheld

from helpers.faulty_storage import FaultyStorage


class Device(handheld.ScriptedDevice):
    def __init__(self, storage=None, language="en", board=DEFAULT):
        super().__init__(storage or FaultyStorage(), language, board)

    def restart(self):
        """Restart with only what is on flash."""
        self.app = None
        self.storage = self.storage.restart()
        self.on()

    def pick(self, label):
        """Choose the line with this label from the menu that is open."""
        labels = self.app.top.labels()
        lines = [said(labels[i]) for i in range(len(labels))]
        self.app.top.at = lines.index(label)
        self.keys("ok")

    def journal(self):
        """Return the lines of the running game as they are on flash."""
        games = self.app.library
        return games.files.read(games.journal.name)


def at_table(setup, events=(), storage=None, board=DEFAULT):
    """Return a device whose running game was begun with this set-up and has these events."""
    return Device(storage, board=board).sit_down(setup, events)


try:
    from micropython import heap_lock, heap_unlock
except ImportError:  # CPython always allocates

    def heap_lock():
        pass

    def heap_unlock():
        pass


MINUTE = 60_000
TICKS = 1 << 30


def changed(thing, **changes):
    """Return a copy of a profile, or of its display, with some facts changed."""
    return type(thing)(**dict(thing.__dict__, **changes))


def without_allocating(action):
    """Call the action. On MicroPython it raises MemoryError if the action allocates on the heap."""
    heap_lock()
    try:
        return action()
    finally:
        heap_unlock()


class Watch:
    """A board clock that only has ticks."""

    def __init__(self, start=0):
        self.at = start

    def ms(self):
        return self.at

    def diff(self, end, start):
        return ((end - start + TICKS // 2) & (TICKS - 1)) - TICKS // 2

    def go(self, ms):
        self.at = (self.at + ms) % TICKS


PATIENCE_MS = 2000


class Laptop:
    begun = 0  # number of laptops so far, so that each uses other numbers

    def __init__(self, device, reading=True):
        self.device = device
        self.usb = device.hw.usb
        self.usb.connect(reading)
        Laptop.begun += 1
        self.seq = 1000 * Laptop.begun
        self._heard = b""

    def send(self, data):
        self.usb.send(data)

    def request(self, word, value=None, seq=None):
        """Return the bytes of a request, with a number of its own unless one is given."""
        if seq is None:
            self.seq += 1
        return frame(REQUEST, self.seq if seq is None else seq, word, json.dumps(value or {}))

    def lines(self, ms=5):
        """Return the lines that arrive within this time, blank ones left out."""
        self.device.wait(ms)
        self._heard += self.usb.receive()
        lines = self._heard.split(b"\n")
        self._heard = lines.pop()
        return [line for line in lines if line]

    def ask(self, word, value=None, seq=None):
        """Return (end, pieces, other lines) of the answer. The end is (word, value), a piece is a value."""
        self.send(self.request(word, value, seq))
        return self.answer(self.seq if seq is None else seq)

    def answer(self, seq):
        pieces = []
        others = []
        for _ in range(PATIENCE_MS // 5):
            for line in self.lines():
                heard = unframe(ANSWER, line)
                if heard is None or heard[0] != seq:
                    others.append(line)
                elif heard[1] == "+":
                    pieces.append(heard[2])
                else:
                    return heard[1:], pieces, others
        raise AssertionError("no answer")

    def ok(self, word, value=None):
        """Return the value of an answer that must be ok."""
        (kind, got), _, _ = self.ask(word, value)
        assert kind == "ok", got
        return got

    def refused(self, word, value=None):
        """Return the code of a refusal."""
        (kind, got), _, _ = self.ask(word, value)
        assert kind == "no", got
        return got["code"]

    def journal(self, game_id, at=0):
        """Return the bytes of a game's lines, as they came, and where they end."""
        (kind, got), _, others = self.ask("read", {"games": [game_id, at]})
        assert kind == "ok", got
        return b"".join([line + b"\n" for line in others]), got["ends"][0]
