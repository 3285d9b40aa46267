"""Test that a small value on flash is always readable and never silently wrong, and the settings."""

from helpers.faulty_storage import FaultyStorage, PowerCut, cuts
from helpers.play import refused
from kiebitz.store.safe_file import DAMAGED, NEWER, PREVIOUS, SafeFile
from kiebitz.store.sealed_lines import StorageFull
from kiebitz.store.settings import SETTINGS, Settings, in_menu

VALUES = ({"names": ["Anna"]}, {"names": ["Ben", "Zo\u00eb"], "k": 2}, {"names": []}, {"names": ["Cleo"], "flip": True})


def saved(*values):
    """Return a flash on which these values were saved one after the other."""
    storage = FaultyStorage()
    for value in values:
        SafeFile(storage, "roster").save(value)
    return storage


def loaded(storage):
    return SafeFile(storage, "roster").load()


def test_the_value_is_one_line_of_json_with_a_checksum():
    assert saved(VALUES[1]).files == {"roster": '{"k":2,"names":["Ben","Zo\u00eb"]} 1795237b\n'.encode()}


def test_the_last_value_is_in_force_and_the_one_before_it_is_kept():
    storage = saved(*VALUES)
    assert loaded(storage) == (VALUES[3], None)
    assert storage.names() == ["roster", "roster.old"]
    storage.rename("roster.old", "roster")
    assert loaded(storage) == (VALUES[2], None)


def test_without_a_file_there_is_nothing_to_report():
    assert loaded(FaultyStorage()) == (None, None)


def check_cuts(safe_file=SafeFile):
    """Store four values with a power cut at every place, and check that the last acknowledged or the next is there."""
    storage = FaultyStorage().record()
    for value in VALUES:
        safe_file(storage, "roster").save(value)
    for k, part in cuts(storage.operations):
        storage = FaultyStorage().cut_at(k, part)
        acknowledged = []
        try:
            for value in VALUES:
                safe_file(storage, "roster").save(value)
                acknowledged.append(value)
        except PowerCut:
            pass
        storage = storage.restart()
        value, report = loaded(storage)
        done = len(acknowledged)
        allowed = ([acknowledged[-1]] if done else [None]) + list(VALUES[done : done + 1])
        assert value in allowed, (k, part, value)
        assert report is None, (k, part, report)
        assert loaded(storage) == (value, None), (k, part)
        SafeFile(storage, "roster").save(VALUES[0])
        assert loaded(storage) == (VALUES[0], None), (k, part)


def test_the_power_may_go_anywhere():
    check_cuts()


class RemovesFirst(SafeFile):
    """Removes the old file before it saves the new value, as a careless program does."""

    def save(self, value):
        if self.storage.size(self.name) is not None:
            self.storage.remove(self.name)
        super().save(value)


class WritesOver(SafeFile):
    def save(self, value):
        super().save(value)
        self.storage.rename(self.name, "copy")
        self.storage.write(self.name, self.storage.get("copy"))


def test_careless_files_are_caught():
    for careless in (RemovesFirst, WritesOver):
        try:
            check_cuts(careless)
        except AssertionError:
            continue
        raise AssertionError(careless)


def test_a_power_cut_while_the_previous_copy_is_put_in_place():
    for fault in ("damaged", "lost"):
        storage = broken(fault).record()
        loaded(storage)
        for k, part in cuts(storage.operations):
            storage = broken(fault).cut_at(k, part)
            try:
                loaded(storage)
            except PowerCut:
                pass
            storage = storage.restart()
            assert loaded(storage)[0] == VALUES[2], (fault, k, part)
            assert loaded(storage) == (VALUES[2], None), (fault, k, part)


def broken(fault):
    storage = saved(*VALUES)
    if fault == "damaged":
        storage.flip("roster", 5, 1)
    else:
        storage.remove("roster")
    return storage


def test_a_flipped_bit_anywhere_brings_back_the_previous_copy_and_says_so():
    whole = saved(*VALUES).files
    for byte in range(len(whole["roster"])):
        for bit in range(8):
            storage = FaultyStorage(whole)
            storage.flip("roster", byte, bit)
            damaged = storage.get("roster")
            assert loaded(storage) == (VALUES[2], PREVIOUS), (byte, bit)
            assert storage.get("roster.bad") == damaged, (byte, bit)
            assert loaded(storage) == (VALUES[2], None), (byte, bit)


def test_a_file_that_ends_too_early_brings_back_the_previous_copy():
    whole = saved(*VALUES).files
    for size in range(len(whole["roster"])):
        storage = FaultyStorage(whole)
        storage.put("roster", whole["roster"][:size])
        assert loaded(storage) == (VALUES[2], PREVIOUS), size


def test_a_lost_file_brings_back_the_previous_copy():
    assert loaded(broken("lost")) == (VALUES[2], PREVIOUS)


def test_with_nothing_left_it_says_that_it_is_damaged_and_keeps_the_file():
    storage = saved(VALUES[0])
    storage.flip("roster", 3, 0)
    damaged = storage.get("roster")
    assert loaded(storage) == (None, DAMAGED)
    assert storage.files == {"roster.bad": damaged}
    assert loaded(storage) == (None, None)


def test_two_damaged_copies_are_not_passed_over_in_silence():
    storage = saved(*VALUES)
    storage.flip("roster", 3, 0)
    storage.flip("roster.old", 3, 0)
    assert loaded(storage) == (None, DAMAGED)
    storage = saved(*VALUES)
    storage.remove("roster")
    storage.flip("roster.old", 3, 0)
    assert loaded(storage) == (None, DAMAGED)


def test_one_file_does_not_pass_for_another():
    storage = saved(VALUES[0])
    storage.rename("roster", "settings")
    assert SafeFile(storage, "settings").load() == (None, DAMAGED)


def test_a_full_flash_at_any_step_never_loses_the_value_in_force():
    """Store the third value twice on a full flash; it or the second one counts, and nothing is reported."""
    for k in range(3):
        for part in (0, 5, 100):
            storage = saved(*VALUES[:2])
            storage.full_at(storage.count + k, part, stays=True)
            for _ in range(2):
                full = is_full(storage, VALUES[2])
                assert loaded(FaultyStorage(storage.files))[0] == VALUES[1 if full else 2], (k, part)
                assert full or k == 2, (k, part)
                assert loaded(FaultyStorage(storage.files))[1] is None, (k, part)
            storage.make_room()
            SafeFile(storage, "roster").save(VALUES[3])
            assert loaded(storage) == (VALUES[3], None), (k, part)


def is_full(storage, value):
    try:
        SafeFile(storage, "roster").save(value)
    except StorageFull:
        return True
    return False


def test_a_full_flash_and_a_damaged_file_still_give_the_previous_copy():
    storage = broken("damaged")
    storage.full_at(storage.count, 3, stays=True)
    assert loaded(storage) == (VALUES[2], PREVIOUS)
    assert loaded(storage) == (VALUES[2], PREVIOUS)
    storage.make_room()
    assert loaded(storage)[0] == VALUES[2]
    assert loaded(storage) == (VALUES[2], None)


def unreadable(storage, name, code):
    """Make every read of this file fail with this error code."""
    read = storage.read

    def failing(wanted):
        if wanted == name:
            raise OSError(code)
        return read(wanted)

    storage.read = failing


def test_a_file_that_cannot_be_read_now_is_left_where_it_is():
    storage = saved(*VALUES)
    before = storage.files
    unreadable(storage, "roster", 5)
    assert loaded(storage) == (VALUES[2], PREVIOUS)
    assert storage.files == before
    assert loaded(storage.restart()) == (VALUES[3], None)


def test_a_file_that_can_never_be_read_again_is_set_aside():
    storage = saved(*VALUES)
    unreadable(storage, "roster", 84)
    assert loaded(storage) == (VALUES[2], PREVIOUS)
    assert "roster.bad" in storage.names()
    assert loaded(storage.restart()) == (VALUES[2], None)


# --- format numbers ---


def test_a_format_number_is_stored_with_the_value_and_not_part_of_it():
    storage = FaultyStorage()
    SafeFile(storage, "roster", 1).save(VALUES[0])
    assert storage.get("roster").startswith(b'{"format":1,"names":["Anna"]} ')
    assert SafeFile(storage, "roster", 1).load() == (VALUES[0], None)
    assert SafeFile(storage, "roster", 2).load() == (VALUES[0], None)


def test_a_higher_number_is_left_alone_wherever_it_is():
    for damaged in ((), ("roster",), ("roster", "roster.new")):
        storage = FaultyStorage()
        for value in VALUES:
            SafeFile(storage, "roster", 2).save(value)
        storage.put("roster.new", storage.get("roster"))
        for name in damaged:
            storage.flip(name, 3, 0)
        before = dict(storage.files)
        file = SafeFile(storage, "roster", 1)
        assert file.load() == (None, NEWER), damaged
        try:
            file.save(VALUES[0])
            raise AssertionError("it was written over")
        except OSError:
            assert storage.files == before, damaged


def test_a_number_that_cannot_be_is_damage():
    for number in (0, -1, True, "1", 1.0, None, [1]):
        storage = FaultyStorage()
        SafeFile(storage, "roster").save({"format": number, "names": ["Anna"]})
        assert SafeFile(storage, "roster", 1).load() == (None, DAMAGED), number
        assert storage.names() == ["roster.bad"], number
    for value in ({"names": []}, ["Anna"]):
        storage = saved(value)
        assert SafeFile(storage, "roster", 1).load() == (None, DAMAGED), value


# --- settings ---

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
