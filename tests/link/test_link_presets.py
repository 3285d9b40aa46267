"""Test reading and changing presets over the link, one request for each."""

from helpers.device import Device, at_table
from helpers.play import short_game
from helpers.usb import Laptop
from kiebitz.store.presets import PRESETS_MAX, Presets

KIND = "any_game"
SKYJO = {"game": KIND, "title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100}}
LIFE = {"game": KIND, "title": "Life", "options": {"entry": "counter", "start": 20, "end": "target", "limit": 0}}
LONGEST = {
    "game": KIND,
    "title": "\U0001f600" * 24,
    "options": {
        "turns": "follow", "entry": "rounds", "wins": "low", "end": "target", "limit": -100000, "start": -100000,
    },
}  # fmt: skip


def listed(laptop):
    """Return the presets that the device sends."""
    (kind, end), pieces, _ = laptop.ask("presets")
    assert kind == "ok" and end == {"presets": len(pieces)}
    return [piece["preset"] for piece in pieces]


def on_flash(device):
    """Return the presets after the next start."""
    return Presets(device.storage).all


def test_presets_go_both_ways():
    device = Device()
    laptop = Laptop(device)
    assert listed(laptop) == []
    assert laptop.ok("preset", SKYJO) == {"presets": 1}
    assert laptop.ok("preset", LIFE) == {"presets": 2}
    assert listed(laptop) == on_flash(device) == [SKYJO, LIFE]


def test_sent_again_nothing_is_written_and_other_settings_replace_those_of_the_title():
    device = Device()
    laptop = Laptop(device)
    laptop.ok("preset", SKYJO)
    laptop.ok("preset", LIFE)
    files = dict(device.storage.files)
    laptop.ok("preset", SKYJO)
    assert device.storage.files == files
    longer = dict(SKYJO, options={"wins": "low", "end": "target", "limit": 200})
    laptop.ok("preset", longer)
    assert listed(laptop) == on_flash(device) == [longer, LIFE]


def test_a_preset_is_taken_off_the_device_however_often_that_is_asked():
    device = Device()
    laptop = Laptop(device)
    laptop.ok("preset", SKYJO)
    laptop.ok("preset", LIFE)
    gone = {"game": KIND, "title": "Skyjo", "gone": True}
    assert laptop.ok("preset", gone) == laptop.ok("preset", gone) == {"presets": 1}
    assert listed(laptop) == on_flash(device) == [LIFE]


def test_the_longest_title_fits_into_one_request():
    device = Device()
    laptop = Laptop(device)
    laptop.ok("preset", LONGEST)
    stored = dict(LONGEST, options=dict(LONGEST["options"]))
    del stored["options"]["entry"]  # the default
    assert listed(laptop) == on_flash(device) == [stored]


def test_a_full_list_loses_nothing():
    device = Device()
    laptop = Laptop(device)
    for k in range(PRESETS_MAX):
        laptop.ok("preset", {"game": KIND, "title": "Title %d" % k, "options": {}})
    before = on_flash(device)
    assert laptop.refused("preset", SKYJO) == "E_FULL"
    assert len(before) == PRESETS_MAX and on_flash(device) == before


def test_what_the_rules_refuse_changes_nothing():
    device = Device()
    laptop = Laptop(device)
    laptop.ok("preset", SKYJO)
    for code, wrong in (
        ("E_ARG", {}),
        ("E_ARG", {"game": "poch", "title": "Poch"}),
        ("E_ARG", dict(SKYJO, game=[])),
        ("E_ARG", dict(SKYJO, title=None)),
        ("E_ARG", dict(SKYJO, title="x" * 25)),
        ("E_ARG", dict(SKYJO, options="low")),
        ("E_ARG", dict(SKYJO, gone=1)),
        ("E_SETTING", dict(SKYJO, options={"end": "target", "limit": 1.5})),
        ("E_SETTING", dict(SKYJO, options={"end": "target", "limit": 100001})),
        ("E_SETTING", dict(SKYJO, options={"end": [], "limit": 3})),
        ("E_SETTING", dict(SKYJO, options={"": {}})),
    ):
        assert laptop.refused("preset", wrong) == code, wrong
    for harmless in ({"gone": True}, {"game": {}, "title": [], "gone": True}, {"title": "Skyjo", "gone": True}):
        assert laptop.ok("preset", harmless) == {"presets": 1}, harmless
    assert listed(laptop) == on_flash(device) == [SKYJO]


def test_a_full_flash_is_told_and_the_list_stays():
    device = Device()
    laptop = Laptop(device)
    laptop.ok("preset", SKYJO)
    device.storage.full_at(device.storage.count, 5)
    (kind, told), _, _ = laptop.ask("preset", LIFE)
    assert (kind, told) == ("no", {"code": "E_FLASH", "errno": 28})
    assert listed(laptop) == on_flash(device) == [SKYJO]
    laptop.ok("preset", LIFE)
    assert on_flash(device) == [SKYJO, LIFE]


def test_a_running_game_goes_on():
    device = at_table(*short_game("poch"))
    before = device.game.snapshot()
    Laptop(device).ok("preset", SKYJO)
    assert device.game.snapshot() == before and on_flash(device) == [SKYJO]
