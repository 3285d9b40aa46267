"""Test where a PokerCarre card may be placed on the grid, and what it scores there."""

from games.poker_carre.case import build, items, pad, put, square
from helpers.play import code_of, ended, ev, game, play, refused, refuses, shows, sure
from kiebitz.games.poker_carre.rules import check_items
from kiebitz.games.poker_carre.rules_grid import RUBRIC_POINTS, card_name, fits_beside, points_of
from kiebitz_lab.dice import Dice


# PC-T1
def test_a_straight_counts_across_a_gap_and_a_pair_of_colours_does_not_count():
    g = game("poker_carre", 2, mode="grid")
    play(g, ev("layout", cards="e1 e2 e4 f1 f2 f4 g5 g1 g4"))
    build(g, "d6@0,3 e3@2,3 e5@3,1 e6@3,2 e7@4,2 f6@5,2 b7@5,3 c5@3,3")
    assert items(g, "b4@4,3") == [("H", "straight", 5)]
    play(g, put(0, "b4@4,3"))
    row = g.summary()["grid"]
    assert [row.get("%d,3" % x) for x in range(6)] == ["d6", None, "e3", "c5", "b4", "b7"], "a gap is left"
    assert pad(g, 0) == [0, 1, 0, 0, 0]
    assert g.summary()["totals"][0] == 2


# PC-T2
def test_the_red_ace_scores_a_set_a_colour_and_a_straight():
    g = square("a6 b1 c1")
    build(g, "a5@-1,0 d2@3,1 e3@3,2 f4@3,3")
    assert items(g, "a1@3,0") == [("H", "colour", 3), ("H", "set", 3), ("V", "straight", 4)]
    assert points_of(items(g, "a1@3,0")) == 4
    play(g, put(0, "a1@3,0"))
    assert pad(g, 0) == [2, 1, 0, 0, 0]
    assert g.summary()["totals"][0] == 4


# PC-T3
def test_a_card_lies_beside_the_next_lower_or_higher_and_seven_beside_the_ace():
    beside = ((1, "27"), (2, "13"), (3, "24"), (4, "35"), (5, "46"), (6, "57"), (7, "16"))
    for value, neighbours in beside:
        g = square("a1 b1 e%d" % value)
        fitting = g.cards_for(3, 0)
        for other in "1234567":
            assert ("d" + other in fitting) == (other in neighbours), (value, other)
    assert g.cards_for(2, 0) == g.cards_for(4, 0) == g.cards_for(3, -1) == []
    g = square("a1 b1 e7")
    refuses(g, "E_NO_LINK", put(0, "d5@3,0"), put(0, "d7@3,0"))
    play(g, put(0, "d1@3,0"))


# PC-T4
def test_no_straight_goes_over_the_ace():
    g = square("a6 b7 c1")
    build(g, "d2@3,0")
    assert items(g, "e5@-1,0") == []


# PC-T5
def test_simple_combinations_pay_what_the_sheet_says():
    cases = (
        ("a2 b3 c4", "", "d5@3,0", ("straight", 4), 1),
        ("a7 b6 c5", "", "d4@3,0", ("straight", 4), 1),
        ("a4 b4 c5", "", "d4@3,0", ("set", 3), 2),
        ("a1 b1 c1", "e2@3,1", "d1@3,0", ("set", 4), 3),
        ("a1 a6 b4", "", "a3@3,0", ("colour", 3), 1),
        ("d1 d5 d3", "d7@-1,0", "d2@3,0", ("colour", 5), 3),
    )
    for row, more, card, (kind, size), points in cases:
        g = square(row)
        build(g, more)
        assert items(g, card) == [("H", kind, size)], card
        assert points_of([("H", kind, size)]) == points


# PC-T6
def test_a_longer_straight_counts_although_its_part_was_scored_before():
    g = square("a2 b3 c4")
    build(g, "d5@3,0")
    assert pad(g, 1) == [1, 0, 0, 0, 0]
    play(g, put(0, "e6@4,0"))
    assert pad(g, 0) == [0, 1, 0, 0, 0]


# PC-T7
def test_a_card_outside_the_run_scores_nothing():
    g = square("a2 b3 c4")
    build(g, "d5@3,0 a6@-1,1")
    assert items(g, "e7@-1,0") == []


# PC-T8
def test_a_second_four_makes_the_straight_again_unless_the_table_wants_a_new_value():
    for house_rule, expected in (("off", [("H", "straight", 4)]), ("on", [])):
        g = square("a3 b4 c5", straight_needs_new_value=house_rule)
        build(g, "d6@3,0")
        assert pad(g, 1) == [1, 0, 0, 0, 0]
        assert items(g, "e4@-1,0") == expected
        play(g, put(0, "e4@-1,0"))
        assert pad(g, 0) == [len(expected), 0, 0, 0, 0]


# PC-T9
def test_closing_a_run_of_seven_is_one_item_of_seven_points():
    g = square("a6 b5 c1")
    build(g, "b7@-1,0 d2@3,0 d3@4,0")
    assert items(g, "e4@5,0") == [("H", "straight", 7)]
    play(g, put(0, "e4@5,0"))
    assert pad(g, 0) == [0, 0, 0, 1, 0]
    assert g.summary()["totals"][0] == 7


# PC-T10
def test_seven_of_one_colour_in_a_row_are_worth_seventeen():
    g = square("a6 a5 a1")
    build(g, "a7@-1,0 a2@3,0 a3@4,0")
    assert items(g, "a4@5,0") == [("H", "colour", 7), ("H", "straight", 7)]
    play(g, put(0, "a4@5,0"))
    assert pad(g, 0) == [0, 0, 0, 1, 1]
    assert g.summary()["totals"][0] == 17


def row_of_three_fours(**house_rules):
    """Three fours across, and a five below the next cell, so that a fourth one fits."""
    g = game("poker_carre", 2, mode="grid", **house_rules)
    play(g, ev("layout", cards="a4 b4 c4 a6 a1 b6 c6 a2 d6"), put(1, "a5@3,1"))
    return g


def row_of_six_fours(**house_rules):
    """Six fours across, six cards of colour g down; where they cross, g4 is missing at 4,0."""
    g = row_of_three_fours(**house_rules)
    build(g, "d4@3,0 b5@3,2 g6@4,2 g5@4,1 g7@4,3 g1@4,4 g2@4,5 g3@4,6")
    build(g, "c5@-1,1 e4@-1,0 d5@-1,2 e6@-2,2 e5@-2,1 f4@-2,0")
    return g


# PC-T11
def test_a_fourth_four_pays_three_and_a_seventh_pays_ten():
    assert items(row_of_three_fours(), "d4@3,0") == [("H", "set", 4)]
    assert points_of([("H", "set", 4)]) == 3
    assert ("H", "set", 7) in items(row_of_six_fours(), "g4@4,0")
    assert points_of([("H", "set", 7)]) == points_of([("H", "set", 6)]) == 10


# PC-T12
def test_one_card_scores_a_straight_a_set_and_a_colour_in_one_line():
    g = square("a5 d6 b4")
    build(g, "a3@3,0 c4@-1,0")
    assert items(g, "a4@4,0") == [("H", "colour", 3), ("H", "set", 3), ("H", "straight", 4)]
    play(g, put(0, "a4@4,0"))
    assert pad(g, 0) == [2, 1, 0, 0, 0]
    assert g.summary()["totals"][0] == 4


# PC-T13
def test_red_three_scores_a_straight_and_a_colour():
    g = square("a1 a2 b4")
    play(g, put(0, "a3@3,0"))
    assert pad(g, 0) == [2, 0, 0, 0, 0]
    assert g.summary()["totals"][0] == 2


# PC-T14
def test_a_full_row_or_column_is_the_frame():
    g = square("a1 b1 c1")
    build(g, "a2@-1,0 a3@-2,0 a4@-3,0 a5@-4,0")
    assert tuple(g.box()) == (-4, 0, 2, 2)
    refuses(g, "E_FRAME", put(0, "b2@3,0"), put(0, "g2@3,1"), put(0, "a6@-5,0"), sure(put(0, "b2@3,0")))
    assert (3, 0) not in [tuple(cell) for cell in g.fits("b2")]
    g = square("a1 b1 c1")
    build(g, "a2@0,-1 a3@0,-2 a4@0,-3 a5@0,-4")
    refuses(g, "E_FRAME", put(0, "a6@0,-5"), put(0, "b4@0,3"), put(0, "g7@2,3"), sure(put(0, "g7@2,3")))


def drifted(turn=False):
    """Return a game whose row 0 covers x = -2..3 and row 1 goes on to 4, and a function that returns its placements.

    turn: with rows and columns exchanged.
    """

    def card(word, p=0):
        name, cell = word.split("@")
        return put(p, name + "@" + ",".join(reversed(cell.split(","))) if turn else word)

    g = game("poker_carre", 2, mode="grid")
    play(g, ev("layout", cards="a3 f5 f3 a4 f2 f7 a5 g3 f6" if turn else "a3 a4 a5 f5 f2 g3 f3 f7 f6"))
    for word in "b6@3,0 b2@-1,0 b1@-2,0 b4@3,1 b5@4,1".split():
        play(g, card(word, 1))
    return g, card


# PC-T20
def test_rows_may_drift_apart_until_one_is_full_if_that_is_meant():
    for turn in (False, True):
        g, card = drifted(turn)
        wide = card("c6@5,1")
        refuses(g, "W_FRAME", wide)
        play(g, sure(wide))
        x0, y0, x1, y1 = g.box()
        assert (y1 - y0 if turn else x1 - x0) == 7 and len(g.summary()["grid"]) == 15
        refuses(g, "E_FRAME", card("c7@5,0"), sure(card("c7@5,0")))
        play(g, card("c5@5,2"), card("c4@-1,1"), card("c3@-1,2"))
        refuses(g, "E_FRAME", card("c2@-2,2"), sure(card("c2@-2,2")))
        assert g.card_at(*((0, -2) if turn else (-2, 0))) == "b1", "what lies outside stays"
        before, state = g.summary(), g.snapshot()
        g.restore(state)
        assert g.summary() == before and g.snapshot() == state
        refuses(g, "E_FRAME", card("c2@-2,2"))


def test_a_cell_that_is_only_a_doubt_is_offered_but_nobody_must_place_there():
    g, card = drifted()
    assert (5, 1) not in g.fits("c6") and "c6" in g.cards_for(5, 1)
    g = game("poker_carre", 2, mode="grid")
    play(g, ev("layout", cards="g5 f6 d7 f7 d3 d1 a6 b4 d2"))
    build(g, "g7@-1,2 e7@0,3 g6@-2,2 c7@-3,2 c6@-3,3 b7@-4,3")
    refuses(g, "W_FRAME", put(0, "a2@3,1"))
    assert g.fits("a2") == [] and "a2" in g.cards_for(3, 1)
    play(g, ev("skip", p=0, hand="a2 b2 c2 e2"))


def test_an_empty_hand_is_told_before_a_doubt():
    g, card = drifted()
    g.held[0] = 0
    refuses(g, "E_NO_CARDS", card("c6@5,1"))


# PC-T15
def test_a_card_must_touch_with_a_side_and_link_by_value():
    g = square("a1 b1 c5")
    build(g, "b2@3,1")
    refuses(g, "E_NO_LINK", put(0, "d5@3,0"))
    refuses(g, "E_NO_TOUCH", put(0, "g7@3,3"), put(0, "g7@-1,-1"), put(0, "g7@0,4"))
    play(g, put(0, "d4@3,0"))


# PC-T16
def test_no_placement_is_worth_more_than_27():
    g = row_of_six_fours()
    best = [("H", "set", 7), ("V", "colour", 7), ("V", "straight", 7)]
    assert items(g, "g4@4,0") == best and points_of(best) == 27
    play(g, put(0, "g4@4,0"))
    assert pad(g, 0) == [0, 0, 0, 1, 2]
    shows(g, phase="PLAY", placed=16)
    assert g.summary()["totals"][0] == 27


def lines_of(name):
    """Return all combinations of straight, set and colour that one line may show, as lists of items."""
    found = []
    for straight in (0, 4, 5, 6, 7):
        for equal in (0, 3, 4, 5, 6, 7):
            for colour in (0, 3, 4, 5, 6, 7):
                sizes = (("straight", straight), ("set", equal), ("colour", colour))
                made = [(name, kind, size) for kind, size in sizes if size]
                if code_of(check_items, made) is None:
                    found.append(made)
    return found


# PC-T16
def test_no_two_lines_of_one_placement_are_worth_more_than_27():
    down = lines_of("V")
    most = 0
    for made in lines_of("H"):
        points = points_of(made)
        for other in down:
            total = points + points_of(other)
            if total > most and code_of(check_items, made + other) is None:
                most = total
    assert most == 27


# PC-A6
def test_seven_of_a_value_may_win_at_once():
    g = row_of_six_fours(set_of_seven="instant_win")
    play(g, put(0, "g4@4,0"))
    assert pad(g, 0) == [0, 0, 0, 1, 2]
    assert g.summary()["totals"][1] > g.summary()["totals"][0] == 27
    shows(g, phase="OVER")
    ended(g, [0])


# PC-T19
def test_the_game_ends_when_all_cards_are_placed():
    for n, cards, seed in ((2, 40, 1), (3, 39, 0), (4, 40, 1), (5, 40, 1)):
        dice = Dice(seed)
        g = game("poker_carre", n, mode="grid")
        play(g, ev("layout", cards=dice.some(g.unplayed(), 9)))
        if n == 3:
            play(g, ev("extra", card=g.unplayed()[0], x=3, y=0))
        while not g.over:
            shows(g, phase="PLAY")
            assert g.placed < cards
            cells = g.grid.free_cells()
            sure_cells = [(x, y, beside) for x, y, beside, doubt in cells if not doubt]
            number, x, y = dice.pick(
                [(k, x, y) for k in g.numbers_left() for x, y, beside in sure_cells if fits_beside(k, beside)]
            )
            seat = [p for p in range(n) if g.held[p]][0]
            play(g, ev("place", p=seat, card=card_name(number), x=x, y=y))
        shows(g, placed=cards)
        refuses(g, "E_OVER", ev("finish"))


# PC-T18
def test_the_game_is_stuck_when_both_have_skipped():
    for turns in ("free", "follow"):
        g = square("a1 b2 c3", turns=turns)
        play(g, ev("skip", p=0))
        shows(g, phase="PLAY", winners=[])
        play(g, ev("skip", p=1))
        shows(g, phase="OVER", totals=[0, 0])
        ended(g, [0, 1])


def test_skipping_twice_counts_once_and_a_card_clears_the_skips():
    g = square("a1 b2 c3")
    play(g, ev("skip", p=0), ev("skip", p=0))
    shows(g, phase="PLAY")
    play(g, put(1, "d4@3,0"), ev("skip", p=1))
    shows(g, phase="PLAY")
    play(g, ev("skip", p=0))
    shows(g, phase="OVER")
    ended(g, [1])


def test_a_shown_hand_that_fits_must_be_placed():
    g = square("a1 b2 c3")
    refuses(g, "E_MUST_PLACE", ev("skip", p=0, hand="d4"), ev("skip", p=0, hand=["d5", "d4"]))
    refuses(g, "E_CARD", ev("skip", p=0, hand="d4 d8"))
    told = refused("E_MUST_PLACE", g.apply, ev("skip", p=0, hand="d4")).info
    assert (told["x"], told["y"]) in [tuple(cell) for cell in g.fits("d4")]
    play(g, ev("skip", p=0))


def test_a_shown_hand_that_fits_nowhere_may_skip():
    g = game("poker_carre", 2, mode="grid")
    play(g, ev("layout", cards="a1 b1 c1 d1 e1 f1 g1 a2 b2"))
    assert g.fits("a5") == [] and len(g.fits("a3")) > 0
    play(g, ev("skip", p=0, hand="a5 b5 c5 c4"))
    refuses(g, "E_MUST_PLACE", ev("skip", p=1, hand="d5 a3"))


# The set-up on the table

def test_the_layout_fills_the_square_row_by_row_and_scores_nothing():
    g = game("poker_carre", 2, mode="grid")
    shows(g, phase="SETUP", grid={}, placed=0)
    assert "layout" in g.legal() and "place" not in g.legal()
    play(g, ev("layout", cards=["b1", "b2", "b3", "b4", "b5", "b6", "c1", "c2", "c3"]))
    shows(g, phase="PLAY", placed=0, totals=[0, 0], counts=[[0] * 5, [0] * 5])
    grid = g.summary()["grid"]
    assert len(grid) == 9
    assert (grid["0,0"], grid["2,0"], grid["0,1"], grid["1,2"], grid["2,2"]) == ("b1", "b3", "b4", "c2", "c3")
    assert g.card_at(1, 0) == "b2" and g.card_at(3, 0) is None
    left = g.unplayed()
    assert len(left) == 40 and "a1" in left and "g7" in left and "b1" not in left


def test_a_wrong_layout_is_refused():
    g = game("poker_carre", 2, mode="grid")
    refuses(g, "E_PHASE", put(0, "a1@0,0"), ev("extra", card="a1", x=3, y=0), ev("skip", p=0))
    refuses(g, "E_ARG", ev("layout", cards="a1 a2 a3 a4 a5 a6 b1 b2"), ev("layout", cards=9), ev("layout"))
    refuses(g, "E_CARD", ev("layout", cards="a1 a2 a3 a4 a5 a6 b1 b2 b8"))
    refuses(g, "E_CARD", ev("layout", cards="a1 a2 a3 a4 a5 a6 b1 b2 h3"))
    refuses(g, "E_CARD_USED", ev("layout", cards="a1 a2 a3 a4 a5 a6 b1 b2 a1"))
    play(g, ev("layout", cards="a1 a2 a3 a4 a5 a6 b1 b2 b3"))
    refuses(g, "E_PHASE", ev("layout", cards="c1 c2 c3 c4 c5 c6 d1 d2 d3"), ev("extra", card="d1", x=3, y=0))


# PC-A10
def test_three_players_lay_a_tenth_card_that_need_not_fit():
    g = square("a1 b2 c3", n=3)
    shows(g, phase="SETUP")
    refuses(g, "E_PHASE", put(0, "d4@3,0"))
    refuses(g, "E_NO_TOUCH", ev("extra", card="d7", x=3, y=-1), ev("extra", card="d7", x=5, y=0))
    refuses(g, "E_CELL_TAKEN", ev("extra", card="d7", x=2, y=0))
    refuses(g, "E_CARD_USED", ev("extra", card="c3", x=3, y=0))
    refuses(g, "E_CARD", ev("extra", card="c9", x=3, y=0))
    play(g, ev("extra", card="d7", x=3, y=0))
    shows(g, phase="PLAY", placed=0, totals=[0, 0, 0])
    assert g.summary()["grid"]["3,0"] == "d7"
    refuses(g, "E_PHASE", ev("extra", card="d1", x=4, y=0))


def test_cards_that_do_not_exist_or_lie_already_and_cells_that_are_taken():
    g = square("a1 b2 c3")
    refuses(g, "E_CARD", put(0, "h4@3,0"), put(0, "a0@3,0"), put(0, "a8@3,0"))
    refuses(g, "E_CARD_USED", put(0, "c3@3,0"))
    refuses(g, "E_CELL_TAKEN", put(0, "d4@2,0"))
    refuses(g, "E_ARG", ev("place", p=0, card=4, x=3, y=0), ev("place", p=0, card="d4", x="3", y=0))
    refuses(g, "E_ARG", ev("place", p=0, card="d4", x=3), ev("place", p=0, card="d4", x=3, y=True))
    refuses(g, "E_PLAYER", put(2, "h4@3,0"))
    play(g, put(0, "d4@3,0"))
    refuses(g, "E_CARD_USED", put(1, "d4@4,0"))


def test_a_hole_inside_the_figure_may_be_filled():
    g = square("a1 b2 c3")
    build(g, "d4@3,0 d5@4,0 d6@4,1 d7@4,2 e6@3,2")
    assert g.card_at(3, 1) is None
    assert items(g, "e5@3,1") == []
    play(g, put(0, "e5@3,1"))
    shows(g, placed=6)


# PC-A16
def test_the_rubrics_pay_one_two_three_seven_ten():
    assert tuple(RUBRIC_POINTS) == (1, 2, 3, 7, 10)


def test_the_screen_can_ask_where_a_card_fits():
    g = square("a1 b2 c3")
    beside_three_or_five = [(-1, 1), (-1, 2), (0, 3), (2, -1), (3, 0), (3, 1)]
    assert sorted([tuple(cell) for cell in g.fits("d4")]) == beside_three_or_five
    assert sorted([tuple(cell) for cell in g.fits("d7")]) == [(-1, 0), (0, -1), (2, 3), (3, 2)]
    for x, y in beside_three_or_five:
        assert "d4" in g.cards_for(x, y)
