"""A whole device in a test: its flash can be made to fail, and its battery pulled."""

from kiebitz.board.profiles import DEFAULT
from kiebitz.text import said
from kiebitz_lab import handheld

from helpers.faulty_storage import FaultyStorage


class Device(handheld.ScriptedDevice):
    def __init__(self, storage=None, language="en", board=DEFAULT):
        super().__init__(storage or FaultyStorage(), language, board)

    def restart(self):
        """Pull the battery and put it back: only what is on flash remains."""
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
