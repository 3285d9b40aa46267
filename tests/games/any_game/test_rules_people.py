"""Test who takes part in any other game: teams, who sits out, leaves, comes back or joins, and who ended a round."""

from helpers.play import changed, ended, ev, game, play, refuses, refuses_setup, setup, shows, sure
from kiebitz.games import Refused
from kiebitz.store.table import Table

MOST = 100000


def points(*by_seat):
    """Return the entries of a round by seat, with None for a seat without points."""
    return [ev("points", p=p, k=k) for p, k in enumerate(by_seat) if k is not None]


def sheet(n=3, teams=None, **options):
    return game("any_game", n, options, **({"teams": teams} if teams else {}))


def join(name, **points):
    return dict(points, ev="join", name=name)


def skyjo(n=3):
    return sheet(n, wins="low", end="target", limit=100, ender="doubles")


# --- teams ---


# AG-T13
def test_points_belong_to_the_team_of_whoever_is_named():
    g = sheet(4, [0, 1, 0, 1])
    play(g, ev("points", p=2, k=150))
    shows(g, now=[150, None, 150, None], teams=[0, 1, 0, 1])
    refuses(g, "E_TWICE", ev("points", p=0, k=5), ev("points", p=2, k=5))
    play(g, ev("points", p=1, k=80))
    shows(g, rounds=[[150, 80, 150, 80]], totals=[150, 80, 150, 80], round=2)
    play(g, ev("end_game"))
    ended(g, [0, 2])


def test_a_team_counts_together_at_any_time_too():
    g = sheet(3, [1, 0, 1], entry="counter", end="target", limit=10)
    play(g, ev("add", p=0, k=4), ev("add", p=2, k=6))
    ended(g, [0, 2])
    shows(g, totals=[10, 0, 10])


def test_a_round_without_a_team_gives_it_nothing():
    g = sheet(5, [0, 1, 2, 0, 1])
    play(g, ev("points", p=3, k=7))
    refuses(g, "W_MISSING", ev("end_round"))
    play(g, sure(ev("end_round")))
    shows(g, rounds=[[7, 0, 0, 7, 0]])


def test_there_are_at_least_two_teams_and_fewer_than_players():
    line = setup("any_game", 4)
    for teams in ([0, 0, 0, 0], [0, 1, 2, 3], [0, 1, 0], [0, 1, 0, 1, 0], [0, 2, 0, 2], [1, 2, 1, 2], [0, 1, 0, True],
                  [0, 1, 0, -1], [0, 1, 0, "1"], [], {}, "0101", 2, True):  # fmt: skip
        refuses_setup("E_ARG", changed(line, teams=teams))
    nothing = dict(line)
    nothing["teams"] = None
    refuses_setup("E_ARG", nothing)
    refuses_setup("E_ARG", changed(setup("any_game", 9), teams=[0, 1]))
    refuses_setup("E_PLAYERS", changed(setup("any_game", 9), teams=[0, 1] * 4 + [0]))


def test_teams_do_not_go_with_everything():
    for options in ({"entry": "exchange"}, {"sits_out": "dealer"}, {"wins": "low", "ender": "doubles"}):
        refuses_setup("E_SETTING", setup("any_game", 4, options, teams=[0, 1, 0, 1]))
    g = sheet(4, [0, 1, 0, 1])
    refuses(g, "E_PHASE", ev("away", p=0), ev("away", p=9), ev("back", p=0), join("Eva"))
    refuses(g, "E_PHASE", join("Anna"))
    refuses(g, "E_ARG", join(""))


# --- sitting out ---


def test_the_dealer_sits_out_a_round_of_points():
    g = sheet(4, sits_out="dealer")
    refuses(g, "E_PLAYER", ev("points", p=3, k=1))
    play(g, *points(1, 2, 3))
    shows(g, rounds=[[1, 2, 3, None]], totals=[1, 2, 3, 0], dealer=0, now=[None] * 4)
    play(g, *points(None, 2, 3, 4))
    shows(g, totals=[1, 4, 6, 4], dealer=1)


def test_nobody_sits_out_of_three():
    g = sheet(4, sits_out="dealer")
    play(g, ev("away", p=0), ev("points", p=3, k=5))
    shows(g, now=[None, None, None, 5], dealer=3)
    play(g, ev("back", p=0), *points(1, 2, 3))  # who has points takes part in any case
    shows(g, rounds=[[1, 2, 3, 5]])


def test_who_has_no_points_yet_sits_out_as_soon_as_there_are_four_again():
    g = sheet(4, sits_out="dealer")
    play(g, ev("away", p=0), *points(None, 2, 3), ev("back", p=0), ev("points", p=0, k=1))
    shows(g, rounds=[[1, 2, 3, None]])


def test_sitting_out_needs_four_players_and_rounds():
    for n, options in ((3, {}), (4, {"entry": "counter"})):
        refuses_setup("E_SETTING", setup("any_game", n, options, sits_out="dealer"))
    for entry in ("rounds", "exchange"):
        sheet(4, entry=entry, sits_out="dealer")


# --- away, back, join ---


# AG-T15
def test_who_leaves_closes_the_round_and_who_joins_brings_points():
    g = sheet(3)
    play(g, *points(1, None, 3), ev("away", p=1))
    shows(g, rounds=[[1, None, 3]], totals=[1, 0, 3], round=2, dealer=0, present=[True, False, True])
    play(g, ev("back", p=1), join("Eva", k=40))
    shows(g, players=["Anna", "Ben", "Cleo", "Eva"], totals=[1, 0, 3, 40], rounds=[[1, None, 3, None]])
    shows(g, now=[None] * 4, present=[True] * 4)
    play(g, *points(1, 1, 1))
    shows(g, round=2)
    play(g, ev("points", p=3, k=2))
    shows(g, round=3, rounds=[[1, None, 3, None], [1, 1, 1, 2]], totals=[2, 1, 4, 42])


def test_who_is_away_gets_no_points():
    g = sheet(3)
    play(g, ev("away", p=1))
    refuses(g, "E_PLAYER", ev("points", p=1, k=5), ev("away", p=1), ev("away", p=3), ev("back", p=0), ev("back", p=9))
    counter = sheet(3, entry="counter")
    play(counter, ev("away", p=1))
    refuses(counter, "E_PLAYER", ev("add", p=1, k=5))
    play(counter, ev("back", p=1), ev("add", p=1, k=5))


def test_who_has_points_cannot_leave_before_the_round_closes():
    g = sheet(3)
    play(g, ev("points", p=0, k=0))
    refuses(g, "E_TWICE", ev("away", p=0))


def test_two_stay():
    g = sheet(3)
    play(g, ev("away", p=0))
    refuses(g, "E_PLAYERS", ev("away", p=1), ev("away", p=2))


def test_the_deal_passes_over_who_is_away_and_goes_on_at_once_if_the_dealer_leaves():
    g = sheet(4)
    play(g, ev("away", p=0), ev("away", p=3))
    shows(g, dealer=1)
    play(g, *points(None, 5, 5))
    shows(g, dealer=2)
    play(g, ev("back", p=3), *points(None, 5, 5, 5))
    shows(g, dealer=3)
    play(g, *points(None, 5, 5, 5))
    shows(g, dealer=1)
    counter = sheet(3, entry="counter")
    play(counter, ev("away", p=2))
    shows(counter, dealer=0)
    play(counter, ev("back", p=2))
    shows(counter, dealer=0)


def test_if_the_dealer_leaves_the_deal_moves_before_the_round_closes():
    g = sheet(3)
    play(g, *points(1, 2), ev("away", p=2))
    shows(g, rounds=[[1, 2, None]], dealer=1)


def test_a_player_who_is_away_can_win():
    g = sheet(3, end="rounds", limit=2)
    play(g, *points(9, 1, 1), ev("away", p=0), *points(None, 1, 1))
    ended(g, [0])


def test_a_join_brings_the_points_of_the_start_unless_others_are_given():
    g = sheet(2, start=20, entry="counter", end="target", limit=0)
    play(g, join(" Eva "))
    shows(g, players=["Anna", "Ben", "Eva"], totals=[20, 20, 20])
    play(g, join("Finn", k=0))
    ended(g, [0, 1, 2])
    refuses(g, "E_OVER", join("Gil"), ev("away", p=0), ev("back", p=0))


def test_in_rounds_the_points_of_a_join_are_looked_at_when_the_round_closes():
    g = sheet(2, end="target", limit=10)
    play(g, join("Eva", k=30))
    shows(g, phase="PLAY")
    play(g, *points(0, 0, 0))
    ended(g, [2])


def test_a_ninth_player_finds_no_seat():
    g = sheet(7)
    play(g, join("Ida"))
    refuses(g, "E_PLAYERS", join("Jan"))
    refuses(g, "E_ARG", join("Ida"))


def test_who_joins_has_a_name_of_its_own():
    g = sheet(3)
    for name in ("", " ", "Anna", " Ben ", "x" * 25, "a\tb", None, 5, ["Eva"]):
        refuses(g, "E_ARG", join(name))
    for k in (None, True, MOST + 1, -MOST - 1, "5"):
        refuses(g, "E_ARG", join("Eva", k=k))
    refuses(g, "E_ARG", ev("join"))
    play(g, join("Eva", k=-MOST))


def test_from_then_on_all_names_are_changed_together():
    g = sheet(2)
    play(g, join("Eva"))
    refuses(g, "E_ARG", ev("seats", players=["Anna", "Ben"]))
    play(g, ev("seats", players=["Eva", "Ben", "Anna"]))
    shows(g, players=["Eva", "Ben", "Anna"])


# --- who ended the round ---


# AG-T14
def test_who_ends_the_round_pays_double_unless_nobody_has_as_few():
    for by_seat, after in (
        ((7, 7, 12), (14, 7, 12)),
        ((-4, -5, 3), (-4, -5, 3)),
        ((6, 9, 12), (6, 9, 12)),
        ((0, -5, 3), (0, -5, 3)),
    ):
        g = skyjo()
        play(g, ev("ended", p=0))
        shows(g, ender=0)
        play(g, *points(*by_seat))
        shows(g, rounds=[list(after)], ender=None)


def test_only_one_ends_a_round():
    g = skyjo()
    play(g, ev("points", p=0, k=3), ev("ended", p=0))
    refuses(g, "E_TWICE", ev("ended", p=0), ev("ended", p=1))
    refuses(g, "E_PLAYER", ev("ended", p=3))
    play(g, *points(None, 2, 9), ev("ended", p=2))
    shows(g, rounds=[[6, 2, 9]], ender=2)
    refuses(sheet(3, wins="low"), "E_PHASE", ev("ended", p=0), ev("ended", p=9))


def test_nothing_is_doubled_if_who_ended_is_gone_or_the_game_stops():
    g = skyjo()
    play(g, ev("ended", p=0), ev("away", p=0), *points(None, 5, 6))
    shows(g, rounds=[[None, 5, 6]], ender=None)
    refuses(g, "E_PLAYER", ev("ended", p=0))
    play(g, ev("ended", p=1), *points(None, 9), sure(ev("end_game")))
    shows(g, totals=[0, 14, 6], ender=1)


def test_the_nothing_of_a_closed_round_is_as_few():
    g = skyjo()
    play(g, ev("ended", p=0), ev("points", p=0, k=4), sure(ev("end_round")))
    shows(g, rounds=[[8, 0, 0]])


def test_paying_double_needs_rounds_and_the_fewest():
    for options in ({}, {"entry": "counter", "wins": "low"}, {"entry": "exchange"}):
        refuses_setup("E_SETTING", setup("any_game", 3, options, ender="doubles"))


# --- changes of the past across all that ---


def test_a_join_is_undone_corrected_inserted_and_removed():
    table = Table(setup("any_game", 2, {}))
    for event in (*points(1, 2), join("Eva", k=9), *points(3, 4, 5)):
        table.play(event)
    whole = table.game.summary()
    for _ in range(2):
        table.play(ev("undo", k=4))
        assert table.game.summary()["rounds"] == [[1, 2]] and table.game.n == 2
        table.play(ev("redo", k=4))
        assert table.game.summary() == whole
    table.play(ev("correct", at=2, event=join("Finn", k=1)))
    assert table.game.summary()["players"] == ["Anna", "Ben", "Finn"] and table.game.totals() == [4, 6, 6]
    table.play(ev("undo"))
    assert table.game.summary() == whole
    for change, code in (
        (ev("remove", at=2), "E_PLAYER"),
        (ev("insert", at=0, event=join("Zoe")), "E_TWICE"),
        (ev("insert", at=3, event=join("Eva")), "E_ARG"),
    ):
        try:
            table.play(change)
        except Refused as refused:
            assert refused.code == code
        assert table.game.summary() == whole and table.game.n == 3
    table.play(ev("insert", at=2, event=join("Zoe")))
    table.play(ev("insert", at=7, event=ev("points", p=3, k=6)))
    shows(
        table.game,
        players=["Anna", "Ben", "Zoe", "Eva"],
        totals=[4, 6, 5, 15],
        rounds=[[1, 2, None, None], [3, 4, 5, 6]],
    )


def test_a_long_game_comes_back_from_every_snapshot():
    table = Table(setup("any_game", 2, {}))
    for number in range(6):
        for _ in range(7):
            for p in range(table.game.n):
                if p not in table.game.gone:
                    table.play(ev("points", p=p, k=number + p))
        table.play(join("N%d" % number))
        table.play(ev("away", p=number % 2) if not table.game.gone else ev("back", p=table.game.gone[0]))
    states = []
    while table.can_undo:
        states.append(table.game.summary())
        table.play(ev("undo"))
    assert table.game.n == 2
    while table.can_redo:
        table.play(ev("redo"))
        assert table.game.summary() == states.pop()
