"""Manage all games on this device, the running game, the index of the others and the free space."""

import binascii

from ..games import Refused
from ..games.base import RULES
from ..machine_code import const
from .journal_files import SOME, SUFFIX, JournalFiles, Trash
from .safe_file import NEWER, SafeFile
from .sealed_lines import StorageFull, attempt

MYPY = False  # mypy treats this name as true
if MYPY:
    from .journal import Journal
    from .table import Table

FORMAT = 1  # of the file `running` (docs/formats.md)
COUNTER_MAX = 900_000  # games of one device: a laptop takes ids of up to six digits
# The size of an event when counting how many still fit; most events take a quarter of it
EVENT_BYTES = 256
# A new game is begun only if this many events fit
NEW_GAME_EVENTS = 200
# A new checkpoint is saved after this many lines: a resume replays up to this many, 12 ms each on the Pico
_KEEP_LINES = const(8)
# When a game is closed, short journals are packed if they fill most of a block
_PACK_BYTES = const(3072)


class Library:
    """All games on flash.

    random(n) returns n random bytes; now() the time in unix seconds, or 0 if it is not known. The ticks of `clock`
    count the minutes of the game in play; without it, none are counted.
    """

    def __init__(self, storage, device_id: str, random, now, clock=None):
        self.storage = storage
        self.files = JournalFiles(storage)
        self.device_id = device_id
        self._random = random
        self._now = now
        self._clock = clock
        self._time = None
        self.journal: Journal = None  # of the game in play, once it was created or resumed
        self.table: Table = None
        self._kept_at = 1  # lines of the journal at the last checkpoint
        self._in_doubt = False  # the table has changed; the flash could not be read to check whether the journal has
        self._told = None  # the journal whose lost lines were reported
        self._listed = None
        self._file = SafeFile(storage, "running", FORMAT, _is_state)
        state, self.report = self._file.load()
        self._state = state or {}
        self.thrown = Trash(self, self._state.get("thrown", []))
        if self.report == NEWER:
            return
        for name in storage.names():
            if name.endswith(".tmp"):
                attempt(_journals().recover, self.files, name[:-4])
        if self.report:
            # The id of the running game is lost; most likely it was the newest game
            ids = self.ids()
            self._state["running"] = ids[0] if ids else None

    @property
    def index(self):
        """The Index, created on first use."""
        if self._listed is None:
            from .index import Index

            self._listed = Index(self.storage)
        return self._listed

    @property
    def time(self):
        """The PlayTime of the game in play, created on first use."""
        if self._time is None:
            from .play_time import PlayTime

            self._time = PlayTime(self.storage, self._clock)
        return self._time

    # --- the game in play ---

    @property
    def running(self):
        """The id of the game to resume, or None."""
        # A power cut while a game was being created leaves its id without a journal: then the game before it is running
        for key in ("running", "before"):
            game_id = self._state.get(key)
            if game_id and (self.in_play(game_id) or self._exists(game_id)):
                return game_id
        return None

    def _exists(self, game_id):
        """Return True if a game has a journal."""
        return self.files.exists(game_id + SUFFIX)

    def set_running(self, game_id, before=None, counter=None):
        """Store the id of the running game, and which games were thrown away."""
        state = {"running": game_id, "before": before, "counter": counter or self._state.get("counter", 0)}
        if self.thrown.pairs:
            state["thrown"] = self.thrown.pairs
        if state != self._state:
            self._file.save(state)
            self._state = state

    def create(self, setup: dict):
        """Begin a game, which is then in play. Returns (journal, table).

        Refused, StorageFull, OSError: no game was created.
        """
        from .table import Table

        if not self._make_room(lambda: self.room() >= NEW_GAME_EVENTS):
            raise StorageFull()
        number = self._next_counter()
        setup = dict(setup)
        setup["id"] = new_id(self.device_id, number, self._random)
        setup["at"] = self._now()
        setup["device"] = self.device_id
        setup["rules"] = RULES
        journal = _journals().Journal(self.files, setup["id"])
        table = Table(setup, journal)
        self._note_current()
        self.set_running(setup["id"], self.running, number)
        journal.begin(setup)
        self.journal, self.table = journal, table
        self._kept_at = 1
        self.time.begin()
        return self.journal, self.table

    def _next_counter(self):
        """Return a number that no game of this device has, even if the file with the counter was lost."""
        if self._state.get("counter") and not self.report:
            return 1 + self._state["counter"]
        return 1 + max([self._state.get("counter", 0)] + [counter(game_id) for game_id in self.ids()])

    def resume(self, game_id=None):
        """Open a game, by default the running one. Returns (journal, table, report).

        The game becomes the running one. report as in Journal.open. journal and table are None if no game is running,
        or if the first line of the file is damaged.
        """
        running = self.running
        game_id = game_id or running
        if game_id is None:
            return None, None, None
        journal, table, report = self.look(game_id)
        if journal is not None:
            if game_id != running:
                self.set_running(game_id)
            if self.journal is not journal:
                self._note_current()
                self.time.resume(journal)
            self.journal, self.table = journal, table
            self._kept_at = 1
            if self.files.lost in (SOME, journal.name):  # SOME: most likely lines of this game were lost
                report = report or ("bad", journal.lines + 1, len(table))
                self.files.lost = None
        return journal, table, report

    def look(self, game_id):
        """Open a game to show it. Returns (journal, table, report)."""
        if self.in_play(game_id):
            return self.journal, self.table, None
        return self._open(game_id)

    def _open(self, game_id):
        """Read a game from flash. Returns (journal, table, report)."""
        return _journals().Journal.open(self.files, game_id, _checkpoints().load(self.storage, game_id))

    def in_play(self, game_id):
        """Return True if this game is in play."""
        return self.journal is not None and self.journal.id == game_id

    def close(self):
        """Close the game in play. If the game is over, no game is running any more."""
        attempt(self.files.settle)
        if self._in_doubt:
            attempt(self._reload)
        self._note_current()
        if self.table is not None and self.table.game.over and not self._in_doubt:
            attempt(self.set_running, None)  # if this fails, the next start shows the end of the game once more
            _checkpoints().forget(self.storage, self.journal.id)
        else:
            self.keep_state()
            self.keep_minutes()
        self.journal = self.table = None
        self._in_doubt = False
        attempt(self.files.pack, self._not_packed(), _PACK_BYTES)
        self.release()

    def throw_away(self):
        """Move the game in play to the trash and return its id. After an OSError nothing has changed."""
        game_id = self.journal.id
        self.thrown.throw(game_id, self._now())
        return game_id

    def play(self, ev):
        """Play one event, undo, redo or correct in the game in play. Returns its notes once the event is on flash.

        Refused and OSError (StorageFull if the flash is full) mean that nothing has changed. After trouble with the
        flash, `table` is another object, so do not keep a reference to it.
        """
        if self._in_doubt:
            self._reload()
        if not self._make_room(self.journal.has_room):
            raise StorageFull()
        table, lines = self.table, self.journal.lines
        self.journal.now = self.minutes
        try:
            return table.play(ev)
        except Refused:
            raise
        except Exception:
            self._in_doubt = True
            self._reload()
            if self.journal.lines <= lines:
                raise
            return table.notes  # the flash raised an error, but the line is stored: the entry counts

    def lost_elsewhere(self):
        """Return True once if the newest lines of another game had to be set aside."""
        lost = self.files.lost
        if lost in (None, SOME, self._told):
            return False
        self._told = lost
        return True

    def _reload(self):
        """Reload table and journal from flash, which is authoritative."""
        journal, table, _ = self._open(self.journal.id)
        if journal is None:
            raise OSError(_journals().IO_ERROR)
        self.journal, self.table = journal, table
        self._in_doubt = False

    def make_ready(self):
        """Do work now that would delay the next entry. Call this when the device is idle."""
        if self.journal is not None and not self._in_doubt:
            attempt(self.files.make_room)
            attempt(self.journal.make_ready)

    def keep_state(self):
        """Save a checkpoint if enough lines were written since the last one, so that the next resume is short.

        Call this when there is time. Nothing depends on the checkpoint.
        """
        if self.journal is not None and self.journal.lines >= self._kept_at + _KEEP_LINES and not self._in_doubt:
            self._kept_at = self.journal.lines
            attempt(_checkpoints().save, self.storage, self.journal, self.table)

    @property
    def minutes(self):
        """The minutes that the game in play has taken, which end with the game; 0 in the first minute."""
        if self.table.game.over:
            self.time.begin(self.journal.minutes)
        return self.time.minutes()

    def keep_minutes(self):
        """Store the minutes since the last entry, once a minute at most. Call this when there is time."""
        if self.journal is not None and not self.table.game.over:
            self.time.keep(self.journal)

    # --- the list of games ---

    def ids(self):
        """Return the ids of all games, the newest first."""
        ids = self.files.ids()
        # Not sorted with key=: MicroPython would call the key function again for every comparison
        pairs = sorted([(counter(game_id), game_id) for game_id in ids], reverse=True)
        return [game_id for _, game_id in pairs]

    def set_aside(self):
        """Return the names of the damaged files that were set aside."""
        return [name for name in self.storage.names() if is_aside(name)]

    def entry(self, game_id):
        """Return the summary of a game, or None if the first line of its file is damaged.

        Keys: id, game, players, at, events (in force), lines (events ever written, undo included), finished,
        rounds (over, or None), totals, winners, size, mark, confirmed (a laptop has all lines), damaged (a part was
        set aside).
        """
        entry = self._entry(game_id)
        if entry is None:
            return None
        entry["id"] = game_id
        entry["confirmed"] = self.seen(game_id) == entry["mark"]
        entry["damaged"] = self.storage.size(game_id + ".bad") is not None
        return entry

    def readable_entry(self, game_id):
        """Return the summary of a game; None too if its file cannot be read, or is of a newer version."""
        try:
            return self.entry(game_id)
        except OSError:
            return None

    def _entry(self, game_id):
        """Return the entry of a game from the table in play, the index or a replay; None without a good journal."""
        if self.in_play(game_id):
            return self.index.summary(self.journal, self.table)
        known = self._known(game_id)
        if known is not None and known["size"] == self.files.size(game_id + SUFFIX):
            return known
        if not self._exists(game_id):
            return None
        journal, table, _ = self.look(game_id)
        return None if journal is None else self._note(journal, table)

    def _note(self, journal, table):
        """Write the entry of a game to the index and return it.

        The index is derived: if the write fails, the next request replays the game.
        """
        entry = self.index.summary(journal, table)
        attempt(self.index.put, journal.id, entry, self.ids)
        return entry

    def _known(self, game_id):
        """Return the entry in the index, or None if there is none or the flash cannot be read."""
        try:
            return self.index.get(game_id)
        except OSError:
            return None

    def seen(self, game_id):
        """Return the mark that a laptop has confirmed; empty if the flash cannot be read."""
        try:
            return self.index.seen(game_id)
        except OSError:
            return ""

    def _note_current(self):
        """Write the entry of the game in play to the index."""
        if self.journal is not None and not self._in_doubt:
            self._note(self.journal, self.table)

    def release(self):
        """Free the memory that listing games has taken."""
        self.index.release()
        self.files.release()

    # --- free space ---

    def room(self):
        """Return how many more events surely fit on flash."""
        events = max(0, self.storage.free() - _journals().RESERVE_BYTES) // EVENT_BYTES
        if self.journal is not None:
            events = min(events, _journals().EVENTS_MAX + 1 - self.journal.lines)
        return events

    def _make_room(self, enough):
        """Free space on flash without losing anything, until enough() returns True. Returns False if that fails.

        First the checkpoints of games that are not running are removed, then short journals are packed, and at last
        games that were thrown away are removed.
        """
        if enough():
            return True
        for name in self.storage.names():
            if name.endswith(".sav") and name[:-4] != self.running:
                self.storage.remove(name)
        while not enough():
            if self.files.pack(self._not_packed(), 0):
                continue
            if not self.thrown.make_room():
                return False
        return True

    def _not_packed(self):
        """Return the names of the journals that are not packed, because they may be resumed."""
        return [game_id + SUFFIX for game_id in (self.running, self.journal and self.journal.id) if game_id]

    def removable(self, finished=True):
        """Return the ids of the games that a laptop has confirmed, the finished or the unfinished ones."""
        return [game_id for game_id in self.ids() if self._is_removable(game_id, finished)]

    def _is_removable(self, game_id, finished):
        """Return True if a laptop has confirmed a game, which is finished or not, and not to be resumed."""
        entry = self.readable_entry(game_id)
        if entry is None or not entry["confirmed"] or entry["finished"] != finished:
            return False
        return finished or game_id != self.running

    def remove(self, game_id):
        """Remove a game that a laptop has confirmed; any other game is refused with E_KEEP."""
        if not self._exists(game_id) or not (self._is_removable(game_id, True) or self._is_removable(game_id, False)):
            raise Refused("E_KEEP", id=game_id)
        if self.in_play(game_id):
            self.close()
        self.erase(game_id)

    def erase(self, game_id):
        """Remove the files of a game."""
        if self._exists(game_id):
            self.files.remove(game_id + SUFFIX)
        _checkpoints().forget(self.storage, game_id)
        from .turn_clock import forget

        forget(self.storage, game_id)


def _journals():
    """Return the module journal, imported on first use."""
    from . import journal

    return journal


def _is_state(value):
    """Return True if a value of the file `running` has ids, a counter and a list of the games that were thrown away."""
    ids = [value.get("running"), value.get("before")]
    counter, thrown = value.get("counter", 0), value.get("thrown", [])
    if type(counter) is not int or not 0 <= counter <= COUNTER_MAX or not isinstance(thrown, list):
        return False
    for pair in thrown:
        if not isinstance(pair, list) or len(pair) != 2 or type(pair[1]) is not int:
            return False
        ids.append(pair[0])
    return all([game_id is None or isinstance(game_id, str) for game_id in ids]) and None not in ids[2:]


def _checkpoints():
    """Return the module checkpoint, imported on first use."""
    from . import checkpoint

    return checkpoint


def is_aside(name):
    """Return True for the name of a damaged file that was set aside."""
    return ".bad" in name


def new_id(device_id, number, random):
    """Return the id of the game of a device that has this number; random(n) returns n random bytes.

    The random part keeps ids unique if two devices, or one device before and after an erase, count from 1.
    """
    return "%s-%04d-%s" % (device_id[-6:], number, binascii.hexlify(random(3)).decode())


def counter(game_id):
    """Return the number in the id of a game, which counts the games of a device; 0 without a number."""
    parts = game_id.split("-")
    number = int(parts[1]) if len(parts) == 3 and parts[1].isdigit() else 0
    return number if number <= COUNTER_MAX else 0
