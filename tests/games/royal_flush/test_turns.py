"""Test the turns and house rules of Royal Flush (free and followed turns, steps, refusals)."""

from games.royal_flush.case import OTHER_NINE, royal, score, scores, spend, take
from helpers.play import ev, game, play, refuses, refuses_setup, setup, shows, sure
from kiebitz.games.royal_flush.rules_boards import STARTER

STEPS = ("swap", "draw", "buy", "end_turn")


def test_nobody_is_made_to_wait_for_a_turn_by_default():
    g = game("royal_flush", 4)
    play(g, spend(2, 1), spend(2, 1), score(2, "pair"), score(1, "pair"), spend(3, 5))
    shows(g, chips=[5, 5, 3, 0], totals=[0, 1, 2, 0])


def test_steps_and_the_turn_key_belong_to_followed_turns():
    g = game("royal_flush", 2)
    for step in STEPS:
        refuses(g, "E_PHASE", ev(step, p=0))
    refuses(g, "E_PHASE", ev("turn", p=1))


def test_take_in_free_turns_is_spend_and_may_be_nothing():
    g = game("royal_flush", 3)
    play(g, take(1, 2, 1), take(2))
    shows(g, chips=[5, 2, 5], spent=3)


def test_spending_nothing_is_no_entry():
    g = game("royal_flush", 3)
    refuses(g, "E_ARG", spend(0, 0), ev("spend", p=0))
    refuses(g, "E_CHIPS", spend(0, 6), spend(0, 1000000))
    play(g, spend(0, 5))
    refuses(g, "E_CHIPS", spend(0, 1))


def test_followed_turns_go_round_the_table():
    g = game("royal_flush", 3, turns="follow", dealer=0)
    refuses(g, "E_TURN", take(0), take(2), score(0, "pair"))
    play(g, take(1), score(2, "pair"), take(0, 1, 0))
    refuses(g, "E_TURN", score(0, "pair"))
    play(g, take(1))
    refuses(g, "E_PHASE", spend(2, 1))


def test_steps_are_the_same_as_the_whole_turn():
    stepwise = game("royal_flush", 2, turns="follow")
    for step in ("swap", "swap", "draw", "buy", "end_turn"):
        play(stepwise, ev(step, p=0))
    whole = game("royal_flush", 2, turns="follow")
    play(whole, take(0, 2, 1))
    assert stepwise.summary() == whole.summary()
    assert set(stepwise.legal()) == set(whole.legal())
    refuses(stepwise, "E_TURN", ev("draw", p=0))
    play(stepwise, ev("draw", p=1), ev("end_turn", p=1), score(0, "pair"))


# RF-A18
def test_who_has_swapped_or_drawn_cannot_score_in_this_turn():
    for step in ("swap", "draw"):
        g = game("royal_flush", 2, turns="follow")
        play(g, ev(step, p=0))
        refuses(g, "E_ORDER", score(0, "pair"))


def test_steps_cost_chips_that_must_be_there():
    g = game("royal_flush", 2, turns="follow")
    play(g, take(0, 5, 0), take(1, 4, 0))
    refuses(g, "E_CHIPS", ev("swap", p=0))
    play(g, ev("draw", p=0))
    refuses(g, "E_CHIPS", ev("buy", p=0))
    play(g, ev("end_turn", p=0), ev("swap", p=1))
    shows(g, chips=[0, 0], spent=10)


def test_one_key_corrects_the_turn_and_the_chips_stay_spent():
    g = game("royal_flush", 3, turns="follow")
    play(g, ev("swap", p=0), ev("turn", p=2))
    shows(g, chips=[4, 5, 5], spent=1)
    refuses(g, "E_TURN", ev("draw", p=0))
    play(g, score(2, "pair"), score(0, "pair"))
    shows(g, totals=[1, 0, 2], chips=[4, 5, 5])


def test_the_next_round_starts_left_of_the_ender_when_turns_are_followed():
    g = game("royal_flush", 4, turns="follow")
    play(g, take(0), take(1), royal(2))
    shows(g, start=3, round=2)
    refuses(g, "E_TURN", take(0))
    play(g, take(3), take(0))


def test_there_is_no_passing():
    for turns in ("free", "follow"):
        refuses(game("royal_flush", 2, turns=turns), "E_PHASE", ev("pass", p=0))


def test_which_refusal_is_told_when_several_apply():
    g = game("royal_flush", 3, turns="follow", child=[1, 0, 0])
    refuses(g, "E_ARG", ev("spend", p=9, k="2"), ev("spend", p=True, k=1), ev("fly", p=9))
    refuses(g, "E_PHASE", spend(9, 1))
    refuses(g, "E_PLAYER", take(9), score(3, "flush"), ev("turn", p=3), ev("swap", p=3))
    refuses(g, "E_TURN", score(1, "flush"), take(1, 6, 6), ev("buy", p=1))
    refuses(g, "E_BOARD", score(0, "flush", jokers=1), score(0, "flush", "7H"), score(0, "nonsense"))
    play(g, ev("swap", p=0))
    refuses(g, "E_ORDER", score(0, "flush"))
    play(g, ev("turn", p=1))
    refuses(g, "E_JOKER_LIMIT", score(1, "pair", "7H * * *"))
    refuses(g, "E_COMBO:COUNT", score(1, "pair", "7H * 9D"))
    refuses(g, "W_JOKER_ADULT", score(1, "pair", "7H *"))
    refuses(g, "E_COMBO:COUNT", score(1, "pair", "7H"))


def test_a_full_board_is_told_before_the_cards_are_looked_at():
    g = game("royal_flush", 2)
    scores(g, 0, "pair", "pair", "pair")
    refuses(g, "E_BOARD_FULL", score(1, "pair", "7H 8D"))


def test_a_finished_game_takes_nothing_but_malformed_lines_are_still_malformed():
    g = game("royal_flush", 2)
    assert set(g.legal()) == {"spend", "take", "score", "end_game"}
    play(g, royal(0), royal(0), royal(0))
    assert g.legal() == []
    refuses(g, "E_OVER", spend(0, 1), spend(9, 1), royal(1), ev("swap", p=0), ev("turn", p=0))
    refuses(g, "E_ARG", spend(0, "1"), ev("nonsense"))


# House rules

# RF-A7
def test_jokers_last_for_the_game_or_come_back_every_round():
    for refresh, left in (("game", [0, 1, 0]), ("round", [2, 2, 0])):
        g = game("royal_flush", 3, child=[1, 1, 0], jokers_refresh=refresh)
        play(g, score(0, "pair", "* *"), score(1, "pair", jokers=1), royal(2))
        shows(g, jokers=left)


# RF-A8
def test_a_second_piece_on_a_board_can_be_forbidden():
    g = game("royal_flush", 2, one_slot_per_board="on")
    play(g, score(0, "pair"))
    refuses(g, "E_SLOT_REPEAT", score(0, "pair"), score(0, "pair", "7H 7D"))
    refuses(g, "E_COMBO:RANK", score(0, "pair", "7H 8D"))
    assert "pair" not in dict(g.open_boards(0)) and "pair" in dict(g.open_boards(1))
    play(g, score(1, "pair"), royal(1), score(0, "pair"))
    shows(g, round=2, totals=[2 + 2, 1 + 25])


# RF-A3
def test_new_boards_every_round_are_asked_for_between_the_rounds():
    g = game("royal_flush", 3, redraw_boards_each_round="on", child=[0, 0, 1], jokers_refresh="round")
    refuses(g, "E_PHASE", ev("boards", boards=list(OTHER_NINE)))
    play(g, spend(0, 3), score(2, "pair", jokers=2), royal(1))
    shows(g, phase="BETWEEN", round=2, start=2, chips=[3, 6, 6], spent=0, carry=0, jokers=[0, 0, 2])
    shows(g, round_points=[[0, 25, 2]], pieces=[5, 5, 5])
    assert set(g.summary()["slots"]) == set(STARTER)
    assert g.summary()["slots"]["pair"] == [None, None, None]
    refuses(g, "E_PHASE", spend(0, 1), take(0), score(0, "pair"))
    assert "boards" in g.legal() and "score" not in g.legal()
    play(g, ev("boards", boards=["royal_flush"] + list(OTHER_NINE[:8])))
    shows(g, phase="PLAY", round=2)
    slots = g.summary()["slots"]
    assert set(slots) == set(OTHER_NINE)
    assert slots["royal_flush"] == [None] and slots["pictures"] == [None, None, None]
    refuses(g, "E_BOARD", score(0, "pair"))
    play(g, score(0, "pictures"), royal(0))
    shows(g, phase="BETWEEN", round=3, totals=[38, 25, 2])
    play(g, ev("boards", boards="starter"), royal(0))
    shows(g, phase="OVER", winners=[0])


def test_followed_turns_wait_for_the_new_boards():
    g = game("royal_flush", 3, redraw_boards_each_round="on", turns="follow")
    play(g, take(0), royal(1))
    refuses(g, "E_PHASE", take(2), ev("swap", p=2), ev("turn", p=0))
    play(g, ev("boards", boards="starter"))
    refuses(g, "E_TURN", take(0))
    play(g, take(2))


def test_boards_drawn_between_rounds_are_checked_like_those_of_the_set_up():
    g = game("royal_flush", 2, redraw_boards_each_round="on")
    play(g, royal(0))
    nine = list(STARTER)
    refuses(g, "E_ARG", ev("boards"), ev("boards", boards=7))
    refuses(g, "E_BOARD_COUNT", ev("boards", boards=nine[:8]))
    refuses(g, "E_BOARD", ev("boards", boards=["nonsense" if b == "pair" else b for b in nine]))
    refuses(g, "E_BOARD_DUP", ev("boards", boards=["three_kind" if b == "pair" else b for b in nine]))
    refuses(g, "E_BOARD_NO_RF", ev("boards", boards=["flush" if b == "royal_flush" else b for b in nine]))
    uneven = ev("boards", boards=["flush" if b == "pair" else b for b in nine])
    refuses(g, "W_BOARDS_CATEGORY", uneven)
    play(g, sure(uneven))
    shows(g, phase="PLAY")
    g = game("royal_flush", 2, redraw_boards_each_round="on", strict_categories="on")
    play(g, royal(0))
    refuses(g, "E_BOARD_CATEGORY", uneven, sure(uneven))


def test_without_the_house_rule_boards_stay_for_the_game():
    g = game("royal_flush", 2)
    play(g, royal(0))
    shows(g, phase="PLAY")
    refuses(g, "E_PHASE", ev("boards", boards="starter"))


# RF-A1
def test_a_layout_that_is_not_two_by_two_needs_a_second_look_or_is_forbidden():
    uneven = ["flush" if board == "pair" else board for board in STARTER]
    refuses_setup("W_BOARDS_CATEGORY", setup("royal_flush", 2, boards=uneven))
    forbidden = setup("royal_flush", 2, boards=uneven, strict_categories="on")
    refuses_setup("E_BOARD_CATEGORY", forbidden)
    refuses_setup("E_BOARD_CATEGORY", sure(forbidden))
    g = game("royal_flush", 2, boards=uneven, confirm=True)
    assert set(g.summary()["slots"]) == set(uneven)
