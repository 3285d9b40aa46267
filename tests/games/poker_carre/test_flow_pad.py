"""Test PokerCarre on the pad with keys and screens, to the ranking and with followed turns."""

from helpers.device import Device, at_table

_FOLLOW = {"turns": "follow"}


def pad(*names, **options):
    return at_table({"game": "poker_carre", "players": list(names), "options": options})


def reads(d, sentence):
    """Return True if the display shows the sentence, which may go on in the next line."""
    return sentence in " ".join(d.lines())


def test_the_three_smallest_combinations_take_four_presses_at_most():
    for keys, kind, size, points in (
        ("ok ok ok", "colour", 3, 1),
        ("ok up ok ok", "straight", 4, 1),
        ("ok down ok ok", "set", 3, 2),
        ("ok right ok ok", "colour", 4, 2),
    ):
        d = pad("Anna", "Ben")
        d.keys(keys)
        assert d.table.last_event() == {"ev": "place", "p": 0, "items": [["H", kind, size]]}, keys
        assert d.game.totals() == [points, 0], keys
        assert d.presses <= 4


def test_points_and_new_total_are_seen_before_they_are_entered():
    d = pad("Anna", "Ben", "Cleo")
    d.keys("ok ok ok")
    assert d.sees("Anna +1 1", "Anna scores 1")
    d.keys("ok down ok")
    assert d.sees("Ben 0→2", "Enter +2")
    assert d.game.totals() == [1, 0, 0]
    d.keys("ok")
    assert d.sees("Ben +2 2")


def test_the_same_kind_in_row_and_column():
    d = pad("Anna", "Ben")
    d.keys("ok ok left ok")  # three of a colour, and once more on the same cell
    assert d.sees("2×1", "Enter +2")
    d.keys("left right ok")  # and four of the colour: a third line there is not
    assert reads(d, "Colour counts only once in a line.")
    d.keys("undo ok ok")  # the second tick of three goes, four comes
    assert d.game.counts[0] == [1, 1, 0, 0, 0]
    lines = [item[0] for item in d.table.last_event()["items"]]
    assert sorted(lines) == ["H", "V"]


def test_a_second_ok_on_a_tick_that_cannot_be_doubled_takes_it_off():
    d = pad("Anna", "Ben")
    d.keys("ok left ok")  # round to seven of a colour
    assert d.sees("Enter +10")
    d.keys("left ok")
    assert d.sees("Enter without points", "0→0")


def test_combinations_that_no_square_can_show_are_refused_with_the_reason():
    d = pad("Anna", "Ben")
    d.keys("ok down right*2 ok")  # a set of five
    d.keys("up left ok")  # and a set of four
    assert reads(d, "Set of 4 and Set of 5 do not fit together.")
    d.keys("right ok")  # five off again
    assert d.sees("Enter without points")
    d.keys("left ok")
    assert d.sees("Enter +3")


def test_a_refusal_names_the_two_that_can_never_go_together():
    d = pad("Anna", "Ben")
    d.keys("ok ok up ok")  # three of a colour and a set of three
    d.keys("left*2 ok")  # round to the set of seven
    assert reads(d, "Set of 7 and Set of 3 do not fit together.")
    d.keys("wait:5000")
    assert d.sees("Anna 0→3")


def test_a_set_and_a_straight_too_long_for_one_line_lie_in_two():
    d = pad("Anna", "Ben")
    d.keys("ok down right*3 ok")  # a set of six
    d.keys("down left*2 ok ok")  # a straight of four
    assert sorted(d.table.last_event()["items"]) == [["H", "straight", 4], ["V", "set", 6]]
    assert d.game.totals() == [11, 0]


def test_undo_takes_back_a_tick_then_leaves_then_takes_back_the_entry():
    d = pad("Anna", "Ben")
    d.keys("ok ok ok ok ok")
    assert d.sees("Ben 0→1")
    d.keys("undo")
    assert d.sees("Ben 0→0")
    d.keys("undo undo")
    assert d.sees("Taken back: Anna scores 1")
    assert d.game.totals() == [0, 0]
    d.keys("hold:undo")
    assert d.game.totals() == [1, 0]


def test_crosses_are_added_and_taken_off_on_the_pad():
    d = pad("Anna", "Ben")
    d.keys("right down*3 ok")
    assert d.sees("Anna 7 points", "One cross more 0→7")
    d.keys("ok")
    assert d.sees("1 × 7 = 7")
    d.keys("right up ok ok")
    assert d.game.totals() == [7, 3]
    d.keys("ok at:carre.unmark")
    assert d.sees("One cross less 3→0")
    d.keys("ok")
    assert d.game.totals() == [7, 0]
    d.keys("undo")
    assert d.sees("Anna", "7", "score")


def test_a_short_game_on_the_pad_to_the_ranking():
    d = pad("Anna", "Ben", "Cleo")
    d.keys("ok ok ok ok down ok ok ok up ok ok")
    assert d.game.totals() == [1, 2, 1]
    d.restart()
    assert d.sees("Anna", "Ben", "Cleo", "score")
    d.keys("left at:carre.menu.finish")
    assert d.sees("Finish the game")
    d.keys("ok")
    assert d.sees("Final ranking", "Ben 2", "2. Anna 1", "2. Cleo 1")
    d.keys("undo")
    assert d.sees("Game over")
    d.keys("undo")
    assert d.sees("Taken back: Game finished")
    assert not d.game.over
    d.keys("left pick:carre.menu.finish ok")
    assert d.sees("New game")


def test_followed_turns_count_every_placement():
    d = at_table({"game": "poker_carre", "players": ["Anna", "Ben", "Cleo"], "options": _FOLLOW})
    d.keys("down up")  # closes the message of the first pad
    assert d.sees("0/39", "To place: Anna")
    d.keys("right")
    assert d.game.placed == 1 and d.game.turn == 1
    d.keys("down ok")
    assert reads(d, "It is Ben's turn. Make it Cleo's turn?")
    d.keys("ok ok ok")
    assert d.game.totals() == [0, 0, 1] and d.game.turn == 0


def test_a_held_key_enters_one_turn_without_points():
    d = pad("Anna", "Ben", **_FOLLOW)
    d.keys("hold:right")
    assert d.game.placed == 1 and d.game.turn == 1


def test_a_lap_of_skips_ends_the_game():
    d = at_table({"game": "poker_carre", "players": ["Anna", "Ben"], "options": _FOLLOW})
    d.keys("left at:carre.menu.skip")
    assert d.sees("Skip: Anna")
    d.keys("ok")
    assert d.game.turn == 1
    d.keys("left pick:carre.menu.skip")
    assert d.sees("Final ranking")


def test_long_names_break_no_line():
    names = ["Maximiliane von Hohenbur", "Bartholomaeus Wagenknech", "Wilhelmine Wohlgemuth Mm", "M", "W" * 24]
    for options in ({}, _FOLLOW):
        d = pad(*names, **options)
        for keys in "ok,ok,ok,down ok,undo,right,undo,left,down ok,right*4 ok,ok,undo*2".split(","):
            d.keys(keys + " wait:5000")
            assert d.faults() == [], (keys, d.lines())


def test_the_first_pad_explains_the_printed_one_once():
    d = pad("Anna", "Ben")
    assert reads(d, "A printed pad may show 23 points more for everybody.")
    d.keys("ok ok ok")
    assert d.game.totals() == [1, 0] and not d.sees("printed"), "the message costs no press"
    d.restart()
    assert not d.sees("printed")
    d.keys("left pick:menu.leave")
    d.sit_down({"game": "poker_carre", "players": ["Anna", "Ben"]})
    assert not d.sees("printed")
    d = at_table({"game": "poker_carre", "players": ["Anna", "Ben"], "mode": "grid"})
    assert not d.sees("printed") and not d.app.settings["pad_told"]


def test_the_set_up_explains_the_two_ways_to_keep_the_game():
    d = Device()
    d.app.roster.played(["Anna", "Ben"])
    d.keys("ok pick:game.poker_carre ok")
    assert d.sees("PokerCarre", "Pad: enter points only")
    d.keys("at:new.carre.score right")
    assert d.sees("Grid: enter every card")


def test_a_set_of_seven_that_wins_at_once_is_named_in_the_ranking():
    setup = {"game": "poker_carre", "players": ["Anna", "Ben"], "options": {"set_of_seven": "instant_win"}}
    d = at_table(setup, [{"ev": "place", "p": 1, "items": [["H", "set", 7]]}])
    d.keys("ok")
    assert d.sees("Final ranking", "set of seven")
