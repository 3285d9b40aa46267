"""Test the rules of Kniffel: what a box can get, the bonus, further fives of a kind, and turns."""

from helpers.play import ended, ev, game, play, refuses, setup, shows
from kiebitz.games.base import Refused
from kiebitz.games.five_dice.rules import BOXES, LOWER, UPPER, entries
from kiebitz.store.table import Table


def sheet(n=2, **options):
    return game("five_dice", n, options)


def write(p, box, k):
    return ev("write", p=p, box=box, k=k)


# FD-T1
def test_sixty_three_above_bring_thirty_five_at_once():
    g = sheet()
    boxes = (("sixes", 24), ("fives", 15), ("fours", 12), ("threes", 9), ("twos", 2))
    play(g, *[write(0, box, k) for box, k in boxes])
    shows(g, totals=[62, 0], bonus=[0, 0])
    play(g, write(0, "ones", 1))
    shows(g, totals=[98, 0], bonus=[35, 0], winners=[])


def test_the_bonus_comes_before_all_upper_boxes_are_filled():
    g = sheet()
    play(g, write(1, "sixes", 30), write(1, "fives", 25), write(1, "threes", 6))
    shows(g, totals=[0, 61], bonus=[0, 0])
    play(g, write(1, "twos", 2))
    shows(g, totals=[0, 98], bonus=[0, 35])


# FD-T2
def test_only_what_dice_can_show_is_taken():
    g = sheet()
    for box, k in (("sixes", 25), ("full_house", 24), ("sixes", 36), ("ones", -1), ("chance", 4), ("chance", 31)):
        refuses(g, "E_POINTS", write(0, box, k))
    for box, k in (("four_kind", 1), ("small_straight", 40), ("large_straight", 30), ("five_kind", 49)):
        refuses(g, "E_POINTS", write(0, box, k))
    refuses(g, "E_BOX", write(0, "sevens", 7))
    refuses(g, "E_PLAYER", write(2, "ones", 1))
    refuses(g, "E_ARG", ev("write", p=0, box="ones"))
    refuses(g, "E_ARG", ev("write", p=0, box=1, k=1))


def test_every_possible_entry_is_taken():
    for at, box in enumerate(BOXES):
        for k in range(0, 60):
            g = sheet()
            if k in entries(at):
                play(g, write(0, box, k))
                shows(g, totals=[k, 0], boxes=[{box: k}, {}])
            else:
                refuses(g, "E_POINTS", write(0, box, k))


# FD-T3
def test_a_further_five_of_a_kind_needs_fifty_in_its_box():
    for extra, points in (("fifty", 50), ("hundred", 100)):
        g = sheet(extra=extra)
        refuses(g, "E_EXTRA", ev("again", p=0))
        play(g, write(1, "five_kind", 0), write(0, "five_kind", 50))
        refuses(g, "E_EXTRA", ev("again", p=1))
        play(g, ev("again", p=0))
        shows(g, totals=[50 + points, 0], extra=[points, 0])
    g = sheet(extra="off")
    play(g, write(0, "five_kind", 50))
    refuses(g, "E_PHASE", ev("again", p=0))


def test_thirteen_fives_of_a_kind_are_the_most():
    g = sheet()
    play(g, write(0, "five_kind", 50), *[ev("again", p=0)] * 12)
    shows(g, totals=[650, 0], extra=[600, 0])
    refuses(g, "E_EXTRA", ev("again", p=0))


# FD-T4
def test_a_box_is_filled_once_also_when_it_was_struck():
    g = sheet()
    play(g, write(0, "twos", 0), write(1, "twos", 6))
    refuses(g, "E_TAKEN", write(0, "twos", 4))
    refuses(g, "E_TAKEN", write(1, "twos", 6))


# FD-T5
def test_a_game_of_two_ends_with_the_twenty_sixth_entry():
    g = sheet()
    for box in BOXES:
        assert not g.over
        play(g, write(0, box, 0), write(1, box, entries(BOXES.index(box))[1]))
    shows(g, phase="OVER", turn=None, early=False)
    ended(g, [1])
    refuses(g, "E_OVER", write(0, "ones", 1))


# FD-T6
def test_three_hundred_and_seventy_five_are_the_most_without_extra():
    g = sheet()
    play(g, *[write(0, box, entries(BOXES.index(box))[-1]) for box in UPPER + LOWER])
    shows(g, totals=[375, 0], bonus=[35, 0], phase="PLAY")


def test_turns_in_order_are_one_entry_each_and_again_comes_before_it():
    g = sheet(3, turns="follow")
    shows(g, turn=0, dealer=2)
    refuses(g, "E_TURN", write(1, "ones", 1))
    play(g, write(0, "five_kind", 50), write(1, "ones", 1), write(2, "ones", 2))
    shows(g, turn=0)
    refuses(g, "E_TURN", ev("again", p=1))
    play(g, ev("again", p=0))
    refuses(g, "E_TURN", ev("again", p=0))
    play(g, write(0, "sixes", 30))
    shows(g, turn=1, totals=[130, 1, 2])
    refuses(g, "E_TURN", ev("again", p=0))


def test_free_turns_take_anybody_and_tell_no_turn():
    g = sheet(3)
    play(g, write(2, "ones", 1), write(2, "twos", 2), write(0, "ones", 1))
    shows(g, turn=None, totals=[1, 0, 3], dealer=2)


def test_a_game_that_ends_early_counts_what_is_written():
    g = sheet()
    play(g, write(0, "chance", 20), ev("end_game"))
    shows(g, phase="OVER", early=True)
    ended(g, [0])


def test_codes_come_in_the_order_of_the_contract():
    g = sheet(turns="follow")
    refuses(g, "E_PLAYER", write(5, "sevens", 1))
    refuses(g, "E_TURN", write(1, "sevens", 1))
    refuses(g, "E_BOX", write(0, "sevens", 1))
    play(g, write(0, "ones", 1), write(1, "ones", 1))
    refuses(g, "E_TAKEN", write(0, "ones", 99))
    off = sheet(extra="off")
    refuses(off, "E_PHASE", ev("again", p=9))


def test_an_entry_removed_and_inserted_again_leaves_the_same_state():
    table = Table(setup("five_dice", 2))
    for at, box in enumerate(BOXES):
        for p in (0, 1):
            table.play(write(p, box, entries(at)[-1 - p]))
        if box == "five_kind":
            table.play(ev("again", p=0))
    changed = 0
    for at in range(len(table)):
        before, event = table.game.summary(), table.event(at)
        try:  # a further five of a kind needs the first one
            table.play(ev("remove", at=at))
        except Refused:
            assert table.game.summary() == before
            continue
        assert table.game.summary() != before
        table.play(ev("insert", at=at, event=event))
        assert table.game.summary() == before
        changed += 1
    assert changed == len(table) - 1
