"""Test any other game by rounds with keys and screens (points, sheet, menu, end)."""

from helpers.device import Device, at_table
from kiebitz.raster import icons

FOUR = ["Anna", "Ben", "Cleo", "Dan"]
SKYJO = {
    "game": "any_game",
    "players": FOUR,
    "title": "Skyjo",
    "options": {"wins": "low", "end": "target", "limit": 100},
}


BOARDS = ("pico_oled", "pico_lcd_13")


def points(*rounds):
    """Return the events of these rounds, in the order of the seats."""
    return [{"ev": "points", "p": p, "k": k} for by_seat in rounds for p, k in enumerate(by_seat)]


# --- entering ---


def test_arrows_set_the_points_on_the_spot_and_ok_enters_them():
    d = at_table(SKYJO)
    assert d.sees("Skyjo", "Round 1", "Total", "100 to go")
    d.keys("right*2 up*2")
    assert d.sees("22", "78 to go") and len(d.table) == 0
    d.keys("ok")
    assert d.game.now == [22, None, None, None]


def test_the_players_are_asked_in_seating_order_every_round_whoever_deals():
    for dealer in range(4):
        d = at_table(dict(SKYJO, dealer=dealer))
        seen = []
        for _ in range(8):
            seen.append(d.app.top.at)
            d.keys("ok")
        assert seen == [0, 1, 2, 3] * 2


def test_a_dealer_is_shown_only_where_the_title_has_one():
    d = at_table(SKYJO)
    assert not d.sees(icons.DEALER)
    d = at_table(dict(SKYJO, deals=1))
    assert d.sees(icons.DEALER + "Dan")
    d.keys("ok*4")
    assert d.sees(icons.DEALER + "Anna")


def test_every_player_reads_the_round_the_points_and_the_total_at_once():
    names = FOUR + ["Eva", "Fritz", "Gerda", "Heidi"]
    for board in BOARDS:
        for n in range(2, 9):
            setup = dict(SKYJO, players=names[:n], title="Rummy", options={"wins": "low"})
            d = at_table(setup, points(range(11, 11 + n), [41, 42])[: n + 1], board=board)
            assert d.sees("Rummy", "Round 2", "Total", "Anna", "41", "Ben", "12"), (board, n)
            assert len([name for name in names[:n] if d.sees(name)]) == min(n, 5)


def test_the_last_line_says_what_every_key_does():
    for board in BOARDS:
        d = at_table(SKYJO, points([1, 2])[:1], board=board)
        seen = ""
        for _ in range(8):
            seen += d.lines()[-1] + " "
            d.wait(3000)
        for words in (
            "enter",
            "\u2191\u2193\u00b11",
            "\u2192+10",
            "\u2190-5",
            "hold: menu",
            "hold: other player",
            "undo",
            "hold: scores",
        ):
            assert words in seen, (words, seen)


def test_negative_points_are_reached_by_going_below_zero():
    d = at_table(SKYJO)
    d.keys("down*2 ok")
    assert d.game.now[0] == -2


def test_a_held_arrow_changes_the_number_faster_and_faster():
    d = at_table(SKYJO)
    d.hw.press("up")
    d.wait(2500)
    d.hw.release("up")
    d.wait(40)
    assert d.app.top.number.value > 200
    d.keys("up")
    before = d.app.top.number.value
    d.keys("up")
    assert d.app.top.number.value == before + 1


def test_a_number_starts_at_0_always_whatever_was_entered_before():
    d = at_table(SKYJO, points([20, 20, 20, 5]))
    for _ in range(4):
        assert d.app.top.number.value == 0
        d.keys("right up ok")
    assert d.game.rounds[1] == [11, 11, 11, 11]


def test_four_numbers_entered_by_the_same_habit_are_what_the_players_said():
    d = at_table(dict(SKYJO, options={}))
    d.keys("up*3 ok up*3 ok down*3 ok down*3 ok")
    assert d.game.rounds == [[3, 3, -3, -3]]


def test_the_total_after_the_entry_and_the_way_to_the_target_are_shown_before_ok():
    d = at_table(SKYJO, points([50, 60, 70, 80]))
    d.keys("right*4 up")
    assert d.sees("41", "91", "9 to go")
    d.keys("right")
    assert d.sees("51", "101", "Target reached")
    assert len(d.table) == 4


def test_another_player_can_come_first_by_holding_right():
    d = at_table(SKYJO)
    d.keys("right hold:right")
    assert d.app.top.at == 1 and d.app.top.number.value == 0
    d.keys("right ok")
    assert d.game.now == [None, 10, None, None]
    assert d.app.top.at == 2


def test_the_steps_can_be_larger():
    d = at_table(dict(SKYJO, step=5))
    d.keys("up right left ok")
    assert d.game.now[0] == 5 + 50 - 25
    d.keys("hold:ok")
    d.pick("One press: 5")
    assert d.sees("One press: 10")


def test_a_step_that_is_no_choice_is_one():
    assert at_table(dict(SKYJO, step="9")).app.top.number.step == 1


# --- undo ---


def test_undo_takes_back_the_last_points_and_asks_for_them_again_from_0():
    d = at_table(SKYJO, points([12, 23])[:2])
    d.keys("undo")
    assert d.game.now == [12, None, None, None] and d.app.top.at == 1
    assert d.sees("Taken back: Ben: 23")
    d.wait(3000)
    assert d.app.top.number.value == 0
    d.keys("hold:undo")
    assert d.game.now[1] == 23
    d.keys("undo right*2 up*4 ok")
    assert d.game.now[1] == 24


def test_undo_first_drops_what_the_arrows_have_changed_and_says_so():
    d = at_table(SKYJO, points([12, 23])[:2])
    d.keys("right undo")
    assert len(d.table) == 2 and d.sees("dropped")
    d.keys("undo")
    assert len(d.table) == 1


def test_undo_opens_a_round_again_across_its_end():
    d = at_table(SKYJO, points([12, 23, 5, 18]))
    assert d.game.round == 2 and d.sees("Round 2")
    d.keys("undo")
    assert d.game.round == 1 and d.app.top.at == 3
    d.keys("hold:undo")
    assert d.game.round == 2


# --- sheet, menu, end ---


def test_the_sheet_shows_the_rounds_the_totals_and_the_way_to_the_target():
    d = at_table(SKYJO, points([12, 23, 5, 18], [8, 31, 15, 11]))
    d.keys("hold:ok")
    d.pick("All rounds")
    assert d.sees("1 2 Total", "Anna 12 8 20", "23 31 54")
    d.keys("right ok")
    assert d.sees("to go", "12 8 80", "23 31 46")
    d.keys("ok")
    assert d.sees("Anna 12 8 20")


def test_ok_on_the_points_of_a_round_opens_their_entry_where_it_is_corrected():
    d = at_table(SKYJO, points([12, 23, 5, 18], [8, 31, 15, 11]) + points([4])[:1])
    d.keys("hold:ok")
    d.pick("All rounds")
    assert d.sees("1 2 3 Total", "entry")
    d.keys("left*2 down*2 ok")
    assert d.sees("All entries", "3 Cleo: 5", "R1 +5") and d.app.top.entries.number(d.app.top.at) == 2
    d.keys("ok pick:history.correct right up*5 ok")
    assert d.sees("Corrected: Cleo: 15") and d.game.rounds[0] == [12, 23, 15, 18]


def test_ok_on_points_that_nobody_entered_opens_what_closed_the_round():
    closing = {"ev": "end_round", "confirm": True}
    d = at_table(SKYJO, points([12, 23, 5, 18]) + points([4, 6])[:2] + [closing] + points([1, 2, 3, 4]))
    d.keys("hold:ok")
    d.pick("All rounds")
    d.keys("left up ok")
    assert d.sees("7 Round closed", "R2") and d.app.top.entries.number(d.app.top.at) == 6


def test_without_a_target_ok_on_a_total_opens_all_entries():
    d = at_table(dict(SKYJO, options={}), points([12, 23, 5, 18]))
    d.keys("hold:ok")
    d.pick("All rounds")
    d.keys("right")
    assert d.sees("entries")
    d.keys("ok")
    assert d.sees("All entries", "4 Dan: 18") and d.app.top.at == 0


def test_the_sheet_of_a_long_game_scrolls_while_the_totals_stay():
    d = at_table(dict(SKYJO, options={}), points(*[[k, 100, 200, 300] for k in range(1, 16)]))
    d.keys("hold:ok")
    d.pick("All rounds")
    assert d.sees("15 Total", " 120") and not d.sees("8 9 10")
    d.keys("left*20")
    assert d.sees("1 2 3 4", " 120") and not d.sees("15 Total")
    d.keys("right*6")
    assert d.sees("4 5 6 7") and not d.sees("15 Total")


def test_the_sheet_of_eight_players_scrolls_to_the_last_of_them():
    names = FOUR + ["Eva", "Fritz", "Gerda", "Heidi"]
    d = at_table(dict(SKYJO, players=names, options={}), points(range(8)))
    d.keys("hold:ok")
    d.pick("All rounds")
    assert d.sees("Heidi 7 7") and not d.sees("Anna")  # she has the newest points
    d.keys("down")
    assert d.sees("Anna") and not d.sees("Heidi")


def test_closing_a_round_early_asks_who_has_no_points():
    d = at_table(SKYJO, points([12, 23])[:2])
    d.keys("hold:ok")
    d.pick("Close the round")
    assert d.sees("No points yet: Cleo and Dan.")
    d.keys("undo")
    assert d.game.round == 1
    d.keys("ok")
    d.keys("ok")
    assert d.game.round == 2 and d.game.sheet == [12, 23, 0, 0]


def test_without_points_there_is_no_round_to_close():
    d = at_table(SKYJO)
    d.keys("hold:ok")
    assert not d.sees("Close the round")


def test_the_fewest_points_are_first_in_the_ranking_and_lead_at_the_table():
    d = at_table(SKYJO, points([12, 23, 5, 18]))
    assert d.sees("\ue002Cleo")
    d.keys("hold:ok")
    d.pick("Standings")
    assert d.text().index("Cleo") < d.text().index("Anna") < d.text().index("Dan") < d.text().index("Ben")


def test_the_target_ends_the_game_and_the_ranking_comes_by_itself():
    d = at_table(SKYJO, points([98, 60, 40, 70])[:3])
    d.app.top.number.value = 100
    d.keys("ok")
    assert d.game.over and d.sees("Final ranking", "Skyjo", "Cleo 40")
    d.keys("undo undo")
    assert not d.game.over and d.game.now[:3] == [98, 60, 40]


def test_the_end_by_hand_counts_the_points_of_the_round():
    d = at_table(SKYJO, points([12, 23])[:2])
    d.keys("hold:ok")
    d.pick("Finish the game now")
    assert d.sees("No points in this round yet:", "Cleo and Dan", "Finish as it stands?")
    d.keys("undo")
    assert not d.game.over
    d.pick("Finish the game now")
    d.keys("ok")
    assert d.game.over and d.game.totals() == [12, 23, 0, 0] and d.game.early


def test_the_end_by_hand_between_two_rounds_asks_only_who_would_win():
    d = at_table(SKYJO, points([12, 23, 5, 18]))
    d.keys("hold:ok")
    d.pick("Finish the game now")
    assert d.sees("Cleo")
    d.keys("ok")
    assert d.game.over and d.game.early


def test_a_number_of_rounds_is_shown_and_ends_the_game():
    d = at_table(dict(SKYJO, options={"end": "rounds", "limit": 2}), points([1, 2, 3, 4]))
    assert d.sees("Round 2/2")
    d.keys("ok ok ok ok")
    assert d.game.over


def test_points_are_corrected_in_the_past():
    d = at_table(SKYJO, points([12, 23, 5, 18]))
    d.keys("hold:ok")
    d.pick("All entries")
    d.keys("down*2 ok")
    d.pick("Correct this entry")
    assert d.app.top.at == 1 and d.app.top.number.value == 0 and d.sees("2 Ben: 23")
    d.keys("right*2 up*4 ok")
    assert d.game.sheet == [12, 24, 5, 18] and d.game.round == 2


def test_a_forgotten_entry_is_inserted_for_another_player():
    d = at_table(SKYJO, points([12, 23])[:2])
    d.keys("hold:ok")
    d.pick("All entries")
    d.keys("ok")
    d.pick("Insert one before it")
    d.keys("hold:right")
    assert d.app.top.at == 2
    d.app.top.number.value = 6
    d.keys("ok")
    assert d.game.now == [12, 23, 6, None]


def test_holding_left_shows_the_scoreboard_and_changes_nothing():
    d = at_table(SKYJO, points([12, 23])[:2])
    before = d.app.top.number.value
    d.keys("hold:left")
    assert type(d.app.top).__name__ == "Scoreboard"
    d.keys("ok")
    assert d.app.top.number.value == before and len(d.table) == 2
    d.keys("left")
    assert d.app.top.number.value == before - 5


def test_a_power_cut_in_the_middle_of_a_round_keeps_every_point_that_was_entered():
    d = at_table(SKYJO, points([12, 23, 5, 18]))
    d.keys("ok right")
    d.restart()
    assert d.game.round == 2 and d.game.now.count(None) == 3
    assert d.app.top.at == 1


# --- before the game ---


def new_game():
    """Return a device at the last screen before any other game, with three guests."""
    d = Device()
    d.keys("ok")
    d.pick("Any game")
    d.pick("Points")
    d.keys("ok*3 right")
    return d


def test_the_set_up_begins_with_sane_choices():
    d = new_game()
    d.keys("ok")
    assert d.game.title == "Points" and d.game.by_rounds and d.game.options["end"] == "open"


def test_skyjo_is_set_up_in_a_few_lines():
    d = new_game()
    d.pick("Winner: most points")
    d.pick("End: open")
    assert d.sees("Target: 100")
    d.pick("Name: Points")
    d.keys("up up ok right hold:ok")
    d.pick("Begin the game")
    game = d.game
    assert (game.low_wins, game.options["end"], game.options["limit"]) == (True, "target", 100)
    assert game.title == d.app.library.table.setup["title"] != "Points"


def test_a_limit_is_asked_only_where_the_end_needs_one():
    d = new_game()
    assert not d.sees("Target:") and not any("Rounds: " in line for line in d.lines())
    d.pick("End: open")
    d.pick("End: at a target score")
    d.pick("Rounds: 10")
    assert d.sees("10")
    d.keys("right ok")
    assert d.sees("Rounds: 20")
    d.pick("Points: by rounds")
    d.pick("Begin the game")
    assert not d.game.by_rounds and d.game.options["end"] == "open"


def test_the_points_at_the_start_and_the_step_are_chosen():
    d = new_game()
    d.pick("Points: by rounds")
    d.pick("At the start: 0")
    d.keys("right*2 ok")
    d.pick("End: open")
    assert d.sees("Target: 0")
    d.pick("One press: 1")
    d.pick("Begin the game")
    assert d.game.totals() == [20, 20, 20] and d.app.top.number.step == 5
