"""Test rare faults of the journal, such as two at once or during a repair, and the checks themselves."""

from helpers.faulty_storage import FaultyStorage, PowerCut, cuts
from helpers.journal_trials import FILE, ID, Trial, is_full, state
from kiebitz.store.journal import Journal, StorageFull

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
