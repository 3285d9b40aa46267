"""Test the rules of Wizard and Oh Hell: hands, bids, tricks, points, and what is refused."""

from helpers.play import ended, ev, game, play, refuses, refuses_setup, setup, shows, sure
from kiebitz.games.base import Refused
from kiebitz.games.bids.rules import hands
from kiebitz.store.table import Table
from kiebitz_lab.dice import Dice


def wizard(n=3, **options):
    return game("bids", n, options)


def bids(*numbers):
    return [ev("bid", p=p, k=k) for p, k in enumerate(numbers)]


def tricks(*numbers):
    return [ev("tricks", p=p, k=k) for p, k in enumerate(numbers)]


def through(g, rounds):
    """Play rounds in which everybody bids 0 and the first seat makes all tricks."""
    for _ in range(rounds):
        play(g, *bids(*[0] * g.n), *tricks(g.cards, *[0] * (g.n - 1)))


# B-T1
def test_a_bid_that_is_made_brings_twenty_and_ten_a_trick_another_takes_ten_each():
    g = wizard()
    through(g, 1)
    before = g.totals()
    play(g, *bids(1, 0, 1), *tricks(1, 1, 0))
    assert [b - a for a, b in zip(before, g.totals())] == [30, -10, -10]
    shows(g, rounds=[[-10, 20, 20], [30, -10, -10]], round=3, cards=3, dealer=1, phase="BID")
    shows(g, bids=[None] * 3, tricks=[None] * 3)


# B-T2
def test_a_bid_of_nothing_that_is_made_brings_twenty():
    g = wizard()
    play(g, *bids(0, 0, 1), *tricks(0, 0, 1))
    shows(g, totals=[20, 20, 30])


def test_each_trick_too_many_or_too_few_takes_ten():
    g = wizard(3, cards="down", most=4)
    play(g, *bids(4, 0, 2), *tricks(1, 3, 0))
    shows(g, totals=[-30, -30, -20])


# B-T3
def test_four_players_have_fifteen_rounds():
    g = wizard(4)
    through(g, 14)
    shows(g, round=15, cards=15, phase="BID")
    play(g, *bids(0, 0, 0, 0), *tricks(15, 0, 0))
    refuses(g, "W_SUM", ev("tricks", p=3, k=1))
    play(g, ev("tricks", p=3, k=0))
    shows(g, phase="OVER", round=16, cards=0, dealer=2, early=False)
    ended(g, [1, 2, 3])
    refuses(g, "E_OVER", ev("bid", p=0, k=0), ev("tricks", p=0, k=0), ev("end_game"))


# B-T4
def test_the_last_bid_may_not_make_the_sum():
    g = wizard(3, sum="not_equal")
    play(g, *bids(0, 0))
    refuses(g, "E_SUM", ev("bid", p=2, k=1))
    play(g, ev("bid", p=2, k=0))
    shows(g, phase="TRICKS", bids=[0, 0, 0])


def test_whoever_bids_last_is_bound_and_nobody_before():
    g = wizard(3, sum="not_equal", cards="down", most=5)
    play(g, ev("bid", p=2, k=5), ev("bid", p=0, k=0))
    refuses(g, "E_SUM", ev("bid", p=1, k=0))
    assert g.not_allowed(1) == 0 and g.not_allowed(0) is None
    play(g, ev("bid", p=1, k=1))


# B-T5
def test_tricks_that_do_not_add_up_are_doubted():
    g = wizard()
    through(g, 1)
    play(g, *bids(1, 0, 1), *tricks(1, 0))
    refuses(g, "W_SUM", ev("tricks", p=2, k=0), ev("tricks", p=2, k=2))
    play(g, sure(ev("tricks", p=2, k=0)))
    shows(g, round=3, totals=[20, 40, 10])


# B-T6
def test_the_hands_grow_shrink_or_both():
    assert hands("up_down", 3) == [1, 2, 3, 2, 1] and hands("up_down", 1) == [1]
    assert hands("up", 3) == [1, 2, 3] and hands("down", 3) == [3, 2, 1]
    g = wizard(3, cards="up_down", most=3)
    for cards in (1, 2, 3, 2, 1):
        shows(g, cards=cards, phase="BID")
        through(g, 1)
    shows(g, phase="OVER", cards=0)


# B-T7
def test_oh_hell_counts_ten_and_one_a_trick_or_nothing():
    g = wizard(3, points="ten_plus", cards="down", most=4)
    play(g, *bids(2, 2, 0), *tricks(2, 1, 1))
    shows(g, totals=[12, 0, 0])
    through(g, 1)
    shows(g, rounds=[[12, 0, 0], [0, 10, 10]])


# B-T8
def test_two_undos_lead_back_into_the_tricks_of_the_round_before():
    table = Table(setup("bids", 3))
    for event in bids(0, 0, 1) + tricks(0, 0, 1) + [ev("bid", p=1, k=2)]:
        table.play(event)
    table.play(ev("undo"))
    table.play(ev("undo"))
    shows(table.game, phase="TRICKS", tricks=[0, 0, None], bids=[0, 0, 1], round=1, dealer=2, totals=[0, 0, 0])
    table.play(ev("redo"))
    shows(table.game, phase="BID", round=2, dealer=0, totals=[20, 20, 30])


def test_numbers_the_round_does_not_have_are_refused():
    g = wizard()
    through(g, 2)
    refuses(g, "E_BID", ev("bid", p=0, k=9), ev("bid", p=0, k=4), ev("bid", p=0, k=-1))
    play(g, *bids(3, 0))
    refuses(g, "E_BID", ev("bid", p=0, k=9))  # before E_TWICE, as the contract names them
    refuses(g, "E_TWICE", ev("bid", p=0, k=1))
    play(g, ev("bid", p=2, k=1))
    refuses(g, "E_TRICKS", ev("tricks", p=0, k=4), ev("tricks", p=0, k=-1))
    play(g, ev("tricks", p=1, k=0))
    refuses(g, "E_TWICE", ev("tricks", p=1, k=0))


def test_codes_come_in_the_order_of_the_contract():
    g = wizard()
    refuses(g, "E_ARG", ev("bid", p=0), ev("bid", p=0, k="1"), ev("bid", p=0, k=1000001), ev("tricks", k=1))
    refuses(g, "E_PHASE", ev("tricks", p=9, k=9))
    refuses(g, "E_PLAYER", ev("bid", p=3, k=9))
    play(g, *bids(0, 0, 0))
    refuses(g, "E_PHASE", ev("bid", p=9, k=9))
    refuses(g, "E_PLAYER", ev("tricks", p=3, k=9))


def test_a_game_that_ends_early_leaves_the_unfinished_round_out():
    g = wizard()
    through(g, 1)
    play(g, *bids(1, 0, 1), *tricks(1, 1))
    play(g, ev("end_game"))
    shows(g, totals=[-10, 20, 20], early=True, round=2, dealer=0, bids=[1, 0, 1], tricks=[1, 1, None], cards=0)
    ended(g, [1, 2])


def test_the_points_of_wizard_are_for_three_to_six():
    for n, options in ((2, {}), (9, {"points": "ten_plus"}), (7, {}), (8, {"points": "wizard"})):
        refuses_setup("E_PLAYERS", setup("bids", n, options))
    refuses_setup("E_PLAYERS", setup("bids", 7, {"most": 99}))
    refuses_setup("E_SETTING", setup("bids", 7, {"points": "skull"}))
    refuses_setup("E_PLAYERS", setup("bids", 9, {"points": "skull"}))
    assert wizard(8, points="ten_plus").n == 8


def test_the_largest_hand_depends_on_the_players():
    usual = {"wizard": [20, 15, 12, 10], "ten_plus": [10, 10, 10, 8, 7, 6]}
    most = {"wizard": [20, 15, 12, 10], "ten_plus": [17, 12, 10, 8, 7, 6]}
    for points in usual:
        for n, cards in enumerate(usual[points], 3):
            assert max(wizard(n, points=points).hands) == cards
            highest = most[points][n - 3]
            assert max(wizard(n, points=points, most=highest).hands) == highest
            refuses_setup("E_SETTING", setup("bids", n, {"points": points, "most": highest + 1}))
    for wrong in (0, -1, 21, True, "3", 2.0, None):
        refuses_setup("E_SETTING", setup("bids", 3, {"most": wrong}))


def test_a_shorter_game_is_over_at_once_if_its_rounds_are_played():
    table = Table(setup("bids", 3))
    for event in bids(0, 0, 1) + tricks(0, 0, 1):
        table.play(event)
    table.play({"ev": "option", "name": "most", "value": 1})
    assert table.game.over and not table.game.early
    table.play(ev("undo"))
    assert not table.game.over


def test_the_seat_after_the_last_one_does_not_matter():
    g = wizard()
    play(g, ev("bid", p=2, k=0), ev("bid", p=0, k=1), ev("bid", p=1, k=0))
    play(g, ev("tricks", p=1, k=0), ev("tricks", p=0, k=1), ev("tricks", p=2, k=0))
    shows(g, totals=[30, 20, 20])


def test_an_entry_inserted_and_removed_again_leaves_the_same_state():
    dice = Dice(11)
    table = Table(setup("bids", 3, {"most": 4}))
    while not table.game.over:
        g = table.game
        left = g.cards - sum([k or 0 for k in g.entered()])
        name = "bid" if g.phase == "BID" else "tricks"
        last = name == "tricks" and len(g.missing()) == 1
        k = left if last else dice.below(max(0, left) + 1)
        table.play(ev(name, p=dice.pick(g.missing()), k=k))
    changed = 0
    for at in range(len(table)):
        before, event = table.game.summary(), table.event(at)
        try:  # without this entry the later ones need not fit
            table.play(ev("remove", at=at))
        except Refused:
            assert table.game.summary() == before
            continue
        table.play(ev("insert", at=at, event=event))
        assert table.game.summary() == before
        changed += 1
    names = ev("seats", players=["X", "Y", "Z"])
    for at in range(len(table) + 1):
        before = table.game.summary()
        table.play(ev("insert", at=at, event=names))
        assert table.game.summary() != before
        table.play(ev("remove", at=at))
        assert table.game.summary() == before
    assert changed >= 1  # the last entry at least
