"""Test the sheet of Kniffel by key presses: boxes, likely points, strikes, sums, UNDO, turns and the menu."""

from helpers.device import Device, at_table
from helpers.play import ev, setup
from kiebitz.games.five_dice.rules import BOXES
from kiebitz.raster import icons
from kiebitz.text import LANGUAGES


def table(n=3, *events, **keys):
    return at_table(setup("five_dice", n, title="Kniffel", **keys), events)


def write(p, box, k):
    return ev("write", p=p, box=box, k=k)


def filled(device, p):
    return {box: k for box, k in zip(BOXES, device.game.sheets[p]) if k is not None}


def test_the_title_that_the_language_calls_the_game_comes_first():
    for lang, first in (("en", "Kniffel"), ("de", "Kniffel"), ("fr", "Yams"), ("it", "Yahtzee"), ("nl", "Yahtzee")):
        d = Device(language=lang)
        d.keys("pick:start.new pick:game.five_dice")
        titles = d.app.top.labels()[:3]
        assert titles[0] == first and set(titles) == {"Kniffel", "Yahtzee", "Yams"}, lang


def test_the_likely_points_are_shown_with_their_effect_and_ok_writes_them():
    d = table()
    d.keys("up*3")
    assert d.sees("4") and d.sees("12") and d.sees("0\u219212")
    assert filled(d, 0) == {}
    d.keys("ok")
    assert filled(d, 0) == {"fours": 12} and d.app.top.at == 1


def test_a_strike_is_one_press_beside_the_likely_points():
    for moves, box, likely in (("up", "sixes", 18), ("down*2", "full_house", 25), ("", "three_kind", 5)):
        d = table()
        d.keys(moves)
        assert d.app.top.points == likely
        d.keys("left")
        assert d.sees("\u2013") and d.app.top.points == 0
        d.keys("ok")
        assert filled(d, 0) == {box: 0} and d.game.totals() == [0, 0, 0]


def test_fewer_and_more_of_a_face_come_in_a_ring():
    d = table()
    d.keys("up")
    seen = []
    for _ in range(6):
        seen.append(d.app.top.points)
        d.keys("right")
    assert seen == [18, 24, 30, 6, 12, 0] and d.app.top.points == 18


def test_a_sum_starts_at_five_and_a_held_key_goes_on_in_fives():
    d = table()
    d.keys("right*2")
    assert d.app.top.points == 7
    d.keys("left*2 hold:right")
    assert d.app.top.points == 20
    d.keys("right*2 left ok")
    assert filled(d, 0) == {"three_kind": 21}


def test_the_cursor_passes_over_filled_boxes_and_goes_round():
    d = table(2, *[write(p, box, 0) for box in BOXES[1:12] for p in (0, 1)])
    assert BOXES[d.app.top._box] == "chance"
    d.keys("down")
    assert BOXES[d.app.top._box] == "ones"
    d.keys("down")
    assert BOXES[d.app.top._box] == "chance"


def test_undo_drops_a_choice_then_takes_back_and_offers_the_entry_again():
    d = table(2, write(0, "fives", 20))
    d.keys("down left")
    assert d.app.top.at == 1
    d.keys("undo")
    assert filled(d, 0) == {"fives": 20} and d.app.top.points == 5
    d.keys("undo")
    assert filled(d, 0) == {} and d.sees("Taken back")
    d.wait(3000)
    assert d.app.top.at == 0 and BOXES[d.app.top._box] == "fives" and d.app.top.points == 20


def test_the_upper_sum_shows_how_far_it_is_to_sixty_three():
    d = table(2, write(0, "sixes", 24), write(1, "ones", 1))
    d.keys("up*3")
    assert d.app.top.points == 12 and d.sees("36/63") and d.sees("-27")
    d = table(2, write(0, "sixes", 30), write(0, "fives", 25), write(1, "ones", 1))
    d.keys("up*2")
    assert d.sees("67/63") and d.sees("+35") and d.sees("55\u2192102")


def test_a_held_ok_opens_the_menu_and_enters_nothing():
    d = table(2, write(0, "five_kind", 50), write(1, "chance", 20))
    d.keys("hold:ok pick:dice.menu.again")
    assert d.game.totals() == [100, 20] and d.app.top.at == 0
    d.keys("hold:ok pick:dice.menu.other")
    assert d.app.top.at == 1 and len(d.table) == 3


def test_a_held_left_shows_the_scores_and_changes_nothing():
    d = table(2, write(0, "chance", 20))
    d.keys("hold:left")
    assert d.sees("20")
    d.keys("ok")
    assert d.app.top.points == d.app.top._ring[0] and len(d.table) == 1


def test_turns_in_order_offer_no_other_sheet():
    d = table(2, options={"turns": "follow"})
    d.keys("hold:ok")
    assert not d.sees("Next player")


def test_undo_as_the_first_key_says_that_there_is_nothing_to_take_back():
    d = table()
    d.keys("undo")
    assert d.sees("Nothing to take back.") and filled(d, 0) == {}
    d.keys("up ok")
    assert filled(d, 0) == {"sixes": 18}


def test_the_menu_and_undo_are_named_on_the_sheet_and_after_the_game():
    for d in (table(), table(2, ev("end_game"))):
        hints = " ".join([" ".join(page) for page in d.app.canvas.hints])
        assert "menu" in hints and "undo" in hints and "scores" in hints, hints


def test_a_leader_whose_short_name_could_be_another_player_is_shown_by_the_initial():
    cases = ((["Katharina", "Katharine"], "A"), (["Guest 1", "Guest 2"], "Gu\u20262"), (["Ada", "Ben"], "Ben"))
    for names, shown in cases:
        d = at_table({"game": "five_dice", "players": names, "title": "Kniffel"}, [write(1, "sixes", 18)])
        assert icons.CROWN + shown in [words for _, _, words, *_ in d.words.drawn]


def test_the_entry_that_is_corrected_stays_named_while_the_cursor_moves():
    d = table(2, write(0, "sixes", 18))
    d.keys("hold:ok pick:menu.history ok pick:history.correct")
    assert d.sees("Sixes 18")
    d.keys("down*2 right")
    assert d.sees("Sixes 18")
    d.keys("ok")
    assert d.game.sheets[0][BOXES.index("sixes")] is None and len(filled(d, 0)) == 1


def test_undo_is_the_first_key_after_power_on():
    d = table(2, write(0, "sixes", 18))
    d.restart()
    d.keys("undo")
    assert filled(d, 0) == {}
    d.restart()
    d.keys("hold:undo")
    assert filled(d, 0) == {"sixes": 18}


def test_the_names_in_the_list_of_entries_are_not_cut_to_a_letter():
    points = {"three_kind": 30, "four_kind": 30, "small_straight": 30, "large_straight": 40}
    events = [write(p, box, k) for p in range(3) for box, k in points.items()]
    for lang in LANGUAGES:
        d = Device(language=lang).sit_down(setup("five_dice", 3, title="Kniffel"), events)
        d.keys("hold:ok pick:menu.history up*2")
        shown = d.lines()[1:-1]
        for _ in range(2):
            d.keys("down*5")
            shown += d.lines()[1:-1]
        assert {name for name in ("Anna", "Ben", "Cleo") if name in " ".join(shown)} == {"Anna", "Ben", "Cleo"}, lang
        assert not [line for line in shown if "\u2026" in line], (lang, shown)
