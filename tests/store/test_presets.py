"""Test the stored presets, the last played first with its settings."""

from helpers.faulty_storage import FaultyStorage, PowerCut, cuts
from helpers.play import refused
from kiebitz.games import new_game, presets_of
from kiebitz.store.presets import FORMAT, PRESETS_MAX, Presets, check_preset
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
