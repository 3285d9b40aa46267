"""Hold a game as a list of events with undo, redo and changes of the past, without replaying the whole game."""

from ..games import Refused, new_game
from ..games.base import bad, count, positive
from .events import CHANGES, EventsInMemory

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
        self._places = []  # of the events in force; a corrected or inserted event is at the place of that change
        self._snapshots = {0: self.game.short_snapshot()}
        self._changes = []  # (events in force when it was made, name, k, the place that event k had before, or None)
        self._redo = []  # what was taken back, the next to redo last: places, or (name, k, place) of a change
        self._options = {}  # place of an `option` event -> (house rule, value)
        self._rules = {}  # the house rules that the events in force have changed, under which `game` is played

    def __len__(self):
        """Return how many events are in force."""
        return len(self._places)

    def __bool__(self):
        """Return True: a table without events is not false."""
        return True

    @property
    def can_undo(self):
        """True if there is an event or a change to take back."""
        return len(self._places) > 0 or len(self._changes) > 0

    @property
    def can_redo(self):
        """True if something was taken back that can be redone."""
        return len(self._redo) > 0

    def event(self, k):
        """Return event k of those in force, counted from 0."""
        return self._value(self._places[k])

    def _value(self, place):
        """Return the event at a place; of a change, the event that it puts into force."""
        value = self._events.read(place)
        return value["event"] if value["ev"] in CHANGES else value

    def last_event(self):
        """Return the event that undo() would take back, or the change in the form that play() accepts.

        A removal also has the event that it took out.
        """
        if self._changed_last():
            _, name, k, before = self._changes[-1]
            event = self._value(before) if name == "remove" else self.event(k)
            return {"ev": name, "at": k, "event": event}
        return self.event(len(self._places) - 1)

    def _changed_last(self):
        """Return True if a change of the past was made after the last event."""
        return len(self._changes) > 0 and self._changes[-1][0] == len(self._places)

    def next_redo(self):
        """Return what redo() would bring back, in the same form as last_event() returns it."""
        back = self._redo[-1]
        if isinstance(back, int):
            return self._value(back)
        name, k, place = back
        return {"ev": name, "at": k, "event": self.event(k) if name == "remove" else self._value(place)}

    def events(self):
        """Yield the events in force."""
        for k in range(len(self._places)):
            yield self.event(k)

    def play(self, ev, place=None):
        """Check one event of the replay form, undo, redo and changes included, and store it. Returns its notes.

        place: where the event is stored already, if it was read from there. Refused: nothing has changed. OSError:
        the event could not be stored, or an earlier one not be read, and this table must not be used any more.
        """
        name = ev.get("ev")
        if name == "undo" or name == "redo":
            self._step(name, positive(ev.get("k", 1), "k"), place)
        elif isinstance(name, str) and name in CHANGES:
            self.change(name, count(ev.get("at"), "at"), ev.get("event"), place)
        else:
            if name == "option":
                self._try("insert", len(self._places), ev)
            else:
                self._apply(ev)
            self._places.append(self._store_event(self.game.canonical(ev), place))
            self._redo.clear()
            self._remember()
        return self.notes

    def _step(self, name, k, place):
        """Take back or redo k events or changes, and store that."""
        if k > (len(self._redo) if name == "redo" else self._undoable()):
            raise Refused("E_PHASE", phase=self.game.phase)
        for _ in range(k):
            self._take_back() if name == "undo" else self._bring_back()
        self.notes = []
        self._store({"ev": name} if k == 1 else {"ev": name, "k": k}, place)

    def _store(self, value, place):
        """Store a value, unless it is stored already at `place`. Returns its place."""
        return self._events.append(value) if place is None else place

    def _store_event(self, value, place):
        """Store an event, or a change with its event. Returns its place."""
        place = self._store(value, place)
        self._note_option(value, place)
        return place

    def _note_option(self, value, place):
        """Note where a house rule is changed."""
        event = value.get("event", value)
        if event["ev"] == "option":
            self._options[place] = event["name"], event["value"]

    def _apply(self, ev):
        """Apply an event to the game and return its notes."""
        self.notes = self.game.apply(ev)
        return self.notes

    def _undoable(self):
        """Return how many events and changes can be taken back."""
        events = len(self._places)
        for _, name, _, _ in self._changes:
            events -= CHANGES[name]
        return events + len(self._changes)

    # --- house rules ---

    def rules_after(self, name, k, ev=None):
        """Return the house rules that the events in force would change after a change of the past (see change())."""
        places = self._places
        rules = {}
        if self._options or (ev and ev["ev"] == "option"):
            for i in range(len(places) + 1):
                if i == k and ev and ev["ev"] == "option":
                    rules[ev["name"]] = self.game.read(ev)[1][1]
                if i < len(places) and (i != k or name == "insert") and places[i] in self._options:
                    rule, value = self._options[places[i]]
                    rules[rule] = value
        return rules

    def _rules_in_force(self):
        """Return the house rules that the events in force have changed."""
        return self.rules_after("insert", 0)

    @property
    def setup_in_force(self):
        """The set-up with the house rules in force."""
        return _with_rules(self.setup, self._rules)

    def start(self):
        """Return the game before its first event, under the house rules in force."""
        return new_game(self.setup_in_force)

    def _play_under(self, rules):
        """Restart the game if these are not the house rules under which it is played."""
        if rules != self._rules:
            self.game = new_game(_with_rules(self.setup, rules))
            self._rules = rules
            self._snapshots = {0: self.game.short_snapshot()}

    # --- snapshots ---

    def _remember(self):
        """Keep a snapshot of the current state if one is due, and drop snapshots that are now too dense."""
        now = len(self._places)
        if _is_kept(now, now):
            self._snapshots[now] = self.game.short_snapshot()
            for old in [k for k in self._snapshots if not _is_kept(k, now)]:
                del self._snapshots[old]

    def _rewind(self, k):
        """Bring the game back to the state after k events."""
        for at in [at for at in self._snapshots if at > k]:
            del self._snapshots[at]
        at = max(self._snapshots)
        self.game.restore(self._snapshots[at])
        self._replay(at, k)

    def _replay(self, start, end, moved=0):
        """Apply the events start..end-1 again; a change moves them by `moved` places."""
        for k in range(start, end):
            try:
                self._apply(self.event(k))
            except Refused as refusal:
                refusal.at = k
                raise
            after = k + 1 + moved
            if _is_kept(after, end + moved):
                self._snapshots[after] = self.game.short_snapshot()

    def game_at(self, k, rules=None):
        """Return a copy of the game as it was after k events, under the house rules in force or under `rules`.

        Refused: an event does not fit these rules, its index is in `at`.
        """
        if rules is None or rules == self._rules:
            game = self.start()
            game.take_history(self.game)
            at = max([at for at in self._snapshots if at <= k])
            game.restore(self._snapshots[at])
        else:
            game = new_game(_with_rules(self.setup, rules))
            at = 0
        for i in range(at, k):
            try:
                game.apply(self.event(i))
            except Refused as refusal:
                refusal.at = i
                raise
        return game

    def stretch(self, k):
        """Return (first, end) of the events between two snapshots around event k, which game_at(first) is cheap for."""
        later = [at for at in self._snapshots if at > k]
        return max([at for at in self._snapshots if at <= k]), min(later) if later else len(self._places)

    # --- the list of events alone ---

    def _take_off(self):
        """Move the last event, or the last change, to the redo list.

        Returns (True for a change, the number of the event).
        """
        if self._changed_last():
            _, name, k, before = self._changes.pop()
            place = None if name == "remove" else self._places.pop(k)
            if before is not None:
                self._places.insert(k, before)
            self._redo.append((name, k, place))
            return True, k
        self._redo.append(self._places.pop())
        return False, len(self._places)

    def _put_back(self):
        """Reverse _take_off(). Returns the same."""
        back = self._redo.pop()
        if isinstance(back, int):
            self._places.append(back)
            return False, len(self._places) - 1
        self._put_in_force(*back)
        return True, back[1]

    def _put_in_force(self, name, k, place):
        """Change the list of events; `place` is the stored place of the new event k."""
        before = None if name == "insert" else self._places.pop(k)
        if name != "remove":
            self._places.insert(k, place)
        self._changes.append((len(self._places), name, k, before))

    def skip_plain(self, places):
        """Add plain events of the journal by their places only; take_up() restores the state later."""
        self._places.extend(places)
        self._redo.clear()

    def skip(self, ev, place):
        """Add an undo, a redo, a change or an option to the list of events only, as skip_plain() does."""
        if ev["ev"] in CHANGES:
            self._note_option(ev, place)
            self._put_in_force(ev["ev"], ev["at"], place)
            self._redo.clear()
        elif ev["ev"] == "option":
            self._note_option(ev, place)
            self.skip_plain((place,))
        else:
            for _ in range(ev.get("k", 1)):
                self._take_off() if ev["ev"] == "undo" else self._put_back()

    def state(self):
        """Return ([(k, snapshot after k events), ...], current snapshot), which take_up() needs."""
        return [(k, self._snapshots[k]) for k in sorted(self._snapshots)], self.game.snapshot()

    def take_up(self, snapshots, now):
        """Restore the state that belongs to the skipped lines."""
        self._play_under(self._rules_in_force())
        self._snapshots = dict(snapshots)
        self.game.restore(now)

    # --- undo, redo and changes ---

    def undo(self):
        """Take back the last event or change, which is not stored. Returns it as last_event() does."""
        if not self.can_undo:
            raise Refused("E_PHASE", phase=self.game.phase)
        last = self.last_event()
        self._take_back()
        return last

    def redo(self):
        """Redo what undo() took back last, and return it as last_event() does."""
        if not self.can_redo:
            raise Refused("E_PHASE", phase=self.game.phase)
        self._bring_back()
        return self.last_event()

    def _take_back(self):
        """Take back the last event or change."""
        changed, k = self._take_off()
        self._play_under(self._rules_in_force())
        self._rewind(k)
        if changed:
            self._replay(k, len(self._places))

    def _bring_back(self):
        """Redo what was taken back last."""
        changed, k = self._put_back()
        rules = self._rules_in_force()
        if changed or rules != self._rules:
            self._play_under(rules)
            self._rewind(k)
            self._replay(k, len(self._places))
        else:
            self._apply(self.event(k))
            self._remember()

    def change(self, name, k, ev=None, place=None):
        """Correct or remove event k, or insert one before it; replay what follows, and store the change.

        `place` as in play(). Refused: nothing has changed; if a later event no longer fits, its index is in `at`.
        """
        now = len(self._places)
        if k >= now + (name == "insert"):
            raise bad("at")
        if name != "remove" and not isinstance(ev, dict):
            raise bad("event")
        self._try(name, k, ev)
        value = {"ev": name, "at": k}
        if name != "remove":
            value["event"] = self.game.canonical(ev)
        self._put_in_force(name, k, self._store_event(value, place))
        self._redo.clear()

    def _try(self, name, k, ev):
        """Bring the game to its state after a change. Refused: nothing has changed.

        If a house rule changes, the whole game is replayed, else what follows event k.
        """
        if name != "remove":
            self.game.read(ev)
        game, before, kept, rules = self.game, self.game.snapshot(), dict(self._snapshots), self._rules
        try:
            self._play_under(self.rules_after(name, k, ev))
            self._rewind(k)
            if name != "remove":
                self._apply(ev)
            self._replay(k if name == "insert" else k + 1, len(self._places), CHANGES[name])
        except Refused:
            self.game, self._snapshots, self._rules = game, kept, rules
            game.restore(before)
            raise
        self.notes = []


def _with_rules(setup, rules):
    """Return a set-up with other house rules, given by name."""
    if not rules:
        return setup
    setup = dict(setup)
    setup["options"] = dict(setup.get("options", {}))
    setup["options"].update(rules)
    return setup


def _is_kept(k, now):
    """Return True if a snapshot of the state after k events is kept when there are `now` events."""
    for back, every in STEPS:
        if now - k <= back:
            return k % every == 0
    return False
