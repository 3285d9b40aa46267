"""Test the rules of PokerCarre on the pad (combinations, marks, turns, empty hands, end)."""

from games.poker_carre.case import build, pad, put, square
from helpers.play import ended, ev, game, play, refuses, refuses_setup, setup, shows


def declare(p, *items):
    """Return a placement in SCORE mode: "H straight 5"."""
    rows = []
    for item in items:
        line, kind, size = item.split()
        rows.append([line, kind, int(size)])
    return ev("place", p=p, items=rows)


def mark(p, *rubrics):
    return [ev("mark", p=p, rubric=rubric) for rubric in rubrics]


# PC-T17
def test_three_ones_and_a_three_are_six_points():
    g = game("poker_carre", 2)
    play(g, *mark(0, 1, 1, 1, 3))
    shows(g, counts=[[3, 0, 1, 0, 0], [0, 0, 0, 0, 0]], totals=[6, 0])


# PC-T19
def test_followed_turns_end_the_game_when_all_cards_are_placed():
    for n, cards in ((2, 40), (3, 39), (4, 40), (5, 40)):
        g = game("poker_carre", n, turns="follow")
        for i in range(cards - 1):
            play(g, declare(i % n))
        shows(g, phase="PLAY", placed=cards - 1)
        play(g, declare((cards - 1) % n, "V set 3"))
        shows(g, phase="OVER", placed=cards)
        ended(g, [(cards - 1) % n])
        refuses(g, "E_OVER", declare(0), ev("finish"), ev("mark", p=0, rubric=1))


# PC-T21
def test_on_the_pad_only_finish_ends_the_game():
    for n in (2, 3, 5):
        g = game("poker_carre", n)
        for _ in range(60):
            play(g, declare(1, "H set 3"))
        play(g, *mark(0, 1))
        shows(g, phase="PLAY", placed=60, winners=[])
        assert g.totals()[:2] == [1, 120]
        play(g, ev("finish"))
        ended(g, [1])
    g = game("poker_carre", 2, set_of_seven="instant_win")
    for _ in range(60):
        play(g, declare(1, "H set 3"))
    play(g, declare(0, "H set 7"))
    ended(g, [0])


def test_every_size_has_its_rubric():
    for kind, smallest, rubrics in (
        ("straight", 4, (1, 2, 3, 4)),
        ("colour", 3, (1, 2, 3, 4, 5)),
        ("set", 3, (2, 3, 4, 5, 5)),
    ):
        for i, rubric in enumerate(rubrics):
            g = game("poker_carre", 2)
            play(g, declare(1, "H %s %d" % (kind, smallest + i)))
            expected = [0, 0, 0, 0, 0]
            expected[rubric - 1] = 1
            assert pad(g, 1) == expected, (kind, smallest + i)
            shows(g, totals=[0, (1, 2, 3, 7, 10)[rubric - 1]])


def test_several_items_of_one_placement_are_all_crossed():
    g = game("poker_carre", 2)
    play(g, declare(0, "H straight 5", "V set 3", "V colour 4", "H colour 3"))
    assert pad(g, 0) == [1, 3, 0, 0, 0]
    shows(g, placed=1, totals=[7, 0])


def test_sizes_the_sheet_does_not_know_are_refused():
    g = game("poker_carre", 2)
    for item in ("H straight 3", "H straight 8", "V set 2", "V set 8", "H colour 2", "H colour 8", "V set 0"):
        refuses(g, "E_ITEM_SIZE", declare(0, item))


def test_one_kind_counts_once_in_a_line():
    g = game("poker_carre", 2)
    refuses(g, "E_ITEM_DUP", declare(0, "H straight 4", "H straight 5"), declare(0, "V set 3", "V set 3"))
    play(g, declare(0, "H straight 4", "V straight 4"))


def test_what_cannot_lie_in_one_line_is_refused():
    g = game("poker_carre", 2)
    impossible = (
        ("H set 5", "H straight 4"),
        ("H set 3", "H straight 6"),
        ("V set 4", "V colour 5"),
        ("V colour 7", "V straight 7", "V set 3"),
        ("H set 5", "V set 4"),
        ("H colour 3", "V colour 6"),
    )
    for items in impossible:
        refuses(g, "E_ITEM_IMPOSSIBLE", declare(0, *items))
    possible = (
        ("H set 4", "H straight 4"),
        ("V set 4", "V colour 4"),
        ("H colour 7", "H straight 7"),
        ("H set 4", "V set 4"),
        ("H colour 3", "V colour 5"),
        ("H set 5", "V straight 7"),
        ("H set 7", "V colour 7", "V straight 7"),
    )
    for items in possible:
        play(g, declare(0, *items))


def test_items_that_are_no_items_are_malformed():
    g = game("poker_carre", 2)
    bad = (
        None, 5, "H straight 5", {"H": 1}, [["H", "straight"]], [["H", "straight", 5, 1]], ["H"], [5],
        [["X", "straight", 5]], [["H", "flush", 5]], [["H", "straight", "5"]], [["H", "straight", True]],
        [[1, "straight", 5]], [["H", 3, 5]],
    )
    for items in bad:
        refuses(g, "E_ARG", ev("place", p=0, items=items))
    refuses(g, "E_ARG", ev("place", p=0))
    play(g, ev("place", p=0, items=[]))


def test_marks_are_a_plain_tally():
    g = game("poker_carre", 3)
    refuses(g, "E_ARG", *mark(0, 0, 6))
    refuses(g, "E_ARG", ev("mark", p=0), ev("mark", p=0, rubric="1"), ev("unmark", p=0, rubric=1))
    refuses(g, "E_ARG", ev("mark", p=9, rubric=6))
    refuses(g, "E_PLAYER", ev("unmark", p=3, rubric=1), *mark(3, 1))
    play(g, *mark(2, 5, 4, 5))
    shows(g, totals=[0, 0, 27], placed=0)
    play(g, ev("unmark", p=2, rubric=5))
    shows(g, totals=[0, 0, 17])
    refuses(g, "E_ARG", ev("unmark", p=2, rubric=1), ev("unmark", p=1, rubric=5))


def test_marks_neither_look_at_the_turn_nor_move_it():
    g = game("poker_carre", 3, turns="follow")
    play(g, *mark(2, 1))
    refuses(g, "E_TURN", declare(1))
    play(g, declare(0), *mark(0, 1))
    play(g, declare(1))


def test_events_of_the_other_mode_are_refused():
    g = game("poker_carre", 2)
    shows(g, phase="PLAY")
    refuses(g, "E_PHASE", ev("layout", cards="a1 a2 a3 a4 a5 a6 b1 b2 b3"), put(0, "a1@0,0"))
    refuses(game("poker_carre", 3), "E_PHASE", ev("extra", card="a1", x=3, y=0))
    g = square("a1 b2 c3")
    refuses(g, "E_PHASE", declare(0), declare(9, "H straight 4"), *mark(0, 1))
    refuses(g, "E_PHASE", ev("unmark", p=0, rubric=1))


def test_skipping_without_turns_makes_no_sense_on_the_pad():
    refuses(game("poker_carre", 2), "E_PHASE", ev("skip", p=0))


def test_skipping_on_the_pad_when_turns_are_followed():
    g = game("poker_carre", 3, turns="follow")
    refuses(g, "E_ARG", ev("skip", p=0, hand="a1 b2"))
    refuses(g, "E_TURN", ev("skip", p=1))
    play(g, ev("skip", p=0), ev("skip", p=1), declare(2, "H set 3"), ev("skip", p=0), ev("skip", p=1))
    shows(g, phase="PLAY")
    play(g, ev("skip", p=2))
    shows(g, phase="OVER")
    ended(g, [2])


def test_followed_turns_start_left_of_the_dealer_and_one_key_corrects_them():
    g = game("poker_carre", 3, turns="follow", dealer=0)
    refuses(g, "E_TURN", declare(0), declare(2))
    play(g, declare(1), declare(2), declare(0))
    play(g, ev("turn", p=0), declare(0))
    refuses(g, "E_TURN", declare(0))
    refuses(g, "E_PLAYER", ev("turn", p=3))
    refuses(game("poker_carre", 3), "E_PHASE", ev("turn", p=0))


def test_followed_turns_on_the_grid():
    g = square("a1 b2 c3", turns="follow")
    refuses(g, "E_TURN", put(1, "h9@2,0"), ev("skip", p=1))
    refuses(g, "E_PLAYER", put(2, "d4@3,0"))
    play(g, put(0, "d4@3,0"), put(1, "d5@4,0"), ev("skip", p=0))
    refuses(g, "E_TURN", put(0, "d6@5,0"))


def test_who_has_no_cards_left_cannot_place():
    g = game("poker_carre", 2, turns="follow")
    for _ in range(32 + 4):
        play(g, ev("turn", p=0), declare(0))
    refuses(g, "E_NO_CARDS", ev("turn", p=0))
    play(g, declare(1), declare(1), declare(1))
    shows(g, phase="PLAY", placed=39)
    play(g, declare(1))
    shows(g, phase="OVER", placed=40)


# PC-A13
def test_who_has_no_cards_left_is_passed_over():
    g = game("poker_carre", 2, turns="follow")
    for _ in range(32 + 3):
        play(g, declare(0), ev("skip", p=1))
    play(g, declare(0), declare(1), declare(1), declare(1))
    shows(g, phase="PLAY", placed=39)
    play(g, ev("skip", p=1))
    shows(g, phase="OVER", placed=39)


# PC-A14
def test_finish_ends_the_game_and_equal_totals_share_the_win():
    g = game("poker_carre", 3)
    play(g, declare(0, "H straight 7"), declare(2, "H set 5"), ev("finish"))
    shows(g, phase="OVER", totals=[7, 0, 7])
    ended(g, [0, 2])
    g = square("a1 b2 c3")
    build(g, "d4@3,0")
    play(g, ev("finish"))
    ended(g, [1])


def test_a_declared_set_of_seven_may_win_at_once():
    for house_rule, phase, winners in (("ten", "PLAY", []), ("instant_win", "OVER", [0])):
        g = game("poker_carre", 2, set_of_seven=house_rule)
        play(g, *mark(1, 5, 5))
        play(g, declare(0, "H set 7"))
        shows(g, phase=phase, winners=winners, totals=[10, 20])
        assert pad(g, 0) == [0, 0, 0, 0, 1]


def test_new_value_for_a_straight_is_left_to_the_players_on_the_pad():
    g = game("poker_carre", 2, straight_needs_new_value="on")
    play(g, declare(0, "H straight 4"), declare(0, "H straight 4"))
    assert pad(g, 0) == [2, 0, 0, 0, 0]


def test_a_finished_game_is_told_before_everything_but_malformed_lines():
    g = game("poker_carre", 2)
    assert set(g.legal()) == {"place", "mark", "unmark", "finish"}
    play(g, ev("finish"))
    assert g.legal() == []
    refuses(g, "E_OVER", put(9, "a1@0,0"), declare(9), ev("skip", p=0), ev("layout", cards="a1 " * 9))
    refuses(g, "E_ARG", ev("mark", p=0, rubric=9), ev("nonsense"), ev("place", p=0, items=5))


def test_the_pad_is_what_people_start_with():
    shows(game("poker_carre", 2), phase="PLAY")
    shows(game("poker_carre", 2, mode="score"), phase="PLAY")
    shows(game("poker_carre", 2, mode="grid"), phase="SETUP")
    for mode in ("nonsense", "", 1, None, True, ["grid"], "tally"):
        refuses_setup("E_ARG", setup("poker_carre", 3, mode=mode))
