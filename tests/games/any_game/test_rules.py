"""Test the rules of any other game with rounds and counters and its three ways to end."""

from helpers.play import changed, code_of, ended, ev, game, play, refuses, refuses_setup, setup, shows, sure
from kiebitz.games import new_game

MOST = 100000  # points of an entry, a start or a limit


def points(*by_seat):
    """Return the entries of a round by seat, with None for a seat without points."""
    return [ev("points", p=p, k=k) for p, k in enumerate(by_seat) if k is not None]


def add(p, k):
    return ev("add", p=p, k=k)


def sheet(n=3, title="Skyjo", **options):
    return game("any_game", n, options, title=title)


def skyjo(n=3):
    return sheet(n, wins="low", end="target", limit=100)


def counter(n=3, **options):
    return sheet(n, "Life", entry="counter", **options)


# AG-T1
def test_skyjo_ends_when_somebody_reaches_a_hundred_and_the_fewest_points_win():
    g = skyjo()
    play(g, *points(40, 30, 50))
    shows(g, phase="PLAY", totals=[40, 30, 50], round=2)
    play(g, *points(58, 30, 51))
    shows(g, phase="OVER", totals=[98, 60, 101], rounds=[[40, 30, 50], [58, 30, 51]], round=3, title="Skyjo")
    ended(g, [1])


def test_the_target_is_looked_at_only_when_a_round_closes():
    g = skyjo()
    play(g, *points(120, None, 3))
    shows(g, phase="PLAY", totals=[120, 0, 3], now=[120, None, 3])
    play(g, ev("points", p=1, k=-2))
    ended(g, [1])


# AG-T2
def test_a_round_closes_with_the_last_points_in_any_order():
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        g = sheet()
        for p in order[:2]:
            play(g, ev("points", p=p, k=10 + p))
        shows(g, round=1, rounds=[], dealer=2)
        assert g.now[order[2]] is None and g.totals()[order[0]] == 10 + order[0]
        play(g, ev("points", p=order[2], k=10 + order[2]))
        shows(g, round=2, rounds=[[10, 11, 12]], now=[None] * 3, totals=[10, 11, 12], dealer=0)


def test_nobody_has_points_twice_in_a_round():
    g = sheet()
    play(g, ev("points", p=1, k=0))
    refuses(g, "E_TWICE", ev("points", p=1, k=5), sure(ev("points", p=1, k=0)))
    play(g, *points(1, None, 2))
    play(g, ev("points", p=1, k=5))
    shows(g, totals=[1, 5, 2])


# AG-T3
def test_a_counter_from_twenty_ends_at_zero_and_the_others_share():
    g = counter(start=20, end="target", limit=0)
    shows(g, totals=[20, 20, 20], round=1, rounds=[], now=[None] * 3, dealer=2)
    play(g, add(1, -20))
    ended(g, [0, 2])
    shows(g, totals=[20, 0, 20], round=1, rounds=[], now=[None] * 3, dealer=2)


def test_a_counter_looks_at_the_target_after_every_entry():
    g = counter(end="target", limit=10)
    play(g, add(0, 9), add(1, 4), add(0, -3), add(1, 5))
    shows(g, phase="PLAY", totals=[6, 9, 0])
    play(g, add(1, 3))
    ended(g, [1])
    refuses(g, "E_OVER", add(0, 1), ev("end_game"), ev("points", p=0, k=1), ev("end_round"))


# AG-T4
def test_three_rounds_and_it_is_over():
    g = sheet(2, end="rounds", limit=3)
    play(g, *points(5, 1), *points(1, 5))
    shows(g, phase="PLAY", round=3, dealer=1)
    play(g, *points(0, 2))
    ended(g, [1])
    shows(g, round=4, rounds=[[5, 1], [1, 5], [0, 2]], totals=[6, 8], dealer=0)


# AG-T5
def test_a_round_ended_without_somebody_is_doubted_and_then_gives_him_nothing():
    g = sheet()
    play(g, *points(12, None, -4))
    refuses(g, "W_MISSING", ev("end_round"))
    try:
        g.apply(ev("end_round"))
    except Exception as doubt:
        assert doubt.code == "W_MISSING" and doubt.info["seats"] == [1]
    play(g, sure(ev("end_round")))
    shows(g, rounds=[[12, 0, -4]], totals=[12, 0, -4], round=2, dealer=0, now=[None] * 3)


def test_a_round_without_any_points_does_not_end():
    g = sheet()
    refuses(g, "E_PHASE", ev("end_round"), sure(ev("end_round")))
    play(g, *points(1, 2, 3))
    refuses(g, "E_PHASE", sure(ev("end_round")))


# AG-T6
def test_a_target_or_a_number_of_rounds_needs_its_limit_and_nothing_else_has_one():
    for options in ({"end": "target"}, {"end": "rounds"}, {"end": "open", "limit": 5}, {"limit": 5}):
        refuses_setup("E_SETTING", setup("any_game", 3, options))
    for limit in (0, -1, 1000, MOST):
        refuses_setup("E_SETTING", setup("any_game", 3, {"end": "rounds", "limit": limit}))
    for limit in (1, 999):
        sheet(end="rounds", limit=limit)
    refuses_setup("E_SETTING", setup("any_game", 3, {"end": "rounds", "limit": 5, "entry": "counter"}))


def test_limit_and_start_are_whole_numbers_within_bounds():
    for wrong in (None, True, False, "5", 1.0, [5], {}, MOST + 1, -MOST - 1):
        refuses_setup("E_SETTING", setup("any_game", 3, {"end": "target", "limit": wrong}))
        refuses_setup("E_SETTING", setup("any_game", 3, {"start": wrong}))
    for k in (MOST, -MOST, 0):
        assert sheet(end="target", limit=k).options["limit"] == k
        assert sheet(start=k).totals() == [k] * 3


# AG-T7
def test_a_game_ended_in_the_middle_of_a_round_is_doubted_then_counts_its_points_and_was_early():
    g = skyjo()
    play(g, *points(10, 20, 30), *points(40, None, 5))
    refuses(g, "W_MISSING", ev("end_game"))
    shows(g, phase="PLAY", early=False)
    play(g, sure(ev("end_game")))
    ended(g, [1])
    shows(g, totals=[50, 20, 35], round=2, rounds=[[10, 20, 30]], now=[40, None, 5], dealer=0, early=True)


def test_only_a_game_with_an_end_of_its_own_can_be_early():
    for options, early in (({}, False), ({"end": "target", "limit": 9}, True), ({"end": "rounds", "limit": 9}, True)):
        g = sheet(2, **options)
        play(g, ev("end_game"))
        shows(g, early=early)
    g = sheet(2, end="target", limit=9)
    play(g, *points(9, 1))
    shows(g, phase="OVER", early=False)


# AG-T8
def test_of_two_who_reach_the_target_in_one_round_the_better_wins():
    g = sheet(end="target", limit=50)
    play(g, *points(52, 55, 10))
    ended(g, [1])
    low = skyjo()
    play(low, *points(101, 130, 100))
    ended(low, [2])


def test_the_best_totals_share_the_win():
    g = sheet(2)
    play(g, *points(7, 7), ev("end_game"))
    ended(g, [0, 1])


# --- what is entered in the other way, by nobody, or after the end ---


def test_an_event_of_the_other_entry_is_refused():
    refuses(sheet(), "E_PHASE", add(0, 5), add(7, 5))
    refuses(counter(), "E_PHASE", ev("points", p=0, k=5), ev("end_round"), sure(ev("end_round")))


def test_a_seat_that_is_not_there_is_refused_before_anything_about_it():
    g = sheet()
    play(g, ev("points", p=0, k=5))
    refuses(g, "E_PLAYER", ev("points", p=3, k=5))
    refuses(counter(), "E_PLAYER", add(3, 5))


def test_points_are_whole_numbers_within_bounds():
    for wrong in (None, True, "5", 1.5, [5], MOST + 1, -MOST - 1):
        refuses(sheet(), "E_ARG", ev("points", p=0, k=wrong), ev("points", p=9, k=wrong))
        refuses(counter(), "E_ARG", add(0, wrong), ev("points", p=0, k=wrong))
    refuses(sheet(), "E_ARG", ev("points", p=0), ev("points", k=5))
    for k in (MOST, -MOST, 0):
        play(sheet(), ev("points", p=0, k=k))


def test_a_counter_never_adds_nothing():
    g = counter()
    refuses(g, "E_ARG", add(0, 0))
    play(g, add(0, MOST), add(0, -MOST))
    shows(g, totals=[0, 0, 0])


def test_what_is_malformed_is_so_before_the_game_is_over():
    g = sheet(2)
    play(g, ev("end_game"))
    refuses(g, "E_ARG", ev("points", p=0, k="x"), ev("cheat"))
    refuses(g, "E_OVER", ev("points", p=9, k=1), add(0, 1), ev("end_round"), ev("end_game"))
    play(g, ev("seats", players=["Dan", "Eva"]))
    shows(g, players=["Dan", "Eva"], phase="OVER")


# --- the target in every direction ---


def test_a_target_at_or_above_the_start_is_reached_from_below():
    for start, limit, k, over in ((0, 10, 10, True), (0, 10, 9, False), (5, 5, 0, True), (-20, -10, 9, False)):
        g = sheet(2, start=start, end="target", limit=limit)
        play(g, *points(k, -1))
        assert g.over == over, (start, limit, k)


def test_a_target_below_the_start_is_reached_from_above():
    for start, limit, k, over in ((20, 0, -20, True), (20, 0, -19, False), (0, -5, -5, True), (0, -5, 50, False)):
        g = sheet(2, start=start, end="target", limit=limit)
        play(g, *points(k, 1))
        assert g.over == over, (start, limit, k)


def test_how_far_it_is_to_the_target():
    g = skyjo()
    play(g, *points(40, None, -3))
    assert g.to_target() == [60, 100, 103]
    down = counter(start=20, end="target", limit=0)
    play(down, add(1, -6))
    assert down.to_target() == [20, 14, 20]


# --- the set-up ---


def test_the_title_is_trimmed_and_has_one_to_twenty_four_letters():
    assert new_game(setup("any_game", 2)).title == "Any game"
    assert sheet(title="  Skyjo ").title == "Skyjo"
    assert sheet(title="\u00e9" * 24).summary()["title"] == "\u00e9" * 24
    for title in ("", "  ", "x" * 25, "a\tb", "a\x7f", 5, True, ["Skyjo"], {}):
        refuses_setup("E_ARG", changed(setup("any_game", 2), title=title))
    line = setup("any_game", 2)
    line["title"] = None
    refuses_setup("E_ARG", line)


def test_types_come_before_the_number_of_players_and_that_before_the_house_rules():
    assert code_of(sheet, 1, "") == "E_ARG"
    refuses_setup("E_ARG", setup("any_game", 9, {"end": "target"}, title=""))
    refuses_setup("E_PLAYERS", setup("any_game", 9, {"end": "target"}))
    refuses_setup("E_SETTING", setup("any_game", 8, {"end": "target"}))


def test_following_turns_is_taken_and_changes_nothing():
    plain, follows = sheet(), sheet(turns="follow")
    for g in (plain, follows):
        play(g, *points(None, 3, 4), ev("points", p=0, k=2))
    assert plain.summary() == follows.summary()


# --- what screens ask ---


def test_the_fewest_points_lead_where_they_win():
    g = skyjo()
    assert g.low_wins and not sheet().low_wins
    play(g, *points(10, 4, 4))
    assert list(g.leaders()) == [1, 2]
    play(g, ev("points", p=2, k=1))
    assert list(g.leaders()) == [1]


def test_what_can_be_entered_now():
    g = sheet(2)
    assert g.legal() == ["points", "join", "end_game"]
    play(g, ev("points", p=0, k=1))
    assert g.legal() == ["points", "end_round", "join", "end_game"]
    play(g, sure(ev("end_game")))
    assert g.legal() == []
    assert counter().legal() == ["add", "away", "join", "end_game"]
    assert sheet(2, entry="exchange").legal() == ["exchange", "double", "join", "end_game"]
    g = sheet(4, wins="low", ender="doubles")
    play(g, ev("away", p=3))
    assert g.legal() == ["points", "ended", "away", "back", "join", "end_game"]
    assert game("any_game", 4, teams=[0, 1, 0, 1]).legal() == ["points", "end_game"]


def test_rounds_over_are_counted_by_rounds_only():
    g = sheet(2)
    assert g.rounds_over() == 0
    play(g, *points(1, 2))
    assert g.rounds_over() == 1 and g.missing() == [0, 1]
    assert counter().rounds_over() is None


def test_a_short_snapshot_needs_the_game_that_went_on():
    g = sheet(2)
    play(g, *points(1, 2), *points(3, 4), ev("points", p=0, k=9))
    short, whole = g.short_snapshot(), g.snapshot()
    for _ in range(50):
        play(g, *points(None, 6))
        play(g, ev("points", p=0, k=7))
    later = sheet(2)
    later.take_history(g)
    later.restore(short)
    assert later.snapshot() == whole and g.rounds_over() == 52
    assert len(g.short_snapshot()) < len(short) + 10
