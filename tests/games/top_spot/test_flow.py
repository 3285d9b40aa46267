"""Test Top Spot with keys and screens, and its rules as a plain tally: points, bonus, games, match."""

from helpers.device import Device, at_table
from helpers.play import ended, ev, game, play, refuses, refuses_setup, setup, shows, sure
from kiebitz.store.table import Table

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


def points(p, k):
    """Return the events by which a player wins k tricks."""
    return [ev("point", p=p) for _ in range(k)]


END_GAME = ev("end_game")
NEXT_GAME = ev("next_game")


# TS-T2
def test_a_match_should_be_a_multiple_of_the_number_of_players():
    for length in (4, 8, 12, 16):
        assert game("top_spot", 4, match_length=length).match_length == length
    odd = setup("top_spot", 4, match_length=5)
    refuses_setup("W_MATCH_LENGTH", odd)
    assert game("top_spot", 4, match_length=5, confirm=True).match_length == 5
    assert game("top_spot", 4).match_length == 4
    for length in (0, -4, "4", True, 4.0, 1000001):
        refuses_setup("E_ARG", setup("top_spot", 4, match_length=length))


# TS-T14
def test_a_game_has_no_more_tricks_than_a_hand_has_cards():
    for level, cards in (("junior", 12), ("expert", 13)):
        g = game("top_spot", 3, level=level)
        play(g, *points(1, cards))
        refuses(g, "E_TOO_MANY", ev("point", p=1), ev("point", p=0), ev("bonus", p=1, k=1))
        shows(g, points=[0, cards, 0])
    g = game("top_spot", 3, level="expert")
    play(g, *points(2, 10))
    play(g, ev("blank"), ev("blank"), ev("point", p=0))
    refuses(g, "E_TOO_MANY", ev("point", p=1), ev("blank"), sure(ev("bonus", p=0, k=1)))
    play(g, END_GAME)


# TS-T16
def test_the_bonus_is_for_the_cards_that_the_last_winner_can_have():
    g = game("top_spot", 3)
    play(g, *points(1, 4))
    play(g, ev("point", p=0))
    refuses(g, "E_TOO_MANY", ev("bonus", p=0, k=8), ev("bonus", p=1, k=8))
    refuses(g, "W_BONUS", ev("bonus", p=1, k=2))
    play(g, ev("bonus", p=0, k=7))
    shows(g, phase="GAME_END", points=[8, 4, 0])


def test_a_bonus_after_a_trick_without_a_winner_or_without_any_trick_is_doubted():
    g = game("top_spot", 3, level="expert")
    refuses(g, "W_BONUS", ev("bonus", p=0, k=2))
    play(g, ev("point", p=0), ev("blank"))
    refuses(g, "W_BONUS", ev("bonus", p=0, k=2))
    play(g, sure(ev("bonus", p=0, k=2)), NEXT_GAME)
    refuses(g, "W_BONUS", ev("bonus", p=0, k=2))


def test_the_end_of_a_game_without_a_trick_is_doubted():
    g = game("top_spot", 3, level="expert")
    refuses(g, "W_NO_TRICK", END_GAME)
    play(g, ev("blank"), END_GAME, NEXT_GAME)
    refuses(g, "W_NO_TRICK", END_GAME)


# TS-T17
def test_a_match_can_end_early_with_the_points_as_they_stand():
    table = Table(setup("top_spot", 3, match_length=4, confirm=True))
    for event in points(0, 2) + [END_GAME, NEXT_GAME] + points(2, 6) + [END_GAME, NEXT_GAME] + points(0, 3):
        table.play(event)
    table.play(ev("point", p=1))
    shows(table.game, totals=[5, 1, 6], points=[3, 1, 0], game_no=3, dealer=1, early=False)
    table.play(ev("end_match"))
    shows(table.game, phase="MATCH_OVER", totals=[5, 1, 6], points=[0, 0, 0], game_no=3, dealer=1, early=True)
    ended(table.game, [2])
    table.play(ev("undo"))
    shows(table.game, phase="TRICK", totals=[5, 1, 6], points=[3, 1, 0], winners=[], early=False)
    for event in (END_GAME, NEXT_GAME):
        table.play(event)
    shows(table.game, phase="TRICK", game_no=4, winners=[])
    for event in points(0, 2) + [END_GAME, NEXT_GAME]:
        table.play(event)
    shows(table.game, phase="MATCH_OVER", totals=[7, 1, 6], early=False)
    ended(table.game, [0])


def test_a_refereed_match_ends_early_in_any_phase():
    g = game("top_spot", 3, mode="assisted")
    play(g, ev("end_match"))
    shows(g, phase="MATCH_OVER", early=True, winners=[0, 1, 2])
    refuses(g, "E_OVER", ev("end_match"), ev("next_game"))


# TS-T15
def test_equal_totals_share_the_match():
    g = game("top_spot", 3, level="expert")
    play(g, *points(0, 12))
    play(g, END_GAME, NEXT_GAME, *points(1, 12))
    play(g, END_GAME, NEXT_GAME, *points(0, 2))
    play(g, *points(1, 2))
    play(g, *points(2, 9))
    shows(g, totals=[14, 14, 9], points=[2, 2, 9], game_no=3, winners=[])
    play(g, END_GAME, NEXT_GAME)
    shows(g, phase="MATCH_OVER", totals=[14, 14, 9], points=[0, 0, 0], dealer=2)
    ended(g, [0, 1])
    assert [list(row) for row in g.history] == [[12, 0, 0], [0, 12, 0], [2, 2, 9]]


def test_points_are_counted_for_anybody_in_any_order():
    g = game("top_spot", 4)
    shows(g, phase="TRICK", game_no=1, dealer=3, points=[0, 0, 0, 0])
    play(g, ev("point", p=3), ev("point", p=0), ev("point", p=3))
    shows(g, points=[1, 0, 0, 2], totals=[1, 0, 0, 2])
    assert list(g.leaders()) == [3]
    refuses(g, "E_PLAYER", ev("point", p=4))
    refuses(g, "E_ARG", ev("point"), ev("point", p="0"), ev("point", p=False))


def test_the_bonus_ends_the_game():
    g = game("top_spot", 3)
    refuses(g, "E_ARG", ev("bonus", p=0, k=0), ev("bonus", p=0), ev("bonus", k=1))
    refuses(g, "E_PLAYER", ev("bonus", p=3, k=1))
    refuses(g, "E_TOO_MANY", ev("bonus", p=0, k=13))
    play(g, *points(0, 9))
    refuses(g, "E_TOO_MANY", ev("bonus", p=0, k=4))
    play(g, ev("bonus", p=0, k=3))
    shows(g, phase="GAME_END", points=[12, 0, 0])
    refuses(g, "E_PHASE", ev("point", p=1), ev("point", p=9), ev("bonus", p=1, k=1), END_GAME, ev("blank"))


def test_only_experts_play_tricks_without_a_point():
    refuses(game("top_spot", 3), "E_LEVEL", ev("blank"))
    g = game("top_spot", 3, level="expert")
    play(g, ev("blank"), ev("blank"))
    shows(g, points=[0, 0, 0], phase="TRICK")


def test_games_follow_each_other_and_the_dealer_moves_left():
    g = game("top_spot", 3, dealer=1)
    refuses(g, "E_PHASE", NEXT_GAME)
    play(g, *points(2, 5))
    play(g, END_GAME)
    shows(g, phase="GAME_END", points=[0, 0, 5], totals=[0, 0, 5], dealer=1)
    play(g, NEXT_GAME)
    shows(g, phase="TRICK", points=[0, 0, 0], totals=[0, 0, 5], dealer=2, game_no=2)
    play(g, sure(END_GAME), NEXT_GAME)
    shows(g, dealer=0, game_no=3)


def test_a_finished_match_takes_nothing_but_malformed_lines_are_still_malformed():
    g = game("top_spot", 3, match_length=1, confirm=True)
    play(g, ev("point", p=1), END_GAME)
    shows(g, phase="GAME_END", winners=[])
    play(g, NEXT_GAME)
    shows(g, phase="MATCH_OVER", dealer=0)
    ended(g, [1])
    refuses(g, "E_OVER", ev("point", p=9), END_GAME, NEXT_GAME, ev("blank"), ev("trick", plays=[]))
    refuses(g, "E_ARG", ev("point", p="9"), ev("turn", p=0))


# TS-A13
def test_the_reminder_about_jokers_changes_nothing():
    for reminder in ("off", "on"):
        g = game("top_spot", 3, level="expert", one_joker_each=reminder)
        play(g, ev("point", p=0))
        shows(g, points=[1, 0, 0])


def test_a_doubt_about_the_length_comes_after_everything_else():
    refuses_setup("E_PLAYERS", setup("top_spot", 2, match_length=5))
    refuses_setup("E_SETTING", setup("top_spot", 3, match_length=5, colour="red"))
    refuses_setup("E_ARG", sure(setup("top_spot", 3, match_length=5, level="master")))


def test_the_tally_of_juniors_is_what_people_start_with():
    g = game("top_spot", 3)
    assert g.mode == "tally" and g.level == "junior"
    g = game("top_spot", 3, mode="assisted", level="expert")
    assert g.mode == "assisted" and g.level == "expert"
    for word in ("nonsense", "", 1, None, True, "JUNIOR", "grid"):
        refuses_setup("E_ARG", setup("top_spot", 3, level=word))
        refuses_setup("E_ARG", setup("top_spot", 3, mode=word))
