"""Test power cuts on a real littlefs, at any write or erase and in the middle of a rename."""

import pytest
from kiebitz.store.journal_files import JournalFiles
from kiebitz.store.safe_file import SafeFile
from kiebitz_lab.littlefs_flash import LittlefsStorage, after_cut
from kiebitz_lab.torture.block_cuts import play
from kiebitz_lab.torture.campaign import Campaign


def cut_in_a_rename():
    """Return flashes, each after a power cut in a rename between two parts of a long folder, and the names in it."""
    storage = LittlefsStorage()
    names = [f"file{k:02}" for k in range(60)]
    for name in names:
        storage.write(name, name.encode() * 20)
    storage.write("a.tmp", b"renamed")
    image, start = storage.image(), len(storage.flash.log)
    storage.rename("a.tmp", "zz")
    log = storage.flash.log[start:]
    return [after_cut(image, log, at, 0) for at in range(len(log))], names


def test_no_file_is_hidden_by_a_rename_that_was_cut_off():
    flashes, names = cut_in_a_rename()
    hidden = [name for flash in flashes for name in names if LittlefsStorage(flash, False).size(name) is None]
    assert hidden, "littlefs no longer hides files: the care in Storage can go"
    for flash in flashes:
        assert [name for name in names if LittlefsStorage(flash).size(name) is None] == []


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
