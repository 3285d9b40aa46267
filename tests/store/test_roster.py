"""Test the stored names, the last used first, and the last line-up."""

from helpers.faulty_storage import FaultyStorage
from helpers.play import refused
from kiebitz.store.roster import FORMAT, NAMES_MAX, Roster
from kiebitz.store.safe_file import DAMAGED, NEWER, PREVIOUS, SafeFile
from kiebitz.store.sealed_lines import StorageFull


def roster_of(*names):
    """Return a roster with these names, the first one in front."""
    storage = FaultyStorage()
    roster = Roster(storage)
    for name in reversed(names):
        roster.add(name)
    return storage, roster


def again(storage):
    """(names, last line-up) after the next start."""
    roster = Roster(storage)
    return roster.names, roster.last


def test_a_new_device_knows_nobody():
    roster = Roster(FaultyStorage())
    assert (roster.names, roster.last, roster.report) == ([], [], None)


def test_new_names_stand_in_front_trimmed_and_only_once():
    storage, roster = roster_of("Ben", "Cleo")
    assert roster.add("  Anna ") == "Anna"
    assert roster.add("Cleo") == "Cleo"
    assert roster.names == ["Cleo", "Anna", "Ben"]
    assert again(storage) == (["Cleo", "Anna", "Ben"], [])


def test_who_played_comes_first_and_is_the_same_players_again():
    storage, roster = roster_of("Anna", "Ben", "Cleo", "Dan")
    roster.played(["Dan", "Ben", "Eva"])
    assert again(storage) == (["Dan", "Ben", "Eva", "Anna", "Cleo"], ["Dan", "Ben", "Eva"])
    roster.played(["Anna", "Dan"])
    assert again(storage) == (["Anna", "Dan", "Ben", "Eva", "Cleo"], ["Anna", "Dan"])


def test_a_renamed_player_stays_in_place_and_in_the_line_up():
    storage, roster = roster_of("Anna", "Ben")
    roster.played(["Ben", "Anna"])
    assert roster.rename("Ben", " Benno ") == "Benno"
    assert again(storage) == (["Benno", "Anna"], ["Benno", "Anna"])
    roster.rename("Anna", "Anna")
    assert again(storage)[0] == ["Benno", "Anna"]


def test_a_line_up_with_somebody_who_was_removed_is_not_offered():
    storage, roster = roster_of("Anna", "Ben", "Cleo")
    roster.played(["Ben", "Anna"])
    roster.remove("Cleo")
    assert again(storage) == (["Ben", "Anna"], ["Ben", "Anna"])
    roster.remove("Anna")
    assert again(storage) == (["Ben"], [])


def test_the_list_of_the_laptop_is_taken_over():
    storage, roster = roster_of("Anna", "Ben")
    roster.played(["Ben", "Anna"])
    roster.replace(["Cleo", "Anna", "Ben"])
    assert again(storage) == (["Cleo", "Anna", "Ben"], ["Ben", "Anna"])
    roster.replace(["Cleo", "Anna"])
    assert again(storage) == (["Cleo", "Anna"], [])
    refused("E_ARG", roster.replace, ["P%d" % k for k in range(NAMES_MAX + 1)])
    refused("E_ARG", roster.replace, ["Anna", "Anna"])


def test_guests_play_again_but_are_not_on_the_list():
    storage, roster = roster_of("Ben")
    roster.played(["Guest 1", "Anna"], ["Guest 1", "Guest 2"])
    assert again(storage) == (["Anna", "Ben"], ["Guest 1", "Anna"])
    roster.replace(["Cleo", "Ben", "Anna"])
    assert again(storage) == (["Cleo", "Ben", "Anna"], ["Guest 1", "Anna"])
    roster.replace(["Cleo", "Ben"])
    assert again(storage) == (["Cleo", "Ben"], [])


def test_names_that_cannot_be_are_refused_and_nothing_changes():
    storage, roster = roster_of("Anna", "Ben")
    for action, args in (
        (roster.add, ("",)),
        (roster.add, ("   ",)),
        (roster.add, ("x" * 25,)),
        (roster.add, ("a\nb",)),
        (roster.add, (7,)),
        (roster.rename, ("Anna", "Ben")),
        (roster.rename, ("Cleo", "Dan")),
        (roster.rename, ("Anna", "")),
        (roster.remove, ("Cleo",)),
        (roster.played, (["Anna", "Anna"],)),
        (roster.played, (["Anna", ""],)),
    ):
        refused("E_ARG", action, *args)
        assert again(storage) == (roster.names, roster.last) == (["Anna", "Ben"], []), args


def test_forty_names_are_kept_and_the_one_unused_for_longest_drops_out():
    storage, roster = roster_of(*["P%d" % k for k in range(NAMES_MAX)])
    roster.add("Anna")
    assert len(roster.names) == NAMES_MAX and roster.names[0] == "Anna" and roster.names[-1] == "P38"
    roster.played(["P38", "Ben"])
    assert roster.names[:3] == ["P38", "Ben", "Anna"] and roster.names[-1] == "P36"
    assert len(again(storage)[0]) == NAMES_MAX


def test_nothing_changes_while_the_flash_is_full():
    storage, roster = roster_of("Anna", "Ben")
    storage.full_at(storage.count, 5, stays=True)
    for action, args in (
        (roster.add, ("Cleo",)),
        (roster.rename, ("Anna", "Dan")),
        (roster.remove, ("Ben",)),
        (roster.played, (["Ben"],)),
    ):
        try:
            action(*args)
            raise AssertionError("kept on a full flash")
        except StorageFull:
            pass
        assert again(storage) == (roster.names, roster.last) == (["Anna", "Ben"], []), args


def test_a_change_that_changes_nothing_does_not_wear_the_flash():
    storage, roster = roster_of("Anna", "Ben")
    roster.played(["Anna", "Ben"])
    before = storage.count
    roster.played(["Anna", "Ben"])
    roster.add("Anna")
    assert storage.count == before


def test_a_damaged_roster_is_told():
    storage, roster = roster_of("Anna", "Ben")
    storage.flip("roster", 12, 3)
    roster = Roster(storage)
    assert (roster.names, roster.report) == (["Ben"], PREVIOUS)
    for name in storage.names():
        storage.flip(name, 12, 3)
    roster = Roster(storage)
    assert (roster.names, roster.report) == ([], DAMAGED)
    assert "roster.bad" in storage.names() and "roster.bad2" in storage.names()


def test_a_roster_of_a_newer_version_is_left_alone():
    storage = FaultyStorage()
    SafeFile(storage, "roster", FORMAT + 1).save({"names": ["Anna"], "last": []})
    roster = Roster(storage)
    assert (roster.names, roster.report) == ([], NEWER)
    before = dict(storage.files)
    try:
        roster.add("Ben")
        raise AssertionError("it was written over")
    except OSError:
        assert storage.files == before and roster.names == []


def test_memory_and_flash_agree_after_every_save_that_failed():
    for k in range(4):
        for part in (0, 5, 1000):
            storage = FaultyStorage()
            roster = Roster(storage)
            roster.played(["Anna", "Ben"])
            roster.played(["Ben", "Cleo"])
            storage.full_at(storage.count + k, part)
            try:
                roster.played(["Dan", "Eva"])
            except OSError:
                pass
            again = Roster(FaultyStorage(storage.files))
            assert (roster.names, roster.last) == (again.names, again.last), (k, part)
