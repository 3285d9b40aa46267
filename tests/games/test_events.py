"""Test what the events of all games share (names, seats, numbers, summaries, snapshots)."""

from helpers.play import case_of, ev, game, in_every_game, play, refuses, sure
from kiebitz_lab.dice import NAMES


@in_every_game
def test_words_nobody_asked_for_are_not_kept(kind):
    event = case_of(kind).FIRST[0]
    chatty = dict(event)
    chatty["mood"] = "happy"
    assert game(kind, 3).canonical(chatty) == event
    play(game(kind, 3), chatty)


@in_every_game
def test_an_event_is_kept_as_it_was_entered(kind):
    g = game(kind, 3)
    for event in case_of(kind).FIRST:
        assert g.canonical(event) == event
        play(g, event)


@in_every_game
def test_a_confirmation_nobody_asked_for_does_no_harm(kind):
    asked, plain = game(kind, 3), game(kind, 3)
    play(asked, sure(case_of(kind).FIRST[0]))
    play(plain, case_of(kind).FIRST[0])
    assert asked.snapshot() == plain.snapshot()


@in_every_game
def test_the_summary_has_the_agreed_keys(kind):
    common = "game phase players totals winners ".split()
    assert set(game(kind, 3).summary()) == set(common + case_of(kind).SUMMARY.split()), kind


@in_every_game
def test_everybody_leads_before_the_first_point(kind):
    g = game(kind, 3)
    assert list(g.leaders()) == [0, 1, 2] and list(g.winners()) == []
    assert tuple(g.names) == NAMES[:3] and g.n == 3


@in_every_game
def test_a_restored_game_goes_on_as_if_nothing_had_happened(kind):
    first, second = case_of(kind).FIRST
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
    g, event = game(kind, 4, dealer=0), case_of(kind).BY_SEAT  # seat 3 does not deal: a dealer may sit out
    refuses(g, "E_ARG", event)
    for seat in (True, False, "0", 1.0, None, [0], -1, 1000001):
        refuses(g, "E_ARG", by(seat, event))
    refuses(g, "E_PLAYER", by(4, event), by(1000000, event))
    play(g, by(3, event))
