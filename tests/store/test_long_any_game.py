"""Test that a sheet of thousands of entries fits into a small heap and undo stays cheap."""

from helpers.play import ev, setup
from kiebitz.store.table import Table

LENGTH = 2000  # a Pico holds more: on this computer objects are twice as large
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


def long_table(event, **options):
    table = Table(setup("any_game", PLAYERS, options, title="Long"), Written(event))
    for k in range(LENGTH):
        table.play(event(k))
    return table


def sums(event, start=0):
    totals = [start] * PLAYERS
    for k in range(LENGTH):
        totals[k % PLAYERS] += event(k)["k"]
    return totals


def test_thousands_of_points_by_rounds():
    table = long_table(points, wins="low")
    game = table.game
    assert game.round == LENGTH // PLAYERS + 1 and game.totals() == sums(points)
    assert max([len(table._snapshots[k]) for k in table._snapshots]) < SHORT
    table.play(ev("undo", k=100))
    assert game.rounds_over() == (LENGTH - 100) // PLAYERS
    table.play(ev("redo", k=100))
    assert game.totals() == sums(points)
    table.play(ev("correct", at=5, event=ev("points", p=5, k=1000)))
    assert game.totals()[5] == sums(points)[5] + 995 and game.sheet[5] == 1000
    table.play(ev("undo"))
    assert game.totals() == sums(points) and game.sheet[:8] == [0, 1, 2, 3, 4, 5, 6, 7]
    early = table.game_at(20)
    assert (early.rounds_over(), early.now) == (2, [16, 17, 18, 19, None, None, None, None])


def test_thousands_of_points_of_a_counter():
    table = long_table(added, entry="counter", start=20)
    assert table.game.totals() == sums(added, 20)
    assert max([len(table._snapshots[k]) for k in table._snapshots]) < SHORT
    table.play(ev("remove", at=0))
    assert table.game.totals()[0] == sums(added, 20)[0] - 1
    table.play(ev("undo"))
    assert table.game.totals() == sums(added, 20)
