"""Test what all games share: set-ups and options, and events with names, seats, numbers and snapshots."""

from helpers.play import (
    case_of,
    changed,
    code_of,
    ev,
    game,
    in_every_game,
    play,
    refuses,
    refuses_setup,
    setup,
    shows,
    sure,
)
from kiebitz.games import GAMES, game_class, new_game
from kiebitz.games.base import RULES
from kiebitz_lab.dice import NAMES

THREE = setup("top_spot", 3)


@in_every_game
def test_every_folder_is_a_game_that_can_be_set_up(kind):
    assert game_class(kind).KIND == kind
    g = game(kind, 3)
    shows(g, game=kind, players=["Anna", "Ben", "Cleo"], winners=[])
    assert not g.over


def test_the_menu_has_four_games_and_then_any_other():
    five = ("royal_flush", "poker_carre", "poch", "top_spot", "any_game")
    assert tuple([kind for kind in GAMES if kind in five]) == five


def test_a_game_nobody_knows_is_malformed():
    for kind in ("chess", "", "TOP_SPOT", 3, None, True, ["top_spot"], {}):
        refuses_setup("E_ARG", changed(THREE, game=kind))
    for nothing in (None, 5, "top_spot", [], [1]):
        refuses_setup("E_ARG", nothing)


@in_every_game
def test_each_game_has_its_number_of_players(kind):
    fewest, most = case_of(kind).PLAYERS
    assert tuple(game_class(kind).PLAYERS) == (fewest, most)
    many = getattr(case_of(kind), "MANY", {})
    for n in range(0, 10):
        assert code_of(game, kind, n, many.get(n)) == (None if fewest <= n <= most else "E_PLAYERS"), (kind, n)


def called(*names):
    return changed(THREE, players=list(names))


def test_names_are_trimmed_and_differ():
    shows(new_game(called("  Anna ", "Ben", "anna")), players=["Anna", "Ben", "anna"])
    longest = "b" * 24
    shows(new_game(called("a" * 24, "Ben", " " + longest)), players=["a" * 24, "Ben", longest])
    for name in ("", "   ", longest + "b", "Ben", " Ben "):
        refuses_setup("E_ARG", called("Anna", "Ben", name))


def test_names_hold_no_control_characters():
    for name in ("Cl\neo", "Cl\x00eo", "Cl\teo", "Cl\x1feo", "Cl\x7feo", "Cl\u0085eo"):
        refuses_setup("E_ARG", called("Anna", "Ben", name))


def test_names_may_be_written_in_any_language():
    names = ["J\u00f6rg", "Ma\u0142gorzata", "\u5c0f\u660e"]
    shows(new_game(called(*names)), players=names)
    shows(new_game(called("\u00e9" * 24, "Ben", "Cleo")), players=["\u00e9" * 24, "Ben", "Cleo"])


def test_names_are_a_list_of_words():
    for name in (3, None, True, ["Cleo"], {}):
        refuses_setup("E_ARG", called("Anna", "Ben", name))
    for players in (None, 3, "Anna Ben", {"Anna": 1, "Ben": 2}, True):
        refuses_setup("E_ARG", changed(THREE, players=players))


@in_every_game
def test_the_last_seat_deals_unless_said_otherwise(kind):
    assert game(kind, 3).dealer == 2
    assert game(kind, 3, dealer=0).dealer == 0
    for dealer in (3, -1, True, False, "0", 1.0, None, 1000001):
        refuses_setup("E_ARG", setup(kind, 3, dealer=dealer))


def test_rules_of_a_newer_version_are_refused():
    assert new_game(changed(THREE, rules=RULES)).n == 3
    for rules in (RULES + 1, 0, -1, True, "1", 10**9):
        refuses_setup("E_ARG", changed(THREE, rules=rules))


def chosen(kind, name, value):
    """Return a value of a house rule, and the other values that it needs."""
    options = {name: value}
    options.update(getattr(case_of(kind), "NEEDS", {}).get((name, value), {}))
    return options


def is_number(kind, name):
    """Return True if a house rule is a number."""
    return name in getattr(case_of(kind), "NUMBERS", ())


@in_every_game
def test_every_option_of_the_table_is_known_with_its_default(kind):
    known = game_class(kind).OPTIONS
    assert set(known) == set(case_of(kind).OPTIONS), kind
    g = game(kind, 4)
    for name, values in case_of(kind).OPTIONS.items():
        assert tuple(known[name]) == values, name
        assert g.options[name] == getattr(case_of(kind), "DEFAULTS", {}).get(name, values[0]), name
        for value in () if values == (None,) else values:
            assert game(kind, 4, chosen(kind, name, value)).options[name] == value, (name, value)


@in_every_game
def test_a_game_without_options_has_the_defaults(kind):
    assert new_game(changed(setup(kind, 3), options=None)).options == game(kind, 3).options


@in_every_game
def test_on_and_off_may_be_true_and_false(kind):
    for name, values in case_of(kind).OPTIONS.items():
        if "on" in values:
            assert game(kind, 3, {name: True}).options[name] == "on"
            assert game(kind, 3, {name: False}).options[name] == "off"
        elif not is_number(kind, name) or name == "start":
            refuses_setup("E_SETTING", setup(kind, 3, {name: True}))


@in_every_game
def test_unknown_options_and_values_are_refused(kind):
    refuses_setup("E_SETTING", setup(kind, 3, {"colour": "red"}))
    for name in case_of(kind).OPTIONS:
        numeric = is_number(kind, name) and name != "limit"  # a limit also needs an end
        for value in ("nonsense", None, ["on"], {}) if numeric else ("nonsense", 1, 0, None, ["on"], {}):
            refuses_setup("E_SETTING", setup(kind, 3, {name: value}))
    for options in (5, "turns", ["turns"], True):
        refuses_setup("E_ARG", changed(setup(kind, 3), options=options))


@in_every_game
def test_the_options_of_one_game_are_unknown_in_the_others(kind):
    known = game_class(kind).OPTIONS
    strangers = [name for other in GAMES for name in sorted(case_of(other).OPTIONS) if name not in known]
    assert len(strangers) > 10
    for name in strangers:
        refuses_setup("E_SETTING", setup(kind, 3, {name: "on"}))
        refuses_setup("E_PLAYERS", setup(kind, 1, {name: "on"}))


# --- events ---

@in_every_game
def test_words_nobody_asked_for_are_not_kept(kind):
    event = case_of(kind).FIRST[0]
    chatty = dict(event)
    chatty["mood"] = "happy"
    assert game(kind, 3).canonical(chatty) == event
    play(game(kind, 3), chatty)


@in_every_game
def test_an_event_is_kept_as_it_was_entered(kind):
    g = game(kind, 3)
    for event in case_of(kind).FIRST:
        assert g.canonical(event) == event
        play(g, event)


@in_every_game
def test_a_confirmation_nobody_asked_for_does_no_harm(kind):
    asked, plain = game(kind, 3), game(kind, 3)
    play(asked, sure(case_of(kind).FIRST[0]))
    play(plain, case_of(kind).FIRST[0])
    assert asked.snapshot() == plain.snapshot()


@in_every_game
def test_the_summary_has_the_agreed_keys(kind):
    common = "game phase players totals winners ".split()
    assert set(game(kind, 3).summary()) == set(common + case_of(kind).SUMMARY.split()), kind


@in_every_game
def test_everybody_leads_before_the_first_point(kind):
    g = game(kind, 3)
    assert list(g.leaders()) == [0, 1, 2] and list(g.winners()) == []
    assert tuple(g.names) == NAMES[:3] and g.n == 3


@in_every_game
def test_a_restored_game_goes_on_as_if_nothing_had_happened(kind):
    first, second = case_of(kind).FIRST
    g = game(kind, 3)
    play(g, first)
    one = g.snapshot()
    play(g, second)
    two, told = g.snapshot(), g.summary()
    assert one != two
    other = game(kind, 3)
    other.restore(one)
    assert other.snapshot() == one
    play(other, second)
    assert other.snapshot() == two and other.summary() == told


@in_every_game
def test_an_event_has_a_known_name(kind):
    g = game(kind, 3)
    for wrong in ({}, {"ev": 5}, {"ev": None}, {"ev": True}, {"ev": ["point"]}, {"p": 0}):
        refuses(g, "E_ARG", wrong)
    refuses(g, "E_ARG", ev("nonsense"), ev(""), ev("snapshot"), ev("apply"), ev("__init__"))


def by(seat, event):
    event = dict(event)
    event["p"] = seat
    return event


@in_every_game
def test_seats_are_whole_numbers_and_never_true_or_false(kind):
    g, event = game(kind, 4, dealer=0), case_of(kind).BY_SEAT  # seat 3 does not deal: a dealer may sit out
    refuses(g, "E_ARG", event)
    for seat in (True, False, "0", 1.0, None, [0], -1, 1000001):
        refuses(g, "E_ARG", by(seat, event))
    refuses(g, "E_PLAYER", by(4, event), by(1000000, event))
    play(g, by(3, event))
