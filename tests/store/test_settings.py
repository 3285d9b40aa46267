"""Test the settings, their defaults, and values of another version."""

from helpers.faulty_storage import FaultyStorage
from helpers.play import refused
from kiebitz.store.safe_file import DAMAGED, PREVIOUS, SafeFile
from kiebitz.store.settings import SETTINGS, Settings, in_menu

# What the settings of this version are without a choice; further settings have other names
PROMISED = {
    "language": "en",
    "brightness": 6,
    "dim_s": 60,
    "off_s": 300,
    "scoreboard": True,
    "flip": False,
    "repeat": 100,
    "sound": True,
    "advice": False,
    "board": "",
}
DEFAULTS = {setting.name: setting.default for setting in SETTINGS if setting.place}


def test_a_new_device_has_the_defaults():
    settings = Settings(FaultyStorage())
    assert settings.report is None and settings.all() == DEFAULTS
    assert {name: DEFAULTS[name] for name in PROMISED} == PROMISED


def test_every_setting_has_its_place_and_a_default_among_its_choices():
    names = [setting.name for setting in SETTINGS]
    assert len(set(names)) == len(names) and {setting.name for setting in in_menu()} < set(DEFAULTS) < set(names)
    for name, default, allowed, _, _, _ in SETTINGS:
        assert default in allowed and len(allowed) > 1, name


def test_every_choice_can_be_set_and_is_there_after_the_next_start():
    storage = FaultyStorage()
    for setting in SETTINGS:
        for value in setting.values:
            Settings(storage).set(setting.name, value)
            assert Settings(storage)[setting.name] == value, (setting.name, value)


def test_what_is_no_choice_is_refused():
    settings = Settings(FaultyStorage())
    for name, value in (
        ("language", "xx"),
        ("brightness", 0),
        ("brightness", 11),
        ("brightness", True),
        ("brightness", "6"),
        ("flip", 1),
        ("sound", None),
        ("dim_s", 61),
        ("colour", "red"),
    ):
        assert refused("E_SETTING", settings.set, name, value).info == {"name": name}
    assert settings.all() == DEFAULTS


def test_what_is_set_already_does_not_wear_the_flash():
    storage = FaultyStorage()
    settings = Settings(storage)
    settings.set("sound", False)
    before = storage.count
    settings.set("sound", False)
    assert storage.count == before


def test_a_default_counts_as_chosen_once_somebody_has_said_so():
    storage = FaultyStorage()
    settings = Settings(storage)
    assert not settings.chosen("language")
    settings.set("language", "en")
    assert settings.chosen("language") and Settings(storage).chosen("language")
    SafeFile(storage, "settings").save({"language": "xx"})
    assert not Settings(storage).chosen("language")


def test_restoring_the_defaults_leaves_the_language():
    storage = FaultyStorage()
    settings = Settings(storage)
    settings.set("language", "nl")
    settings.set("sound", False)
    settings.restore()
    assert (settings["language"], settings["sound"]) == ("nl", True)
    assert Settings(storage)["language"] == "nl"


def test_what_another_version_has_set_is_kept_but_not_believed():
    storage = FaultyStorage()
    SafeFile(storage, "settings").save({"brightness": 250, "theme": "dark", "sound": False})
    settings = Settings(storage)
    assert (settings["brightness"], settings["sound"]) == (6, False)
    settings.set("flip", True)
    kept = SafeFile(storage, "settings").load()[0]
    assert kept == {"brightness": 250, "theme": "dark", "sound": False, "flip": True}
    settings.restore()
    assert SafeFile(storage, "settings").load()[0] == {"theme": "dark"}
    assert Settings(storage).all() == settings.all() == DEFAULTS


def test_a_full_flash_leaves_everything_as_it_is():
    storage = FaultyStorage()
    settings = Settings(storage)
    settings.set("sound", False)
    storage.full_at(storage.count, 2, stays=True)
    for action, args in ((settings.set, ("flip", True)), (settings.restore, ())):
        try:
            action(*args)
            raise AssertionError("kept on a full flash")
        except OSError as trouble:
            assert trouble.args[0] == 28
        assert (settings["sound"], settings["flip"]) == (False, False)
        assert Settings(storage)["sound"] is False


def test_damaged_settings_are_told():
    storage = FaultyStorage()
    settings = Settings(storage)
    settings.set("sound", False)
    settings.set("flip", True)
    storage.flip("settings", 1, 1)
    settings = Settings(storage)
    assert settings.report == PREVIOUS and (settings["sound"], settings["flip"]) == (False, False)
    for name in storage.names():
        storage.flip(name, 1, 1)
    settings = Settings(storage)
    assert settings.report == DAMAGED and settings.all() == DEFAULTS


def test_memory_and_flash_agree_after_every_save_that_failed():
    for k in range(4):
        for part in (0, 5, 1000):
            storage = FaultyStorage()
            settings = Settings(storage)
            settings.set("brightness", 3)
            settings.set("brightness", 4)
            storage.full_at(storage.count + k, part)
            try:
                settings.set("brightness", 5)
            except OSError:
                pass
            assert settings["brightness"] == Settings(FaultyStorage(storage.files))["brightness"], (k, part)
