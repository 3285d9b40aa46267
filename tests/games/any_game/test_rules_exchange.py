"""Test any other game in which the winners of a round get what it was worth, with double rounds."""

from helpers.play import ended, ev, game, play, refuses, refuses_setup, setup, shows
from kiebitz.games import new_game
from kiebitz.store.table import Table


def exchange(winners, k):
    return ev("exchange", winners=winners, k=k)


def join(name, **points):
    return dict(points, ev="join", name=name)


def doppelkopf(n=4, **options):
    return game("any_game", n, options, title="Doppelkopf", entry="exchange")


# AG-T9
def test_the_winners_get_what_the_round_was_worth_and_who_wins_alone_gets_it_from_everybody():
    g = doppelkopf()
    play(g, exchange([0, 1], 3))
    shows(g, totals=[3, 3, -3, -3], rounds=[[3, 3, -3, -3]], now=[None] * 4, round=2, dealer=0)
    play(g, exchange([2], 4))
    shows(g, totals=[-1, -1, 9, -7], rounds=[[3, 3, -3, -3], [-4, -4, 12, -4]])


def test_who_loses_alone_pays_everybody():
    g = doppelkopf()
    play(g, exchange([3, 0, 1], 2))
    shows(g, totals=[2, 2, -6, 2])


def test_a_round_that_was_worth_nothing_closes_too():
    g = doppelkopf()
    play(g, exchange([0], 0))
    shows(g, rounds=[[0, 0, 0, 0]], round=2, dealer=0)


# AG-T10
def test_with_five_the_dealer_sits_out_and_the_deal_goes_on():
    g = doppelkopf(5, sits_out="dealer")
    refuses(g, "E_ARG", exchange([4], 3), exchange([0, 4], 3))
    play(g, exchange([0, 1], 3))
    shows(g, totals=[3, 3, -3, -3, 0], rounds=[[3, 3, -3, -3, None]], dealer=0)
    refuses(g, "E_ARG", exchange([0, 1], 3))
    play(g, exchange([1, 4], 1))
    shows(g, totals=[3, 4, -4, -4, 1], dealer=1)


# AG-T11
def test_two_against_three_cannot_be_shared():
    g = doppelkopf(5)
    refuses(g, "E_SHARE", exchange([0, 1], 3), exchange([0, 1, 2], 3))
    play(g, exchange([0], 3), exchange([1, 2, 3, 4], 1))
    shows(g, totals=[8, -2, -2, -2, -2])


# AG-T12
def test_double_rounds_are_doubled_again():
    g = doppelkopf()
    shows(g, factor=1)
    play(g, ev("double", k=2), ev("double", k=1))
    for factor in (4, 2, 1):
        shows(g, factor=factor)
        before = g.totals()[0]
        play(g, exchange([0], 1))
        assert g.totals()[0] - before == 3 * factor


def test_a_round_is_doubled_up_to_64_times():
    g = doppelkopf()
    for _ in range(6):
        play(g, ev("double", k=1))
    shows(g, factor=64)
    refuses(g, "E_FACTOR", ev("double", k=1), ev("double", k=32))
    play(g, exchange([0, 1], 1), ev("double", k=32))
    shows(g, factor=2, totals=[64, 64, -64, -64])


def test_the_factor_is_that_of_the_coming_round_also_when_the_game_is_over():
    g = doppelkopf(end="rounds", limit=1)
    play(g, ev("double", k=2), exchange([0, 1], 1))
    shows(g, phase="OVER", factor=2, totals=[2, 2, -2, -2])
    refuses(g, "E_OVER", ev("double", k=1), exchange([0, 1], 1), exchange([0, 9], 1))


def test_how_often_rounds_are_doubled_has_bounds():
    for k in (0, -1, 33, True, "4", None):
        refuses(doppelkopf(), "E_ARG", ev("double", k=k))
    refuses(game("any_game", 3, {}), "E_PHASE", ev("double", k=1))
    refuses(game("any_game", 3, {}), "E_ARG", ev("double", k=0))


def test_winners_are_some_of_those_who_play():
    g = doppelkopf()
    for winners in ([], [0, 1, 2, 3], [0, 0], [4], [-1], [True], ["0"], 0, "0", None, {"0": 1}, [0.0]):
        refuses(g, "E_ARG", exchange(winners, 1))
    for k in (-1, 100001, True, "1", None, 1.0):
        refuses(g, "E_ARG", exchange([0], k))
    play(g, exchange([0, 1], 100000))


def test_every_other_entry_belongs_to_another_game():
    g = doppelkopf()
    refuses(g, "E_PHASE", ev("points", p=0, k=1), ev("points", p=9, k=1), ev("add", p=0, k=1), ev("end_round"))
    refuses(g, "E_PHASE", ev("ended", p=0))
    refuses(game("any_game", 4, {}), "E_PHASE", exchange([0], 1), exchange([9], 1))


def test_only_the_most_points_win_an_exchange():
    refuses_setup("E_SETTING", setup("any_game", 4, {"entry": "exchange", "wins": "low"}))


def test_the_target_is_looked_at_when_a_round_closes():
    g = doppelkopf(end="target", limit=5)
    play(g, exchange([0, 1], 4))
    shows(g, phase="PLAY")
    play(g, exchange([0, 2], 1))
    ended(g, [0])


# AG-T16
def test_points_are_exchanged_and_never_made_whatever_is_changed():
    table = Table(setup("any_game", 4, {"entry": "exchange", "start": 7}))

    def level(brought=0):
        assert sum(table.game.totals()) == 4 * 7 + brought

    for event in (exchange([0, 1], 3), ev("double", k=2), exchange([2], 5), join("Eva", k=40)):
        table.play(event)
    level(40)
    table.play(exchange([4], 9))
    level(40)
    table.play({"ev": "insert", "at": 1, "event": exchange([3], 8)})
    level(40)
    for event in ({"ev": "remove", "at": 2}, {"ev": "correct", "at": 0, "event": exchange([0], 1)}):
        table.play(event)
        level(40)
    table.play({"ev": "undo", "k": 5})  # the three changes, the last deal, and the join
    level()
    assert table.game.n == 4
    table.play({"ev": "redo", "k": 1})
    level(40)
    table.play({"ev": "option", "name": "start", "value": 1})
    assert sum(table.game.totals()) == 4 + 40


def test_a_snapshot_has_the_double_rounds_and_who_joined():
    g = doppelkopf()
    play(g, ev("double", k=3), exchange([0, 1], 2), join("Eva", k=5), ev("away", p=2))
    other = doppelkopf()
    other.restore(g.snapshot())
    assert other.summary() == g.summary() and other.n == 5
    assert new_game(setup("any_game", 4, {"entry": "exchange"})).n == 4
