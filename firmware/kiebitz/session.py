"""The game on the table as the screens see it: every entry goes through the rules and flash before it is shown."""

from .games import Refused
from .text import later, refusal, text
from .text.describe import describe
from .widgets.screen import Named, Notice


def entry_line(event, names, kind, before=""):
    """Return an entry of a game of this kind in words, for one line."""

    def words(names, brief=False):
        return before + describe(event, names, kind, brief)

    return Named(words, names, lambda names: words(names, True))


def doubt(app, refused, names, sure):
    """Ask whether it is meant so; OK calls sure()."""
    app.push(Notice(app, later("doubt.title"), lambda: refusal(refused, names), sure))


class Play:
    """The game in play, and what the last entry changed."""

    def __init__(self, app):
        self.app = app
        self.delta = [0] * self.game.n  # how the last entry changed each total
        self._last = None  # the last entry, unless it was taken back
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

    @property
    def last(self):
        """The last entry in words, None if there is none or it was taken back."""
        return entry_line(self._last, self.names, self.game.KIND) if self._last else None

    def enter(self, ev, then=None):
        """Play an event and call `then`; a refusal is said, a doubt asks for one confirming press."""
        try:
            notes = self._play(ev)
        except Refused as refused:
            self._refuse(refused, ev, then)
            return
        if notes is None:
            return
        self._last = ev
        self.seat = ev.get("p")
        if then:
            then()
        self.app.entered(self, notes)

    def _refuse(self, refused, ev, then):
        if refused.code[:2] == "W_":
            sure = dict(ev)
            sure["confirm"] = True
            doubt(self.app, refused, self.names, lambda: self.enter(sure, then))
        else:
            self.app.refuse(refusal(refused, self.names))

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
        self._last = ev
        return True

    @property
    def can_undo(self):
        return self.table.can_undo

    @property
    def can_redo(self):
        return self.table.can_redo

    def next_undo(self):
        """What UNDO would take back, in words."""
        return describe(self.table.last_event(), self.names, self.game.KIND)

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
        self._last = None
        self.app.changed(self)
        done = "undo.done" if name == "undo" else "redo.done"
        self.app.toast(text(done, what=words or self.next_undo()))
