"""Test the counter, and who won a round and what it was worth, with keys and screens."""

from helpers.device import at_table
from kiebitz.widgets.keys import UP

DUEL = {
    "game": "any_game",
    "players": ["Anna", "Ben"],
    "title": "Duel",
    "options": {"entry": "counter", "start": 20, "end": "target", "limit": 0},
}


def test_presses_in_a_row_are_one_entry_after_two_seconds():
    d = at_table(DUEL)
    d.keys("right*3 left*7")
    assert d.sees("+/-", "Total", "Anna", "-4", "16", "16 to go") and len(d.table) == 0
    d.wait(1500)
    assert len(d.table) == 0
    d.wait(1000)
    assert d.game.totals() == [16, 20] and len(d.table) == 1
    d.keys("undo")
    assert d.game.totals() == [20, 20]


def test_every_press_starts_the_two_seconds_again():
    d = at_table(DUEL)
    for _ in range(4):
        d.keys("left")
        d.wait(1500)
    assert len(d.table) == 0
    d.wait(1000)
    assert d.game.totals() == [16, 20]


def test_points_count_at_once_with_ok_or_with_another_player():
    d = at_table(DUEL)
    d.keys("left ok")
    assert d.game.totals() == [19, 20]
    d.keys("left*2 down left")
    assert d.game.totals() == [17, 20] and d.app.top.at == 1
    d.keys("up")
    assert d.game.totals() == [17, 19] and d.app.top.at == 0


def test_points_count_before_the_menu_opens():
    d = at_table(DUEL)
    d.keys("left*2 hold:ok")
    assert d.game.totals() == [18, 20] and d.sees("Back to the game", "Duel")


def test_undo_drops_points_that_do_not_count_yet_and_says_so():
    d = at_table(DUEL, [{"ev": "add", "p": 1, "k": -5}])
    d.keys("up left*3 undo")
    assert d.sees("-3 dropped") and len(d.table) == 1
    d.wait(3000)
    assert d.game.totals() == [20, 15]
    d.keys("undo")
    assert d.game.totals() == [20, 20]


def test_as_many_points_off_as_on_are_no_entry():
    d = at_table(DUEL)
    d.keys("left right ok")
    assert len(d.table) == 0 and d.sees("Back to the game")


def test_holding_left_takes_off_faster_and_shows_no_scoreboard():
    d = at_table(dict(DUEL, options={"entry": "counter"}))
    d.hw.press("left")
    d.wait(2500)
    assert d.app.top.number.value < -200 and type(d.app.top).__name__ == "CounterTable"
    d.hw.release("left")
    d.wait(3000)
    assert len(d.table) == 1 and d.game.totals()[0] < -200


def test_a_held_key_does_not_count_before_it_is_released():
    d = at_table(dict(DUEL, options={"entry": "counter"}))
    d.app.keys.rate = 0
    d.hw.press("right")
    d.wait(4000)
    assert len(d.table) == 0
    d.hw.release("right")
    d.wait(100)
    assert d.game.totals() == [1, 0]


def test_one_press_is_a_step_of_1_5_or_10():
    d = at_table(dict(DUEL, step=10))
    d.keys("left")
    assert d.sees("-10", "10 to go")
    d.keys("hold:ok")
    d.pick("One press: 10")
    d.keys("undo right ok")
    assert d.game.totals() == [11, 20]


def test_the_target_ends_the_game_and_the_ranking_comes_by_itself():
    d = at_table(DUEL, [{"ev": "add", "p": 1, "k": -18}])
    d.keys("left*2")
    assert d.sees("Target reached") and not d.game.over
    d.wait(2500)
    assert d.game.over and d.sees("Final ranking", "Anna 20")


def test_the_menu_of_a_finished_game_opens():
    d = at_table(DUEL, [{"ev": "end_game"}])
    d.keys("left")
    assert d.sees("Back to the game", "Standings")


def test_opening_the_menu_with_the_last_points_shows_the_ranking_instead():
    d = at_table(DUEL, [{"ev": "add", "p": 0, "k": -19}])
    d.keys("left hold:ok")
    assert d.game.over and d.sees("Final ranking")


def test_a_correction_waits_for_ok_and_may_be_for_another_player():
    d = at_table(DUEL, [{"ev": "add", "p": 0, "k": -5}])
    d.keys("ok")
    d.pick("All entries")
    d.keys("ok")
    d.pick("Correct this entry")
    d.wait(3000)
    assert d.game.totals() == [15, 20]
    d.keys("down right ok")
    assert d.game.totals() == [20, 21]  # from 0, whatever is corrected


def test_a_power_cut_before_points_count_keeps_what_counted():
    d = at_table(DUEL, [{"ev": "add", "p": 0, "k": -5}])
    d.keys("left*3")
    d.restart()
    assert d.game.totals() == [15, 20]


FOUR = ["Anna", "Ben", "Cleo", "Dan"]
BOARDS = ("pico_oled", "pico_lcd_13")
DOPPELKOPF = {
    "game": "any_game",
    "players": FOUR,
    "title": "Doppelkopf",
    "deals": 1,
    "options": {"entry": "exchange"},
}
FIVE = dict(DOPPELKOPF, players=FOUR + ["Eva"])


def test_a_deal_of_doppelkopf_takes_four_presses():
    for board in BOARDS:
        d = at_table(DOPPELKOPF, board=board)
        assert d.sees("Who won?", "Round 1", "Total", "\u2191 Anna", "\u2192 Ben", "\u2193 Cleo", "\u2190", "Dan")
        before = d.presses
        d.keys("up")
        assert d.sees("Anna", "wins", "go on")
        d.keys("right")
        assert d.sees("Worth?", "wins", "loses") and len(d.table) == 0
        d.keys("left")
        assert d.sees("3", "+3", "-3") and len(d.table) == 0
        d.keys("ok")
        assert d.presses - before == 4
        assert d.game.totals() == [3, 3, -3, -3] and d.sees("Who won?", "Round 2", "Anna and Ben: 3")


def test_who_wins_alone_is_confirmed_and_gets_it_from_everybody():
    d = at_table(DOPPELKOPF)
    d.keys("down ok up up ok")
    assert d.game.totals() == [-2, -2, 6, -2]


def test_who_loses_alone_is_pressed_twice():
    d = at_table(DOPPELKOPF)
    d.keys("left left")
    assert d.sees("Worth?", "loses")
    d.keys("up ok")
    assert d.game.totals() == [1, 1, 1, -3]


def test_of_two_nobody_is_offered_to_lose_alone():
    d = at_table(dict(DOPPELKOPF, players=["Anna", "Ben"]))
    assert d.sees("\u2191\u2193wins") and not d.sees("loses alone")
    d.keys("down up ok")
    assert d.game.totals() == [-1, 1]


def test_what_it_was_worth_starts_at_0_after_every_deal():
    d = at_table(DOPPELKOPF, [{"ev": "exchange", "winners": [0, 1], "k": 4}])
    d.keys("up right")
    assert d.app.top.number.value == 0
    d.keys("up*2 ok")
    assert d.game.rounds[1] == [2, 2, -2, -2]


def test_ok_pressed_twice_enters_no_round_that_was_worth_nothing():
    d = at_table(DOPPELKOPF)
    d.keys("up ok ok")
    assert len(d.table) == 0 and d.sees("nobody gets anything")
    d.keys("undo up ok")
    assert d.game.totals() == [3, -1, -1, -1]
    d.keys("up ok ok ok")
    assert d.game.rounds[1] == [0, 0, 0, 0]


def test_nobody_and_everybody_cannot_be_chosen():
    d = at_table(DOPPELKOPF)
    d.keys("ok")
    assert d.sees("Choose who won") and len(d.table) == 0
    five = at_table(FIVE)
    five.keys("right down right down right down right down right ok")
    assert five.sees("Choose who won")


def test_undo_goes_back_step_by_step_before_it_takes_back_a_deal():
    d = at_table(DOPPELKOPF, [{"ev": "exchange", "winners": [0, 1], "k": 4}])
    d.keys("up right up undo")
    assert d.app.top.number.value == 0 and d.sees("dropped")
    d.keys("undo")
    assert d.sees("Who won?") and len(d.table) == 1
    d.keys("up undo")
    assert not d.app.top.marks and len(d.table) == 1
    d.keys("undo")
    assert len(d.table) == 0 and d.sees("Taken back: Anna and Ben: 4")


def test_two_against_three_is_explained_where_it_happens():
    d = at_table(FIVE)
    d.keys("right down right ok")
    d.keys("up ok")
    assert d.sees("2 against 3") and len(d.table) == 0
    d.keys("undo undo right ok left ok")
    assert d.game.totals() == [-3, 12, -3, -3, -3]


def test_with_five_the_dealer_sits_out_and_four_have_arrows():
    sits = dict(FIVE, options={"entry": "exchange", "sits_out": "dealer"})
    for board in BOARDS:
        d = at_table(sits, board=board)
        assert d.sees("\u2191 Anna", "Eva", "sits out")
        d.keys("up right left ok")
        assert d.game.totals() == [3, 3, -3, -3, 0] and d.game.dealer == 0
        assert d.sees("\u2190 Eva", "sits out") and d.app.top.arrows[UP] == 1


def test_eight_players_see_what_everybody_gets():
    names = FOUR + ["Eva", "Fritz", "Gerda", "Heidi"]
    for board in BOARDS:
        d = at_table(dict(DOPPELKOPF, players=names, title="Tarot"), board=board)
        d.keys("down right ok right")
        for name in names:
            assert d.sees(name)
        assert d.sees("+70", "-10")


def test_a_bockrunde_is_begun_from_the_menu():
    d = at_table(DOPPELKOPF)
    d.keys("hold:ok pick:any.menu.double")
    assert d.sees("4")
    d.keys("ok")
    assert d.game.factors == [2] * 4 and d.sees("\u00d72, 4 to come")
    d.keys("up right up")
    assert d.sees("+2", "\u00d72")
    d.keys("ok")
    assert d.game.totals() == [2, 2, -2, -2] and d.game.factors == [2] * 3


def test_more_than_64_times_is_refused_with_what_to_do():
    d = at_table(DOPPELKOPF, [{"ev": "double", "k": 1}] * 6)
    d.keys("hold:ok")
    assert not d.sees("Double rounds")


def test_holding_left_shows_the_scoreboard_and_chooses_nobody():
    d = at_table(DOPPELKOPF)
    d.keys("up hold:left")
    assert type(d.app.top).__name__ == "Scoreboard"
    d.keys("ok")
    assert d.sees("Who won?") and d.app.top.marks == {0: 1}
    d.keys("right right hold:right")
    assert d.app.top.number.value == 10


def test_a_deal_is_corrected():
    d = at_table(DOPPELKOPF, [{"ev": "exchange", "winners": [0, 1], "k": 4}])
    d.keys("hold:ok pick:menu.history ok pick:history.correct")
    assert d.sees("Anna and Ben: 4")
    d.keys("up down up ok")
    assert d.game.totals() == [1, -1, 1, -1]


def test_a_power_cut_keeps_every_deal():
    d = at_table(DOPPELKOPF)
    d.keys("up right up ok down left")
    d.restart()
    assert d.game.totals() == [1, 1, -1, -1] and d.sees("Who won?", "Round 2")
