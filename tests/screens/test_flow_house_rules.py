"""Test the house rules before and during a game, with the right sentences and only what matters."""

from helpers.device import Device, at_table
from kiebitz.games import game_class

THREE = ["Anna", "Ben", "Cleo"]
LAYOUT = ["pair", "double_pair", "triple_pair", "full_house", "flush", "pictures", "straight_flush"]
LAYOUT += ["big_straight_flush", "royal_flush"]


def ready(kind):
    """Return a device that is about to begin a game with three players."""
    d = Device()
    d.app.roster.played(THREE)
    d.keys("ok pick:game.%s ok" % kind)
    return d


def offered(kind, options=None, **setup):
    """Return the names of the house rules that are offered, but for those that always are."""
    cls = game_class(kind)
    values = {name: cls.OPTIONS[name][0] for name in cls.OPTIONS}
    values.update(options or {})
    return set(cls.options_offered(dict(setup, players=THREE), values))


def test_the_sentence_below_a_value_is_about_that_value():
    d = ready("royal_flush")
    d.keys("pick:new.rules")
    assert d.sees("Turns", "\u25cb free", "in any order.") and not d.sees("whose turn")
    d.keys("ok")
    assert d.sees("\u25cf follow", "whose turn it is") and not d.sees("in any order.")
    d.keys("pick:opt.distribute_after_last left")
    assert d.sees("\u25cb off", "are lost")


def test_every_value_of_the_dealer_has_its_own_sentence():
    d = ready("poch")
    d.keys("pick:new.rules at:opt.dealer")
    assert d.sees("Next dealer", "to the left", "one seat to the left")
    d.keys("ok")
    assert d.sees("the winner", "The winner of the round")
    d.keys("ok")
    assert d.sees("always the same", "The same player deals")


def test_at_the_table_the_sentence_of_the_value_in_force_is_shown():
    d = at_table({"game": "royal_flush", "players": THREE, "options": {"one_slot_per_board": "on"}})
    d.keys("left pick:menu.rules at:opt.one_slot_per_board")
    assert d.sees("One slot per board", "\u25cf on", "only one piece")


def test_royal_flush_offers_rules_about_jokers_with_children_and_about_boards_that_are_there():
    usual = {"turns", "distribute_after_last", "one_slot_per_board", "redraw_boards_each_round"}
    assert offered("royal_flush") == usual | {"straight_suits"}
    assert offered("royal_flush", child=[0, 1, 0]) == usual | {"straight_suits", "jokers_refresh"}
    own = offered("royal_flush", boards=LAYOUT)
    assert own == usual | {"pairs_need_different_ranks", "strict_categories"}
    everything = set(game_class("royal_flush").OPTIONS)
    assert offered("royal_flush", {"redraw_boards_each_round": "on"}) == everything - {"jokers_refresh"}


def test_poker_carre_checks_straights_only_card_by_card():
    assert offered("poker_carre", mode="score") == {"turns", "set_of_seven"}
    assert offered("poker_carre", mode="grid") == {"turns", "set_of_seven", "straight_needs_new_value"}


def test_poch_and_top_spot_keep_their_order_in_any_case():
    assert offered("poch") == set(game_class("poch").OPTIONS) - {"turns"}
    assert offered("top_spot", level="junior") == set()
    assert offered("top_spot", level="expert") == {"one_joker_each"}


def test_where_no_rule_makes_a_difference_there_is_no_line_for_them():
    d = ready("top_spot")
    assert d.sees("Level: Junior") and not d.sees("House rules")
    d.keys("pick:new.level")
    assert d.sees("Level: Expert", "House rules")
    d.keys("pick:new.rules")
    assert d.sees("One joker each", "1/1", "shuffled in")
    d.keys("ok undo pick:new.level pick:new.start")  # a reminder for experts, and juniors play after all
    assert d.table.setup.get("options", {}) == {}
    d.keys("ok")
    d.keys("pick:menu.rules")
    assert d.sees("Players: 3", "1/4") and not d.sees("One joker each")


def test_a_rule_that_another_one_brings_appears_beside_it():
    d = ready("royal_flush")
    d.keys("pick:new.rules at:opt.redraw_boards_each_round")
    assert d.sees("New boards", "4/5")
    d.keys("ok")
    assert d.sees("New boards", "on", "5/7")
    d.keys("at:opt.pairs_need_different_ranks")
    assert d.sees("Different pairs")
    d.keys("at:opt.redraw_boards_each_round left")
    assert d.sees("New boards", "off", "4/5")
