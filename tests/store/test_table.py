"""Test undo, redo and corrections of a game in play, and that they stay cheap in a long game."""

from games.royal_flush.case import royal, royal_table, score, spend, state
from helpers.play import ev, refused, setup
from kiebitz.store.table import STEPS, Table

UNDO = ev("undo")
REDO = ev("redo")


def test_undo_takes_back_the_last_event_and_says_what_it_was():
    table = royal_table(spend(0, 2))
    assert table.undo() == spend(0, 2)
    assert table.game.chips == [5, 5, 5]
    assert not table.can_undo and table.can_redo


def test_redo_brings_it_back_and_says_what_it_was():
    table = royal_table(spend(0, 2), UNDO)
    assert table.redo() == spend(0, 2)
    assert table.game.chips == [3, 5, 5]
    assert table.can_undo and not table.can_redo


def test_with_nothing_to_take_back_undo_is_refused():
    table = royal_table()
    refused("E_PHASE", table.undo)
    refused("E_PHASE", table.play, UNDO)
    table.play(spend(0, 1))
    table.play(UNDO)
    refused("E_PHASE", table.play, UNDO)


def test_with_nothing_taken_back_redo_is_refused():
    table = royal_table(spend(0, 1))
    refused("E_PHASE", table.redo)
    refused("E_PHASE", table.play, REDO)


def test_a_new_event_clears_what_could_be_redone():
    table = royal_table(spend(0, 1), spend(1, 1), UNDO, UNDO, spend(2, 1))
    refused("E_PHASE", table.play, REDO)
    assert list(table.events()) == [spend(2, 1)]


def test_a_refused_event_leaves_what_could_be_redone():
    table = royal_table(spend(0, 1), UNDO)
    refused("E_CHIPS", table.play, spend(0, 6))
    table.play(REDO)
    assert table.game.chips == [4, 5, 5]


def test_undo_goes_back_over_the_end_of_a_round():
    table = royal_table(spend(0, 4), score(1, "pair"))
    before = table.game.snapshot()
    table.play(royal(2))
    after = table.game.snapshot()
    assert table.game.round == 2 and table.game.chips == [2, 6, 6]
    table.play(spend(1, 6))
    table.play(UNDO)
    assert table.game.snapshot() == after
    table.play(UNDO)
    assert table.game.snapshot() == before
    assert table.game.round == 1 and table.game.chips == [1, 5, 5]
    table.play(REDO)
    assert table.game.snapshot() == after


def test_undo_reopens_a_finished_game():
    table = royal_table(royal(0), royal(1), royal(2))
    assert table.game.over
    refused("E_OVER", table.play, spend(0, 1))
    table.play(UNDO)
    assert not table.game.over and table.game.round == 3
    table.play(spend(0, 1))
    assert table.game.chips == [4, 5, 5]


def test_a_whole_game_is_taken_back_and_played_again():
    table = royal_table()
    states = [table.game.snapshot()]
    for _ in range(3):
        for event in (spend(0, 1), score(1, "four_kind"), score(1, "four_kind"), spend(2, 1), royal(2)):
            table.play(event)
            states.append(table.game.snapshot())
    for want in reversed(states[:-1]):
        table.undo()
        assert table.game.snapshot() == want
    for want in states[1:]:
        table.redo()
        assert table.game.snapshot() == want
    assert table.game.over and len(table) == 15


def test_several_events_are_taken_back_at_once():
    table = royal_table(spend(0, 1), spend(1, 1), spend(2, 1), ev("undo", k=2))
    assert table.game.chips == [4, 5, 5]
    table.play(ev("redo", k=2))
    assert table.game.chips == [4, 4, 4]


def test_more_than_there_is_cannot_be_taken_back_and_nothing_happens():
    table = royal_table(spend(0, 1), spend(1, 1))
    before = state(table)
    refused("E_PHASE", table.play, ev("undo", k=3))
    refused("E_PHASE", table.play, ev("redo", k=1))
    assert state(table) == before


def test_a_number_of_steps_must_be_a_number_of_steps():
    table = royal_table(spend(0, 1), spend(1, 1))
    before = state(table)
    for k in (0, -1, True, "1", None, 1.5, [1], 1000001):
        refused("E_ARG", table.play, ev("undo", k=k))
        refused("E_ARG", table.play, ev("redo", k=k))
    assert state(table) == before


def test_the_journal_keeps_one_spelling():
    table = Table(setup("royal_flush", 2, child=[1, 0]))
    event = score(0, "straight_flush", cards=["10H", "JH", "QH", "KH", "*"])
    event["surprise"] = 1
    event["confirm"] = False
    table.play(event)
    assert table.event(0) == score(0, "straight_flush", cards="TH JH QH KH *")


def test_a_table_without_events_is_still_a_table():
    assert royal_table()


# --- corrections ---


def test_a_correction_replaces_an_event_and_plays_the_rest_again():
    table = royal_table(spend(0, 2), score(1, "pair"), spend(0, 1), ev("correct", at=0, event=spend(1, 3)))
    assert table.game.chips == [4, 2, 5]
    assert list(table.events()) == [spend(1, 3), score(1, "pair"), spend(0, 1)]


def test_undo_takes_back_a_correction_first_and_redo_makes_it_again():
    table = royal_table(spend(0, 2), spend(1, 1))
    correction = ev("correct", at=0, event=spend(0, 4))
    table.play(correction)
    assert table.undo() == correction
    assert table.game.chips == [3, 4, 5] and len(table) == 2
    assert table.redo() == correction
    assert table.game.chips == [1, 4, 5]
    table.play(ev("undo", k=3))
    assert table.game.chips == [5, 5, 5] and not table.can_undo
    table.play(ev("redo", k=3))
    assert table.game.chips == [1, 4, 5]


def test_events_after_a_correction_are_taken_back_before_it():
    table = royal_table(spend(0, 2))
    table.change("correct", 0, spend(0, 3))
    table.play(spend(1, 1))
    kinds = []
    while table.can_undo:
        kinds.append(table.undo()["ev"])
    assert kinds == ["spend", "correct", "spend"]
    for want in ([3, 5, 5], [2, 5, 5], [2, 4, 5]):
        table.redo()
        assert table.game.chips == want


def test_what_undo_would_take_back_can_be_told_before():
    table = royal_table(spend(0, 2))
    assert table.last_event() == spend(0, 2)
    correction = ev("correct", at=0, event=spend(0, 3))
    table.play(correction)
    assert table.last_event() == correction
    table.play(spend(1, 1))
    assert table.last_event() == spend(1, 1)
    table.play(ev("undo", k=2))
    assert table.last_event() == spend(0, 2)


def test_a_correction_clears_what_could_be_redone():
    table = royal_table(spend(0, 1), spend(1, 1), UNDO)
    table.change("correct", 0, spend(0, 2))
    refused("E_PHASE", table.redo)


def test_a_correction_that_makes_a_later_event_impossible_names_it_and_changes_nothing():
    table = royal_table(spend(0, 1), spend(1, 1), spend(0, 4), spend(2, 1), spend(2, 2), UNDO)
    before = state(table)
    assert refused("E_CHIPS", table.play, ev("correct", at=0, event=spend(0, 2))).at == 2
    assert state(table) == before
    table.play(REDO)
    assert table.game.chips == [0, 4, 2]
    table.play(ev("undo", k=5))
    assert table.game.chips == [5, 5, 5]


def test_a_correction_that_is_itself_impossible_names_no_later_event():
    table = royal_table(spend(0, 1), spend(1, 1))
    before = state(table)
    for code, event in (
        ("E_CHIPS", spend(1, 6)),
        ("E_PLAYER", spend(3, 1)),
        ("E_ARG", {"ev": "spend"}),
        ("E_ARG", UNDO),
        ("E_ARG", {}),
    ):
        assert refused(code, table.change, "correct", 1, event).at is None, event
        assert state(table) == before, event


def test_a_correction_must_name_an_event_in_force():
    table = royal_table(spend(0, 1), spend(1, 1), UNDO)
    before = state(table)
    for at in (-1, 1, 2, None, True, "0", 1.0):
        refused("E_ARG", table.play, ev("correct", at=at, event=spend(0, 2)))
    refused("E_ARG", table.play, ev("correct", event=spend(0, 2)))
    for event in (None, "spend", [], 1):
        refused("E_ARG", table.play, ev("correct", at=0, event=event))
    refused("E_ARG", table.play, ev("correct", at=0))
    assert state(table) == before


def test_a_correction_can_take_the_end_of_a_round_away():
    table = royal_table(score(0, "pair"), royal(1), score(2, "pair"))
    assert table.game.round == 2
    table.change("correct", 1, score(1, "pair"))
    assert table.game.round == 1 and table.game.summary()["slots"]["pair"] == [0, 1, 2]
    table.change("correct", 1, royal(1))
    assert table.game.round == 2 and table.game.summary()["slots"]["pair"] == [2, None, None]


def test_a_correction_to_the_same_event_can_be_taken_back_too():
    table = royal_table(spend(0, 1))
    table.change("correct", 0, spend(0, 1))
    assert table.undo()["ev"] == "correct"
    assert table.undo()["ev"] == "spend"
    assert not table.can_undo


def test_corrections_of_one_event_are_taken_back_one_by_one():
    table = royal_table(spend(0, 1))
    for k in (2, 3, 4):
        table.change("correct", 0, spend(0, k))
    for chips in (2, 3, 4, 5):
        table.undo()
        assert table.game.chips[0] == chips
    for chips in (4, 3, 2, 1):
        table.redo()
        assert table.game.chips[0] == chips


LENGTH = 400


def event(k):
    """Return event k of a Top Spot match (ten points, the end of the game, the next game)."""
    k %= 12
    return ev("next_game") if k == 11 else ev("end_game") if k == 10 else ev("point", p=k % 3)


def long_table():
    table = Table(setup("top_spot", 3, match_length=300))
    for k in range(LENGTH):
        table.play(event(k))
    return table


def counted(table):
    """Return a list that gets one element for every later event of the game."""
    calls = []
    apply = table.game.apply

    def count(event):
        calls.append(None)
        return apply(event)

    table.game.apply = count
    return calls


def test_undo_near_the_end_applies_only_a_few_events():
    table = long_table()
    calls = counted(table)
    for k in range(STEPS[1][0] - STEPS[1][1]):
        table.undo()
        assert len(calls) < STEPS[1][1], k
        calls.clear()


def test_undo_at_the_end_applies_three_events_at_most():
    for length in range(LENGTH - 20, LENGTH):
        table = long_table()
        table.play(ev("undo", k=LENGTH - length))
        table.play(event(length))
        calls = counted(table)
        table.undo()
        assert len(calls) < STEPS[0][1], length


def test_redo_applies_one_event():
    table = long_table()
    table.play(ev("undo", k=40))
    calls = counted(table)
    for _ in range(40):
        table.redo()
        assert len(calls) == 1
        calls.clear()


def test_undo_further_back_never_replays_the_whole_game():
    table = long_table()
    calls = counted(table)
    while table.can_undo:
        table.undo()
        assert len(calls) < STEPS[-1][1]
        calls.clear()


def test_few_snapshots_are_kept_however_long_the_game():
    table = long_table()
    few = 4 + 4 + LENGTH // STEPS[-1][1] + 2
    assert len(table._snapshots) <= few
    for _ in range(3):
        table.play(ev("undo", k=150))
        assert len(table._snapshots) <= few
        table.play(ev("redo", k=150))
        assert len(table._snapshots) <= few
    table.change("correct", 5, ev("point", p=0))
    assert len(table._snapshots) <= few


def test_a_correction_at_the_beginning_reaches_the_end_and_back():
    table = long_table()
    before = table.game.snapshot()
    total = table.game.totals()
    table.change("correct", 0, ev("point", p=1))
    assert table.game.totals() == [total[0] - 1, total[1] + 1, total[2]]
    table.undo()
    assert table.game.snapshot() == before
    table.redo()
    table.change("correct", 0, ev("point", p=0))
    assert table.game.snapshot() == before


def test_a_correction_refused_at_the_end_has_changed_nothing():
    table = long_table()
    for _ in range(7):
        table.play(ev("point", p=0))
    table.play(ev("bonus", p=0, k=1))
    before = table.game.snapshot()
    at = LENGTH + 6
    assert table.game.points == [10, 1, 1] and table.event(at) == ev("point", p=0)
    assert refused("W_BONUS", table.change, "correct", at, ev("point", p=1)).at == LENGTH + 7
    assert table.game.snapshot() == before and table.event(at) == ev("point", p=0)
    table.undo()
    table.redo()
    assert table.game.snapshot() == before


def test_all_the_way_back_and_forth_gives_the_same_game():
    table = long_table()
    end = table.game.snapshot()
    table.play(ev("undo", k=LENGTH))
    assert len(table) == 0 and table.game.totals() == [0, 0, 0]
    table.play(ev("redo", k=LENGTH))
    assert table.game.snapshot() == end
    for k in (0, 2, 15, 16, 17, 127, 128, 395, 399):
        assert table.event(k) == event(k)


# --- thousands of entries ---

THOUSANDS = 2000  # a Pico holds more: on this computer objects are twice as large
PLAYERS = 8
SHORT = 400  # bytes of a snapshot, however many rounds there are


class Written:
    """Events that are computed from their numbers, so that none is in memory, like those on flash."""

    def __init__(self, event):
        self._event = event
        self._count = 0
        self._others = {}

    def append(self, value):
        place = self._count
        self._count += 1
        if value != self._event(place):
            self._others[place] = value
        return place

    def read(self, place):
        return self._others[place] if place in self._others else self._event(place)


def points(k):
    return ev("points", p=k % PLAYERS, k=k % 99)


def added(k):
    return ev("add", p=k % PLAYERS, k=1 + k % 9)


def huge_table(event, **options):
    table = Table(setup("any_game", PLAYERS, options, title="Long"), Written(event))
    for k in range(THOUSANDS):
        table.play(event(k))
    return table


def sums(event, start=0):
    totals = [start] * PLAYERS
    for k in range(THOUSANDS):
        totals[k % PLAYERS] += event(k)["k"]
    return totals


def test_thousands_of_points_by_rounds():
    table = huge_table(points, wins="low")
    game = table.game
    assert game.round == THOUSANDS // PLAYERS + 1 and game.totals() == sums(points)
    assert max([len(table._snapshots[k]) for k in table._snapshots]) < SHORT
    table.play(ev("undo", k=100))
    assert game.rounds_over() == (THOUSANDS - 100) // PLAYERS
    table.play(ev("redo", k=100))
    assert game.totals() == sums(points)
    table.play(ev("correct", at=5, event=ev("points", p=5, k=1000)))
    assert game.totals()[5] == sums(points)[5] + 995 and game.sheet[5] == 1000
    table.play(ev("undo"))
    assert game.totals() == sums(points) and game.sheet[:8] == [0, 1, 2, 3, 4, 5, 6, 7]
    early = table.game_at(20)
    assert (early.rounds_over(), early.now) == (2, [16, 17, 18, 19, None, None, None, None])


def test_thousands_of_points_of_a_counter():
    table = huge_table(added, entry="counter", start=20)
    assert table.game.totals() == sums(added, 20)
    assert max([len(table._snapshots[k]) for k in table._snapshots]) < SHORT
    table.play(ev("remove", at=0))
    assert table.game.totals()[0] == sums(added, 20)[0] - 1
    table.play(ev("undo"))
    assert table.game.totals() == sums(added, 20)
