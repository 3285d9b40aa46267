"""The game on the table as the screens see it: every entry goes through the rules and flash before it is shown."""

from ..rules import Refused
from .screen import Notice
from .texts import refusal, text
from .texts.describe import describe


class Play:
    """The game in play, and what the last entry changed."""

    def __init__(self, app):
        self.app = app
        self.delta = [0] * self.game.n  # how the last entry changed each total
        self.last = ""  # the last entry in words
        self.seat = None  # whose entry was made or taken back last

    @property
    def table(self):
        return self.app.games.table

    @property
    def game(self):
        return self.table.game

    @property
    def names(self):
        return self.game.names

    def enter(self, ev, then=None):
        """Play an event and call `then`; a refusal is said, a doubt asks for one confirming press."""
        try:
            notes = self._play(ev)
        except Refused as refused:
            self._refuse(refused, ev, then)
            return
        if notes is None:
            return
        self.last = describe(ev, self.names)
        self.seat = ev.get("p")
        if then:
            then()
        self.app.entered(self, notes)

    def _refuse(self, refused, ev, then):
        sentence = refusal(refused, self.names)
        if refused.code[:2] == "W_":
            sure = dict(ev)
            sure["confirm"] = True
            title = text("doubt.title")
            self.app.push(Notice(self.app, title, sentence, lambda: self.enter(sure, then)))
        else:
            self.app.refuse(sentence)

    def _play(self, ev):
        """The notes of an entry that now counts; None, and the player told, if the flash did not take it."""
        before = self.game.totals()
        try:
            notes = self.app.games.play(ev)
        except OSError as trouble:
            self.app.flash_trouble(trouble)
            return None
        self.delta = [b - a for a, b in zip(before, self.game.totals())]
        return notes

    def replace(self, k, ev):
        """Put another event in the place of event k; False, and the player told, if the flash did not take it."""
        if self._play({"ev": "correct", "at": k, "event": ev}) is None:
            return False
        self.last = describe(ev, self.names)
        return True

    @property
    def can_undo(self):
        return self.table.can_undo

    @property
    def can_redo(self):
        return self.table.can_redo

    def next_undo(self):
        """What UNDO would take back, in words."""
        return describe(self.table.last_event(), self.names)

    def undo(self, k=1):
        """Take back k entries and say what the last of them was."""
        words = self.next_undo() if k == 1 else text("undo.entries", k=k)
        self.seat = self.table.last_event().get("p")
        self._step("undo", k, words)

    def redo(self):
        """Do again what was taken back last."""
        if self.can_redo:
            self._step("redo", 1, None)
        else:
            self.app.refuse(text("redo.nothing"))

    def _step(self, name, k, words):
        if self._play({"ev": name, "k": k}) is None:
            return
        self.last = ""
        self.app.changed(self)
        self.app.toast(text(name + ".done", what=words or self.next_undo()))
