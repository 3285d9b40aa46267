"""Test PokerCarre card by card with keys and screens (layout, placement, shown hands, end)."""

from games.poker_carre.case import drift
from helpers.device import at_table
from helpers.play import sure

_NINE = "a1 b2 c3 d4 e5 f6 g7 a2 b3"


def laid_out(*names, **options):
    setup = {"game": "poker_carre", "players": list(names), "mode": "grid", "options": options}
    return at_table(setup, [{"ev": "layout", "cards": _NINE}])


def reads(d, sentence):
    """Return True if the display shows the sentence, which may go on in the next line."""
    return sentence in " ".join(d.lines())


def go(d, x, y):
    """Move the cursor to a cell, or to the card of colour x and value y, with the arrow keys."""
    cursor = d.app.top.cursor
    steps = 0
    while cursor.at != (x, y):
        if cursor.at[1] != y:
            d.keys("down")
        else:
            d.keys("right" if cursor.at[0] < x else "left")
        steps += 1
        assert steps < 15, "the cursor does not reach %d, %d" % (x, y)


def menu(d, label):
    """Open the menu, beyond the players at the left, and choose an item."""
    for _ in range(9):
        if not d.sees("Back to the game"):
            d.keys("left")
    d.pick(label)


def choose(d, cards):
    for card in cards.split():
        go(d, "abcdefg".index(card[0]), int(card[1]))
        d.keys("ok")


def test_nine_cards_are_laid_out_one_by_one():
    d = at_table({"game": "poker_carre", "players": ["Anna", "Ben"], "mode": "grid"})
    assert d.sees("lay out nine cards")
    d.keys("ok")
    choose(d, "a1 b2 c3 d4 e5")
    assert d.sees("5/9", "a1 b2 c3", "d4 e5")
    d.keys("undo")
    assert d.sees("4/9") and not d.sees("e5")
    choose(d, "e5 f6 g7 a2 b3")
    assert d.sees("9/9", "g7 a2 b3", "enter")
    d.keys("ok")
    assert d.sees("a1 b2 c3", "d4 e5 f6", "g7 a2 b3", "0/40")
    assert d.game.phase == "PLAY"


def test_a_layout_taken_back_can_be_gone_on_from():
    d = laid_out("Anna", "Ben")
    d.restart()
    d.keys("undo")
    assert reads(d, "Taken back: Nine cards laid out")
    d.keys("ok undo")
    assert d.sees("8/9", "g7 a2")
    choose(d, "f1")
    d.keys("ok")
    assert d.game.card_at(2, 2) == "f1"


def test_three_players_lay_a_tenth_card_anywhere_beside_the_square():
    d = laid_out("Anna", "Ben", "Cleo")
    assert d.sees("tenth card", "0/39")
    d.restart()
    go(d, 3, 1)
    d.keys("ok")
    assert d.sees("Card 10")
    choose(d, "g1")
    assert d.game.card_at(3, 1) == "g1" and d.game.phase == "PLAY"
    d.keys("undo")
    assert d.sees("Taken back: Tenth card: g1")


def test_only_cards_that_fit_are_offered_with_what_they_score():
    d = laid_out("Anna", "Ben")
    go(d, 3, 0)  # beside the yellow 3, in a row with 1, 2, 3
    d.keys("ok")
    offered = d.app.top.cursor.cells
    assert sorted(offered) == [("abcdefg".index(card[0]), int(card[1])) for card in d.game.cards_for(3, 0)]
    assert set([value for _, value in offered]) == {2, 4}
    assert d.sees("Anna red 4", "+1 → 1", "→Straight 4")
    d.keys("up")
    assert d.sees("Anna", "+0 → 0", "scores nothing")
    d.keys("up ok")
    assert d.game.totals() == [1, 0]
    assert d.sees("a1 b2 c3 a4", "Anna +1", "1/40")
    assert d.game.turn == 1


def test_a_placement_is_taken_back_and_done_again():
    d = laid_out("Anna", "Ben")
    go(d, 3, 0)
    d.keys("ok ok")
    after = d.game.snapshot()
    d.keys("undo")
    assert d.game.placed == 0 and d.sees("Taken back: Anna: a4 2→1↑")
    d.keys("hold:undo")
    assert d.game.snapshot() == after
    d.restart()
    assert d.game.snapshot() == after and d.sees("1/40")


def test_any_player_may_place_when_turns_are_free():
    d = laid_out("Anna", "Ben", "Cleo", "Dan")
    go(d, 3, 1)
    d.keys("right")  # off the edge to the players
    assert d.sees("who", "move", "menu")
    d.keys("down*2 right ok")
    assert d.sees("Cleo")
    d.keys("ok")
    assert d.table.last_event()["p"] == 2
    assert d.game.turn == 3


def test_another_turn_is_asked_for_when_turns_are_followed():
    d = laid_out("Anna", "Ben", turns="follow")
    go(d, 3, 1)
    d.keys("right down right ok")
    assert reads(d, "It is Anna's turn. Make it Ben's turn?")
    d.keys("ok ok")
    assert d.table.last_event()["p"] == 1


def test_the_menu_is_left_of_the_players():
    d = laid_out("Anna", "Ben")
    go(d, -1, 1)
    d.keys("left left")
    assert d.sees("Back to the game", "The pad", "Skip: Anna")
    d.keys("pick:carre.menu.pad")
    assert d.sees("0 × 1 = 0") and not d.sees("change")  # the cards alone make the crosses


def test_a_shown_hand_with_a_card_that_fits_is_refused_and_the_cell_marked():
    d = laid_out("Anna", "Ben")
    menu(d, "Skip, show hand: Anna")
    choose(d, "c1")
    x, y = d.game.fits("c1")[0]
    beside = [cell for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if d.game.card_at(*cell)][0]
    assert reads(d, "c1 can be placed, for example beside " + d.game.card_at(*beside))
    assert d.app.top.cursor.at == d.game.fits("c1")[0]
    assert d.game.skipped == []


def test_skips_without_a_word_end_the_game():
    d = laid_out("Anna", "Ben")
    menu(d, "Skip: Anna")
    menu(d, "Skip: Ben")
    assert d.sees("Final ranking")
    d.keys("undo undo")
    assert not d.game.over and d.game.skipped == [0]


def beside(cell, other):
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1]) == 1


def test_without_advice_the_cursor_stays_beside_the_last_card_and_on_no_particular_one():
    d = laid_out("Anna", "Ben")
    assert d.app.settings["advice"] is False
    for cell in ((3, 0), (2, 3), (-1, 1)):
        go(d, *cell)
        d.keys("ok")
        assert d.app.top.cursor.at == min(d.app.top.cursor.cells)
        d.keys("ok")
        assert beside(d.app.top.cursor.at, cell), cell
        before = d.app.top.cursor.at
        d.restart()
        assert d.app.top.cursor.at == before


def test_with_advice_the_cursor_begins_at_the_cell_and_the_card_that_pay_best():
    d = laid_out("Anna", "Ben")
    menu(d, "Settings")
    d.keys("at:set.advice")
    assert d.sees("Advice: off")
    d.keys("ok")
    assert d.sees("Advice: on") and d.app.settings["advice"] is True
    d.keys("undo*2 right")
    go(d, 3, 0)
    d.keys("ok ok")
    assert d.game.totals() == [1, 0]
    d.keys("ok")
    top = d.app.top
    assert top.points[top.cursor.at] == max(top.points.values()) > 0


def test_the_proposed_card_all_the_way_to_the_ranking():
    d = laid_out("Anna", "Ben")
    presses = 0
    while not d.game.over:
        d.keys("ok" if d.app.top.cursor is None else "ok ok")
        presses += 1
        assert presses < 60
    assert d.sees("Final ranking", str(max(d.game.totals())))
    d.keys("undo undo")
    assert not d.game.over
    d.keys("hold:undo")
    assert d.sees("Final ranking")


def test_a_wrong_card_of_the_layout_is_corrected_later():
    d = laid_out("Anna", "Ben")
    go(d, 3, 0)
    d.keys("ok ok ok ok")
    menu(d, "All entries")
    d.keys("up ok pick:history.correct")  # round to the oldest entry
    assert reads(d, "Nine cards laid out")
    d.keys("ok undo")
    assert d.sees("8/9", "g7 a2")
    choose(d, "f3")
    d.keys("ok")
    assert d.game.card_at(2, 2) == "f3" and d.game.placed == 2
    assert d.sees("g7 a2 f3")


def test_long_names_break_no_line():
    names = ["Maximiliane von Hohenbur", "Bartholomaeus Wagenknech", "Wilhelmine Wohlgemuth Mm", "M", "W" * 24]
    d = laid_out(*names)
    for keys in "ok,down,ok,ok ok,left*2,left,down ok,ok,undo*3,ok right*9,right,up left".split(","):
        d.keys(keys + " wait:5000")
        assert d.faults() == [], (keys, d.lines())


def test_a_figure_wider_than_seven_is_asked_for_and_scrolls_with_the_cursor():
    setup = {"game": "poker_carre", "players": ["Anna", "Ben"], "mode": "grid"}
    events, wide = drift()
    d = at_table(setup, events)
    go(d, 5, 1)
    d.keys("ok")
    choose(d, "c6")
    assert reads(d, "outside a square of 7 by 7") and len(d.table) == 6
    d.keys("undo undo")
    go(d, 5, 1)
    d.keys("ok")
    choose(d, "c6")
    d.keys("ok")
    assert d.table.last_event() == sure(wide) and d.app.top.takes_back
    go(d, 5, 2)
    assert d.sees("f5 f2 g3 b4 b5 c6") and not d.sees("b1"), "the left edge is out of sight"
    go(d, -2, -1)
    assert d.sees("b1 b2 a3 a4 a5 b6", "f5 f2 g3 b4 b5") and not d.sees("c6")
    go(d, 5, 2)
    assert d.sees("c6") and d.faults() == []


def test_a_longer_row_is_never_offered():
    setup = {"game": "poker_carre", "players": ["Anna", "Ben"], "mode": "grid"}
    events, wide = drift()
    d = at_table(setup, events + [sure(wide)])
    assert (5, 0) not in d.app.top.cursor.cells and (5, 2) in d.app.top.cursor.cells


def test_the_number_of_a_guest_is_not_read_with_the_points():
    d = laid_out("Guest 1", "Guest 2", "Anna")
    lines = [[words for y, _, words, *_ in d.words.drawn if y == row] for row in (0, 8)]
    for number, line in zip("12", lines):
        assert line[0] == "0" and line[1][0] == "G" and line[1][-1] == number
    _, left, _, wide, *_ = [text for text in d.words.drawn if text[0] == 0 and text[2][:1] == "G"][0]
    total = [text for text in d.words.drawn if text[0] == 0 and text[2] == "0"][0]
    assert total[1] - (left + wide) >= 5
