"""Test power cuts and storage on a real littlefs, and files with a valid checksum but foreign content."""

import io
import json
import os
import resource
import signal
from random import Random

import kiebitz.board.storage
import pytest
from helpers.device import Device
from helpers.faulty_storage import FaultyStorage
from helpers.play import ev
from helpers.shelf import games_on, match
from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.board.storage import Storage
from kiebitz.screens.messages import show_crash
from kiebitz.store.checkpoint import file_name
from kiebitz.store.events import encode
from kiebitz.store.journal import Journal
from kiebitz.store.journal_files import SUFFIX, JournalFiles
from kiebitz.store.safe_file import SafeFile
from kiebitz.store.sealed_lines import StorageFull, checksum, seal, unseal
from kiebitz_host.received import game_id
from kiebitz_host.sim.hardware import Hardware, PowerOff
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
    for stored in ids[::60]:
        assert len(games.look(stored)[1]) == ENTRIES
    for stored in ids:
        confirm(games, stored, ENTRIES)
    free = storage.free()
    for stored in games.removable(finished=False):
        games.remove(stored)
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


WRONG = (None, True, -1, 10**9, 1.5, "x" * 300, [], [[]], {"a": 1})
SETUP = {"game": "any_game", "players": ["Anna", "Ben", "Cleo"], "title": "Rommé"}
EVENTS = [ev("points", p=p, k=k) for k in (5, 10, 15) for p in range(3)]
# The table, its clock and entries, the first screen, and what lies behind it
WALK = "ok undo hold:ok pick:clock.title undo pick:menu.history undo pick:menu.leave "
WALK += "pick:start.new undo pick:start.games ok undo undo pick:start.settings pick:set.about undo"


@pytest.fixture(scope="module")
def files():
    """Return the files of a device with a game in play, one that was thrown away, presets, names and a clock."""
    device = Device()
    device.sit_down(SETUP, EVENTS)
    library = device.app.library
    device.app.roster.played(SETUP["players"])
    device.app.presets.played(SETUP)
    device.app.settings.set("sound", False)
    library.thrown.throw(library.journal.id, 1_800_000_000)
    device.sit_down(SETUP, [*EVENTS, ev("end_game")])
    library.close()
    device.sit_down(SETUP, EVENTS)
    SafeFile(device.storage, "clock").save([library.journal.id, 30, 1, 5, [10, 15, 0]])
    device.hw.time.advance(120_000)
    library.keep_minutes()
    library.keep_state()
    return dict(device.storage.files)


def walk(files):
    """Start with these files and walk through the screens. Returns the device and the words that fitted no menu."""
    device = Device(FaultyStorage(files), language=None)
    left_out = []
    for word in WALK.split():
        try:
            words = list(device.plain(word))
        except LookupError:
            left_out.append(word)  # the files have led to another screen
            continue
        try:
            device.keys(" ".join(words))
        except PowerOff:
            break  # into the boot loader, because the files are of a newer version
    return device, left_out


def variants(value):
    """Yield copies of a JSON value, each with one part of it replaced by each wrong value."""
    yield from WRONG
    if isinstance(value, dict):
        for key in value:
            yield {other: value[other] for other in value if other != key}
            yield from ({**value, key: changed} for changed in variants(value[key]))
    if isinstance(value, list):
        for at in range(len(value)):
            yield value[:at] + value[at + 1 :]
            yield from (value[:at] + [changed] + value[at + 1 :] for changed in variants(value[at]))


def some(value):
    """Return the variants of a value, or 40 of them."""
    found = list(variants(value))
    return Random(1).sample(found, min(40, len(found)))


@pytest.mark.long
def test_the_walk_leads_through_all_screens(files):
    device, left_out = walk(files)
    assert left_out == [] and device.app.library.running
    assert {"running", "roster", "presets", "settings", "clock", "index", "fresh/minutes"} < set(files)


@pytest.mark.long
@pytest.mark.parametrize("name", ["running", "roster", "presets", "settings", "clock"])
def test_small_files(files, name):
    value = json.loads(unseal(files[name][:-1], name))
    for changed in some(value):
        walk({**files, name: seal(encode(changed), name)})


@pytest.mark.long
def test_the_index(files):
    lines = files["index"].split(b"\n")[:-1]
    for at, line in enumerate(lines):
        own, value = unseal(line, "index").decode().split(" ", 1)
        for changed in some(json.loads(value)):
            foreign = seal(own + " " + encode(changed), "index")[:-1]
            walk({**files, "index": b"\n".join([*lines[:at], foreign, *lines[at + 1 :], b""])})


@pytest.mark.long
def test_the_minutes(files):
    good = unseal(files["fresh/minutes"][:-1], "fresh/minutes").decode()
    others = [good.replace(" ", other) for other in (" -", " x", "  ")]
    for changed in ("", "x", good + " x", good + "9" * 300, "-" + good, *others):
        walk({**files, "fresh/minutes": seal(changed, "fresh/minutes")})


@pytest.mark.long
def test_the_newest_lines(files):
    _, rest = files["fresh/lines"].split(b"\n", 1)
    name = file_of_game_in_play(files)
    for first in ("", "x", name, f"{name} x", f"{name} -1", f"{name} 99999", f"{name} 0 0", "running 0", "x.kbz 0"):
        walk({**files, "fresh/lines": seal(first, "fresh/lines") + rest})
    no_text = b"\xff.kbz 0 "
    walk({**files, "fresh/lines": no_text + checksum(no_text, "fresh/lines") + b"\n" + rest})


def file_of_game_in_play(files):
    return json.loads(unseal(files["running"][:-1], "running"))["running"] + SUFFIX


@pytest.mark.long
def test_the_journal(files):
    """Its lines have the right checksums; an event that the rules refuse is tested with the journal."""
    own = file_of_game_in_play(files)[: -len(SUFFIX)]
    rest = {name: data for name, data in files.items() if name != "fresh/lines" and not name.endswith(".sav")}
    for index in (True, False):
        for setup in some({**SETUP, "at": 5, "device": "e6", "id": own, "rules": 1}):
            if not isinstance(setup, dict):
                continue
            journal = FaultyStorage({})
            Journal(JournalFiles(journal), own).begin(setup)
            kept = rest if index else {name: data for name, data in rest.items() if name != "index"}
            walk({**kept, **journal.files})


@pytest.mark.long
@pytest.mark.parametrize("name", ["x.pack", ".pack", "x.kbz", ".kbz", "a-b-c.kbz", "x.tmp", "x.sav", "running.bad"])
def test_files_of_other_names(files, name):
    for data in (b"", b"x", files[file_of_game_in_play(files)], b'{"game":"id":"' + b"x" * 300):
        device, _ = walk({**files, name: data})
        library = device.app.library
        for _ in range(2):  # the short journals are packed
            library.close()
            library.create(dict(SETUP))
        library.files.pack([], 0)


@pytest.mark.long
def test_no_number_makes_an_id_that_a_laptop_refuses(files):
    state = json.loads(unseal(files["running"][:-1], "running"))
    only = {name: data for name, data in files.items() if not name.startswith("running")}
    for number in (10**300, 999_999, -1, True, None):
        foreign = {**only, "running": seal(encode({**state, "counter": number}), "running")}
        for added in (foreign, {**only, "5b3c0f-999999-aaaaaa.kbz": b"", "5b3c0f-99999999-aaaaaa.kbz": b""}):
            device = Device(FaultyStorage(added), language=None)
            journal, _ = device.app.library.create(dict(SETUP))
            assert game_id(journal.id) == journal.id


@pytest.mark.long
def test_the_checkpoint(files):
    own = file_of_game_in_play(files)[: -len(SUFFIX)]
    name = file_name(own)
    lines = [unseal(line, own).decode() for line in files[name].split(b"\n")[:-1]]
    expected = walk(files)[0].app.library.entry(own)
    crashes = 0
    for at, line in enumerate(lines):
        before, space, snapshot = line.rpartition(" ")
        others = [before + space + encode(changed) for changed in some(json.loads(snapshot))] if at else []
        for changed in ("", "x", "9" * 300, *[line.replace(" ", other, 1) for other in (" -", " x ", "  ")], *others):
            foreign = b"".join(seal(text, own) for text in [*lines[:at], changed, *lines[at + 1 :]])
            try:
                device, _ = walk({**files, name: foreign})
            except Exception as error:  # wrong in its depth: the next start works
                crashes += 1
                storage = FaultyStorage({**files, name: foreign})
                show_crash(Hardware(PROFILES[DEFAULT]).board(storage), error)
                device, _ = walk(storage.files)
                assert device.app.library.entry(own) == expected
    assert crashes
