"""Test the stored presets and names, the last used first, and the last line-up."""

from helpers.faulty_storage import FaultyStorage, PowerCut, cuts
from helpers.play import refused
from kiebitz.games import new_game, presets_of
from kiebitz.store.presets import FORMAT, PRESETS_MAX, Presets, check_preset
from kiebitz.store.roster import FORMAT as ROSTER_FORMAT
from kiebitz.store.roster import NAMES_MAX, Roster
from kiebitz.store.safe_file import DAMAGED, NEWER, PREVIOUS, SafeFile
from kiebitz.store.sealed_lines import StorageFull

KIND = "any_game"
SKYJO = {"game": KIND, "title": "Skyjo", "options": {"wins": "low", "end": "target", "limit": 100}}
LIFE = {"game": KIND, "title": "Life", "options": {"entry": "counter", "start": 20, "end": "target", "limit": 0}}
POINTS = {"game": KIND, "title": "Points", "options": {}}


def setup_of(preset, n=3):
    """Return the set-up of a game with this preset."""
    return {
        "game": KIND,
        "players": ["Anna", "Ben", "Cleo", "Dan"][:n],
        "dealer": 0,
        "title": preset["title"],
        "options": preset["options"],
    }


def presets_with(*presets):
    """Return (storage, Presets) with these presets, in this order."""
    storage = FaultyStorage()
    kept = Presets(storage)
    for preset in presets:
        kept.add(preset)
    return storage, kept


def titles(presets):
    """Return the titles in order."""
    return [preset["title"] for preset in presets.all]


def numbered(k):
    """Return one of many presets."""
    return {"game": KIND, "title": "Title %d" % k, "options": {"start": k}}


def test_a_new_device_has_no_presets():
    presets = Presets(FaultyStorage())
    assert (presets.all, presets.of(KIND), presets.report) == ([], [], None)


def test_the_title_played_last_comes_first_with_its_settings():
    storage, presets = presets_with()
    presets.played(setup_of(POINTS))
    presets.played(setup_of(SKYJO))
    presets.played(setup_of(LIFE))
    presets.played(setup_of(SKYJO))
    assert presets.all == Presets(storage).all == [SKYJO, LIFE, POINTS]


def test_a_title_that_is_played_with_other_settings_has_these_from_then_on():
    storage, presets = presets_with(POINTS, SKYJO)
    changed = dict(SKYJO, options={"wins": "low", "end": "target", "limit": 200})
    presets.played(setup_of(changed))
    assert Presets(storage).all == [changed, POINTS]


def test_settings_at_their_defaults_are_not_stored():
    storage, presets = presets_with()
    presets.played(setup_of(dict(POINTS, title="  Points ", options={"wins": "high", "end": "open", "turns": "free"})))
    assert Presets(storage).all == [POINTS]


def test_the_points_of_one_press_are_kept_unless_they_are_the_usual_ones():
    storage, presets = presets_with()
    presets.played(dict(setup_of(LIFE), step=5))
    assert Presets(storage).all == [dict(LIFE, step=5)]
    presets.played(dict(setup_of(LIFE), step=1))
    assert Presets(storage).all == [LIFE]
    for wrong in (7, "5", None, True):
        refused("E_ARG", presets.add, dict(LIFE, step=wrong))


def test_a_game_without_a_title_is_not_noted():
    storage, presets = presets_with(SKYJO)
    presets.played({"game": "poch", "players": ["Anna", "Ben", "Cleo"], "options": {}})
    assert Presets(storage).all == [SKYJO]
    assert presets_of("poch") is None


def test_a_preset_is_renamed_and_changed_in_its_place():
    storage, presets = presets_with(SKYJO, LIFE, POINTS)
    presets.change("Life", dict(LIFE, title="Magic"))
    assert titles(Presets(storage)) == ["Skyjo", "Magic", "Points"]
    refused("E_ARG", presets.change, "Magic", dict(LIFE, title="Skyjo"))
    refused("E_ARG", presets.change, "Life", dict(LIFE, title="Other"))
    assert presets.all == Presets(storage).all


def test_what_was_removed_comes_back_where_it_was():
    storage, presets = presets_with(SKYJO, LIFE, POINTS)
    at = presets.remove(KIND, "Life")
    assert Presets(storage).all == [SKYJO, POINTS]
    presets.add(LIFE, at)
    assert Presets(storage).all == [SKYJO, LIFE, POINTS]
    refused("E_ARG", presets.remove, KIND, "Chess")
    refused("E_ARG", presets.remove, "poch", "Life")


def test_added_again_a_preset_changes_where_it_is_and_wears_no_flash():
    storage, presets = presets_with(SKYJO, POINTS)
    before = storage.count
    presets.add(SKYJO)
    assert storage.count == before
    longer = dict(SKYJO, options=dict(SKYJO["options"], limit=300))
    presets.add(longer)
    assert Presets(storage).all == [longer, POINTS]


def test_a_full_list_takes_no_preset_but_every_game_that_is_played():
    storage, presets = presets_with(*[numbered(k) for k in range(PRESETS_MAX)])
    refused("E_FULL", presets.add, SKYJO)
    assert len(presets.all) == PRESETS_MAX and presets.place(KIND, "Skyjo") < 0
    presets.add(numbered(7))
    presets.played(setup_of(SKYJO))
    assert titles(Presets(storage))[:2] == ["Skyjo", "Title 0"] and len(presets.all) == PRESETS_MAX
    assert presets.place(KIND, "Title 19") < 0


def test_what_the_rules_refuse_is_no_preset():
    storage, presets = presets_with(SKYJO)
    for code, preset in (
        ("E_ARG", None),
        ("E_ARG", []),
        ("E_ARG", {"title": "X"}),
        ("E_ARG", dict(SKYJO, game="chess")),
        ("E_ARG", dict(SKYJO, game=["any_game"])),
        ("E_ARG", dict(SKYJO, game="poch")),
        ("E_ARG", {"game": KIND}),
        ("E_ARG", dict(SKYJO, title="")),
        ("E_ARG", dict(SKYJO, title="x" * 25)),
        ("E_ARG", dict(SKYJO, title="a\nb")),
        ("E_ARG", dict(SKYJO, options=[])),
        ("E_SETTING", dict(SKYJO, options={"wins": "most"})),
        ("E_SETTING", dict(SKYJO, options={"end": "target"})),
        ("E_SETTING", dict(SKYJO, options={"limit": 100})),
        ("E_SETTING", dict(SKYJO, options={"chips": 3})),
    ):
        refused(code, presets.add, preset)
        assert presets.all == Presets(storage).all == [SKYJO], preset


def test_presets_that_the_rules_do_not_accept_are_left_out():
    storage, presets = presets_with(SKYJO)
    unknown = [dict(POINTS, game="chess"), SKYJO, 7, dict(SKYJO, options={"new": 1})]
    SafeFile(storage, "presets", FORMAT).save({"presets": unknown})
    assert Presets(storage).all == [SKYJO]
    for value in ({}, {"presets": 7}):
        SafeFile(storage, "presets", FORMAT).save(value)
        assert Presets(storage).all == []


def test_presets_of_a_newer_version_are_left_alone():
    storage = FaultyStorage()
    SafeFile(storage, "presets", FORMAT + 1).save({"presets": [SKYJO]})
    presets = Presets(storage)
    assert (presets.all, presets.report) == ([], NEWER)
    before = dict(storage.files)
    for action in (lambda: presets.add(LIFE), lambda: presets.played(dict(SKYJO, players=["Anna", "Ben"]))):
        try:
            action()
            raise AssertionError("it was written over")
        except OSError:
            assert storage.files == before


def test_damaged_presets_are_told():
    storage, presets = presets_with(SKYJO, POINTS)
    storage.flip("presets", 12, 3)
    presets = Presets(storage)
    assert (presets.all, presets.report) == ([SKYJO], PREVIOUS) and "presets.bad" in storage.names()
    for name in storage.names():
        storage.flip(name, 12, 3)
    presets = Presets(storage)
    assert (presets.all, presets.report) == ([], DAMAGED) and "presets.bad2" in storage.names()


def test_nothing_changes_while_the_flash_is_full():
    storage, presets = presets_with(SKYJO, POINTS)
    storage.full_at(storage.count, 5, stays=True)
    for action, args in (
        (presets.add, (LIFE,)),
        (presets.change, ("Skyjo", LIFE)),
        (presets.remove, (KIND, "Skyjo")),
        (presets.played, (setup_of(POINTS),)),
    ):
        try:
            action(*args)
            raise AssertionError("kept on a full flash")
        except StorageFull:
            pass
        assert presets.all == Presets(storage).all == [SKYJO, POINTS], args


def test_a_power_cut_at_any_byte_leaves_the_list_before_or_after():
    before, after = [SKYJO, POINTS], [LIFE, SKYJO, POINTS]
    storage, presets = presets_with(*before)
    files = storage.files
    storage.record()
    presets.played(setup_of(LIFE))
    seen = []
    for k, part in cuts(storage.operations, 7):
        flash = FaultyStorage(files)
        kept = Presets(flash)
        flash.cut_at(flash.count + k, part)
        try:
            kept.played(setup_of(LIFE))
        except PowerCut:
            pass
        again = Presets(flash.restart())
        assert again.all in (before, after) and again.report is None, (k, part)
        seen.append(again.all == after)
    assert True in seen and False in seen


def test_the_starting_points_are_games_with_what_their_rules_say():
    built_in = presets_of(KIND)
    low, high = 2, 8
    for title in built_in.TITLES:
        for n in range(low, high + 1):
            players = [str(p) for p in range(n)]
            options = built_in.options_for(title, n)
            game = new_game({"game": KIND, "players": players, "title": title, "options": options})
            assert game.title == title and not game.over
    ends = {title: built_in.options_for(title, 4) for title in built_in.TITLES}
    skyjo = {"wins": "low", "end": "target", "limit": 100, "ender": "doubles"}
    assert ends["Skyjo"] == skyjo and ends["Hearts"] == {"wins": "low", "end": "target", "limit": 100}
    assert ends["Canasta"] == {"end": "target", "limit": 5000} and ends["Farkle"] == {"end": "target", "limit": 10000}
    assert ends["Gin Rummy"] == {"end": "target", "limit": 100} and ends["Phase 10"] == {"wins": "low"}
    assert ends["Rummy"] == {"wins": "low"} and ends["Uno"] == {"end": "target", "limit": 500}
    for title in ("Doppelkopf", "Schafkopf", "Tarot"):
        assert ends[title] == {"entry": "exchange"}
    assert ends["Qwirkle"] == ends["Points"] == {}
    assert "Wizard" not in ends  # a game of its own


def test_what_a_well_known_title_keeps_can_be_stored():
    built_in = presets_of(KIND)
    for title in built_in.TITLES:
        kept = built_in.kept_for(title)
        stored = check_preset({"game": KIND, "title": title, "options": built_in.options_for(title, 4), **kept})
        assert {key: stored[key] for key in kept} == kept
    sits = {"game": KIND, "title": "Doppelkopf", "options": {"entry": "exchange", "sits_out": "dealer"}}
    assert check_preset(sits) == sits


# --- names ---

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


def test_no_name_changes_while_the_flash_is_full():
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
    SafeFile(storage, "roster", ROSTER_FORMAT + 1).save({"names": ["Anna"], "last": []})
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
