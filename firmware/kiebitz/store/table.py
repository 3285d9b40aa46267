"""Hold a game as its list of events: play, undo, redo and correct without a replay of the whole game."""

from ..games import Refused, new_game
from ..games.base import bad, count, positive
from .events import EventsInMemory

# (distance from the end, interval): how many events apart snapshots are kept. An undo at the end replays three events
# at most, and an undo further back makes the next ones cheap again
STEPS = ((16, 4), (64, 16), (1 << 30, 128))


class Table:
    """A game, made from its set-up, and its events, of which only the places are in memory.

    `events` stores the events: append(value) stores one and returns its place, read(place) returns the value again.
    """

    def __init__(self, setup, events=None):
        self.setup = setup
        self.game = new_game(setup)
        self.notes = []  # of the last event
        self._events = events or EventsInMemory()
        self._places = []  # of the events in force; a corrected event is at the place of its correction
        self._snapshots = {0: self.game.snapshot()}
        self._corrections = []  # (events in force when it was made, k, the place of event k before)
        self._redo = []  # what was taken back, the next to redo last: places, or (k, place of event k) of a correction

    def __len__(self):
        """Return how many events are in force."""
        return len(self._places)

    def __bool__(self):
        """Return True: a table without events is not false."""
        return True

    @property
    def can_undo(self):
        """True if there is an event to take back."""
        return len(self._places) > 0

    @property
    def can_redo(self):
        """True if something was taken back that can be redone."""
        return len(self._redo) > 0

    def event(self, k):
        """Return event k of those in force, counted from 0."""
        return self._value(self._places[k])

    def _value(self, place):
        """Return the event at a place; of a correction, the event that it puts into force."""
        value = self._events.read(place)
        return value["event"] if value["ev"] == "correct" else value

    def last_event(self):
        """Return what undo() would take back: an event, or a correction in the form that play() accepts."""
        now = len(self._places)
        if self._corrections and self._corrections[-1][0] == now:
            k = self._corrections[-1][1]
            return {"ev": "correct", "at": k, "event": self.event(k)}
        return self.event(now - 1)

    def next_redo(self):
        """Return what redo() would bring back, in the same form as last_event() returns it."""
        back = self._redo[-1]
        if isinstance(back, int):
            return self._value(back)
        k, place = back
        return {"ev": "correct", "at": k, "event": self._value(place)}

    def events(self):
        """Yield the events in force."""
        for k in range(len(self._places)):
            yield self.event(k)

    def play(self, ev, place=None):
        """Check one event of the replay form, undo, redo and correct included, and store it. Returns its notes.

        place: where the event is stored already, if it was read from there. Refused: nothing has changed. OSError:
        the event could not be stored, or an earlier one not be read, and this table must not be used any more.
        """
        name = ev.get("ev")
        if name == "undo" or name == "redo":
            self._step(name, positive(ev.get("k", 1), "k"), place)
        elif name == "correct":
            self.correct(count(ev.get("at"), "at"), ev.get("event"), place)
        else:
            self._apply(ev)
            self._places.append(self._store(self.game.canonical(ev), place))
            self._redo.clear()
            self._remember()
        return self.notes

    def _step(self, name, k, place):
        """Take back or redo k events or corrections, and store that."""
        if k > (len(self._redo) if name == "redo" else self._undoable()):
            raise Refused("E_PHASE", phase=self.game.phase)
        for _ in range(k):
            self._take_back() if name == "undo" else self._bring_back()
        self.notes = []
        self._store({"ev": name} if k == 1 else {"ev": name, "k": k}, place)

    def _store(self, value, place):
        """Store a value, unless it is stored already at `place`. Returns its place."""
        return self._events.append(value) if place is None else place

    def _apply(self, ev):
        """Apply an event to the game and return its notes."""
        self.notes = self.game.apply(ev)
        return self.notes

    def _undoable(self):
        """Return how many events and corrections can be taken back."""
        return len(self._places) + len(self._corrections)

    # --- snapshots ---

    def _remember(self):
        """Keep a snapshot of the current state if one is due, and drop snapshots that are now too dense."""
        now = len(self._places)
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
        """Move the last event, or the last correction, to the redo list.

        Returns (True for a correction, the number of the event).
        """
        now = len(self._places)
        if self._corrections and self._corrections[-1][0] == now:
            _, k, place = self._corrections.pop()
            self._redo.append((k, self._places[k]))
            self._places[k] = place
            return True, k
        self._redo.append(self._places.pop())
        return False, now - 1

    def _put_back(self):
        """Reverse _take_off(). Returns the same."""
        back = self._redo.pop()
        if isinstance(back, int):
            self._places.append(back)
            return False, len(self._places) - 1
        self._replace(*back)
        return True, back[0]

    def _replace(self, k, place):
        """Put the event at another place into force as event k."""
        self._corrections.append((len(self._places), k, self._places[k]))
        self._places[k] = place

    def skip_plain(self, places):
        """Add plain events of the journal by their places only; take_up() restores the state later."""
        self._places.extend(places)
        self._redo.clear()

    def skip(self, ev, place):
        """Add an undo, redo or correct of the journal to the list of events only, as skip_plain() does."""
        if ev["ev"] == "correct":
            self._replace(ev["at"], place)
            self._redo.clear()
        else:
            for _ in range(ev.get("k", 1)):
                self._take_off() if ev["ev"] == "undo" else self._put_back()

    def state(self):
        """Return ([(k, snapshot after k events), ...], current snapshot), which take_up() needs."""
        return [(k, self._snapshots[k]) for k in sorted(self._snapshots)], self.game.snapshot()

    def take_up(self, snapshots, now):
        """Restore the state that belongs to the skipped lines."""
        self._snapshots = dict(snapshots)
        self.game.restore(now)

    # --- undo, redo, correct ---

    def undo(self):
        """Take back the last event or correction, which is not stored.

        Returns ("event", event) or ("correct", (k, event now in force)).
        """
        if not self.can_undo:
            raise Refused("E_PHASE", phase=self.game.phase)
        event = self.last_event()
        correction, k = self._take_back()
        return ("correct", (k, self.event(k))) if correction else ("event", event)

    def redo(self):
        """Redo what undo() took back last. Returns ("event", event) or ("correct", (k, event now in force))."""
        if not self.can_redo:
            raise Refused("E_PHASE", phase=self.game.phase)
        correction, k = self._bring_back()
        return ("correct", (k, self.event(k))) if correction else ("event", self.event(k))

    def _take_back(self):
        """Take back the last event or correction; returns the same as _take_off()."""
        correction, k = done = self._take_off()
        self._rewind(k)
        if correction:
            self._replay(k, len(self._places))
        return done

    def _bring_back(self):
        """Redo what was taken back last; returns the same as _take_off()."""
        correction, k = done = self._put_back()
        if correction:
            self._rewind(k)
            self._replay(k, len(self._places))
        else:
            self._apply(self.event(k))
            self._remember()
        return done

    def correct(self, k, ev, place=None):
        """Replace event k, replay the events after it, and store the correction; `place` as in play().

        If an event no longer fits, Refused has its index in `at`, and nothing has changed.
        """
        now = len(self._places)
        if not 0 <= k < now or not isinstance(ev, dict):
            raise bad("correct")
        before = self.game.snapshot()
        kept = dict(self._snapshots)
        self._rewind(k)
        try:
            try:
                self._apply(ev)
            except Refused as refusal:
                refusal.at = k
                raise
            self._replay(k + 1, now)
        except Refused:
            self._snapshots = kept
            self.game.restore(before)
            raise
        self.notes = []
        self._replace(k, self._store({"ev": "correct", "at": k, "event": self.game.canonical(ev)}, place))
        self._redo.clear()


def _is_kept(k, now):
    """Return True if a snapshot of the state after k events is kept when there are `now` events."""
    for back, every in STEPS:
        if now - k <= back:
            return k % every == 0
    return False
