"""Test that the tail and the journal read as one file, and that no fault loses a line, even two at once."""

from helpers.faulty_storage import CORRUPT, IO_ERROR, FaultyStorage, PowerCut, SickStorage, cuts
from helpers.play import ev
from helpers.shelf import FILE, ID, Trial, games_on, is_full, match, state
from kiebitz.store.journal import Journal, StorageFull
from kiebitz.store.journal_files import LONG_BYTES, MOST_BYTES, NAME, JournalFiles

LINES = [b"%03d %s\n" % (k, b"x" * (k * 37 % 90)) for k in range(20)]
OTHER = "c0ffee-0002-a1b2c3.kbz"


def begun():
    """Return a flash with the first line of a journal."""
    return FaultyStorage({FILE: LINES[0]})


def entered(storage, lines=LINES[1:4]):
    newest = JournalFiles(storage)
    for line in lines:
        newest.append(FILE, line)
    return newest


def test_entries_wait_in_the_small_file_and_are_read_as_one():
    storage = begun()
    newest = entered(storage)
    whole = b"".join(LINES[:4])
    assert storage.get(FILE) == LINES[0] and storage.get(NAME).endswith(b"".join(LINES[1:4]))
    for reader in (newest, JournalFiles(storage)):
        assert reader.read(FILE) == whole and reader.size(FILE) == len(whole)
        assert reader.ids() == [FILE[:-4]]
        for start in range(0, len(whole) + 5, 7):
            for size in (0, 1, 30, 1000):
                got = reader.read(FILE, start, size)
                if start < len(LINES[0]) < start + size:
                    got += reader.read(FILE, len(LINES[0]), start + size - len(LINES[0]))
                assert got == whole[start : start + size], (start, size)
        assert list(reader.sizes()) == [(FILE, len(whole))]
    assert newest.read(OTHER) is None and newest.size(OTHER) is None and newest.open(OTHER) is None


def test_a_file_that_is_opened_is_whole():
    storage = begun()
    with entered(storage).open(FILE) as file:
        assert file.read(1000) == b"".join(LINES[:4]) == storage.get(FILE)


def test_a_full_small_file_is_emptied_into_the_journal():
    storage = begun()
    newest = JournalFiles(storage)
    for k in range(1, len(LINES)):
        newest.append(FILE, LINES[k])
        assert storage.size(NAME) <= MOST_BYTES
        assert JournalFiles(storage).read(FILE) == b"".join(LINES[: k + 1]), k
    assert storage.size(FILE) > len(LINES[0])


def test_room_for_a_long_entry_is_made_when_there_is_time():
    storage = begun()
    newest = entered(storage, LINES[1:3])
    newest.make_room()
    assert storage.get(FILE) == LINES[0]  # there is enough
    newest.append(FILE, b"y" * (MOST_BYTES - LONG_BYTES) + b"\n")
    whole = newest.read(FILE)
    newest.make_room()
    assert storage.get(FILE) == whole == newest.read(FILE)
    count = storage.count
    newest.make_room()
    newest.settle()
    assert storage.count == count


def test_a_line_too_long_for_the_small_file_goes_straight_into_the_journal():
    storage = begun()
    newest = entered(storage)
    newest.append(FILE, b"z" * MOST_BYTES + b"\n")
    assert storage.get(FILE) == newest.read(FILE) == b"".join(LINES[:4]) + b"z" * MOST_BYTES + b"\n"
    newest.append(FILE, LINES[5])
    assert JournalFiles(storage).read(FILE).endswith(b"z\n" + LINES[5])


def test_another_game_takes_over_the_small_file_and_the_first_one_is_whole():
    storage = begun()
    newest = entered(storage)
    newest.append(OTHER, LINES[5])
    assert storage.get(FILE) == b"".join(LINES[:4])
    newest.append(FILE, LINES[4])
    assert newest.read(FILE) == b"".join(LINES[:5]) and newest.read(OTHER) == LINES[5] == storage.get(OTHER)


def test_other_files_are_left_alone():
    storage = FaultyStorage()
    newest = JournalFiles(storage)
    newest.write("roster", b"Anna")
    newest.append("roster", b" Ben")
    newest.rename("roster", "players")
    assert storage.files == {"players": b"Anna Ben"} and newest.free() == storage.free()
    newest.remove("players")
    assert storage.files == {}


def test_a_game_that_is_removed_takes_its_newest_lines_along():
    storage = begun()
    entered(storage).remove(FILE)
    assert storage.files == {NAME: b""}
    storage.put(FILE, LINES[0])
    assert JournalFiles(storage).read(FILE) == LINES[0]


def test_a_journal_that_is_set_aside_takes_all_its_lines_along():
    storage = begun()
    newest = entered(storage)
    newest.rename(FILE, "a.bad")
    assert storage.get("a.bad") == b"".join(LINES[:4])
    newest.write("a.tmp", LINES[0] + LINES[1])
    newest.rename("a.tmp", FILE)
    for reader in (newest, JournalFiles(storage)):
        assert reader.read(FILE) == LINES[0] + LINES[1]


def test_a_small_file_whose_first_line_is_damaged_is_kept():
    storage = begun()
    entered(storage)
    storage.flip(NAME, 4, 2)
    damaged = storage.get(NAME)
    assert JournalFiles(storage).read(FILE) == LINES[0]
    assert storage.get("newest.bad") == damaged and storage.size(NAME) is None


def test_the_power_may_go_anywhere_while_lines_are_moved():
    def play(storage):
        newest = entered(storage)
        newest.settle()
        newest.append(FILE, LINES[4])

    operations = begun().record()
    play(operations)
    for k, part in cuts(operations.operations, 3):
        storage = begun().cut_at(k, part)
        try:
            play(storage)
        except PowerCut:
            pass
        storage = storage.restart()
        found = JournalFiles(storage).read(FILE)
        assert b"".join(LINES[:5]).startswith(found), (k, part)
        if k >= 3:  # the three lines had been acknowledged
            assert found.startswith(b"".join(LINES[:4])), (k, part)
        JournalFiles(storage).settle()
        assert storage.get(FILE) == found, (k, part)


def test_nothing_acknowledged_is_lost_wherever_the_power_goes():
    Trial("top_spot", through=JournalFiles).cut_everywhere()
    Trial("royal_flush", through=JournalFiles).cut_everywhere(every=9)


def test_nothing_acknowledged_is_lost_on_a_full_flash():
    Trial("top_spot", through=JournalFiles).fill_everywhere()


def test_a_damaged_line_in_the_small_file_is_noticed_and_kept():
    trial = Trial("royal_flush", through=JournalFiles)
    small = trial.flash().get(NAME)
    start = small.find(b"\n") + 1
    lines = trial.whole.count(b"\n")
    for byte in range(start, len(small), 3):
        storage = trial.flash()
        storage.flip(NAME, byte, byte % 8)
        good = lines - small[byte:].count(b"\n") - 1  # events before the damaged line
        report = trial.check(storage, good, good)
        if byte == len(small) - 1:
            assert report[0] == "torn"
        else:
            assert report[:2] == ("bad", good + 2), byte
            assert any([name.endswith(".bad") for name in storage.names()]), byte


def test_a_damaged_small_file_is_told_when_its_game_is_resumed():
    storage = FaultyStorage()
    games = games_on(storage)
    games.create(match())
    for p in range(3):
        games.play(ev("point", p=p))
    storage.flip(NAME, 3, 1)
    again = games_on(storage.restart())
    assert again.resume()[2] == ("bad", 2, 0)
    assert again.resume()[2] is None


def test_the_device_starts_and_plays_on_although_the_small_file_cannot_be_used():
    for trouble in (IO_ERROR, CORRUPT):
        flash = FaultyStorage()
        games = games_on(flash)
        games.create(match())
        games.files.settle()
        sick = SickStorage(flash.files)
        sick.unreadable = sick.unwritable = {NAME: trouble}
        games = games_on(sick)
        assert games.running, trouble
        if trouble == IO_ERROR:  # it may pass
            sick.unreadable = sick.unwritable = {}
        games.resume()
        games.play(ev("point", p=1))
        assert games_on(sick).resume()[1].game.points == [0, 1, 0], trouble


def test_a_journal_to_which_nothing_can_be_added_does_not_stop_the_other_games():
    flash = FaultyStorage()
    games = games_on(flash)
    first = games.create(match())[0].id
    games.play(ev("point", p=1))
    sick = SickStorage(flash.files)
    sick.unwritable = {first + ".kbz": CORRUPT}
    games = games_on(sick)
    games.create(match())
    games.play(ev("point", p=2))
    assert games.table.game.points == [0, 0, 1]
    assert games.set_aside() == ["newest.bad"] and b'"point"' in sick.get("newest.bad")


def test_entries_in_memory_go_to_the_journal_when_the_small_file_turns_corrupt():
    for broken in ("append", "append and read"):
        sick = SickStorage()
        games = games_on(sick)
        games.create(match())
        for p in range(3):
            games.play(ev("point", p=p))
        sick.unwritable = {NAME: CORRUPT}
        if broken != "append":
            sick.unreadable = {NAME: CORRUPT}
        games.play(ev("point", p=1))
        assert games.table.game.points == [1, 2, 1], broken
        again = games_on(FaultyStorage(sick.files))
        assert again.resume()[1].game.points == [1, 2, 1], broken


def test_entries_in_memory_are_saved_although_the_small_file_failed_in_another_way_first():
    sick = SickStorage()
    games = games_on(sick)
    games.create(match())
    for p in range(3):
        games.play(ev("point", p=p))
    sick.unwritable, sick.unreadable = {NAME: IO_ERROR}, {NAME: CORRUPT}
    try:
        games.play(ev("point", p=1))
    except OSError:
        pass
    assert games.table.game.points == [1, 1, 1]
    assert games_on(FaultyStorage(sick.files)).resume()[1].game.points == [1, 1, 1]


def test_lines_of_a_game_that_were_set_aside_are_told_once_and_when_it_is_resumed():
    flash = FaultyStorage()
    games = games_on(flash)
    first = games.create(match())[0].id
    games.play(ev("point", p=1))
    sick = SickStorage(flash.files)
    sick.unwritable = {first + ".kbz": CORRUPT}
    games = games_on(sick)
    games.create(match())
    games.play(ev("point", p=2))
    assert games.lost_elsewhere() and not games.lost_elsewhere()
    assert games.resume(first)[2] == ("bad", 2, 0)


def test_lines_that_the_journal_has_are_recognised_by_their_bytes():
    storage = begun()
    newest = entered(storage)
    other = LINES[1].replace(b"1", b"2")
    assert len(other) == len(LINES[1]) and other != LINES[1]
    storage.append(FILE, other)
    again = JournalFiles(storage)
    assert again.read(FILE) == LINES[0] + other and again.lost == FILE
    assert b"".join(LINES[1:4]) in storage.get("newest.bad") and newest.lost is None


def test_lines_of_another_history_are_not_taken_for_moved_ones_because_the_journal_is_long():
    storage = begun()
    entered(storage)
    storage.append(FILE, b"y" * 300 + b"\n")
    assert JournalFiles(storage).read(FILE) == LINES[0] + b"y" * 300 + b"\n"
    assert b"".join(LINES[1:4]) in storage.get("newest.bad")


# --- rare faults ---

KIND = "royal_flush"


def test_every_single_bit_of_a_short_journal_counts():
    Trial(KIND, length=2).flip_everywhere(bits=8)


def test_a_full_flash_and_then_a_power_cut():
    """The entry was not acknowledged, and lies half on flash when the power goes before it could be mended."""
    trial = Trial(KIND)
    for k in range(2, len(trial.events) + 2):
        for part in (1, 9, 20):
            storage = FaultyStorage().full_at(k, part, stays=True)
            acknowledged = []
            try:
                trial.write(storage, acknowledged)
            except StorageFull:
                pass
            assert trial.check(storage.restart(), len(acknowledged) - 1, len(acknowledged) - 1) == ("torn", part)


def test_a_torn_line_that_cannot_be_mended_yet_is_mended_before_the_next_entry():
    trial = Trial(KIND)
    data = trial.whole
    storage = FaultyStorage({FILE: data[:-3]}).full_at(0, 10, stays=True)
    journal, table, report = Journal.open(storage, ID)
    assert report[0] == "torn" and storage.get(FILE) == data[:-3]
    assert is_full(journal, trial.events[-1])
    assert state(Journal.open(storage, ID)[1]) == trial.states[-2]
    storage.make_room()
    journal.append(trial.events[-1])
    assert storage.get(FILE) == data


def damaged_journal(trial):
    """Return a flash on which line 3 of the journal is damaged."""
    storage = FaultyStorage({FILE: trial.whole})
    storage.flip(FILE, storage.get(FILE).find(b" 1 ") + 15, 0)
    return storage


def test_the_power_may_go_while_a_damaged_file_is_set_aside():
    trial = Trial(KIND)
    for earlier in ({}, {ID + ".bad": b"from another time"}):
        before = damaged_journal(trial).files
        before.update(earlier)
        storage = FaultyStorage(before).record()
        Journal.open(storage, ID)
        for k, part in cuts(storage.operations, 7):
            storage = FaultyStorage(before).cut_at(k, part)
            try:
                Journal.open(storage, ID)
            except PowerCut:
                pass
            storage = storage.restart()
            report = trial.check(storage, 1, 1)
            expected = dict(earlier)
            expected[ID + (".bad2" if earlier else ".bad")] = before[FILE]
            expected[FILE] = trial.whole
            assert storage.files == expected, (k, part)
            done = (k, part) == (2, "after")
            assert report == (None if done else ("bad", 3, 1)), (k, part, report)


def test_the_power_may_go_while_a_torn_line_is_taken_away():
    trial = Trial(KIND)
    before = {FILE: trial.whole[:-7], ID + ".bad": b"from another time"}
    storage = FaultyStorage(before).record()
    Journal.open(storage, ID)
    events = len(trial.events) - 1
    for k, part in cuts(storage.operations, 7):
        storage = FaultyStorage(before).cut_at(k, part)
        try:
            Journal.open(storage, ID)
        except PowerCut:
            pass
        trial.check(storage.restart(), events, events)


def test_a_flash_that_is_full_while_a_damaged_file_is_set_aside():
    trial = Trial(KIND)
    for k in range(3):
        storage = damaged_journal(trial)
        damaged = storage.get(FILE)
        storage.full_at(k, 30, stays=True)
        journal, table, report = Journal.open(storage, ID)
        assert report == ("bad", 3, 1) and len(table) == 1
        assert is_full(journal, trial.events[1])
        storage.make_room()
        for event in trial.events[1:]:
            journal.append(event)
        assert trial.check(storage, len(trial.events), len(trial.events)) is None
        assert storage.files == {FILE: trial.whole, ID + ".bad": damaged}


# --- the checks themselves: journals with a mistake must not get past them ---


class TellsTooEarly(Journal):
    """Acknowledges an event and writes it together with the next one."""

    waiting = None

    def append(self, event):
        waiting, self.waiting = self.waiting, event
        if waiting:
            super().append(waiting)


class DoesNotMend(Journal):
    """Appends after the remains of a failed write."""

    def heal(self):
        self._flaw = None


class BelievesEveryLine(Journal):
    """Ignores the checksum."""

    def _text(self, line):
        return line[: line.rfind(b"}") + 1]


def complaint(action, *args):
    """Return the message of the failed check, or None."""
    try:
        action(*args)
    except (AssertionError, OSError) as wrong:
        return str(wrong)
    return None


def test_a_journal_that_acknowledges_before_it_writes_is_caught():
    trial = Trial(KIND, journal_class=TellsTooEarly)
    said = complaint(trial.cut, 4, "before")
    assert said.startswith("2 events are there, not 3 to 4"), said
    assert complaint(trial.cut_everywhere) is not None
    assert complaint(Trial(KIND).cut, 4, "before") is None


def test_a_journal_that_does_not_mend_or_check_is_caught():
    trial = Trial(KIND)
    for wrong, method, args in (
        (DoesNotMend, "cut", (4, 5)),
        (DoesNotMend, "fill", (4, 5)),
        (DoesNotMend, "truncate", (130,)),
        (BelievesEveryLine, "flip", (trial.whole.find(b'"k":2') + 4, 0)),
    ):
        assert complaint(getattr(Trial(KIND, journal_class=wrong), method), *args) is not None, (wrong, method)
        assert complaint(getattr(trial, method), *args) is None, method
