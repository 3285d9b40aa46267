"""Hold a game as its list of events: play, undo, redo and correct without a replay of the whole game."""

import json

from ..games import Refused, new_game
from ..games.base import bad, count, positive
from .events import Log, encode

# (distance from the end, interval): how many events apart snapshots are kept. An undo at the end replays three events
# at most, and an undo further back makes the next ones cheap again
STEPS = ((16, 4), (64, 16), (1 << 30, 128))


class Table:
    """A game, made from its set-up, and its events.

    With a `source`, which reads lines of its journal, events need not be kept in memory.
    """

    def __init__(self, setup, source=None):
        self.setup = setup
        self.game = new_game(setup)
        self.notes = []  # of the last event
        self._log = Log(source)
        self._snapshots = {0: self.game.snapshot()}
        self._corrections = []  # (events in force when it was made, k, the line it replaced)
        self._redo = Log()  # lines, a correction with its k in front; the next one to redo is the last line

    def __len__(self):
        """Return how many events are in force."""
        return len(self._log)

    def __bool__(self):
        """Return True: a table without events is not false."""
        return True

    @property
    def can_undo(self):
        """True if there is an event to take back."""
        return len(self._log) > 0

    @property
    def can_redo(self):
        """True if something was taken back that can be redone."""
        return len(self._redo) > 0

    def event(self, k):
        """Return event k of those in force, counted from 0."""
        return json.loads(self._log.line(k))

    def last_event(self):
        """Return what undo() would take back: an event, or a correction in the form that play() accepts."""
        now = len(self._log)
        if self._corrections and self._corrections[-1][0] == now:
            k = self._corrections[-1][1]
            return {"ev": "correct", "at": k, "event": self.event(k)}
        return self.event(now - 1)

    def events(self):
        """Yield the events in force."""
        for k in range(len(self._log)):
            yield self.event(k)

    def play(self, ev, line=None):
        """Play one event of the replay form, undo, redo and correct included. Returns its notes.

        line: the event as stored in the journal, if it was read from there.
        """
        name = ev.get("ev")
        if name == "undo" or name == "redo":
            k = positive(ev.get("k", 1), "k")
            if k > (len(self._redo) if name == "redo" else self._undoable()):
                raise Refused("E_PHASE", phase=self.game.phase)
            for _ in range(k):
                self.undo() if name == "undo" else self.redo()
            return []
        if name == "correct":
            self.correct(count(ev.get("at"), "at"), ev.get("event"))
            return []
        notes = self._apply(ev)
        self._log.add(line or encode(self.game.canonical(ev)))
        if self.can_redo:
            self._redo = Log()
        self._remember()
        return notes

    def _apply(self, ev):
        """Apply an event to the game and return its notes."""
        self.notes = self.game.apply(ev)
        return self.notes

    def _undoable(self):
        """Return how many events and corrections can be taken back."""
        return len(self._log) + len(self._corrections)

    # --- snapshots ---

    def _remember(self):
        """Keep a snapshot of the current state if one is due, and drop snapshots that are now too dense."""
        now = len(self._log)
        if _is_kept(now, now):
            self._snapshots[now] = self.game.snapshot()
            for old in [k for k in self._snapshots if not _is_kept(k, now)]:
                del self._snapshots[old]

    def _rewind(self, k):
        """Bring the game back to the state after k events."""
        for at in [at for at in self._snapshots if at > k]:
            del self._snapshots[at]
        at = max(self._snapshots)
        self.game.restore(self._snapshots[at])
        self._replay(at, k)

    def _replay(self, start, end):
        """Apply the events start..end-1 again."""
        for k in range(start, end):
            try:
                self._apply(self.event(k))
            except Refused as refusal:
                refusal.at = k
                raise
            if _is_kept(k + 1, end):
                self._snapshots[k + 1] = self.game.snapshot()

    def game_at(self, k):
        """Return a copy of the game as it was after k events."""
        game = new_game(self.setup)
        at = max([at for at in self._snapshots if at <= k])
        game.restore(self._snapshots[at])
        for i in range(at, k):
            game.apply(self.event(i))
        return game

    # --- the list of events alone ---

    def _take_off(self):
        """Move the last event, or the last correction, to the redo list. Returns (kind, k, line).

        kind: "event" or "correct"; k: the number of the event; line: the event taken back, or the one now in force.
        """
        now = len(self._log)
        if self._corrections and self._corrections[-1][0] == now:
            _, k, line = self._corrections.pop()
            self._redo.add("%d %s" % (k, self._log.replace(k, line)))
            return "correct", k, line
        line = self._log.pop()
        self._redo.add(line)
        return "event", now - 1, line

    def _put_back(self):
        """Reverse _take_off(). Returns (kind, k, line); line: the event now in force."""
        now = len(self._log)
        line = self._redo.pop()
        if line[0] == "{":
            self._log.add(line)
            return "event", now, line
        at, line = line.split(" ", 1)
        k = int(at)
        self._corrections.append((now, k, self._log.replace(k, line)))
        return "correct", k, line

    def lies_at(self, start, end):
        """Note the offsets, in the journal, of the event that was played last."""
        self._log.lies_at(start, end)

    def skip_block(self, start, end):
        """Add BLOCK plain events by their offsets in the journal, as skip() does for one line.

        Returns False if the events must be skipped one by one.
        """
        if not self._log.add_block(start, end):
            return False
        self._redo = Log()
        return True

    def skip(self, line):
        """Add a line of the journal, as bytes, to the list of events only; take_up() restores the state later."""
        if line[:12] == b'{"ev":"undo"' or line[:12] == b'{"ev":"redo"':
            for _ in range(json.loads(line).get("k", 1)):
                self._take_off() if line[7:11] == b"undo" else self._put_back()
        elif line[:15] == b'{"ev":"correct"':
            ev = json.loads(line)
            k = ev["at"]
            self._corrections.append((len(self._log), k, self._log.replace(k, encode(ev["event"]))))
            self._redo = Log()
        else:
            self._log.add(line)
            if self.can_redo:
                self._redo = Log()

    def state(self):
        """Return ([(k, snapshot after k events), ...], current snapshot), which take_up() needs."""
        return [(k, self._snapshots[k]) for k in sorted(self._snapshots)], self.game.snapshot()

    def take_up(self, snapshots, now):
        """Restore the state that belongs to the skipped lines."""
        self._snapshots = dict(snapshots)
        self.game.restore(now)

    # --- undo, redo, correct ---

    def undo(self):
        """Take back the last event or correction.

        Returns ("event", event) or ("correct", (k, event now in force)).
        """
        if not self.can_undo:
            raise Refused("E_PHASE", phase=self.game.phase)
        kind, k, line = self._take_off()
        event = json.loads(line)
        if kind == "event":
            self._rewind(k)
            return kind, event
        self._rewind_from(k)
        return kind, (k, event)

    def redo(self):
        """Redo what undo() took back last. Returns ("event", event) or ("correct", (k, event now in force))."""
        if not self.can_redo:
            raise Refused("E_PHASE", phase=self.game.phase)
        kind, k, line = self._put_back()
        event = json.loads(line)
        if kind == "event":
            self._apply(event)
            self._remember()
            return kind, event
        self._rewind_from(k)
        return kind, (k, event)

    def correct(self, k, ev):
        """Replace event k and replay the events after it.

        If an event no longer fits, Refused has its index in `at`, and nothing has changed.
        """
        now = len(self._log)
        if not 0 <= k < now or not isinstance(ev, dict):
            raise bad("correct")
        before = self.game.snapshot()
        kept = dict(self._snapshots)
        self._rewind(k)
        old = None
        try:
            try:
                self._apply(ev)
            except Refused as refusal:
                refusal.at = k
                raise
            old = self._log.replace(k, encode(self.game.canonical(ev)))
            self._replay(k + 1, now)
        except Refused:
            if old is not None:
                self._log.replace(k, old)
            self._snapshots = kept
            self.game.restore(before)
            raise
        self._corrections.append((now, k, old))
        self._redo = Log()

    def _rewind_from(self, k):
        """Replay all events from event k on, after the line of event k was replaced."""
        self._rewind(k)
        self._replay(k, len(self._log))


def _is_kept(k, now):
    """Return True if a snapshot of the state after k events is kept when there are `now` events."""
    for back, every in STEPS:
        if now - k <= back:
            return k % every == 0
    return False
