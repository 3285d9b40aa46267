"""A journal on a real file system: on MicroPython that is littlefs, as on the device."""

from helpers.journal_trials import ID, Trial
from helpers.real_flash import with_real_flash
from kiebitz.board.storage import Storage
from kiebitz.store.journal import Journal


class Roomy(Storage):
    """The small flash of this test has less than the reserve: leave that out of account."""

    def free(self):
        return 1 << 20


def test_a_game_is_written_torn_mended_damaged_and_set_aside():
    trial = Trial("top_spot")

    def check(path):
        storage = Roomy(path)
        trial.write(storage, [])
        journal, table, report = Journal.open(storage, ID)
        assert report is None and journal.lines - 1 == len(trial.events)
        assert storage.read(journal.name) == trial.whole
        # Torn and mended
        storage.write(journal.name, trial.whole[:-7])
        journal, table, report = Journal.open(storage, ID)
        assert report[0] == "torn" and storage.names() == [journal.name]
        journal.append(trial.events[-1])
        assert storage.read(journal.name) == trial.whole
        # Damaged and set aside
        storage.write(journal.name, trial.whole.replace(b"undo", b"undu"))
        journal, table, report = Journal.open(storage, ID)
        assert report[0] == "bad" and storage.names() == [ID + ".bad", ID + ".kbz"]

    with_real_flash(check)
