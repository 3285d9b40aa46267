"""Test Top Spot with keys and screens, with one press for each trick, bonus, games and the match."""

from helpers.device import Device, at_table

FOUR = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo", "Dan"]}


def test_a_trick_takes_one_press():
    d = at_table(FOUR)
    d.keys("left up up right down")
    assert d.game.points == [1, 2, 1, 1] and d.presses == 5


def test_a_key_that_is_held_gives_one_trick():
    d = at_table(FOUR)
    for held, points in (("up", [0, 1, 0, 0]), ("right", [0, 1, 1, 0]), ("down", [0, 1, 1, 1])):
        d.keys("hold:%s" % held)
        assert d.game.points == points and len(d.table) == sum(points), held
    d.keys("right right")
    assert d.game.points == [0, 1, 3, 1], "a new press is a new trick"


def test_a_key_that_is_held_stays_silent_while_another_one_is_pressed():
    d = at_table(FOUR)
    d.hw.press("right")
    d.wait(100)
    d.keys("left")
    d.wait(1000)
    d.hw.release("right")
    d.wait(100)
    assert d.game.points == [1, 0, 1, 0]


def test_a_refused_trick_is_refused_once():
    d = at_table(FOUR, [{"ev": "point", "p": 0}] * 12)
    refused = []
    d.app.refuse = refused.append
    d.keys("hold:up hold:right")
    assert len(refused) == 2 and len(d.table) == 12


def test_five_players_have_five_keys_and_the_menu_by_holding_ok():
    d = at_table({"game": "top_spot", "players": ["Anna", "Ben", "Cleo", "Dan", "Eva"]})
    d.keys("ok ok")
    assert d.game.points[4] == 2
    d.keys("hold:ok")
    assert d.sees("Back to the game", "Finish this game")


def test_holding_ok_for_the_menu_gives_the_fifth_player_no_point():
    d = at_table({"game": "top_spot", "players": ["Anna", "Ben", "Cleo", "Dan", "Eva"]})
    d.keys("hold:ok")
    assert len(d.table) == 0


def test_a_whole_match_with_bonus_undo_and_power_off():
    d = at_table(FOUR)
    assert d.sees("Game 1 of 4")
    d.keys("left up*3 ok pick:spot.menu.end")
    assert d.sees("Ben", "+3", "Anna deals next")
    d.keys("undo")
    assert d.game.phase == "TRICK"
    d.keys("ok pick:spot.menu.bonus")
    assert d.sees("Who has cards left?")
    d.keys("ok right ok")
    assert d.game.phase == "GAME_END" and d.game.points == [1, 5, 0, 0]
    d.restart()
    assert d.sees("Ben", "+5")
    d.keys("ok")
    assert d.sees("Game 2 of 4")
    for _ in range(3):
        d.keys("left ok pick:spot.menu.end ok")
    assert d.sees("The match is over") and d.game.winners() == [1]
    d.keys("ok")
    assert d.sees("Final ranking", "Ben 5")
    d.keys("ok")
    assert d.sees("New game")


def test_the_thirteenth_point_of_a_junior_game_is_refused():
    d = at_table(FOUR, [{"ev": "point", "p": 0}] * 12)
    d.keys("left")
    assert d.game.points[0] == 12 and len(d.table) == 12


def test_the_end_is_proposed_when_nobody_can_have_cards():
    d = at_table(FOUR, [{"ev": "point", "p": p % 4} for p in range(11)])
    d.keys("up")
    assert d.sees("Finish this game", "After 12 rounds nobody has", "cards.") and d.game.phase == "TRICK"
    d.keys("undo")
    assert d.sees("Game 1 of 4") and len(d.table) == 12
    d.keys("right")
    assert d.sees("After 12 rounds all cards") and len(d.table) == 12
    d.keys("undo wait:2000 up ok")
    assert d.game.phase == "GAME_END" and d.game.points == [3, 4, 3, 2]
    d.keys("undo")
    assert d.game.phase == "TRICK" and not d.sees("nobody has"), "who takes back the end is not asked again"


def test_a_bonus_is_doubted_unless_the_last_trick_was_won():
    d = at_table(FOUR, [{"ev": "point", "p": 0}] * 5)
    d.keys("ok pick:spot.menu.bonus")
    assert d.sees("Who has cards left?")
    d.keys("down ok right*20")
    assert d.sees("0 → 7 points"), "nobody can have more than seven cards after five tricks"
    d.keys("ok")
    assert d.sees("Ben has not won the last", "round.") and d.game.phase == "TRICK"
    d.keys("undo undo up ok ok")
    assert d.game.phase == "GAME_END" and d.game.points == [6, 0, 0, 0]


def test_a_game_without_any_trick_is_ended_only_after_a_question():
    d = at_table(FOUR)
    d.keys("ok pick:spot.menu.end")
    assert d.sees("No round was entered") and len(d.table) == 0
    d.keys("ok")
    assert d.game.phase == "GAME_END" and d.sees("Anna deals next")


def test_a_trick_without_winner_is_for_experts():
    d = at_table(FOUR)
    d.keys("ok")
    assert not d.sees("Round without winner")
    d = at_table({"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "level": "expert"})
    d.keys("ok pick:spot.menu.blank")
    assert d.table.event(0) == {"ev": "blank"} and d.sees("Game 1 of 3")


def test_a_refereed_trick_finds_the_tie_and_the_tie_break():
    setup = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "level": "expert", "mode": "assisted"}
    d = at_table(setup)
    assert d.sees("Anna leads")
    d.keys("ok right*2 ok right*3 ok right*3 ok")
    assert d.sees("Tie at 3: those who tie play", "on, Ben leads.")
    d.keys("right")
    assert d.sees("Tiebreaker: Ben leads") and d.game.tie == [1, 2]
    d.keys("ok right*5 ok ok")
    assert d.game.points == [0, 1, 0] and d.sees("Ben leads")


def test_a_refereed_tie_says_why_it_was_decided():
    setup = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "mode": "assisted"}
    d = at_table(setup)
    d.keys("ok right*2 ok right*3 ok right*3 ok wait:60000")
    assert d.sees("Tie at 3: Ben was first and", "wins.") and d.game.points == [0, 1, 0]
    d = at_table(dict(setup, level="expert"))
    d.keys("ok right*12 down right*12 ok right*12 ok ok")
    assert d.sees("only Ben has cards", "left, and wins.") and d.game.points == [0, 1, 0]
    d = at_table(dict(setup, level="expert"))
    d.keys("ok right*12 down right*12 ok right*12 down right*12 ok ok")
    assert d.sees("nobody who ties", "no point.") and d.game.points == [0, 0, 0]


def test_tally_and_refereed_are_explained_when_they_are_chosen():
    d = Device()
    for name in ("Anna", "Ben", "Cleo"):
        d.app.roster.add(name)
    d.keys("ok pick:game.top_spot ok ok ok right at:new.mode")
    assert d.sees("Scoring: Tally")
    d.keys("ok wait:60000")
    assert d.sees("Enter each play, Kiebitz", "finds the winner.")
    d.keys("ok")
    assert d.sees("Scoring: Tally", "One press for whoever")


def test_a_refused_trick_can_be_mended_player_by_player():
    setup = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "mode": "assisted"}
    d = at_table(setup)
    d.keys("ok ok ok down right down right ok")  # Cleo: two cards of another colour
    assert len(d.table) == 0 and d.sees("off-colour card is played alone")
    d.keys("up left ok")
    assert len(d.table) == 1


def test_undo_in_a_trick_goes_back_one_player():
    setup = {"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "mode": "assisted"}
    d = at_table(setup)
    d.keys("ok right ok right*2 undo")
    assert d.sees("Anna", "1/3")
    d.keys("undo")
    assert d.sees("Anna leads") and len(d.table) == 0


def test_the_first_sight_explains_the_two_numbers_of_a_player():
    d = at_table({"game": "top_spot", "players": ["Anna", "Ben", "Cleo"], "match_length": 3})
    assert d.sees("0 (0)", "game (match)")
    d.keys("left")
    assert d.sees("1 +1(1)") and not d.sees("game (match)")


def test_nobody_deals_after_the_last_game_of_a_match():
    setup = dict(FOUR, match_length=4)
    game = [{"ev": "point", "p": 1}, {"ev": "end_game"}]
    d = at_table(setup, (game + [{"ev": "next_game"}]) * 3 + game)
    assert d.sees("That was the last game", "finish match") and not d.sees("deals next")
