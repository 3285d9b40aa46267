"""The shelf of games on this device: which one is being played, what the others were, and how much room is left."""

import binascii

from ..games import Refused
from ..machine_code import const
from .journal_tail import SUFFIX, Newest
from .safe_file import SafeFile
from .sealed_lines import StorageFull, attempt

MYPY = False  # the type check knows this name and takes it for true
if MYPY:
    from .journal import Journal
    from .table import Table

# What an event is counted with when we say how many still fit; most take a quarter of it
EVENT_BYTES = 256
# A new game is begun only if so many events fit
NEW_GAME_EVENTS = 200
# The state is kept anew after so many lines: that is what a resume has to replay, 12 ms each on the Pico
_KEEP_LINES = const(8)

INDEX = "index"
ALL = "all"  # the line in the index that confirms what stands before it


class Games:
    """All games on flash.

    random(n) gives n random bytes, now() the time in unix seconds, or 0 while the clock was never set.
    """

    def __init__(self, storage, device_id: str, random, now):
        self.storage = storage = Newest(storage)
        self.device_id = device_id
        self._random = random
        self._now = now
        self.journal: Journal = None  # of the game in play, once it was created or resumed
        self.table: Table = None
        self._kept_at = 1  # lines of the journal when its state was kept last
        self._in_doubt = False  # the table has moved, and the flash could not be read to tell whether it has too
        self._listed = None
        for name in storage.names():
            if name.endswith(".tmp"):
                attempt(_journals().recover, storage, name[:-4])
        self._file = SafeFile(storage, "running")
        state, self.report = self._file.load()
        self._state = state if isinstance(state, dict) else {}
        if self.report:
            # Which game was running is lost; it was most likely the newest
            ids = self.ids()
            self._state["running"] = ids[0] if ids else None

    @property
    def index(self):
        if self._listed is None:
            from .index import Index

            self._listed = Index(self.storage)
        return self._listed

    # --- the game in play ---

    @property
    def running(self):
        """The id of the game to go back to, or None."""
        # A power cut while a game was being created leaves its id without a journal: then the one before it runs
        for key in ("running", "before"):
            game_id = self._state.get(key)
            if game_id and self._exists(game_id):
                return game_id
        return None

    def _exists(self, game_id):
        return self.storage.exists(game_id + SUFFIX)

    def _set_running(self, game_id, before=None, counter=None):
        state = {"running": game_id, "before": before, "counter": counter or self._state.get("counter", 0)}
        if state != self._state:
            self._file.save(state)
            self._state = state

    def create(self, setup: dict):
        """Begin a game: (journal, table), also kept here. Refused, StorageFull, OSError: there is no new game."""
        if self.room() < NEW_GAME_EVENTS:
            raise StorageFull()
        number = self._next_counter()
        setup = dict(setup)
        setup["id"] = self._new_id(number)
        setup["at"] = self._now()
        setup["device"] = self.device_id
        from .table import Table

        journals = _journals()
        table = Table(setup, journals.Journal(self.storage, setup["id"]).lines_between)
        self._note_current()
        self._set_running(setup["id"], self.running, number)
        self.journal = journals.Journal.create(self.storage, setup["id"], setup)
        self.table = table
        self._kept_at = 1
        return self.journal, self.table

    def _next_counter(self):
        """Never used before on this device, also if the file that counts was lost."""
        return 1 + max([self._state.get("counter", 0)] + [counter(game_id) for game_id in self.ids()])

    def _new_id(self, counter):
        # The random part tells apart what two devices, or one device before and after it was erased, call their first
        noise = binascii.hexlify(self._random(3)).decode()
        return "%s-%04d-%s" % (self.device_id[-6:], counter, noise)

    def resume(self, game_id=None):
        """(journal, table, report) of a game to be played on, the running one if none is named; it is that then.

        report as in Journal.open. There is neither journal nor table if no game is running, or if its file is
        damaged from the first line on.
        """
        game_id = game_id or self.running
        if game_id is None:
            return None, None, None
        journal, table, report = self.look(game_id)
        if journal is not None:
            if game_id != self.running:
                self._set_running(game_id)
            if self.journal is not journal:
                self._note_current()
            self.journal, self.table = journal, table
            self._kept_at = 1
            if self.storage.lost and not report:  # most likely lines of this game
                report = ("bad", journal.lines + 1, len(table))
            self.storage.lost = False
        return journal, table, report

    def look(self, game_id):
        """(journal, table, report) of a game to be shown."""
        if self.in_play(game_id):
            return self.journal, self.table, None
        return _journals().Journal.open(self.storage, game_id)

    def in_play(self, game_id):
        return self.journal is not None and self.journal.id == game_id

    def close(self):
        """Put the game in play on the shelf. If it is over, nothing is running any more."""
        attempt(self.storage.settle)
        if self._in_doubt:
            attempt(self._reload)
        self._note_current()
        if self.table is not None and self.table.game.over and not self._in_doubt:
            attempt(self._set_running, None)  # else the next start shows its end once more
            _checkpoints().forget(self.storage, self.journal.id)
        else:
            self.keep_state()
        self.journal = self.table = None
        self._in_doubt = False
        self.index.release()

    def play(self, ev):
        """Take one event for the game in play, undo, redo and correct among them: on flash when its notes return.

        Refused and OSError (StorageFull, if that is it) mean that nothing has changed. `table` is another object
        after trouble with the flash: always ask for it anew.
        """
        if self._in_doubt:
            self._reload()
        self.journal.need()
        try:
            notes = self.table.play(ev)
        except OSError:  # while it read what it had played before
            self._in_doubt = True
            raise
        lines, start = self.journal.lines, self.journal.size
        try:
            self.journal.append(self._form(ev))
            if ev["ev"] not in ("undo", "redo", "correct"):
                self.table.lies_at(start, self.journal.size)
        except Exception:
            self._in_doubt = True
            self._reload()
            if self.journal.lines <= lines:
                raise
            # The flash complained, but the line is there: the entry counts
        return notes

    def _form(self, ev):
        """The event as the journal keeps it: known keys only."""
        name = ev["ev"]
        if name == "undo" or name == "redo":
            return {"ev": name, "k": ev["k"]} if ev.get("k", 1) != 1 else {"ev": name}
        canonical = self.table.game.canonical
        if name == "correct":
            return {"ev": name, "at": ev["at"], "event": canonical(ev["event"])}
        return canonical(ev)

    def _reload(self):
        """Take table and journal from the flash again: that is what counts."""
        journal, table, _ = _journals().Journal.open(self.storage, self.journal.id)
        if journal is None:
            raise OSError(_journals().IO_ERROR)
        self.journal, self.table = journal, table
        self._in_doubt = False

    def make_ready(self):
        """Do what the next entry would have to wait for: to be called when there is a moment."""
        if self.journal is not None and not self._in_doubt:
            attempt(self.storage.make_room)
            attempt(self.journal.make_ready)

    def keep_state(self):
        """Make the next resume short: to be called when there is time. Nothing depends on it."""
        if self.journal is not None and self.journal.lines >= self._kept_at + _KEEP_LINES and not self._in_doubt:
            self._kept_at = self.journal.lines
            attempt(_checkpoints().save, self.storage, self.journal, self.table)

    # --- the shelf ---

    def ids(self):
        """All games, the newest first."""
        ids = [name[: -len(SUFFIX)] for name in self.storage.names() if name.endswith(SUFFIX)]
        # Not sorted by a key: MicroPython would work it out anew for every comparison
        pairs = sorted([(counter(game_id), game_id) for game_id in ids], reverse=True)
        return [game_id for _, game_id in pairs]

    def set_aside(self):
        """The names of the damaged files that are kept."""
        return [name for name in self.storage.names() if is_aside(name)]

    def entry(self, game_id):
        """What the history shows of a game, or None if its file is damaged from the first line on.

        id, game, players, at, events (in force), lines (events ever written, undo included), finished, totals,
        winners, confirmed (a laptop has all of it), damaged (a part was set aside).
        """
        entry = self._entry(game_id)
        if entry is None:
            return None
        entry["id"] = game_id
        entry["confirmed"] = self.seen(game_id) == entry["mark"]
        entry["damaged"] = self.storage.size(game_id + ".bad") is not None
        return entry

    def _entry(self, game_id):
        if self.in_play(game_id):
            return describe(self.journal, self.table)
        known = self._known(game_id)
        if known is not None and known["size"] == self.storage.size(game_id + SUFFIX):
            return known
        if not self._exists(game_id):
            return None
        journal, table, _ = self.look(game_id)
        return None if journal is None else self._note(journal, table)

    def _note(self, journal, table):
        """Bring the index up to date. It is derived: if the flash refuses, the next one who asks replays the game."""
        entry = describe(journal, table)
        attempt(self.index.put, journal.id, entry, self.ids)
        return entry

    def _known(self, game_id):
        """The entry in the index, or None; one that cannot be read is as good as none."""
        try:
            return self.index.get(game_id)
        except OSError:
            return None

    def seen(self, game_id):
        """The mark of what a laptop has; if that cannot be read, it is asked to confirm again."""
        try:
            return self.index.seen(game_id)
        except OSError:
            return ""

    def _note_current(self):
        if self.journal is not None and not self._in_doubt:
            self._note(self.journal, self.table)

    def release(self):
        """Give back the memory that listing games has taken."""
        self.index.release()

    def index_changed(self):
        """Somebody else has added to the file of the index."""
        if self._listed is not None:
            self._listed.changed()

    # --- room ---

    def room(self):
        """How many more events surely fit on flash."""
        events = max(0, self.storage.free() - _journals().RESERVE_BYTES) // EVENT_BYTES
        if self.journal is not None:
            events = min(events, _journals().EVENTS_MAX + 1 - self.journal.lines)
        return events

    def removable(self):
        """The games that are finished and that a laptop has confirmed."""
        return [game_id for game_id in self.ids() if self._is_removable(game_id)]

    def _is_removable(self, game_id):
        entry = self.entry(game_id)
        return entry is not None and entry["finished"] and entry["confirmed"]

    def remove(self, game_id):
        """Forget a game that is finished and confirmed; any other is refused with E_KEEP."""
        if not self._exists(game_id) or not self._is_removable(game_id):
            raise Refused("E_KEEP", id=game_id)
        if self.in_play(game_id):
            self.close()
        self.storage.remove(game_id + SUFFIX)
        _checkpoints().forget(self.storage, game_id)


def _journals():
    """Loaded with the first game, and what it needs with it: a device that is switched on shows its menu sooner."""
    from . import journal

    return journal


def _checkpoints():
    from . import checkpoint

    return checkpoint


def is_aside(name):
    """Whether a file is a damaged one that is kept."""
    return ".bad" in name


def counter(game_id):
    """The number of a game among those that were begun on its device."""
    parts = game_id.split("-")
    return int(parts[1]) if len(parts) == 3 and parts[1].isdigit() else 0


def describe(journal, table):
    """The entry of a game."""
    return {
        "game": table.game.KIND,
        "players": list(table.game.names),
        "at": table.setup.get("at", 0),
        "events": len(table),
        "lines": journal.lines - 1,
        "finished": table.game.over,
        "totals": table.game.totals(),
        "winners": table.game.winners(),
        "size": journal.size,
        "mark": journal.mark,
    }
