"""Test that a device with an unusable flash explains it in every language and changes nothing."""

from helpers.device import Device
from helpers.faulty_storage import FaultyStorage
from kiebitz import VERSION
from kiebitz.screens.titles import open_titles
from kiebitz.store.no_storage import NoStorage
from kiebitz.store.safe_file import SafeFile
from kiebitz.store.settings import FORMAT, Settings
from kiebitz.text import LANGUAGES, Phrases
from kiebitz_host.sim.hardware import PowerOff, Reset

SLOW_MS = 5000
LOST = {
    "en": "cannot be read",
    "de": "nicht lesbar",
    "fr": "illisibles",
    "it": "non si leggono",
    "nl": "onleesbaar",
}


def lost():
    """Return a device whose file system cannot be mounted, and the list of its actions."""
    d = Device(NoStorage(), None)
    done = []
    d.board.format = lambda: done.append("format")
    return d, done


def newer(version="9.9.0"):
    """Return a device with a game that a newer version has kept."""
    storage = FaultyStorage()
    d = Device(storage, "de")
    d.sit_down({"game": "poch", "players": ["Anna", "Ben", "Cleo"]})
    SafeFile(storage, "settings").save({"language": "de", "format": [FORMAT + 1, version]})
    d.on()
    return d


def test_lost_games_are_told_with_the_way_to_fetch_them_in_every_language():
    d, _ = lost()
    for lang in LANGUAGES + LANGUAGES[:1]:
        words = LOST.get(lang, Phrases(lang).get("lost.title"))
        assert d.sees(words, "kiebitz doctor", "--save-flash") and not d.faults(), d.text()
        d.wait(SLOW_MS)


def test_a_player_chooses_the_language_and_it_stays():
    d, _ = lost()
    d.keys("right")
    assert d.sees("nicht lesbar")
    d.wait(3 * SLOW_MS)
    assert d.sees("nicht lesbar")
    d.keys("left")
    assert d.sees("cannot be read")


def test_only_a_long_press_after_the_offer_erases():
    d, done = lost()
    d.keys("hold:ok")
    assert d.sees("Hold OK to erase") and done == [], "the first long press only leads to the offer"
    d.keys("ok undo")
    assert d.sees("cannot be read") and done == []
    d.keys("ok up down undo ok")
    try:
        d.keys("hold:ok")
        raise AssertionError("it did not start again")
    except Reset:
        assert done == ["format"]


def test_nothing_else_can_be_reached():
    d, done = lost()
    d.keys("undo up down undo*3")
    assert d.sees("cannot be read") and done == []


def test_games_of_a_newer_version_are_left_alone():
    d = newer()
    assert d.sees("9.9.0", VERSION, "unberührt") and not d.faults(), d.text()
    before, count = dict(d.storage.files), d.storage.count
    d.keys("up down left undo right*3")
    d.wait(10_000)
    assert d.storage.count == count and d.storage.files == before


def test_one_file_of_a_newer_version_is_enough_to_leave_all_alone():
    for name, value in (("roster", {"names": ["Anna"], "last": []}), ("running", {"running": None})):
        storage = FaultyStorage()
        d = Device(storage, "de")
        d.sit_down({"game": "poch", "players": ["Anna", "Ben", "Cleo"]})
        SafeFile(storage, name, FORMAT + 1).save(value)
        storage.put("x.tmp", b"half a copy")
        before = dict(storage.files)
        d.on()
        assert d.sees("Kiebitz ?", VERSION, "unberührt") and not d.faults(), d.text()
        d.keys("up down left undo right*3")
        d.wait(10_000)
        assert storage.files == before, name


def test_titles_of_a_newer_version_are_told_and_left_alone():
    storage = FaultyStorage()
    SafeFile(storage, "presets", FORMAT + 1).save({"presets": []})
    d = Device(storage, "en")
    before = storage.get("presets")
    open_titles(d.app, "any_game")
    d.wait(100)
    assert d.sees("Kiebitz ?", VERSION) and not d.faults(), d.text()
    d.sit_down({"game": "any_game", "players": ["Anna", "Ben"], "title": "Skyjo"})
    assert d.game.title == "Skyjo" and storage.get("presets") == before


def test_after_the_upgrade_everything_is_there_again():
    d = newer()
    SafeFile(d.storage, "settings").save({"language": "de", "format": [FORMAT, VERSION]})
    d.restart()
    assert d.table is not None and d.game.names == ["Anna", "Ben", "Cleo"]


def test_the_way_to_the_upgrade_is_one_key():
    d = newer()
    d.keys("ok")
    assert d.sees("RPI-RP2")
    try:
        d.wait(1000)
        raise AssertionError("the boot loader was not started")
    except PowerOff:
        pass


def test_a_format_nobody_can_have_written_is_no_newer_one():
    for value in (None, [], [FORMAT], ["x", "y"], [FORMAT + 1, 5], "9", {"a": 1}, [True, "1.0"]):
        storage = FaultyStorage()
        SafeFile(storage, "settings").save({"format": value})
        assert Settings(storage).newer() == "", value


def test_a_newer_format_is_stored_by_the_real_writer_before_anything_else_and_an_older_firmware_sees_it():
    storage = FaultyStorage()
    Settings(storage).claim()
    assert SafeFile(storage, "settings").load()[0]["format"] == [FORMAT, VERSION]
    later = Settings(storage, FORMAT + 1)
    later.claim()
    assert later.newer() == "" and Settings(storage).newer() == VERSION
    count = storage.count
    Settings(storage, FORMAT + 1).claim()
    assert storage.count == count
