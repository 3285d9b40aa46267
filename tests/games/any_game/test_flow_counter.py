"""Test the counter with keys and screens, where consecutive presses are one entry."""

from helpers.device import at_table

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
