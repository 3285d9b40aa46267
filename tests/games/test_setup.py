"""Setting up a game: which game, how many players, their names, who deals."""

from helpers.play import case_of, changed, code_of, game, in_every_game, refuses_setup, setup, shows
from kiebitz.games import GAMES, game_class, new_game
from kiebitz.games.base import RULES

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
    for n in range(0, 10):
        assert code_of(game, kind, n) == (None if fewest <= n <= most else "E_PLAYERS"), (kind, n)


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
