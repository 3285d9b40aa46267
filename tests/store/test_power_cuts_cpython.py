"""Test power cuts and storage on a real littlefs."""

import io
import os
import resource
import signal

import kiebitz.board.storage
import pytest
from helpers.faulty_storage import FaultyStorage
from helpers.play import ev
from helpers.shelf import games_on, match
from kiebitz.board.storage import Storage
from kiebitz.store.journal_files import JournalFiles
from kiebitz.store.safe_file import SafeFile
from kiebitz.store.sealed_lines import StorageFull
from kiebitz_lab.laptop_stand_in import confirm
from kiebitz_lab.torture.block_cuts import LittlefsStorage, after_cut, play
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


@pytest.fixture
def storage(tmp_path):
    return Storage(str(tmp_path / "flash" / "data"))


def test_the_real_and_the_fake_storage_have_the_same_operations(storage):
    public = {name for name in dir(Storage) if not name.startswith("_")}
    assert public <= set(dir(FaultyStorage))


def test_everything_is_in_the_folder_when_the_call_returns(storage, tmp_path):
    storage.append("a", b"1")
    assert (tmp_path / "flash" / "data" / "a").read_bytes() == b"1"
    storage.append("a", b"2")
    assert (tmp_path / "flash" / "data" / "a").read_bytes() == b"12"


def test_no_file_stays_open(storage):
    open_before = set(os.listdir("/dev/fd"))
    storage.append("a", b"x" * 10000)
    storage.read("a", 5, 10)
    with pytest.raises(OSError):
        storage.append("a/is/no/folder", b"x")
    assert set(os.listdir("/dev/fd")) == open_before


def test_a_write_that_does_not_fit_is_an_error(storage):
    """Simulate a full flash by a limit on the size of files."""
    storage.write("a", b"x" * 900)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError):
            storage.append("a", b"y" * 200)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert storage.read("a")[:900] == b"x" * 900


def test_a_write_that_stops_half_way_is_a_full_flash(storage, monkeypatch):
    class Short(io.BytesIO):
        def write(self, data):
            return super().write(data[:-1])

    monkeypatch.setattr(kiebitz.board.storage, "open", lambda *args: Short(), raising=False)
    with pytest.raises(OSError) as told:
        storage.append("a", b"xyz")
    assert told.value.args[0] == 28


def test_trouble_other_than_a_missing_file_is_not_taken_for_one(storage):
    os.mkdir(storage.root + "/folder")
    with pytest.raises(OSError):
        storage.read("folder")
    with pytest.raises(OSError):
        storage.size("folder/" + "x" * 300)


ENTRIES = 12


def evening(games):
    games.create(match())
    for p in range(ENTRIES):
        games.play(ev("point", p=p % 3))
    games.keep_state()
    games.close()


def fill(storage, free):
    """Write files until this many bytes are free."""
    k = 0
    while storage.free() > free:
        storage.write(f"ballast{k}", bytes(max(4000, (storage.free() - free) // 2)))
        k += 1


@pytest.mark.long
def test_four_hundred_abandoned_games_fit_and_a_laptop_makes_room_again():
    storage = LittlefsStorage()
    games = games_on(storage)
    for _ in range(410):
        evening(games)
    ids = games.ids()
    assert len(ids) == 410
    for game_id in ids[::60]:
        assert len(games.look(game_id)[1]) == ENTRIES
    for game_id in ids:
        confirm(games, game_id, ENTRIES)
    free = storage.free()
    for game_id in games.removable(finished=False):
        games.remove(game_id)
    assert games.ids() == ids[:1] and storage.free() > free + 60 * 4096


def test_checkpoints_of_games_that_are_not_running_go_first():
    storage = LittlefsStorage()
    games = games_on(storage)
    for _ in range(4):
        evening(games)
    saved = [name for name in storage.names() if name.endswith(".sav")]
    assert len(saved) == 4
    fill(storage, 20 * 4096)  # a new game asks for 83,968 bytes
    running = games.running
    games.create(match())
    assert [name for name in storage.names() if name.endswith(".sav")] == [running + ".sav"]
    games.close()
    fill(storage, 15 * 4096)
    with pytest.raises(StorageFull):
        games.create(match())
