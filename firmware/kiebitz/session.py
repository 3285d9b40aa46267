"""Give the screens access to the game in play. Every entry passes the rules and is on flash before it is shown."""

from .games import Refused
from .games.base import COMMON
from .machine_code import const
from .store.events import CHANGES
from .text import later, refusal, text
from .text.describe import describe
from .widgets.fitting import TextWithNames
from .widgets.screen import Notice

_NAME_W = const(48)  # of each name, where one message has two sentences


def entry_line(event, names, kind, before=""):
    """Return an entry of a game of this kind in words, as a TextWithNames for one line."""

    def words(names, brief=False):
        return before + describe(event, names, kind, brief)

    return TextWithNames(words, names, lambda names: words(names, True))


def doubt(app, refused, names, sure):
    """Ask whether a doubtful entry is meant; OK calls sure()."""
    app.push(Notice(app, later("doubt.title"), lambda: refusal(refused, names), sure))


def refuse(session, refused, ev):
    """Show why an entry is refused and which later entry would no longer fit, or ask for a confirming press."""
    app, names = session.app, session.names
    if refused.at is not None:
        names = [app.canvas.fit(name, _NAME_W) for name in names]
        what = describe(session.table.event(refused.at), names, session.game.KIND)
        app.refuse(text("history.later", what=what, why=refusal(refused, names)))
    elif refused.code[:2] == "W_":
        sure = dict(ev)
        sure["confirm"] = True
        doubt(app, refused, names, lambda: session.enter(sure))
    else:
        app.refuse(refusal(refused, names))


def _changes(before, now):
    """Return the change of each total; a player may have joined."""
    return [b - a for a, b in zip(before, now)] + [0] * (len(now) - len(before))


class Session:
    """The game in play, and the changes made by the last entry."""

    corrected: dict = {}  # the entry that is being corrected; here none is

    def __init__(self, app):
        self.app = app
        self._last = None  # the last entry, unless it was taken back
        self.seat = None  # the seat whose entry was made or taken back last
        self.delta = self._last_change(self._look_back())  # the change of each total by the last entry

    def _look_back(self):
        """Find the last entry and its seat in the events of the table, so that a resumed table looks the same.

        Returns what redo, or else undo, would act on; None if the table has no events.
        """
        table = self.table
        self._last = self.seat = None
        if table.can_redo:
            back = table.next_redo()
            self.seat = back.get("p")
            return back
        if not table.can_undo:
            return None
        self._last = last = back = table.last_event()
        if last["ev"] in CHANGES:
            self._last = last if last["ev"] == "remove" else last["event"]
            last = table.event(len(table) - 1) if len(table) else {}
        k = len(table) - 1
        while k > 0 and last["ev"] in COMMON:
            k -= 1
            last = table.event(k)
        self.seat = last.get("p")
        return back

    def _last_change(self, back):
        """Return how the last entry, or its undo, has changed each total; zeros after a change of past or rules.

        back: from _look_back(), so that the event is read from flash once.
        """
        table, now = self.table, self.game.totals()
        if back is None or back["ev"] in CHANGES or back["ev"] == "option":
            return [0] * len(now)
        before = table.game_at(len(table) - (not table.can_redo))
        if table.can_redo:
            before.apply(back)
        return _changes(before.totals(), now)

    @property
    def table(self):
        """The Table of the game in play."""
        return self.app.library.table

    @property
    def game(self):
        """The state of the game."""
        return self.table.game

    @property
    def names(self):
        """The names of the players by seat."""
        return self.game.names

    @property
    def minutes(self):
        """The minutes that the game has taken so far."""
        return self.app.library.minutes

    @property
    def last(self):
        """The last entry in words; None if there is none or the entry was taken back."""
        return entry_line(self._last, self.names, self.game.KIND) if self._last else None

    def enter(self, ev):
        """Play an event and return to the table; show a refusal, or ask for one confirming press in doubt."""
        try:
            notes = self._play(ev)
        except Refused as refused:
            refuse(self, refused, ev)
            return
        if notes is None:
            return
        self._last = ev
        if ev["ev"] not in COMMON:
            self.seat = ev.get("p")
        self.app.entered(self, notes)

    def under(self, option):
        """Return the game as it would be with this `option` event. Raises Refused if an entry does not fit it."""
        now = len(self.table)
        return self.table.game_at(now, self.table.rules_after("insert", now, option))

    def _play(self, ev):
        """Play an event and return its notes; if the flash cannot store it, show that and return None."""
        before = self.game.totals()
        self.app.entering()
        try:
            notes = self.app.library.play(ev)
        except OSError as trouble:
            self.app.flash_trouble(trouble)
            return None
        self.delta = _changes(before, self.game.totals())
        return notes

    def change(self, name, k, ev):
        """Change the past, see Table.change, and return True; False, with a message, if the flash cannot store it."""
        value = {"ev": name, "at": k}
        if ev is not None:
            value["event"] = ev
        if self._play(value) is None:
            return False
        self._look_back()
        return True

    @property
    def can_undo(self):
        """True if there is an entry to take back."""
        return self.table.can_undo

    @property
    def can_redo(self):
        """True if an entry was taken back that can be redone."""
        return self.table.can_redo

    def next_undo(self):
        """Return in words the entry that UNDO would take back."""
        return describe(self.table.last_event(), self.names, self.game.KIND)

    def undo(self, k=1):
        """Take back k entries and show the entry, or the number of entries, that was taken back."""
        last = self.table.last_event()
        words = describe(last, self.names, self.game.KIND) if k == 1 else text("undo.entries", k=k)
        self._step("undo", k, words)

    def redo(self):
        """Redo the entry that was taken back last, and show it."""
        if self.can_redo:
            self._step("redo", 1, None)
        else:
            self.app.refuse(text("redo.nothing"))

    def _step(self, name, k, words):
        """Play undo or redo and show what was done."""
        if self._play({"ev": name, "k": k}) is None:
            return
        self._look_back()
        self.app.changed(self)
        done = "undo.done" if name == "undo" else "redo.done"
        self.app.toast(text(done, what=words or self.next_undo()))
