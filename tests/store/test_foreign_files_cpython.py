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
from kiebitz.store.safe_file import SafeFile
from kiebitz.store.sealed_lines import seal, unseal
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
        game_id, value = unseal(line, "index").decode().split(" ", 1)
        for changed in some(json.loads(value)):
            foreign = seal(game_id + " " + encode(changed), "index")[:-1]
            walk({**files, "index": b"\n".join([*lines[:at], foreign, *lines[at + 1 :], b""])})


def test_the_minutes(files):
    good = unseal(files["fresh/minutes"][:-1], "fresh/minutes").decode()
    others = [good.replace(" ", other) for other in (" -", " x", "  ")]
    for changed in ("", "x", good + " x", good + "9" * 300, "-" + good, *others):
        walk({**files, "fresh/minutes": seal(changed, "fresh/minutes")})


def test_the_checkpoint(files):
    game_id = json.loads(unseal(files["running"][:-1], "running"))["running"]
    name = file_name(game_id)
    lines = [unseal(line, game_id).decode() for line in files[name].split(b"\n")[:-1]]
    expected = walk(files)[0].app.library.entry(game_id)
    crashes = 0
    for at, line in enumerate(lines):
        before, space, snapshot = line.rpartition(" ")
        others = [before + space + encode(changed) for changed in some(json.loads(snapshot))] if at else []
        for changed in ("", "x", "9" * 300, *[line.replace(" ", other, 1) for other in (" -", " x ", "  ")], *others):
            foreign = b"".join(seal(text, game_id) for text in [*lines[:at], changed, *lines[at + 1 :]])
            try:
                device, _ = walk({**files, name: foreign})
            except Exception as error:  # wrong in its depth: the next start works
                crashes += 1
                storage = FaultyStorage({**files, name: foreign})
                show_crash(Hardware(PROFILES[DEFAULT]).board(storage), error)
                device, _ = walk(storage.files)
                assert device.app.library.entry(game_id) == expected
    assert crashes
