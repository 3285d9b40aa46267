"""Setting up a game: house rules with their defaults, modes and levels."""

from helpers.play import changed, game, in_every_game, refuses_setup, setup
from kiebitz.games import game_class, new_game

OPTIONS = {
    "royal_flush": {
        "turns": ("free", "follow"),
        "strict_categories": ("off", "on"),
        "redraw_boards_each_round": ("off", "on"),
        "straight_suits": ("mixed", "any"),
        "pairs_need_different_ranks": ("off", "on"),
        "jokers_refresh": ("game", "round"),
        "one_slot_per_board": ("off", "on"),
        "distribute_after_last": ("off", "on"),
    },
    "poker_carre": {
        "turns": ("free", "follow"),
        "straight_needs_new_value": ("off", "on"),
        "set_of_seven": ("ten", "instant_win"),
    },
    "poch": {
        "turns": ("free", "follow"),
        "chips_total": (300,),
        "overlap_cash": ("on", "off"),
        "bidding": ("single_lap", "until_matched"),
        "no_poch": ("carry", "high_card"),
        "direction_scope": ("game", "round"),
        "shortage": ("partial", "debt"),
        "dealer": ("left", "winner", "fixed"),
        "loans": ("owed", "gift"),
        "final_pools": ("ignore", "split"),
    },
    "top_spot": {"turns": ("free", "follow"), "one_joker_each": ("off", "on")},
    "any_game": {
        "turns": ("free", "follow"),
        "entry": ("rounds", "counter"),
        "wins": ("high", "low"),
        "end": ("open", "target", "rounds"),
        "limit": (None,),
        "start": (0,),
    },
}
NUMBERS = ("chips_total", "limit", "start")  # house rules that are numbers
WITH = {"target": {"limit": 5}, "rounds": {"limit": 5}}  # what else a value of `end` needs


def chosen(name, value):
    """Return a value of a house rule, with what it needs."""
    options = {name: value}
    options.update(WITH.get(value, {}) if name == "end" else {})
    return options


@in_every_game
def test_every_option_of_the_table_is_known_with_its_default(kind):
    known = game_class(kind).OPTIONS
    assert set(known) == set(OPTIONS[kind]), kind
    g = game(kind, 3)
    for name, values in OPTIONS[kind].items():
        assert tuple(known[name]) == values, name
        assert g.options[name] == values[0], name
        for value in () if name == "limit" else values:
            assert game(kind, 3, chosen(name, value)).options[name] == value, (name, value)


@in_every_game
def test_a_game_without_options_has_the_defaults(kind):
    assert new_game(changed(setup(kind, 3), options=None)).options == game(kind, 3).options


@in_every_game
def test_on_and_off_may_be_true_and_false(kind):
    for name, values in OPTIONS[kind].items():
        if "on" in values:
            assert game(kind, 3, {name: True}).options[name] == "on"
            assert game(kind, 3, {name: False}).options[name] == "off"
        elif name not in NUMBERS or name == "start":
            refuses_setup("E_SETTING", setup(kind, 3, {name: True}))


@in_every_game
def test_unknown_options_and_values_are_refused(kind):
    refuses_setup("E_SETTING", setup(kind, 3, {"colour": "red"}))
    for name in OPTIONS[kind]:
        for value in ("nonsense", None, ["on"], {}) if name == "start" else ("nonsense", 1, 0, None, ["on"], {}):
            refuses_setup("E_SETTING", setup(kind, 3, {name: value}))
    for options in (5, "turns", ["turns"], True):
        refuses_setup("E_ARG", changed(setup(kind, 3), options=options))


@in_every_game
def test_the_options_of_one_game_are_unknown_in_the_others(kind):
    strangers = {
        "royal_flush": "bidding",
        "poker_carre": "shortage",
        "poch": "strict_categories",
        "top_spot": "match_length",
        "any_game": "loans",
    }
    refuses_setup("E_SETTING", setup(kind, 3, {strangers[kind]: "on"}))
    refuses_setup("E_PLAYERS", setup(kind, 1, {strangers[kind]: "on"}))
