"""An install with a Pico, a drive and a clock that a test holds."""

import pytest
from kiebitz_host.cli.install import Install
from kiebitz_host.install.find_picos import copy

from helpers.fake_usb import Clock

PORT = "/dev/null"  # which exists


class Story:
    """An install in which the Pico on PORT does what the test says."""

    def __init__(self, usb, before="0.1.0", after="0.2.0"):
        self.usb = usb
        self.before = before
        self.after = after
        self.said = []
        self.shown = []
        self.clock = Clock()
        self.copy = copy

    def happens(self, moment, action):
        self.clock._events.append((moment, action))

    def enter(self, path):
        self.usb.unplug(path)
        return self.before

    def install(self, firmware, port=None, drive=None):
        parts = {"enter": self.enter, "copy": self.copy, "first_screen": lambda path: path() and self.after}
        doors = {"say": self.said.append, "progress": self.shown.append, "clock": self.clock, "sleep": self.clock.sleep}
        return Install(self.usb, **doors, **parts).run(firmware, port, drive)


def trouble(story, firmware, kind, words):
    with pytest.raises(kind, match=words) as told:
        story.install(firmware)
    assert story.shown[-1] == ""
    return str(told.value)


class FakeClient:
    def __init__(self, hello=None, update=None):
        self._hello = hello
        self._update = update
        self.updated = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def hello(self):
        if self._hello:
            raise self._hello
        return {"version": "0.1.0"}

    def update(self):
        if self._update:
            raise self._update
        self.updated = True
