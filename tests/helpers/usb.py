"""Simulate a laptop at the USB port of a device that sends requests, reads answers, and may misbehave."""

import json

from kiebitz.link.wire import ANSWER, REQUEST, frame, unframe

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
