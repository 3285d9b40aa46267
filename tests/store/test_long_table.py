"""Test that undo stays cheap and snapshots stay few in a long game, and that it fits into a small heap."""

from helpers.play import ev, refused, setup
from kiebitz.store.table import STEPS, Table

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
