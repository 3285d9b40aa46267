"""Setting up a game: house rules with their defaults, modes and levels."""

from helpers.play import case_of, changed, game, in_every_game, refuses_setup, setup
from kiebitz.games import GAMES, game_class, new_game


def chosen(kind, name, value):
    """Return a value of a house rule, with what it needs."""
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
    g = game(kind, 3)
    for name, values in case_of(kind).OPTIONS.items():
        assert tuple(known[name]) == values, name
        assert g.options[name] == values[0], name
        for value in () if name == "limit" else values:
            assert game(kind, 3, chosen(kind, name, value)).options[name] == value, (name, value)


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
        for value in ("nonsense", None, ["on"], {}) if name == "start" else ("nonsense", 1, 0, None, ["on"], {}):
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
