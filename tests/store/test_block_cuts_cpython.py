"""The power goes at any write or erase of a real littlefs; a store that loses something must be caught."""

import pytest
from kiebitz.store.journal_files import JournalFiles
from kiebitz.store.safe_file import SafeFile
from kiebitz_lab.torture.block_cuts import play
from kiebitz_lab.torture.campaign import Campaign

CUTS = 320


def campaign(count=CUTS):
    made = Campaign("kiebitz_lab.torture.block_cuts", 1)
    play(made, 0, count)
    return made


@pytest.mark.long
def test_nothing_acknowledged_is_lost_or_doubled_wherever_the_power_goes():
    made = campaign()
    assert made.figures["cuts"] >= CUTS * 3 // 4 and made.failures == []


def too_late(self, name, data):
    """Append a line with the next one, as if it were on flash already."""
    kept = self.__dict__.setdefault("kept", {})
    data, kept[name] = kept.get(name, b""), data
    if data:
        append(self, name, data)


append = JournalFiles.append


def removed_first(self, value):
    if self.storage.size(self.name) is not None:
        self.storage.remove(self.name)
    save(self, value)


save = SafeFile._save


@pytest.mark.long
@pytest.mark.parametrize(
    ("where", "name", "wrong"), [(JournalFiles, "append", too_late), (SafeFile, "_save", removed_first)]
)
def test_a_store_that_loses_something_is_caught(monkeypatch, capsys, where, name, wrong):
    monkeypatch.setattr(where, name, wrong)
    with pytest.raises((AssertionError, OSError)):
        assert campaign().failures == []
