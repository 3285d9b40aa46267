"""Test the house rules before a game, and changing one at the table: its effect, refusals, undo and restart."""

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
    """Return the names of the offered house rules, except the ones that are always offered."""
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


# --- changed at the table ---

ROYAL = {"game": "royal_flush", "players": THREE}
RULES = "left pick:menu.rules "


def spend(p, k):
    return {"ev": "spend", "p": p, "k": k}


def score(p, board):
    return {"ev": "score", "p": p, "board": board}


def points(*rounds):
    return [{"ev": "points", "p": p, "k": k} for points in rounds for p, k in enumerate(points)]


FLUSH = score(0, "royal_flush")
OVER = [FLUSH, FLUSH, spend(0, 2), spend(1, 4), FLUSH]


def test_the_effect_on_the_totals_is_shown_before_ok():
    d = at_table(ROYAL, OVER)
    totals = d.game.totals()
    d.keys("ok " * (not d.app.top.takes_back) + RULES + "pick:opt.distribute_after_last")
    assert d.sees("Last share-out", "on", "enter")
    for name, total in zip(THREE, totals):
        assert d.sees(name, "%d \u2192 %d" % (total, total + 4))
    assert d.game.totals() == totals and len(d.table) == 5
    d.keys("undo")
    assert d.sees("House rules", "Last share-out", "off") and len(d.table) == 5
    d.keys("ok ok")
    assert d.game.totals() == [total + 4 for total in totals] and d.table.event(5)["ev"] == "option"


def test_undo_takes_a_house_rule_back_and_says_so():
    d = at_table(ROYAL, [score(0, "pair")])
    d.keys(RULES + "pick:opt.one_slot_per_board")
    assert d.sees("One slot per board", "on", "No points change.")
    d.keys("ok")
    assert d.sees("Round 1 of 3") and d.game.options["one_slot_per_board"] == "on"
    d.restart()
    assert d.game.options["one_slot_per_board"] == "on" and d.app.top.session.seat == 0
    d.keys("undo")
    assert d.sees("Taken back: One slot per", "board: on") and d.game.options["one_slot_per_board"] == "off"
    d.keys("hold:undo")
    assert d.sees("Done again:") and d.game.options["one_slot_per_board"] == "on"


def test_an_entry_that_does_not_fit_is_named_and_nothing_changes():
    d = at_table(ROYAL, [score(0, "pair"), score(0, "pair")])
    d.keys(RULES + "pick:opt.one_slot_per_board")
    assert d.sees("Then this would not fit:", "Anna: Pair", "already on") and len(d.table) == 2
    assert d.game.options["one_slot_per_board"] == "off"
    d.keys("down up")
    assert d.sees("One slot per board", "off")


def test_what_shapes_the_set_up_is_fixed_for_this_game():
    for kind, seen in (
        ("royal_flush", ["Players: 3", "Boards: starter set", "Children: none"]),
        ("poker_carre", ["Players: 3", "Pad"]),
        ("poch", ["Players: 3"]),
        ("top_spot", ["Players: 3", "Junior", "match"]),
        ("any_game", ["Players: 3"]),
    ):
        d = at_table({"game": kind, "players": THREE})
        d.app.top.open_menu()
        d.keys("pick:menu.rules")
        screen = d.app.top
        fixed = range(len(screen.names), len(screen.items))
        shown = []
        for at in fixed:
            screen.at = at
            d.keys("ok")
            assert d.sees("Fixed for this game."), kind
            shown.append(d.text())
            d.keys("down up")
        for words in seen:
            assert [text for text in shown if words in text], (kind, words)
        assert d.app.top is screen and not len(d.table)


def test_a_number_is_asked_for_and_a_game_that_is_over_goes_on():
    setup = {"game": "any_game", "players": THREE, "options": {"end": "target", "limit": 100}}
    d = at_table(setup, points([104, 20, 30]))
    assert d.game.over
    d.keys("ok " * (not d.app.top.takes_back) + RULES + "pick:opt.limit right*5 ok")
    assert d.sees("Limit", "150", "Then the game goes on.")
    d.keys("ok")
    assert not d.game.over and d.sees("Round 2")
    d.keys("undo")
    assert d.game.over and d.sees("Taken back: Limit: 150")


def test_more_totals_than_fit_are_scrolled_and_the_last_line_says_so():
    eight = THREE + ["Dan", "Eva", "Fritz", "Gerda", "Heidi"]
    d = at_table({"game": "any_game", "players": eight}, points(range(1, 9)))
    d.keys("hold:ok pick:menu.rules pick:opt.start right ok")
    assert d.sees("Anna", "Dan", "↑↓who") and not d.sees("Heidi")
    d.keys("down*9")
    assert d.sees("Heidi", "8 → 18") and not d.sees("Anna")


def test_a_value_that_does_not_go_with_the_other_rules_is_not_offered():
    setup = {"game": "any_game", "players": THREE, "options": {"end": "target", "limit": 100}}
    d = at_table(setup, points([10, 20, 30]))
    d.keys("hold:ok pick:menu.rules pick:opt.end")
    assert d.sees("End", "after rounds", "No points change.")
    d.keys("undo")
    d = at_table({"game": "any_game", "players": THREE}, points([10, 20, 30]))
    d.keys("hold:ok pick:menu.rules pick:opt.end")
    assert d.sees("Fixed for this game.")


def test_a_rule_with_three_values_lets_one_choose():
    d = at_table({"game": "poch", "players": THREE})
    d.keys(RULES + "pick:opt.dealer")
    assert d.sees("Next dealer", "the winner", "always the same") and not d.sees("to the left")
    d.keys("down ok ok")
    assert d.game.options["dealer"] == "fixed"


def test_a_counter_instead_of_rounds_shows_its_own_table():
    d = at_table({"game": "any_game", "players": THREE, "title": "Duel"})
    d.keys("hold:ok pick:menu.rules pick:opt.entry ok ok")
    assert not d.game.by_rounds and not d.sees("Round 1")
    d.keys("undo")
    assert d.game.by_rounds and d.sees("Round 1")


def test_the_winner_may_change():
    d = at_table({"game": "any_game", "players": THREE}, points([10, 20, 30]) + [{"ev": "end_game"}])
    d.keys("ok " * (not d.app.top.takes_back) + RULES + "pick:opt.wins")
    assert d.sees("Winner", "fewest points", "Then somebody else wins.")
    d.keys("ok")
    assert d.game.winners() == [0]


def test_a_changed_house_rule_is_an_entry_that_is_corrected_and_deleted():
    d = at_table(ROYAL, [score(0, "pair"), score(1, "pair")])
    d.keys(RULES + "pick:opt.distribute_after_last ok left pick:menu.history")
    assert d.sees("3 Last share-out: on", "2 Ben: Pair", "R1 +1")
    d.keys("ok pick:history.correct")
    assert d.sees("House rules", "Last share-out")
    d.keys("pick:opt.one_slot_per_board ok")
    assert d.sees("Corrected: One slot per") and len(d.table) == 3
    assert d.game.options["distribute_after_last"] == "off" and d.game.options["one_slot_per_board"] == "on"
    d.keys("left pick:menu.history ok pick:history.remove")
    assert d.sees("Deleted: One slot per") and d.game.options["one_slot_per_board"] == "off" and len(d.table) == 2


def test_while_an_earlier_entry_is_corrected_the_rules_are_only_shown():
    d = at_table(ROYAL, [score(0, "pair"), score(1, "pair")])
    d.keys("left pick:menu.history ok pick:history.correct left pick:menu.rules ok")
    assert d.sees("House rules", "Turns", "free") and not d.sees("change") and len(d.table) == 2


def test_the_same_game_again_has_the_rules_that_were_in_force():
    d = at_table(ROYAL, OVER)
    d.app.library.play({"ev": "option", "name": "distribute_after_last", "value": "on"})
    d.keys("ok " * d.app.top.takes_back)
    d.keys("left")
    assert d.table.setup["options"] == {"distribute_after_last": "on"} and not len(d.table)
