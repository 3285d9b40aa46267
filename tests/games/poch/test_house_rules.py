"""Test the house rules of Poch, players short of chips, loans, retired seats and the end of the game."""

from games.poch.case import (
    LEAVE_ALL,
    START,
    best,
    bid,
    bidding,
    cash,
    hold,
    in_sight,
    last_card,
    loan,
    out,
    pool,
    reveal,
)
from helpers.play import ended, ev, game, play, refuses, refuses_setup, setup, shows


def all_pass(g):
    """Let everybody pass, when nobody has cashed; the last cards are being played."""
    play(g, START, LEAVE_ALL)
    while g.phase == "BID":
        play(g, out(g.turn))


# P-T16
def test_who_cannot_double_the_bank_pays_what_he_has():
    g = bidding(2, chips_total=60)
    play(g, bid(0, 10), hold(1))
    shows(g, chips=[12, 12], bank=20)
    ((code, info),) = g.apply(best(1))
    assert code == "W_SHORT" and 8 in info.values()
    shows(g, chips=[0, 12 + 32 + 2], bank=0, phase="PLAYOUT")


def test_with_debts_allowed_the_bank_is_doubled_in_full():
    g = bidding(2, chips_total=60, shortage="debt")
    play(g, bid(0, 10), hold(1))
    assert play(g, best(1)) == []
    shows(g, chips=[12 - 20, 12 + 40 + 2], bank=0)
    assert in_sight(g) == 60


# P-T17
def test_a_player_with_seven_chips_cannot_pay_the_ante():
    g = game("poch", 2, chips_total=16)
    play(g, loan(0, 1, 1))
    shows(g, chips=[7, 9])
    refuses(g, "E_ANTE_SHORT", START)
    refuses(g, "E_SUIT", ev("start_round", trump="X"))
    play(g, loan(1, 0, 1), START)
    shows(g, chips=[0, 0], phase="CASH")
    g = game("poch", 2, chips_total=16, shortage="debt")
    play(g, loan(0, 1, 1), START)
    shows(g, chips=[-1, 1], phase="CASH")


def test_a_short_purse_that_has_retired_stops_nobody():
    g = game("poch", 3, chips_total=24)
    play(g, loan(0, 1, 1))
    refuses(g, "E_ANTE_SHORT", START)
    play(g, ev("retire", p=0), START)
    shows(g, chips=[7, 1, 0])


# P-A16
def test_who_cannot_pay_for_the_cards_left_pays_what_he_has():
    for shortage, notes, chips in (("partial", ["W_SHORT"], [0, 0]), ("debt", [], [5, -5])):
        g = game("poch", 2, chips_total=16, shortage=shortage)
        all_pass(g)
        assert play(g, last_card(0, p1=5)) == notes
        shows(g, chips=chips)
        assert in_sight(g) == 16


def test_bids_stay_inside_the_purse_even_with_debts():
    g = bidding(3, shortage="debt")
    refuses(g, "E_CHIPS", bid(0, 93))
    play(g, bid(0, 92))
    shows(g, chips=[0, 92, 92])


# P-T20
def test_bidding_until_matched_goes_round_again():
    g = bidding(4, bidding="until_matched")
    play(g, bid(0, 3), bid(1, 5), out(2), bid(3, 7))
    shows(g, phase="BID", bank=15)
    assert g.turn == 0 and g.to_hold(0) == 4
    play(g, hold(0))
    refuses(g, "E_TURN", out(2), out(3))
    play(g, out(1))
    shows(g, phase="SHOW", bank=19, chips=[60, 62, 67, 60])
    assert list(g.contestants()) == [0, 3] and g.high_bidder == 3


def test_a_later_bid_names_the_whole_stake():
    g = bidding(4, bidding="until_matched")
    play(g, bid(0, 60), bid(1, 62), out(2), out(3))
    refuses(g, "E_BID_LOW", bid(0, 62))
    refuses(g, "E_CHIPS", bid(0, 68))
    play(g, bid(0, 67))
    shows(g, chips=[0, 5, 67, 67], bank=129, phase="BID")
    play(g, hold(1))
    shows(g, chips=[0, 0, 67, 67], bank=134, phase="SHOW")
    assert g.high_bidder == 0


def test_bidding_until_matched_ends_when_all_hold_or_one_is_left():
    g = bidding(4, bidding="until_matched")
    play(g, bid(0, 3), hold(1), hold(2))
    shows(g, phase="BID")
    play(g, hold(3))
    shows(g, phase="SHOW", bank=12)
    g = bidding(4, bidding="until_matched")
    play(g, bid(0, 3), out(1), out(2), bid(3, 4), out(0))
    shows(g, phase="PLAYOUT", bank=0, chips=[64, 67, 67, 67 + 3 + 4])
    g = bidding(4, bidding="until_matched")
    play(g, out(0), out(1), out(2), out(3))
    shows(g, phase="PLAYOUT", bank=0)


# P-A7
def test_a_single_lap_leaves_the_raise_unanswered():
    g = bidding(4)
    play(g, bid(0, 3), bid(1, 5), out(2), bid(3, 7))
    shows(g, phase="SHOW", bank=15)


# P-A10
def test_nobody_doubles_for_a_holder_if_holding_counts_as_much_as_bidding():
    for held, first, taken in (("doubles", 67 - 5 - 15, 30), ("equal", 67 - 5, 15)):
        for name_best in (best(2), reveal(p0=(2, "7", False), p2=(3, "A", False))):
            g = bidding(4, held=held)
            play(g, bid(0, 5), out(1), hold(2), hold(3))
            shows(g, phase="SHOW", bank=15)
            play(g, name_best)
            shows(g, chips=[first, 67, 67 - 5 + taken + 4, 67 - 5], bank=0, phase="PLAYOUT")
            assert pool(g, "POCHER") == 0


# P-A10
def test_a_lower_stake_that_is_best_is_doubled_by_who_named_the_highest():
    for held in ("doubles", "equal"):
        g = bidding(4, held=held)
        play(g, bid(0, 3), bid(1, 5), out(2), hold(3))
        shows(g, phase="SHOW", bank=13)
        play(g, best(0))
        shows(g, chips=[67 - 3 + 26 + 4, 67 - 5 - 13, 67, 67 - 5])
        g = bidding(4, held=held)
        play(g, bid(0, 3), hold(1), bid(2, 5), out(3))
        play(g, best(1))
        shows(g, chips=[67 - 3, 67 - 3 + 22 + 4, 67 - 5 - 11, 67])


# P-A10
def test_the_one_who_named_the_bid_never_doubles_his_own():
    for held in ("doubles", "equal"):
        g = bidding(4, held=held)
        play(g, bid(0, 5), out(1), hold(2), hold(3), best(0))
        shows(g, chips=[67 - 5 + 15 + 4, 67, 67 - 5, 67 - 5])


# P-A10
def test_bidding_until_matched_has_no_doubling_if_holders_are_equal():
    g = bidding(3, bidding="until_matched", held="equal")
    play(g, bid(0, 3), bid(1, 5), out(2), hold(0))
    shows(g, phase="SHOW", bank=10)
    play(g, best(0))
    shows(g, chips=[92 - 5 + 10 + 3, 92 - 5, 92])
    refuses_setup("E_SETTING", setup("poch", 3, held="both"))


# P-A12
def test_nobody_with_a_poch_leaves_the_bank_and_its_doubling_for_later():
    for nothing in (best(None), ev("reveal", hands={})):
        g = bidding(4)
        play(g, bid(0, 5), hold(1), out(2), out(3), nothing)
        shows(g, phase="PLAYOUT", bank=10, chips=[62, 62, 67, 67])
        assert pool(g, "POCHER") == 4 and g.starter() == 0
        play(g, last_card(2, p0=1, p1=1, p3=1), START, LEAVE_ALL)
        shows(g, bank=10, chips=[53, 53, 62, 58])
        play(g, bid(1, 1), out(2), out(3), hold(0), best(0))
        shows(g, bank=0, chips=[53 - 1 + 24 + 8, 53 - 1 - 12, 62, 58])


def test_contestants_without_a_poch_are_left_out_of_the_reveal():
    g = bidding(4)
    play(g, bid(0, 5), hold(1), out(2), hold(3), reveal(p3=(2, "7", False)))
    shows(g, chips=[67 - 5 - 15, 62, 67, 62 + 30 + 4], phase="PLAYOUT")


def test_single_cards_decide_only_where_the_table_says_so():
    g = bidding(4)
    play(g, bid(0, 5), hold(1), out(2), out(3))
    refuses(g, "E_POCH", reveal(p0=(1, "A", False), p1=(1, "K", False)))
    g = bidding(4, no_poch="high_card")
    play(g, bid(0, 5), hold(1), out(2), out(3))
    refuses(g, "E_POCH", reveal(p0=(3, "K", True), p1=(1, "K", True)), reveal(p0=(0, "A", False)))
    cases = (
        ((1, "A", False), (1, "K", True), [62 + 14, 62, 67, 67], 0),
        ((1, "A", False), (2, "7", False), [62 - 10, 62 + 24, 67, 67], 0),
        ((1, "Q", False), (1, "Q", True), [62 - 10, 62 + 24, 67, 67], 0),
        ((1, "Q", False), (1, "Q", False), [62, 62, 67, 67], 10),
    )
    for first, second, chips, bank in cases:
        g = bidding(4, no_poch="high_card")
        play(g, bid(0, 5), hold(1), out(2), out(3), reveal(p0=first, p1=second))
        shows(g, phase="PLAYOUT", bank=bank, chips=chips)


def test_a_card_may_count_for_one_pool_only():
    g = game("poch", 4, overlap_cash="off")
    play(g, START, *cash(0, "K"))
    refuses(g, "E_CASH_CONFLICT", *cash(0, "MARRIAGE"))
    g = game("poch", 4, overlap_cash="off")
    play(g, START, *cash(0, "MARRIAGE", "A", "J", "T"))
    refuses(g, "E_CASH_CONFLICT", *cash(0, "K", "Q"))
    play(g, ev("end_cash"))
    shows(g, phase="BID")


# P-A17
def test_the_deal_goes_left_or_to_the_winner_or_nowhere():
    for rule, dealer in (("left", 0), ("winner", 2), ("fixed", 3)):
        g = game("poch", 4, {"dealer": rule}, dealer=3)
        all_pass(g)
        play(g, last_card(2, p0=1, p1=1, p3=1))
        shows(g, dealer=dealer, round=2)


# P-A21
def test_a_loan_helps_nobody_in_the_ranking():
    g = game("poch", 3)
    play(g, loan(0, 1, 30), loan(2, 1, 5))
    shows(g, chips=[70, 135, 95], owed=[30, -35, 5], totals=[100, 100, 100])
    play(g, loan(1, 0, 30))
    shows(g, chips=[100, 105, 95], owed=[0, -5, 5])
    play(g, START, LEAVE_ALL, out(0), out(1), out(2), last_card(0, p1=2, p2=1), ev("end_game"))
    shows(g, chips=[95, 95, 86], owed=[0, -5, 5], totals=[95, 90, 91])
    assert g.winners() == [0]
    g = game("poch", 3, loans="gift")
    play(g, loan(0, 1, 30), ev("end_game"))
    shows(g, owed=[0, 0, 0], totals=[70, 130, 100])


def test_loans_move_chips_between_rounds_only():
    g = game("poch", 3)
    refuses(g, "E_CHIPS", loan(0, 1, 101))
    refuses(g, "E_ARG", loan(0, 1, "5"), loan("0", 1, 5), ev("loan", to=1, k=5))
    refuses(g, "E_PLAYER", loan(0, 3, 5), loan(3, 0, 5))
    play(g, loan(0, 2, 100))
    shows(g, chips=[0, 100, 200])
    play(g, loan(2, 0, 50), START)
    refuses(g, "E_PHASE", loan(2, 0, 1), ev("retire", p=0), ev("end_game"), START)


def test_a_retired_seat_keeps_its_chips_and_is_out():
    g = game("poch", 4, dealer=3)
    play(g, loan(0, 1, 10), ev("retire", p=1))
    refuses(g, "E_PLAYER", ev("retire", p=1))
    play(g, START)
    shows(g, chips=[57, 85, 67, 67])
    assert list(g.pools) == [3] * 8
    assert [g.hands[p] for p in (0, 2, 3)] == [11, 11, 10]
    refuses(g, "E_PLAYER", *cash(1, "A"))
    play(g, LEAVE_ALL, out(0))
    refuses(g, "E_PLAYER", out(1))
    play(g, out(2), out(3), last_card(3, p0=11, p2=1))
    shows(g, chips=[46, 85, 66, 79], dealer=0)
    play(g, START, LEAVE_ALL)
    assert g.turn == 2
    play(g, out(2), out(3), out(0))
    refuses(g, "E_PLAYER", last_card(1, p0=1, p2=1, p3=1))
    play(g, last_card(0, p2=1, p3=1))
    shows(g, dealer=2)
    play(g, ev("end_game"))
    ended(g, [1])


def test_the_next_seat_deals_when_the_dealer_retires():
    g = game("poch", 4, dealer=3)
    play(g, ev("retire", p=0), ev("retire", p=3))
    shows(g, dealer=1, phase="READY")
    play(g, START, LEAVE_ALL)
    assert g.turn == 2


def test_retiring_below_two_players_ends_the_game():
    g = game("poch", 3, loans="gift")
    play(g, loan(0, 1, 1), ev("retire", p=1))
    shows(g, phase="READY", winners=[])
    play(g, ev("retire", p=0))
    shows(g, phase="OVER", chips=[99, 101, 100])
    ended(g, [1])
    refuses(g, "E_OVER", START, ev("retire", p=2), loan(9, 1, 1), ev("end_game"), bid(0, 1))
    refuses(g, "E_ARG", loan(0, 1, "1"), ev("nonsense"))


def with_chips_left(last_word, **house_rules):
    """Return four players who stop with 32 chips in the pools and six in the bank."""
    g = game("poch", 4, **house_rules)
    play(g, START, LEAVE_ALL, bid(0, 3), out(1), out(2), hold(3), best(None))
    play(g, last_card(1, p0=1, p2=1, p3=2), *last_word)
    return g


# P-A18
def test_pools_left_at_the_end_belong_to_nobody_or_are_split():
    end = (ev("end_game"),)
    g = with_chips_left(end)
    shows(g, phase="OVER", chips=[63, 71, 66, 62], totals=[63, 71, 66, 62], bank=6)
    assert sum(g.pools) == 32
    ended(g, [1])
    all_retire = (ev("retire", p=0), ev("retire", p=1), ev("retire", p=3))
    for last_word in (end, all_retire):
        g = with_chips_left(last_word, final_pools="split")
        shows(g, phase="OVER", chips=[72, 80, 75, 71], bank=2)
        assert sum(g.pools) == 0 and in_sight(g) == 300
        ended(g, [1])


def test_equal_chips_share_the_win():
    g = game("poch", 3)
    play(g, ev("end_game"))
    ended(g, [0, 1, 2])


# P-A2
def test_the_number_of_chips_can_be_chosen():
    shows(game("poch", 3, chips_total=200), chips=[66, 66, 66])
    shows(game("poch", 8, chips_total=64), chips=[8] * 8)
    for total in (63, 0, "300", True, 64.0, None):
        refuses_setup("E_SETTING", setup("poch", 8, chips_total=total))


def test_events_of_another_phase_are_refused_before_anything_is_looked_at():
    g = game("poch", 4)
    refuses(g, "E_PHASE", *cash(9, "X"))
    refuses(g, "E_PHASE", ev("end_cash"), bid(9, 0), hold(0), out(0), best(9), last_card(9))
    refuses(g, "E_PHASE", ev("lead", p=9, dir="UP"), reveal(p0=(9, "A", True)))
    refuses(g, "E_SUIT", ev("start_round", trump="X"), ev("start_round", trump="hearts"))
    refuses(g, "E_ARG", ev("start_round"), ev("start_round", trump=1))
    play(g, START)
    refuses(g, "E_PHASE", START, bid(0, 1), best(0), last_card(0))
    refuses(g, "E_PLAYER", *cash(4, "X"))
    play(g, LEAVE_ALL)
    refuses(g, "E_PHASE", ev("end_cash"), *cash(0, "A"))
    refuses(g, "E_PLAYER", bid(4, 0))
    refuses(g, "E_TURN", bid(1, 0), hold(1))
    play(g, bid(0, 1), hold(1), out(2), out(3))
    refuses(g, "E_PLAYER", best(4), reveal(p4=(2, "A", True)))
    for rank in (5, None, "X", "6", "AK", ""):
        refuses(g, "E_ARG", reveal(p0=(2, rank, True)))
    refuses(g, "E_ARG", ev("showdown"), best(True), best("0"), ev("reveal"), ev("reveal", hands=5))
    refuses(g, "E_ARG", ev("reveal", hands={"x": [2, "A", True]}), ev("reveal", hands={"0": [2, "A"]}))
    refuses(g, "E_ARG", ev("reveal", hands={"0": [2, "A", 1]}), ev("reveal", hands={"0": ["2", "A", True]}))
    play(g, best(1))
    refuses(g, "E_ARG", ev("lead", p=1, dir="LEFT"), ev("lead", p=1), ev("end_round", winner=0))
    refuses(g, "E_ARG", ev("end_round", winner=0, left=[1, 2, 3]), ev("end_round", left={}))


def test_the_screen_can_ask_what_the_settlement_brings():
    g = game("poch", 4)
    all_pass(g)
    assert list(g.settlement(0, {1: 2, 2: 3, 3: 1})) == [6, -2, -3, -1]
    shows(g, chips=[67] * 4)


def test_what_can_be_entered_follows_the_phases():
    g = game("poch", 2)
    assert set(g.legal()) == {"start_round", "loan", "retire", "end_game"}
    play(g, START)
    assert set(g.legal()) == {"cash", "end_cash"}
    play(g, LEAVE_ALL, bid(0, 1))
    assert set(g.legal()) == {"bid", "hold", "pass"}
    play(g, hold(1))
    assert set(g.legal()) == {"showdown", "reveal"}
    play(g, best(0))
    assert set(g.legal()) == {"lead", "end_round"}
    play(g, last_card(0, p1=1), ev("end_game"))
    assert g.legal() == []
