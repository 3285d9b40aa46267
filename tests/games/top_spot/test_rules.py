"""Test Top Spot refereed by the device (tricks, ties, jokers, end of a game)."""

from helpers.play import ev, game, play, refuses, shows, sure


def trick(*plays):
    """Return one trick; a play is (seat, cards, value), followed by "off" or "joker" where that is so."""
    rows = []
    for one in plays:
        words = one[3:]
        rows.append({
            "p": one[0], "cards": one[1], "value": one[2],
            "followed": "off" not in words, "joker": "joker" in words,
        })
    return ev("trick", plays=rows)


def referee(n=3, level="junior", **keys):
    return game("top_spot", n, mode="assisted", level=level, **keys)


def expert(n=3, **keys):
    return referee(n, "expert", **keys)


def on_the_lead(g):
    """Return who plays next, in order."""
    return list(g.to_play())


# TS-T1
def test_a_trick_is_one_point_whatever_was_played():
    g = referee()
    play(g, trick((0, 1, 3), (1, 4, 9), (2, 2, 7)))
    shows(g, points=[0, 1, 0], phase="TRICK")
    assert on_the_lead(g) == [1, 2, 0]
    play(g, trick((1, 1, 1), (2, 1, 2), (0, 1, 0)))
    shows(g, points=[0, 1, 1], totals=[0, 1, 1])
    assert list(g.hand) == [10, 7, 9]


# TS-T3
def test_a_joker_stack_shows_six_spots_at_most():
    g = expert()
    refuses(g, "E_JOKER_VALUE", trick((0, 3, 7, "joker"), (1, 1, 4), (2, 1, 2)))
    refuses(g, "E_JOKER_VALUE", trick((0, 1, 4), (1, 1, 4, "joker"), (2, 1, 2)))
    play(g, trick((0, 1, 4), (1, 3, 5, "joker"), (2, 1, 2)))
    shows(g, points=[0, 1, 0])


# TS-T4
def test_a_tie_goes_to_the_earlier_junior_and_to_a_tie_break_among_experts():
    tied = trick((0, 1, 4), (1, 1, 6), (2, 1, 6))
    g = referee()
    play(g, tied)
    shows(g, points=[0, 1, 0], phase="TRICK")
    g = expert()
    play(g, tied)
    shows(g, points=[0, 0, 0], phase="TIEBREAK")
    assert list(g.tie) == [1, 2] and on_the_lead(g) == [1, 2]
    refuses(g, "E_ORDER", trick((2, 1, 3), (1, 1, 4)))
    refuses(g, "E_EXTRA", trick((1, 1, 3), (2, 1, 4), (0, 1, 5)))
    refuses(g, "E_MISSING", trick((1, 1, 3)))
    play(g, trick((1, 1, 3), (2, 1, 4)))
    shows(g, points=[0, 0, 1], phase="TRICK")
    assert on_the_lead(g) == [2, 0, 1]


def test_the_earlier_play_counts_from_the_leader_on():
    g = referee(dealer=1)
    assert on_the_lead(g) == [2, 0, 1]
    play(g, trick((2, 1, 6), (0, 1, 6), (1, 1, 6)))
    shows(g, points=[0, 0, 1])


# TS-T5
def test_a_tied_player_without_cards_loses_to_the_one_who_has_some():
    g = expert()
    play(g, trick((0, 1, 12), (1, 12, 11), (2, 1, 3)))
    play(g, trick((0, 1, 4), (1, 1, 6), (2, 1, 6)))
    shows(g, points=[1, 0, 1], phase="TRICK")
    assert on_the_lead(g) == [2, 0]


# TS-T6
def test_when_both_tied_players_are_out_the_one_left_collects_his_cards():
    g = expert()
    play(g, trick((0, 8, 12), (1, 12, 11), (2, 12, 11)))
    play(g, trick((0, 1, 4), (1, 1, 6), (2, 1, 6)))
    shows(g, points=[1, 0, 0], phase="TRICK")
    assert on_the_lead(g) == [0] and list(g.hand) == [4, 0, 0]
    play(g, trick((0, 1, 2)))
    shows(g, points=[1 + 4, 0, 0], phase="GAME_END")


# TS-T7
def test_a_lone_joker_wins_when_nobody_can_follow():
    g = expert()
    play(g, trick((0, 1, 0, "joker"), (1, 1, 7, "off"), (2, 1, 9, "off")))
    shows(g, points=[1, 0, 0], phase="TRICK")


# TS-T8
def test_winning_with_the_last_card_ends_the_game_without_bonus():
    g = referee()
    play(g, trick((0, 12, 12), (1, 1, 3), (2, 1, 4)))
    shows(g, points=[1, 0, 0], phase="GAME_END")


# TS-T9
def test_the_winner_alone_with_cards_counts_them():
    g = referee()
    play(g, trick((0, 9, 12), (1, 12, 11), (2, 12, 11)))
    shows(g, points=[1 + 3, 0, 0], phase="GAME_END")


# TS-A10
def test_all_hands_empty_ends_the_game_without_bonus():
    g = referee()
    play(g, trick((0, 12, 13), (1, 12, 11), (2, 12, 12)))
    shows(g, points=[1, 0, 0], phase="GAME_END")


# TS-T10
def test_who_has_lost_with_the_last_card_sits_out():
    g = referee()
    play(g, trick((0, 1, 12), (1, 12, 11), (2, 1, 3)))
    refuses(g, "E_EXTRA", trick((0, 1, 5), (1, 1, 4), (2, 1, 3)))
    assert on_the_lead(g) == [0, 2]
    play(g, trick((0, 1, 5), (2, 1, 6)))
    shows(g, points=[1, 0, 1])


# TS-T11
def test_off_colour_is_exactly_one_card():
    g = referee()
    refuses(g, "E_OFF_COLOUR", trick((0, 1, 4), (1, 2, 6, "off"), (2, 1, 5)))
    refuses(g, "E_OFF_COLOUR", trick((0, 1, 4, "off"), (1, 1, 6), (2, 1, 5)))
    play(g, trick((0, 1, 4), (1, 1, 6, "off"), (2, 1, 3)))
    shows(g, points=[1, 0, 0])


# TS-T12
def test_a_tie_in_the_tie_break_goes_on_among_those_still_tied():
    g = expert()
    play(g, trick((0, 1, 6), (1, 1, 6), (2, 1, 6)))
    assert list(g.tie) == [0, 1, 2]
    play(g, trick((0, 1, 5), (1, 1, 5), (2, 1, 3)))
    shows(g, points=[0, 0, 0], phase="TIEBREAK")
    assert on_the_lead(g) == [0, 1]
    play(g, trick((0, 1, 2), (1, 1, 8)))
    shows(g, points=[0, 1, 0], phase="TRICK")
    assert on_the_lead(g) == [1, 2, 0]


# TS-T13
def test_a_tie_break_won_with_the_last_cards_ends_the_game():
    g = expert()
    play(g, trick((0, 1, 6), (1, 1, 6), (2, 1, 3)))
    play(g, trick((0, 12, 12), (1, 1, 4)))
    shows(g, points=[1, 0, 0], phase="GAME_END")


# TS-A7
def test_a_tie_break_won_alone_with_cards_brings_the_bonus():
    g = expert()
    play(g, trick((0, 1, 13), (1, 1, 13), (2, 13, 12)))
    shows(g, phase="TIEBREAK")
    play(g, trick((0, 10, 12), (1, 12, 11)))
    shows(g, points=[1 + 2, 0, 0], phase="GAME_END")


def test_a_tie_break_that_uses_up_all_cards_brings_no_point():
    g = expert()
    play(g, trick((0, 1, 3), (1, 12, 12), (2, 12, 12)))
    play(g, trick((1, 1, 5), (2, 1, 5)))
    shows(g, points=[0, 0, 0], phase="TRICK")
    assert on_the_lead(g) == [0]


def test_after_a_pointless_trick_the_last_winner_leads_again():
    g = expert(4)
    play(g, trick((0, 1, 2), (1, 12, 11), (2, 12, 11), (3, 1, 12)))
    assert on_the_lead(g) == [3, 0, 1, 2]
    play(g, trick((3, 1, 4), (0, 1, 5), (1, 1, 6), (2, 1, 6)))
    shows(g, points=[0, 0, 0, 1], phase="TRICK")
    assert on_the_lead(g) == [3, 0]


# TS-A5
def test_after_a_pointless_first_trick_the_first_leader_leads_or_the_next_with_cards():
    g = expert(4, dealer=0)
    play(g, trick((1, 1, 2), (2, 13, 12), (3, 13, 12), (0, 1, 3)))
    assert on_the_lead(g) == [1, 0]
    g = expert(4)
    play(g, trick((0, 13, 12), (1, 13, 12), (2, 1, 2), (3, 1, 3)))
    shows(g, points=[0, 0, 0, 0], phase="TRICK")
    assert on_the_lead(g) == [2, 3]


def test_a_pointless_trick_that_empties_all_hands_ends_the_game():
    g = expert()
    play(g, trick((0, 13, 12), (1, 13, 13), (2, 13, 13)))
    shows(g, points=[0, 0, 0], phase="GAME_END")


def test_the_plays_are_exactly_those_of_the_players_with_cards_in_order():
    g = referee()
    refuses(g, "E_ORDER", trick((1, 1, 4), (2, 1, 6), (0, 1, 5)), trick((0, 1, 4), (2, 1, 6), (1, 1, 5)))
    refuses(g, "E_MISSING", trick((0, 1, 4), (1, 1, 6)))
    refuses(g, "E_PLAYER", trick((0, 1, 4), (1, 1, 6), (3, 1, 6)))
    refuses(g, "E_CARDS", trick((0, 0, 4), (1, 1, 6), (2, 1, 6)), trick((0, 13, 12), (1, 1, 6), (2, 1, 6)))


def test_jokers_have_their_own_rules():
    g = referee()
    refuses(g, "E_LEVEL", trick((0, 2, 4, "joker"), (1, 1, 6), (2, 1, 5)))
    g = expert()
    refuses(g, "E_JOKER_FOLLOWS", trick((0, 1, 4), (1, 1, 0, "off", "joker"), (2, 1, 5)))
    play(g, trick((0, 1, 4), (1, 1, 0, "joker"), (2, 2, 6, "joker")))
    shows(g, points=[0, 0, 1])


# TS-A8
def test_a_card_that_cannot_have_raised_the_value_is_asked_about():
    g = referee()
    doubtful = trick((0, 1, 4), (1, 4, 2), (2, 1, 5))
    refuses(g, "W_USELESS_CARD", doubtful)
    play(g, trick((0, 1, 4), (1, 4, 3), (2, 1, 5)))
    play(g, sure(trick((2, 1, 4), (0, 1, 2), (1, 3, 1))))
    shows(g, points=[0, 0, 2])
    assert list(g.hand) == [10, 5, 10]


def test_plays_that_are_no_plays_are_malformed():
    g = referee()
    for plays in (None, 5, "0", [5], [[0, 1, 4]], {"p": 0}):
        refuses(g, "E_ARG", ev("trick", plays=plays))
    refuses(g, "E_ARG", ev("trick"))
    good = {"p": 0, "cards": 1, "value": 4, "followed": True, "joker": False}
    for key, value in (
        ("p", "0"), ("p", True), ("cards", "1"), ("cards", 1.0), ("value", None), ("value", -1),
        ("followed", 1), ("joker", "no"), ("value", 1000001),
    ):
        wrong = dict(good)
        wrong[key] = value
        others = trick((1, 1, 6), (2, 1, 5))["plays"]
        refuses(g, "E_ARG", ev("trick", plays=[wrong] + others))


def test_the_tally_belongs_to_the_other_mode():
    g = expert()
    refuses(g, "E_PHASE", ev("point", p=0), ev("blank"), ev("bonus", p=0, k=1), ev("end_game"))
    refuses(g, "E_PHASE", ev("next_game"))
    refuses(game("top_spot", 3), "E_PHASE", trick((0, 1, 4), (1, 1, 6), (2, 1, 5)))


def test_the_next_game_deals_again_and_moves_the_dealer():
    g = expert()
    assert g.legal() == ["trick", "end_match"]
    play(g, trick((0, 13, 12), (1, 1, 3), (2, 1, 4)))
    assert g.legal() == ["next_game", "end_match"]
    refuses(g, "E_PHASE", trick((0, 1, 4), (1, 1, 6), (2, 1, 5)))
    play(g, ev("next_game"))
    shows(g, phase="TRICK", points=[0, 0, 0], totals=[1, 0, 0], game_no=2, dealer=0)
    assert list(g.hand) == [13, 13, 13] and on_the_lead(g) == [1, 2, 0]


def test_a_trick_is_kept_as_it_was_entered():
    g = expert()
    event = trick((0, 1, 4), (1, 1, 7, "off"), (2, 2, 5, "joker"))
    assert g.canonical(event) == event


def test_a_short_snapshot_does_not_grow_with_the_games_of_a_match():
    g = game("top_spot", 3, match_length=60)
    play(g, ev("point", p=1))
    short, whole = g.short_snapshot(), g.snapshot()
    for _ in range(50):
        play(g, ev("point", p=0), ev("end_game"), ev("next_game"))
    later = game("top_spot", 3, match_length=60)
    later.take_history(g)
    later.restore(short)
    assert later.snapshot() == whole and g.rounds_over() == 50
    assert len(g.short_snapshot()) < len(short) + 10
