"""What the events of all games have in common: names, seats, numbers, summaries and snapshots."""

from helpers.play import ev, game, in_every_game, play, refuses, sure
from kiebitz_lab.dice import NAMES

# A few events with which each game may begin
FIRST = {
    "royal_flush": (ev("spend", p=0, k=1), ev("score", p=1, board="royal_flush")),
    "poker_carre": (ev("mark", p=0, rubric=1), ev("place", p=1, items=[["H", "set", 3]])),
    "poch": (ev("start_round", trump="S"), ev("cash", p=1, pool="A")),
    "top_spot": (ev("point", p=0), ev("bonus", p=0, k=2)),
    "any_game": (ev("points", p=0, k=7), ev("points", p=2, k=-3)),
}

# An event that takes any seat
BY_SEAT = {
    "royal_flush": ev("spend", k=1),
    "poker_carre": ev("mark", rubric=1),
    "poch": ev("retire"),
    "top_spot": ev("point"),
    "any_game": ev("points", k=1),
}

SUMMARY = {
    "royal_flush": "round chips pieces jokers spent carry start early round_points slots",
    "poker_carre": "counts placed grid",
    "poch": "chips pools bank dealer round trump owed",
    "top_spot": "points game_no dealer early",
    "any_game": "title round rounds now dealer",
}


@in_every_game
def test_words_nobody_asked_for_are_not_kept(kind):
    event = FIRST[kind][0]
    chatty = dict(event)
    chatty["mood"] = "happy"
    assert game(kind, 3).canonical(chatty) == event
    play(game(kind, 3), chatty)


@in_every_game
def test_an_event_is_kept_as_it_was_entered(kind):
    g = game(kind, 3)
    for event in FIRST[kind]:
        assert g.canonical(event) == event
        play(g, event)


@in_every_game
def test_a_confirmation_nobody_asked_for_does_no_harm(kind):
    asked, plain = game(kind, 3), game(kind, 3)
    play(asked, sure(FIRST[kind][0]))
    play(plain, FIRST[kind][0])
    assert asked.snapshot() == plain.snapshot()


@in_every_game
def test_the_summary_has_the_agreed_keys(kind):
    common = "game phase players totals winners ".split()
    assert set(game(kind, 3).summary()) == set(common + SUMMARY[kind].split()), kind


@in_every_game
def test_everybody_leads_before_the_first_point(kind):
    g = game(kind, 3)
    assert list(g.leaders()) == [0, 1, 2] and list(g.winners()) == []
    assert tuple(g.names) == NAMES[:3] and g.n == 3


@in_every_game
def test_a_restored_game_goes_on_as_if_nothing_had_happened(kind):
    first, second = FIRST[kind]
    g = game(kind, 3)
    play(g, first)
    one = g.snapshot()
    play(g, second)
    two, told = g.snapshot(), g.summary()
    assert one != two
    other = game(kind, 3)
    other.restore(one)
    assert other.snapshot() == one
    play(other, second)
    assert other.snapshot() == two and other.summary() == told


@in_every_game
def test_an_event_has_a_known_name(kind):
    g = game(kind, 3)
    for wrong in ({}, {"ev": 5}, {"ev": None}, {"ev": True}, {"ev": ["point"]}, {"p": 0}):
        refuses(g, "E_ARG", wrong)
    refuses(g, "E_ARG", ev("nonsense"), ev(""), ev("snapshot"), ev("apply"), ev("__init__"))


def by(seat, event):
    event = dict(event)
    event["p"] = seat
    return event


@in_every_game
def test_seats_are_whole_numbers_and_never_true_or_false(kind):
    g, event = game(kind, 4), BY_SEAT[kind]
    refuses(g, "E_ARG", event)
    for seat in (True, False, "0", 1.0, None, [0], -1, 1000001):
        refuses(g, "E_ARG", by(seat, event))
    refuses(g, "E_PLAYER", by(4, event), by(1000000, event))
    play(g, by(3, event))
