"""Test Top Spot as a plain tally (points, bonus, games, match)."""

from helpers.play import ended, ev, game, play, refuses, refuses_setup, setup, shows, sure
from kiebitz.store.table import Table


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
