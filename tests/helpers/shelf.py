"""Play short games on a flash for tests, also into a journal while the flash fails."""

from kiebitz.store.events import encode
from kiebitz.store.journal import Journal, StorageFull
from kiebitz.store.library import Library
from kiebitz.store.table import Table
from kiebitz_lab.laptop_stand_in import confirm

from helpers.faulty_storage import FaultyStorage, PowerCut, cuts
from helpers.play import ev, setup, short_game

DEVICE = "e66058388329c0ff"
NOW = 1700000000
TO_THE_END = (ev("point", p=1), ev("end_game"), ev("next_game"))


class Noise:
    """Random bytes that are the same in every test."""

    def __init__(self):
        self.k = 0

    def __call__(self, n):
        self.k += 1
        return bytes([self.k % 256] * n)


def games_on(storage, now=NOW):
    """Return the library of a device that starts with this flash."""
    return Library(storage, DEVICE, Noise(), lambda: now)


def match():
    """Return the set-up of one game of Top Spot with three players."""
    return setup("top_spot", 3, match_length=1, confirm=True)


def play_all(games, events):
    for event in events:
        games.play(event)


class Evening:
    """An evening in which two games are played and one is removed, with a record of what was acknowledged."""

    def __init__(self, storage):
        self.storage = storage
        self.lines = {}  # game id -> event lines acknowledged
        self.gone = []  # games whose removal was begun
        self.running = None
        self.thrown = None
        self.games = games_on(storage)

    def begin(self):
        self.running = self.games.create(match())[0].id
        self.lines[self.running] = 0

    def play(self, *events):
        for event in events:
            self.games.play(event)
            self.lines[self.running] += 1

    def confirm(self):
        assert confirm(self.games, self.running, self.lines[self.running])

    def close(self):
        self.games.close()
        self.running = self.games.running

    def throw_away_and_bring_back(self):
        self.thrown = self.running  # may run or not, until it is back
        self.games.throw_away()
        self.games.thrown.bring_back(self.thrown)
        self.games.resume(self.thrown)
        self.thrown = None

    def remove(self):
        for game_id in self.games.removable():
            self.gone.append(game_id)
            self.games.remove(game_id)

    def steps(self):
        return (
            self.begin,
            lambda: self.play(*TO_THE_END),
            self.confirm,
            self.close,
            self.begin,
            lambda: self.play(ev("point", p=0), ev("undo"), ev("point", p=2)),
            self.remove,
            lambda: self.play(ev("point", p=2)),
            self.begin,
            lambda: self.play(ev("point", p=1)),
            lambda: self.play(*[ev("point", p=p) for p in (0, 1, 2, 0, 1, 2, 0)]),
            self.games.keep_state,
            lambda: self.play(ev("undo"), ev("point", p=1)),
            lambda: self.play(ev("insert", at=2, event=ev("point", p=0)), ev("remove", at=1)),
            self.throw_away_and_bring_back,
            lambda: self.play(ev("point", p=2)),
            self.close,
        )

    def whole(self):
        for step in self.steps():
            step()
        return self


ID = "c0ffee-0001-a1b2c3"
FILE = ID + ".kbz"


def state(table):
    """Return everything a player can see of a table."""
    return [table.game.snapshot(), table.can_undo, table.can_redo] + [encode(event) for event in table.events()]


class Trial:
    """A short game or its first events, with the state after each event."""

    def __init__(self, kind, length=100, journal_class=Journal, through=lambda storage: storage):
        self.through = through  # what the journal writes through
        self.journal_class = Journal
        self.setup, events = short_game(kind)
        self.events = events[:length]
        table = Table(self.setup)
        self.states = [state(table)]
        for event in self.events:
            table.play(event)
            self.states.append(state(table))
        self.whole = through(self.flash()).read(FILE)  # the file of the whole game
        self.journal_class = journal_class

    def in_force(self, k):
        """Return how many events are in force after k of them."""
        return len(self.states[k]) - 3

    def write(self, storage, acknowledged):
        """Play the whole game; every event goes into `acknowledged` once the journal has taken it."""
        journal = self.journal_class(self.through(storage), ID)
        journal.begin(self.setup)
        acknowledged.append(self.setup)
        for event in self.events:
            journal.append(event)
            acknowledged.append(event)

    def flash(self):
        """Return a flash with the journal of the whole game, and the operations it took."""
        storage = FaultyStorage().record()
        self.write(storage, [])
        return storage

    def check(self, storage, least, most):
        """Load twice, find from `least` to `most` events, the same both times, then play on to the end.

        Returns the report of the first load.
        """
        storage = self.through(storage)
        journal, table, report = self.journal_class.open(storage, ID)
        k = journal.lines - 1
        assert least <= k <= most, "%d events are there, not %d to %d" % (k, least, most)
        assert state(table) == self.states[k], "the table is not as it was"
        again, table, second = self.journal_class.open(storage, ID)
        assert (again.lines, again.size, again.mark) == (journal.lines, journal.size, journal.mark)
        assert second is None and state(table) == self.states[k], "the second load differs"
        # Play on with the first journal: that is what the device does after it has started
        for event in self.events[k:]:
            journal.append(event)
        assert storage.read(FILE) == self.whole, "play does not go on"
        return report

    # --- one fault ---

    def truncate(self, size):
        """Truncate the file here and check that every whole line counts and the rest is reported."""
        part = self.whole[:size]
        events = part.count(b"\n") - 1
        report = self.check(FaultyStorage({FILE: part}), events, events)
        torn = size - part.rfind(b"\n") - 1
        assert report == (("torn", torn) if torn else None), size

    def flip(self, byte, bit):
        """Flip one bit and check that it is detected, no line before it is lost, and the damaged file is kept."""
        storage = FaultyStorage({FILE: self.whole})
        storage.flip(FILE, byte, bit)
        damaged = storage.get(FILE)
        good = self.whole[:byte].count(b"\n")
        if not good:
            assert self.journal_class.open(storage, ID) == (None, None, ("bad", 1, 0)), (byte, bit)
            assert storage.files == {ID + ".bad": damaged}, (byte, bit)
            return
        report = self.check(storage, good - 1, good - 1)
        if damaged.rfind(b"\n") < byte:
            # Without its line end the last line looks like an unfinished one
            assert report[0] == "torn", (byte, bit)
        else:
            assert report == ("bad", good + 1, self.in_force(good - 1)), (byte, bit)
            assert storage.get(ID + ".bad") == damaged, (byte, bit)

    def cut(self, k, part):
        """Cut the power in this operation, and switch it on again."""
        storage = FaultyStorage().cut_at(k, part)
        acknowledged = []
        try:
            self.write(storage, acknowledged)
        except PowerCut:
            pass
        storage = storage.restart()
        if not acknowledged and storage.size(FILE) is None:
            return
        # The entry in progress may be there or not; all before it must be
        least = max(0, len(acknowledged) - 1)
        self.check(storage, least, min(least + 1, len(self.events)))

    def fill(self, k, part):
        """Fill the flash in this operation, after this many bytes of it, until space is freed."""
        storage = FaultyStorage().full_at(k, part, stays=True)
        through = self.through(storage)
        journal = self.journal_class(through, ID)
        try:
            journal.begin(self.setup)
        except StorageFull:
            storage.make_room()
            journal.begin(self.setup)
        for event in self.events:
            if is_full(journal, event):
                assert is_full(journal, event), "acknowledged on a full flash"
                storage.make_room()
                journal.append(event)
        events = len(self.events)
        assert self.check(storage, events, events) is None

    # --- the fault at every place ---

    def truncate_everywhere(self):
        for size in range(self.whole.find(b"\n") + 1, len(self.whole) + 1):
            self.truncate(size)

    def flip_everywhere(self, bits=1):
        """Flip this many bits of every byte."""
        for byte in range(len(self.whole)):
            for bit in range(bits):
                self.flip(byte, (byte + bit) % 8)

    def cut_everywhere(self, every=5):
        for k, part in cuts(self.flash().operations, every):
            self.cut(k, part)

    def fill_everywhere(self):
        """Fill the flash in every write, with nothing, a part, or all of the write done when the flash is full."""
        for k, (_, _, size) in enumerate(self.flash().operations):
            for part in (0, 1, size // 2, size - 1, size):
                self.fill(k, part)


def is_full(journal, event):
    """Return True if the journal refuses the event because the flash is full."""
    try:
        journal.append(event)
    except StorageFull:
        return True
    return False
