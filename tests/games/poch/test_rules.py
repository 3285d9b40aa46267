"""Test a round of Poch from the ante to the settlement."""

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
    out,
    pool,
    reveal,
)
from helpers.play import ev, game, play, refuses, shows, sure
from kiebitz.games.poch.rules_bidding import POOLS


def contest(*seats, **keys):
    """Four players; these have bid or held 5, the others have passed; it is time to show."""
    g = bidding(4, **keys)
    for p in range(4):
        if p not in seats:
            play(g, out(p))
        elif p == seats[0]:
            play(g, bid(p, 5))
        else:
            play(g, hold(p))
    shows(g, phase="SHOW", bank=5 * len(seats))
    return g


def took(g):
    """Return the seats that hold more than they did after the ante."""
    return [p for p, chips in enumerate(g.summary()["chips"]) if chips > 67]


# P-T1
def test_four_eights_beat_three_aces():
    g = contest(0, 1)
    play(g, reveal(p0=(3, "A", True), p1=(4, "8", True)))
    assert took(g) == [1]
    shows(g, phase="PLAYOUT", chips=[67 - 5 - 10, 67 - 5 + 20 + 4, 67, 67], bank=0)


# P-T2
def test_the_rank_decides_between_equal_counts():
    ranks = "AKQJT987"
    for higher, lower in zip(ranks, ranks[1:]):
        g = contest(1, 3)
        play(g, reveal(p1=(3, lower, True), p3=(3, higher, False)))
        assert took(g) == [3]
    g = contest(0, 2)
    play(g, reveal(p0=(2, "10", False), p2=(2, "9", True)))
    assert took(g) == [0]


# P-T3
def test_of_two_equal_pairs_the_one_with_the_trump_card_wins():
    for first, second in ((True, False), (False, True)):
        g = contest(0, 1)
        play(g, reveal(p0=(2, "K", first), p1=(2, "K", second)))
        assert took(g) == [0 if first else 1]


# P-T15
def test_every_showdown_is_decided():
    g = contest(0, 1, 2)
    for hands in (
        reveal(p0=(2, "K", False), p1=(2, "K", False)),
        reveal(p0=(2, "K", True), p1=(2, "K", True)),
        reveal(p0=(3, "K", True), p1=(3, "K", False)),
        reveal(p0=(3, "K", True), p1=(2, "K", False)),
        reveal(p0=(2, "K", True), p1=(2, "K", False), p2=(2, "K", False)),
        reveal(p0=(1, "A", True), p1=(2, "K", False)),
        reveal(p0=(5, "A", True)),
        reveal(p0=(0, "A", True)),
    ):
        refuses(g, "E_POCH", hands)


# P-T4
def test_300_chips_are_shared_out_evenly():
    for n, each in ((2, 150), (3, 100), (4, 75), (5, 60), (6, 50), (7, 42), (8, 37)):
        g = game("poch", n)
        shows(g, chips=[each] * n, totals=[each] * n, bank=0, phase="READY", round=1, trump=None)
        assert list(g.pools) == [0] * 8
        assert in_sight(g) == each * n


def test_32_cards_are_dealt_from_the_left_of_the_dealer():
    for n, dealer, hands in (
        (2, 1, [16, 16]), (3, 2, [11, 11, 10]), (4, 3, [8] * 4), (5, 4, [7, 7, 6, 6, 6]),
        (6, 5, [6, 6, 5, 5, 5, 5]), (7, 6, [5, 5, 5, 5, 4, 4, 4]), (8, 7, [4] * 8),
        (3, 0, [10, 11, 11]), (5, 1, [6, 6, 7, 7, 6]),
    ):
        g = game("poch", n, dealer=dealer)
        play(g, START)
        assert list(g.hands) == hands, (n, dealer)


# P-T5
def test_unclaimed_chips_stay_and_grow():
    g = game("poch", 3)
    play(g, START, *cash(0, "A"))
    play(g, LEAVE_ALL, out(0), out(1), out(2), last_card(1, p0=1, p2=1))
    assert pool(g, "A") == 0 and pool(g, "T") == 3 and pool(g, "SEQUENCE") == 3
    play(g, START)
    assert pool(g, "A") == 3 and pool(g, "T") == 6 and pool(g, "SEQUENCE") == 6
    play(g, *cash(2, "A", "T"))
    assert pool(g, "A") == 0 and pool(g, "T") == 0


def first_round():
    """Return a game of four at the showdown between Anna, Ben and Dan."""
    g = game("poch", 4, dealer=3)
    play(g, START)
    shows(g, chips=[67, 67, 67, 67], phase="CASH", trump="H")
    assert list(g.pools) == [4] * 8
    play(g, *cash(0, "K", "Q", "MARRIAGE"))
    play(g, *cash(1, "A"))
    play(g, *cash(2, "J", "T"))
    shows(g, chips=[79, 71, 75, 67])
    play(g, ev("end_cash"))
    shows(g, phase="BID")
    play(g, bid(0, 3), bid(1, 5), out(2), hold(3))
    shows(g, phase="SHOW", chips=[76, 66, 75, 62], bank=13)
    return g


# P-T6
def test_a_full_round_with_doubling():
    g = first_round()
    play(g, best(3))
    shows(g, phase="PLAYOUT", chips=[76, 53, 75, 92], bank=0)
    assert g.starter() == 3
    play(g, last_card(0, p1=2, p2=3, p3=1))
    shows(g, phase="READY", chips=[82, 51, 72, 91], dealer=0, round=2, trump=None)
    assert pool(g, "SEQUENCE") == 4 and in_sight(g) == 300
    play(g, START)
    assert pool(g, "SEQUENCE") == 8 and pool(g, "POCHER") == 4


# P-T7
def test_the_highest_bidder_with_the_best_poch_takes_the_bank_undoubled():
    g = first_round()
    play(g, best(1))
    shows(g, chips=[76, 83, 75, 62], bank=0)
    assert g.starter() == 1


# P-T8
def test_when_all_pass_bank_and_pocher_stay():
    g = bidding(4)
    play(g, out(0), out(1), out(2), out(3))
    shows(g, phase="PLAYOUT", bank=0, chips=[67] * 4)
    assert pool(g, "POCHER") == 4 and g.starter() == 0
    play(g, last_card(2, p0=1, p1=1, p3=1), START)
    assert pool(g, "POCHER") == 8


# P-T9
def test_a_bidder_alone_wins_without_showing():
    g = bidding(4)
    play(g, out(0), out(1), out(2), bid(3, 1))
    shows(g, phase="PLAYOUT", chips=[67, 67, 67, 71], bank=0)
    assert pool(g, "POCHER") == 0 and g.starter() == 3


# P-T10
def test_holders_are_not_the_highest_bidder():
    g = bidding(4)
    play(g, bid(0, 5), out(1), hold(2), hold(3))
    assert g.high_bidder == 0 and g.high == 5
    assert list(g.contestants()) == [0, 2, 3]
    shows(g, bank=15)
    play(g, best(2))
    shows(g, chips=[67 - 5 - 15, 67, 67 - 5 + 30 + 4, 67 - 5], bank=0)


# P-T11
def test_a_lower_stake_still_contests():
    g = bidding(4)
    play(g, bid(0, 5), bid(1, 8), out(2), out(3))
    shows(g, phase="SHOW", bank=13)
    assert list(g.contestants()) == [0, 1]
    play(g, best(0))
    shows(g, chips=[67 - 5 + 26 + 4, 67 - 8 - 13, 67, 67])


# P-T12
def test_who_has_passed_does_not_contest():
    g = contest(0, 1)
    refuses(g, "E_NOT_CONTESTANT", best(2), reveal(p0=(2, "7", False), p2=(4, "A", True)))


# P-T13
def test_bids_that_are_too_low_too_high_or_too_early():
    g = bidding(4)
    refuses(g, "E_NO_BID", hold(0))
    refuses(g, "E_BID_LOW", bid(0, 0))
    refuses(g, "E_CHIPS", bid(0, 68))
    play(g, bid(0, 5))
    refuses(g, "E_BID_LOW", bid(1, 5), bid(1, 4), bid(1, 0))
    play(g, bid(1, 67))
    refuses(g, "E_BID_LOW", bid(2, 67))
    refuses(g, "E_CHIPS", bid(2, 68))
    refuses(g, "E_ARG", bid(2, "9"), bid(2, True), bid(2, 70.0), ev("bid", p=2), bid(2, 1000001))
    play(g, hold(2))
    shows(g, chips=[62, 0, 0, 67], bank=139)


# P-T14
def test_pools_that_cannot_be_cashed():
    g = game("poch", 4)
    play(g, START, *cash(0, "K"))
    refuses(g, "E_CASH_CONFLICT", *cash(1, "MARRIAGE"))
    refuses(g, "E_POOL", *cash(1, "POCHER", "X", "a"))
    play(g, *cash(1, "A"))
    refuses(g, "E_CASHED", *cash(1, "A", "K"))
    refuses(g, "E_CASHED", *cash(2, "A"))
    play(g, *cash(0, "MARRIAGE"))
    refuses(g, "E_CASH_CONFLICT", *cash(1, "Q"))
    play(g, *cash(0, "Q"))
    play(g, *cash(3, "SEQUENCE"))
    shows(g, chips=[79, 71, 67, 71])


# P-A3
def test_whoever_shows_the_marriage_first_holds_king_and_queen():
    g = game("poch", 4)
    play(g, START, *cash(2, "MARRIAGE"))
    refuses(g, "E_CASH_CONFLICT", *cash(1, "K", "Q"))
    play(g, *cash(2, "K", "Q"))


# P-A4
def test_forgotten_pools_are_asked_for_once():
    g = game("poch", 4)
    play(g, START, *cash(0, "A", "K", "Q", "J"))
    refuses(g, "W_UNCASHED", ev("end_cash"), ev("end_cash", confirm=False))
    assert list(g.uncashed()) == ["T"]
    kept = g.canonical(sure(ev("end_cash")))
    assert kept == {"ev": "end_cash", "confirm": True}
    play(g, kept)
    shows(g, phase="BID")
    g = game("poch", 4)
    play(g, START, *cash(0, "A", "MARRIAGE", "J", "T"))
    refuses(g, "W_UNCASHED", ev("end_cash"))
    g = game("poch", 4)
    play(g, START, *cash(0, "A", "K", "Q", "J", "T"))
    play(g, ev("end_cash"))
    shows(g, phase="BID")
    assert [g.cashed[POOLS.index(name)] for name in ("A", "T", "SEQUENCE")] == [0, 0, None]


# P-T18
def test_the_direction_of_the_first_round_holds_for_the_game_or_for_the_round():
    for scope, code in (("game", "E_DIRECTION_LOCKED"), ("round", None)):
        g = bidding(4, direction_scope=scope)
        play(g, out(0), out(1), out(2), out(3), ev("lead", p=0, dir="UP"))
        refuses(g, "E_DIRECTION_LOCKED", ev("lead", p=1, dir="DOWN"))
        play(g, ev("lead", p=1, dir="UP"), last_card(0, p1=1, p2=1, p3=1))
        play(g, START, LEAVE_ALL, out(1), out(2), out(3), out(0))
        if code:
            refuses(g, code, ev("lead", p=1, dir="DOWN"))
            play(g, ev("lead", p=1, dir="UP"))
        else:
            play(g, ev("lead", p=1, dir="DOWN"))


# P-T19
def test_only_one_hand_can_be_empty_and_none_fuller_than_dealt():
    g = bidding(4)
    play(g, out(0), out(1), out(2), out(3))
    refuses(g, "E_TWO_OUT", last_card(0, p1=0, p2=3, p3=1))
    refuses(g, "E_LEFT", last_card(0, p1=9, p2=3, p3=1))
    refuses(g, "E_LEFT", last_card(0, p1=2, p2=3), last_card(0, p1=2, p2=3, p3=-1), last_card(0))
    refuses(g, "E_PLAYER", last_card(4, p0=1, p1=1, p2=1, p3=1), ev("lead", p=4, dir="UP"))
    refuses(g, "E_ARG", last_card(0, p1="2", p2=3, p3=1), last_card(0, p1=True, p2=3, p3=1))
    play(g, last_card(0, p0=0, p1=8, p2=8, p3=8))
    shows(g, chips=[67 + 24, 59, 59, 59])


# P-A20
def test_the_larger_of_uneven_hands_may_be_anybodys():
    for n, most in ((3, 11), (5, 7), (6, 6), (7, 5)):
        g = bidding(n)
        play(g, *[out(p) for p in range(n)])
        left = {"p%d" % p: most for p in range(1, n)}
        refuses(g, "E_LEFT", last_card(0, **dict(left, p1=most + 1)))
        play(g, last_card(0, **left))


# P-T21
def test_the_bidding_keeps_its_order_always():
    for turns in ("free", "follow"):
        g = bidding(4, turns=turns)
        assert g.turn == 0 and g.min_bid() == 1
        refuses(g, "E_TURN", bid(1, 5), hold(1), out(3))
        play(g, bid(0, 1))
        assert g.turn == 1 and g.min_bid() == 2 and g.to_hold(1) == 1
        refuses(g, "E_TURN", bid(0, 5))
        play(g, hold(1), out(2), out(3))
        refuses(g, "E_PHASE", bid(0, 5), hold(0), out(0))
    g = bidding(4, dealer=1)
    play(g, out(2), out(3), out(0), out(1))
    refuses(g, "E_PHASE", bid(2, 5))
    assert g.starter() == 2
