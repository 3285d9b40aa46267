"""The installer on a Pico in memory: whatever was on it, and whenever it is cut off."""

import pytest
from helpers.fake_pico import FakePico, real_main
from kiebitz_host.install.device import Device
from kiebitz_host.install.installer import Installer, manifest
from kiebitz_host.install.trouble import (
    DeviceFailed,
    FlashWrong,
    InstallTrouble,
    NoRoom,
    OldMicroPython,
    OtherBoard,
    Pulled,
)

PLAYERS = {"data/roster": b"Anna", "data/000001.kbz": b"a game", "board.txt": b"pico_oled_sh1106", "notes.txt": b"mine"}

# A module that stays, one that changes, one that becomes a folder, one that is the other way round, one that goes
OLD = {
    "main.py": real_main() + b"# old\n",
    "kiebitz/__init__.mpy": b"VERSION 1",
    "kiebitz/same.mpy": b"same" * 2000,
    "kiebitz/changes.mpy": b"old",
    "kiebitz/splits.mpy": b"all of it",
    "kiebitz/merges/__init__.mpy": b"half",
    "kiebitz/merges/other.mpy": b"half",
    "kiebitz/goes.mpy": b"nobody needs it",
}
NEW = {
    "main.py": real_main(),
    "kiebitz/__init__.mpy": b"VERSION 2 \x03\x1b#\x1b[",
    "kiebitz/same.mpy": b"same" * 2000,
    "kiebitz/changes.mpy": b"new" * 3000,
    "kiebitz/splits/__init__.mpy": b"half",
    "kiebitz/splits/other.mpy": b"half",
    "kiebitz/merges.mpy": b"all of it",
}


def whole(files):
    return {**files, "kiebitz/files.txt": manifest(files)}


def install(pico, files=NEW):
    return Installer(Device(pico.connect()), files).run()


def older(*others):
    return FakePico({**PLAYERS, **whole(OLD), **dict(others)})


def assert_players_have_everything(pico):
    assert {path: pico.files.get(path) for path in PLAYERS} == PLAYERS


def assert_complete(pico, files=NEW):
    assert pico.boot() == whole(files)
    assert set(pico.files) == {*whole(files), *PLAYERS}
    assert pico.folders == {path.rpartition("/")[0] for path in pico.files} - {""}


# --- what is on the device afterwards ---


def test_from_nothing_everything_is_there_and_starts():
    pico = FakePico(PLAYERS)
    assert pico.boot() is None
    report = install(pico)
    assert sorted(report.sent) == sorted(whole(NEW))
    assert report.sent[-1] == "main.py"
    assert_complete(pico)
    assert_players_have_everything(pico)


def test_a_second_install_writes_nothing():
    pico = FakePico(PLAYERS)
    install(pico)
    changes = pico.changes
    report = install(pico)
    assert (report.sent, report.removed) == ([], [])
    assert pico.changes == changes


def test_an_upgrade_sends_what_has_changed_and_removes_what_is_gone():
    pico = older()
    assert pico.boot() == whole(OLD)
    report = install(pico)
    assert sorted(report.sent) == [
        "kiebitz/__init__.mpy",
        "kiebitz/changes.mpy",
        "kiebitz/files.txt",
        "kiebitz/merges.mpy",
        "kiebitz/splits/__init__.mpy",
        "kiebitz/splits/other.mpy",
        "main.py",
    ]
    assert sorted(report.removed) == [
        "kiebitz/goes.mpy",
        "kiebitz/merges/__init__.mpy",
        "kiebitz/merges/other.mpy",
        "kiebitz/splits.mpy",
    ]
    assert_complete(pico)
    assert_players_have_everything(pico)


def test_files_of_others_in_our_folder_stay():
    pico = older(("kiebitz/mine.mpy", b"my own"), ("kiebitz/merges/mine.txt", b"too"))
    assert install(pico).removed.count("kiebitz/mine.mpy") == 0
    assert pico.files["kiebitz/mine.mpy"] == b"my own"
    assert pico.files["kiebitz/merges/mine.txt"] == b"too"


def test_a_source_that_would_be_loaded_in_place_of_our_module_goes():
    pico = FakePico({**whole(NEW), **PLAYERS, "kiebitz/same.py": b"somebody has tried something"})
    assert install(pico).removed == ["kiebitz/same.py"]
    assert_complete(pico)


def test_a_damaged_file_is_found_and_written_again():
    pico = FakePico({**whole(NEW), **PLAYERS})
    pico.files["kiebitz/same.mpy"] = b"Same" + NEW["kiebitz/same.mpy"][4:]
    assert install(pico).sent == ["kiebitz/same.mpy"]
    assert_complete(pico)


def test_a_manifest_that_lies_is_not_believed():
    pico = FakePico({**whole(NEW), **PLAYERS, "kiebitz/changes.mpy": b"old"})
    assert install(pico).sent == ["kiebitz/changes.mpy"]


def test_the_program_that_was_there_before_is_kept():
    pico = FakePico({**PLAYERS, "main.py": b"print('blink')", "main.py.bak": b"older"})
    report = install(pico)
    assert report.other_main
    assert pico.files.pop("main.py.bak") == b"print('blink')"
    assert_complete(pico)


def test_progress_counts_the_bytes_that_are_sent():
    told = []
    Installer(Device(FakePico()), NEW, lambda done, total: told.append((done, total))).run()
    assert told[0][0] == 0
    assert (told[-1], told[-2]) == ((len(NEW["main.py"]), len(NEW["main.py"])), (0, len(NEW["main.py"])))
    assert all(0 <= done <= total for done, total in told)


# --- cut off ---


def cuts(make, how):
    """Devices on which an install was cut off, at each change it makes in turn."""
    pico = make()
    before = pico.changes
    install(pico)
    total = pico.changes - before
    assert total > 20
    for k in range(total):
        pico = make()
        pico.how = how
        device = Device(pico.connect())
        pico.pull_at = pico.changes + k
        with pytest.raises(Pulled) as trouble:
            Installer(device, NEW).run()
        yield pico, str(trouble.value)


@pytest.mark.parametrize("how", ["before", "after"])
def test_cut_off_at_any_moment_the_old_firmware_starts_or_the_new_one(how):
    seen = set()
    for pico, sentence in cuts(older, how):
        assert "Its firmware is complete" in sentence
        started = pico.boot()
        assert started in (whole(OLD), whole(NEW))
        assert_players_have_everything(pico)
        seen.add(started == whole(NEW))
        install(pico)
        assert_complete(pico)
    assert seen == {True, False}


@pytest.mark.parametrize("how", ["before", "after"])
def test_cut_off_and_repeated_without_a_start_in_between(how):
    for pico, _ in cuts(older, how):
        install(pico)
        assert_complete(pico)


@pytest.mark.parametrize("how", ["before", "after"])
def test_cut_off_on_a_new_device_nothing_starts_that_is_not_complete(how):
    for pico, sentence in cuts(lambda: FakePico(PLAYERS), how):
        assert "It may have no complete firmware yet" in sentence
        assert pico.boot() in (None, whole(NEW))
        install(pico)
        assert_complete(pico)


def test_cut_off_with_the_program_of_somebody_else_on_it():
    blink = b"print('blink')"
    for pico, _ in cuts(lambda: FakePico({**PLAYERS, "main.py": blink}), "after"):
        assert blink in (pico.files.get("main.py"), pico.files.get("main.py.bak"))
        install(pico)
        assert pico.boot() == whole(NEW)


def test_the_power_goes_again_and_again_while_the_last_step_is_made_up_for():
    finishing = 0
    for pico, _ in cuts(older, "after"):
        while "finish.py" in pico.files:
            finishing += 1
            assert pico.boot(pull_at=1) in ("cut", whole(NEW))
    assert finishing > 10


def test_what_was_staged_is_not_sent_again():
    for pico, _ in cuts(older, "after"):
        staged = [path for path in pico.files if path.startswith("kiebitz.new/")]
        if len(staged) == 4 and "finish.py" not in pico.files:
            break
    sent = []
    device = Device(pico.connect())
    write = device.write
    device.write = lambda path, data: (sent.append(path), write(path, data))
    Installer(device, NEW).run()
    assert len(sent) == 7 + 1 - 4 or len(sent) == 7 + 1 - 3  # the last one may have been torn


# --- trouble ---


def test_what_is_written_wrongly_is_written_once_more():
    pico = FakePico()
    pico.spoils["kiebitz/changes.mpy"] = 1
    install(pico)
    assert pico.boot() == whole(NEW)


def test_a_flash_that_does_not_keep_what_is_written():
    for files, path in (({}, "kiebitz/changes.mpy"), ({}, "main.py.new"), (whole(OLD), "finish.py.new")):
        pico = FakePico(files)
        pico.spoils[path] = 2
        with pytest.raises(FlashWrong, match="reads differently from what was written, twice"):
            install(pico)
        assert pico.boot() == (whole(OLD) if files else None)


def test_a_last_step_that_does_nothing_is_noticed():
    device = Device(older())
    device.finish = lambda: None
    with pytest.raises(FlashWrong):
        Installer(device, NEW).run()


def test_too_little_room_changes_nothing():
    pico = older()
    pico.blocks -= pico.free() - 12
    with pytest.raises(NoRoom, match=r"the install needs \d+ KB for a while, and 40 KB are there") as trouble:
        install(pico)
    assert "kiebitz sync" in str(trouble.value)
    assert pico.boot() == whole(OLD)
    pico.blocks += 20
    install(pico)
    assert_complete(pico)


def test_a_flash_that_fills_up_in_between():
    pico = older()
    pico.put({"kiebitz.new/filler": bytes(4096 * (pico.free() - 4))})
    device = Device(pico.connect())
    facts = device.facts
    device.facts = lambda: type(facts())(**{**vars(facts()), "free": 100})
    with pytest.raises(DeviceFailed, match="ENOSPC.*complete.*repeat the command"):
        Installer(device, NEW).run()
    assert pico.boot() == whole(OLD)


def test_other_boards_and_old_versions_are_refused():
    for attribute, value, trouble, words in (
        ("version", (1, 22, 2, ""), OldMicroPython, "has MicroPython 1.22.2, and Kiebitz needs 1.25.0"),
        ("mpy", 7, OldMicroPython, "needs 1.25.0"),
        ("platform", "esp32", OtherBoard, "is no Pico"),
    ):
        pico = older()
        setattr(pico, attribute, value)
        with pytest.raises(trouble, match=words) as told:
            install(pico)
        assert issubclass(trouble, InstallTrouble)
        assert ("BOOTSEL" in str(told.value)) == (trouble is OldMicroPython)
        assert pico.boot() == whole(OLD)


def test_a_newer_micropython_is_given_a_chance():
    pico = FakePico()
    pico.version = (1, 27, 0, "")
    install(pico)
    assert pico.boot() == whole(NEW)
