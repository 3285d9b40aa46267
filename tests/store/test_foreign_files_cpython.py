"""Test that a device starts with files that have a correct checksum, but content that this firmware never writes."""

import json
from random import Random

import pytest
from helpers.device import Device
from helpers.faulty_storage import FaultyStorage
from helpers.play import ev
from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.screens.messages import show_crash
from kiebitz.store.checkpoint import file_name
from kiebitz.store.events import encode
from kiebitz.store.journal import Journal
from kiebitz.store.journal_files import SUFFIX, JournalFiles
from kiebitz.store.safe_file import SafeFile
from kiebitz.store.sealed_lines import checksum, seal, unseal
from kiebitz_host.received import game_id
from kiebitz_host.sim.hardware import Hardware, PowerOff

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


def test_the_walk_leads_through_all_screens(files):
    device, left_out = walk(files)
    assert left_out == [] and device.app.library.running
    assert {"running", "roster", "presets", "settings", "clock", "index", "fresh/minutes"} < set(files)


@pytest.mark.parametrize("name", ["running", "roster", "presets", "settings", "clock"])
def test_small_files(files, name):
    value = json.loads(unseal(files[name][:-1], name))
    for changed in some(value):
        walk({**files, name: seal(encode(changed), name)})


def test_the_index(files):
    lines = files["index"].split(b"\n")[:-1]
    for at, line in enumerate(lines):
        own, value = unseal(line, "index").decode().split(" ", 1)
        for changed in some(json.loads(value)):
            foreign = seal(own + " " + encode(changed), "index")[:-1]
            walk({**files, "index": b"\n".join([*lines[:at], foreign, *lines[at + 1 :], b""])})


def test_the_minutes(files):
    good = unseal(files["fresh/minutes"][:-1], "fresh/minutes").decode()
    others = [good.replace(" ", other) for other in (" -", " x", "  ")]
    for changed in ("", "x", good + " x", good + "9" * 300, "-" + good, *others):
        walk({**files, "fresh/minutes": seal(changed, "fresh/minutes")})


def test_the_newest_lines(files):
    _, rest = files["fresh/lines"].split(b"\n", 1)
    name = file_of_game_in_play(files)
    for first in ("", "x", name, f"{name} x", f"{name} -1", f"{name} 99999", f"{name} 0 0", "running 0", "x.kbz 0"):
        walk({**files, "fresh/lines": seal(first, "fresh/lines") + rest})
    no_text = b"\xff.kbz 0 "
    walk({**files, "fresh/lines": no_text + checksum(no_text, "fresh/lines") + b"\n" + rest})


def file_of_game_in_play(files):
    return json.loads(unseal(files["running"][:-1], "running"))["running"] + SUFFIX


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


@pytest.mark.parametrize("name", ["x.pack", ".pack", "x.kbz", ".kbz", "a-b-c.kbz", "x.tmp", "x.sav", "running.bad"])
def test_files_of_other_names(files, name):
    for data in (b"", b"x", files[file_of_game_in_play(files)], b'{"game":"id":"' + b"x" * 300):
        device, _ = walk({**files, name: data})
        library = device.app.library
        for _ in range(2):  # the short journals are packed
            library.close()
            library.create(dict(SETUP))
        library.files.pack([], 0)


def test_no_number_makes_an_id_that_a_laptop_refuses(files):
    state = json.loads(unseal(files["running"][:-1], "running"))
    only = {name: data for name, data in files.items() if not name.startswith("running")}
    for number in (10**300, 999_999, -1, True, None):
        foreign = {**only, "running": seal(encode({**state, "counter": number}), "running")}
        for added in (foreign, {**only, "5b3c0f-999999-aaaaaa.kbz": b"", "5b3c0f-99999999-aaaaaa.kbz": b""}):
            device = Device(FaultyStorage(added), language=None)
            journal, _ = device.app.library.create(dict(SETUP))
            assert game_id(journal.id) == journal.id


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
