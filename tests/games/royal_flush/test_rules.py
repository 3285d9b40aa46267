"""Test the rules and the set-up of Royal Flush."""

from games.royal_flush.case import royal, score, scores, spend, take
from helpers.play import code_of, ended, ev, game, play, refuses, refuses_setup, setup, shows, sure
from kiebitz.games import new_game
from kiebitz.games.royal_flush.rules_boards import BOARDS, STARTER


def occupied(g):
    """Return the number of pieces on the boards."""
    return sum(len([seat for seat in row if seat is not None]) for row in g.summary()["slots"].values())


def shares(g):
    return [tuple(share) for share in g.shares]


# RF-T1
def test_six_chips_spent_by_four_players_give_one_each_and_two_wait():
    g = game("royal_flush", 4)
    play(g, spend(0, 3), spend(1, 2), spend(2, 1))
    shows(g, chips=[2, 3, 4, 5], spent=6, carry=0)
    play(g, royal(3))
    shows(g, chips=[3, 4, 5, 6], spent=0, carry=2, round=2, phase="PLAY")
    assert shares(g) == [(1, 2)]


# RF-T6
def test_waiting_chips_join_the_next_distribution():
    g = game("royal_flush", 4)
    play(g, spend(0, 3), spend(1, 3), royal(3))
    shows(g, carry=2)
    play(g, spend(2, 3), royal(0))
    shows(g, chips=[4, 4, 4, 7], spent=0, carry=1, round=3)
    assert shares(g) == [(1, 2), (1, 1)]


# RF-T7
def test_three_players_share_seven_chips_and_then_six():
    g = game("royal_flush", 3)
    play(g, spend(0, 5), spend(1, 2), royal(2))
    shows(g, chips=[2, 5, 7], carry=1)
    play(g, spend(2, 5), royal(2))
    shows(g, chips=[4, 7, 4], carry=0)


# RF-T8
def test_too_few_chips_to_share_all_wait_and_all_chips_spent_come_back():
    g = game("royal_flush", 4)
    play(g, spend(1, 3), royal(0))
    shows(g, chips=[5, 2, 5, 5], carry=3, spent=0)
    g = game("royal_flush", 5)
    for p in range(5):
        play(g, spend(p, 5))
    shows(g, chips=[0, 0, 0, 0, 0], spent=25)
    play(g, royal(4))
    shows(g, chips=[5, 5, 5, 5, 5], carry=0, spent=0)


# RF-T9
def test_a_player_with_two_chips_cannot_spend_three():
    for turns in ("free", "follow"):
        g = game("royal_flush", 3, turns=turns)
        play(g, take(0, 2, 1), take(1), take(2))
        refuses(g, "E_CHIPS", take(0, 1, 2))
        play(g, take(0, 1, 1))
        shows(g, chips=[0, 5, 5], spent=5)


# RF-T10
def test_the_order_inside_a_turn_is_swap_then_draw_then_buy():
    g = game("royal_flush", 2, turns="follow")
    refuses(g, "E_ORDER", ev("buy", p=0))
    refuses(g, "E_MUST_DRAW", ev("end_turn", p=0))
    play(g, ev("swap", p=0))
    refuses(g, "E_MUST_DRAW", ev("end_turn", p=0))
    refuses(g, "E_ORDER", ev("buy", p=0))
    play(g, ev("draw", p=0))
    refuses(g, "E_ORDER", ev("swap", p=0), ev("draw", p=0))
    play(g, ev("buy", p=0), ev("end_turn", p=0))
    shows(g, chips=[3, 5], spent=2)


def last_round_of_four(**house_rules):
    """Three rounds in which every one of the first three players ended one; nine chips lie spent."""
    g = game("royal_flush", 4, **house_rules)
    play(g, spend(0, 2), spend(1, 2), royal(0))
    play(g, royal(1))
    shows(g, chips=[4, 4, 6, 6], carry=0)
    play(g, spend(0, 1), spend(1, 2), spend(2, 6))
    shows(g, chips=[3, 2, 0, 6], spent=9, totals=[25, 25, 0, 0], winners=[])
    play(g, royal(2))
    return g


# RF-T11
def test_after_the_third_round_held_chips_count_two_and_spent_ones_nothing():
    g = last_round_of_four()
    shows(g, phase="OVER", chips=[3, 2, 0, 6], spent=9, totals=[25 + 6, 25 + 4, 25 + 0, 0 + 12])
    ended(g, [0])


# RF-T12
def test_sharing_out_after_the_last_round_raises_everybody_alike():
    without = last_round_of_four()
    shared = last_round_of_four(distribute_after_last="on")
    shows(shared, chips=[5, 4, 2, 8], spent=0, carry=1)
    gain = [a - b for a, b in zip(shared.summary()["totals"], without.summary()["totals"])]
    assert gain == [4, 4, 4, 4]
    ended(shared, without.summary()["winners"])


# RF-T13
def test_three_pairs_pay_two_one_one_and_the_board_is_full():
    g = game("royal_flush", 4)
    play(g, score(0, "pair"), score(1, "pair"), score(2, "pair"))
    shows(g, totals=[2, 1, 1, 0], pieces=[4, 4, 4, 5])
    assert g.summary()["slots"]["pair"] == [0, 1, 2]
    refuses(g, "E_BOARD_FULL", score(3, "pair"), score(0, "pair"))


# RF-T14
def test_one_player_may_take_two_slots_of_a_board():
    g = game("royal_flush", 2, turns="follow")
    play(g, score(0, "four_kind"), take(1))
    shows(g, totals=[14, 0])
    play(g, score(0, "four_kind"))
    shows(g, totals=[26, 0])
    assert g.summary()["slots"]["four_kind"] == [0, 0, None]


# RF-T15
def test_fifth_piece_ends_the_round_at_once():
    g = game("royal_flush", 3, turns="follow")
    for board in ("pair", "three_kind", "full_house", "big_flush"):
        play(g, score(0, board), take(1), take(2))
    shows(g, pieces=[1, 5, 5], round=1, start=0, round_points=[])
    play(g, score(0, "straight_flush"))
    shows(g, round=2, phase="PLAY", start=1, pieces=[5, 5, 5])
    shows(g, round_points=[[2 + 6 + 10 + 11 + 13, 0, 0]], totals=[42, 0, 0])
    assert occupied(g) == 0
    refuses(g, "E_TURN", take(2))
    play(g, take(1))


# RF-T16
def test_a_royal_flush_as_first_piece_ends_the_round_with_25():
    g = game("royal_flush", 4)
    play(g, royal(1))
    shows(g, round=2, round_points=[[0, 25, 0, 0]], totals=[0, 25, 0, 0], pieces=[5, 5, 5, 5])
    assert g.summary()["slots"]["royal_flush"] == [None]
    play(g, royal(1))
    shows(g, round=3, round_points=[[0, 25, 0, 0], [0, 25, 0, 0]])


# RF-T17
def test_the_seat_after_the_last_one_is_the_first():
    g = game("royal_flush", 4)
    play(g, royal(3))
    shows(g, start=0)
    play(g, royal(1))
    shows(g, start=2)


# RF-T18
def test_the_boards_can_never_all_be_full():
    g = game("royal_flush", 5)
    slots = [board for board in STARTER if board != "royal_flush" for _ in range(3)]
    for i in range(20):
        play(g, score(i % 5, slots[i]))
    assert occupied(g) == 20
    assert sum(len(row) for row in g.summary()["slots"].values()) == 25
    shows(g, pieces=[1, 1, 1, 1, 1], round=1)
    play(g, score(0, slots[20]))
    shows(g, pieces=[5, 5, 5, 5, 5], round=2)


# RF-T19
def test_the_best_round_of_the_starter_boards_is_65_or_78_with_a_royal_flush():
    g = game("royal_flush", 2)
    scores(g, 0, "four_kind", "perfect_triple", "big_straight", "straight_flush", "four_kind")
    shows(g, round_points=[[65, 0]])
    scores(g, 0, "four_kind", "perfect_triple", "big_straight", "straight_flush", "royal_flush")
    shows(g, round_points=[[65, 0], [78, 0]])


def most_points(boards, pieces):
    """Return the most points a player can get with this number of pieces, each on the highest free slot of a board."""
    if not boards or not pieces:
        return 0
    slots = BOARDS[boards[0]][0]
    options = range(min(pieces, len(slots)) + 1)
    return max([sum(slots[:k]) + most_points(boards[1:], pieces - k) for k in options])


# RF-T19
def test_no_round_of_the_starter_boards_is_worth_more():
    boards = [board for board in STARTER if board != "royal_flush"]
    assert most_points(boards, 5) == 65
    assert most_points(boards, 4) + 25 == 78


# RF-T20
def test_without_children_no_joker_is_in_the_game():
    refuses(game("royal_flush", 3), "E_JOKER_NOT_CHILD", score(1, "pair", jokers=1), score(2, "pair", "7H *"))


# RF-T20
def test_more_jokers_than_the_game_has_or_the_board_takes_are_refused():
    g = game("royal_flush", 3, child=[1, 0, 0])
    refuses(g, "E_JOKER_LIMIT", score(0, "three_kind", jokers=3), score(1, "four_kind", jokers=3))
    g = game("royal_flush", 3, child=[1, 1, 0])
    refuses(g, "E_JOKER_LIMIT", score(0, "pair", jokers=3), score(0, "big_flush", jokers=5))


# RF-T20
def test_a_joker_that_nobody_was_given_is_doubted_and_taken_when_confirmed():
    g = game("royal_flush", 3, child=[1, 0, 0])
    shows(g, jokers=[2, 0, 0])
    refuses(g, "W_JOKER_ADULT", score(1, "pair", jokers=1), score(2, "pair", "7H *"))
    play(g, score(0, "pair", jokers=1))
    shows(g, jokers=[1, 0, 0])
    refuses(g, "W_JOKER_LIMIT", score(0, "three_kind", jokers=2), score(0, "pair", "* *"))
    play(g, dict(score(0, "three_kind", jokers=2), confirm=True), dict(score(1, "pair", "7H *"), confirm=True))
    shows(g, jokers=[0, 0, 0], totals=[8, 1, 0])


def two_players_before_the_last_round(*others):
    """Anna and Ben have ended a round each; Ben has set some more pieces; Anna collects her 15."""
    g = game("royal_flush", 2)
    scores(g, 1, *others)
    play(g, royal(0), royal(1))
    return g


# RF-T21
def test_equal_points_are_decided_by_the_chips():
    g = two_players_before_the_last_round("straight_flush", "three_kind")
    play(g, spend(0, 1), spend(1, 3))
    scores(g, 0, "pair", "pair", "pair", "three_kind", "three_kind")
    shows(g, chips=[4, 2], totals=[48, 48])
    ended(g, [0])


# RF-T22
def test_equal_points_and_equal_chips_make_two_winners():
    g = two_players_before_the_last_round("straight_flush", "pair")
    play(g, spend(0, 2), spend(1, 2))
    scores(g, 0, "pair", "pair", "pair", "three_kind", "three_kind")
    shows(g, chips=[3, 3], totals=[46, 46])
    ended(g, [0, 1])


# RF-T25
def test_the_table_can_stop_early_and_everything_counts_as_it_stands():
    g = game("royal_flush", 2)
    play(g, score(0, "pair"), royal(1))
    play(g, spend(0, 2), spend(1, 1), score(0, "four_kind"), score(1, "pair"))
    shows(g, chips=[3, 4], early=False)
    play(g, ev("end_game"))
    shows(g, phase="OVER", early=True, chips=[3, 4], spent=3, round=2, pieces=[5, 5])
    shows(g, round_points=[[2, 25], [14, 2]], totals=[2 + 14 + 6, 25 + 2 + 8])
    ended(g, [1])
    refuses(g, "E_OVER", ev("end_game"), spend(0, 1))


def test_a_game_that_stops_early_shares_the_pot_only_if_the_last_round_would():
    g = game("royal_flush", 2, distribute_after_last="on")
    play(g, spend(0, 2), spend(1, 1), ev("end_game"))
    shows(g, chips=[4, 5], spent=0, carry=1, totals=[8, 10], early=True)


def test_a_game_can_stop_between_two_rounds():
    g = game("royal_flush", 2, redraw_boards_each_round="on")
    play(g, spend(0, 2), royal(1))
    told = list(g.round_points)
    shows(g, phase="BETWEEN", chips=[4, 6])
    play(g, ev("end_game"))
    shows(g, phase="OVER", early=True, round_points=told, totals=[8, 25 + 12])


# RF-T5
def test_the_starter_layout_has_two_boards_of_each_category_and_the_royal_flush():
    assert len(STARTER) == 9 and len(set(STARTER)) == 9 and "royal_flush" in STARTER
    categories = sorted([BOARDS[board][2] for board in STARTER if board != "royal_flush"])
    assert categories == ["A", "A", "B", "B", "C", "C", "D", "D"]
    g = game("royal_flush", 2)
    assert set(g.summary()["slots"]) == set(STARTER) == set(g.boards)


def test_the_boards_pay_what_is_printed_on_them():
    printed = (
        ("pair", (2, 1, 1), 2), ("perfect_pair", (3, 2, 1), 2), ("double_pair", (4, 3, 2), 4),
        ("three_kind", (6, 5, 4), 3), ("triple_pair", (9, 8, 7), 6), ("full_house", (10, 8, 6), 5),
        ("double_three", (13, 12, 11), 6), ("four_kind", (14, 12, 10), 4), ("flush", (8, 6, 4), 5),
        ("big_flush", (11, 9, 7), 6), ("perfect_triple", (13, 10, 7), 6), ("pictures", (13, 12, 11), 6),
        ("straight", (7, 6, 4), 5), ("big_straight", (13, 11, 9), 7), ("straight_flush", (13, 11, 9), 5),
        ("big_straight_flush", (16, 14, 12), 6), ("royal_flush", (25,), 5),
    )
    assert len(BOARDS) == 17
    for board, slots, cards in printed:
        assert tuple(BOARDS[board][0]) == slots, board
        assert BOARDS[board][1] == cards, board
    blocks = [BOARDS[board][2] for board, _, _ in printed[:16]]
    assert blocks == ["A"] * 4 + ["B"] * 4 + ["C"] * 4 + ["D"] * 4


def test_children_share_the_six_jokers():
    for children, each in ((0, 0), (1, 2), (2, 2), (3, 2), (4, 1), (5, 1)):
        child = [1] * children + [0] * (5 - children)
        shows(game("royal_flush", 5, child=child), jokers=[each * c for c in child])


def test_totals_count_the_current_round_but_no_chips_before_the_end():
    g = game("royal_flush", 3)
    shows(g, totals=[0, 0, 0], winners=[], round=1, start=0, round_points=[], spent=0, carry=0)
    play(g, score(2, "big_straight"), royal(0))
    shows(g, totals=[25, 0, 13])
    play(g, score(1, "full_house"))
    shows(g, totals=[25, 10, 13], round_points=[[25, 0, 13]])
    assert not g.over


def test_the_player_left_of_the_dealer_starts():
    shows(game("royal_flush", 4), start=0)
    shows(game("royal_flush", 4, dealer=1), start=2)


def test_the_screen_can_ask_which_boards_are_open_and_what_they_pay():
    g = game("royal_flush", 3)
    assert dict(g.open_boards(0))["royal_flush"] == 25
    assert len(g.open_boards(0)) == 9
    play(g, score(0, "pair"), score(1, "pair"), score(2, "pair"), score(1, "four_kind"))
    pays = dict(g.open_boards(0))
    assert "pair" not in pays
    assert pays["four_kind"] == 12 and pays["three_kind"] == 6


def test_a_snapshot_brings_everything_back():
    g = game("royal_flush", 3, child=[0, 1, 0])
    play(g, spend(0, 2), score(1, "pair", jokers=1))
    before, told = g.snapshot(), g.summary()
    play(g, score(0, "pair"), royal(2))
    assert g.snapshot() != before
    g.restore(before)
    assert g.snapshot() == before and g.summary() == told
    assert code_of(g.apply, royal(2)) is None


def test_children_are_marked_seat_by_seat():
    shows(game("royal_flush", 3), jokers=[0, 0, 0])
    shows(game("royal_flush", 3, child=[0, 1, 0]), jokers=[0, 2, 0])
    for child in ([0, 1], [0, 1, 0, 0], [0, 2, 0], [0, "1", 0], [0, -1, 0], 1, "010", [0, 1.0, 0]):
        refuses_setup("E_ARG", setup("royal_flush", 3, child=child))


def swapped(old, new):
    """Return the starter layout with one board replaced."""
    return [new if board == old else board for board in STARTER]


def test_boards_are_nine_different_ones_with_the_royal_flush():
    assert set(game("royal_flush", 2, boards=list(STARTER)).summary()["slots"]) == set(STARTER)
    assert set(game("royal_flush", 2, boards="starter").summary()["slots"]) == set(STARTER)
    for boards, code in (
        (list(STARTER)[:8], "E_BOARD_COUNT"),
        (list(STARTER) + ["flush"], "E_BOARD_COUNT"),
        ([], "E_BOARD_COUNT"),
        (swapped("pair", "three_kind"), "E_BOARD_DUP"),
        (swapped("royal_flush", "flush"), "E_BOARD_NO_RF"),
        (swapped("pair", "nonsense"), "E_BOARD"),
        (swapped("pair", "flush"), "W_BOARDS_CATEGORY"),
        (7, "E_ARG"),
        (None, "E_ARG"),
        (swapped("pair", 7), "E_ARG"),
    ):
        refuses_setup(code, setup("royal_flush", 2, boards=boards))
    assert code_of(new_game, sure(setup("royal_flush", 2, boards=swapped("pair", "flush")))) is None


def test_which_fault_of_a_set_up_is_told_first():
    uneven, doubled = swapped("pair", "flush"), swapped("pair", "three_kind")
    option = {"colour": "red"}
    refuses_setup("E_ARG", setup("royal_flush", 1, option, boards=doubled, dealer="0"))
    refuses_setup("E_ARG", setup("royal_flush", 1, option, boards=7))
    refuses_setup("E_PLAYERS", setup("royal_flush", 1, option, boards=doubled, dealer=0))
    refuses_setup("E_SETTING", setup("royal_flush", 2, option, boards=doubled))
    refuses_setup("E_SETTING", setup("royal_flush", 2, option, boards=uneven))
    refuses_setup("E_BOARD_DUP", setup("royal_flush", 2, boards=doubled))


def test_a_doubt_is_not_settled_by_saying_no():
    uneven = setup("royal_flush", 2, boards=swapped("pair", "flush"))
    uneven["confirm"] = False
    refuses_setup("W_BOARDS_CATEGORY", uneven)
