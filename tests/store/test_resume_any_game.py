"""Test that any other game is resumed exactly after a power cut, in the middle of a round too."""

from helpers.faulty_storage import FaultyStorage, PowerCut, cuts
from helpers.play import ev, setup, sure
from helpers.shelf import games_on

SKYJO = setup("any_game", 4, title="Skyjo", wins="low", end="target", limit=100)
ROUNDS = [ev("points", p=p, k=k) for p, k in ((2, 12), (0, -2), (3, 31), (1, 5), (1, 9), (3, 0))]
ROUNDS += [ev("undo"), ev("points", p=3, k=17), ev("correct", at=1, event=ev("points", p=0, k=20))]
ROUNDS += [ev("points", p=0, k=4)]
ROUNDS += [sure(ev("end_round")), ev("points", p=2, k=50), ev("points", p=0, k=1)]
LIFE = setup("any_game", 3, title="Life", entry="counter", start=20, end="target", limit=0)
COUNTED = [ev("add", p=p, k=k) for p, k in ((0, -5), (1, -1), (0, 3), (2, -12), (1, -10))]
COUNTED += [ev("undo"), ev("redo"), ev("remove", at=1), ev("add", p=2, k=-7)]


def told(table):
    """Return everything that the players see of a game."""
    return table.game.summary(), len(table), table.can_redo


def states(line, events):
    """Return what players see after each event, on a flash that never fails."""
    games = games_on(FaultyStorage())
    games.create(line)
    found = [told(games.table)]
    for event in events:
        games.play(event)
        found.append(told(games.table))
    return found


def played(storage, line, events, acknowledged):
    """Play until the power goes; every event goes into `acknowledged` once it is on flash."""
    games = games_on(storage)
    games.create(line)
    acknowledged.append(line)
    for k, event in enumerate(events):
        games.play(event)
        acknowledged.append(event)
        if k == len(events) // 2:
            games.keep_state()


def check_every_cut(line, events, every):
    """Cut the power in every flash operation, and check that acknowledged events are restored and play goes on."""
    expected = states(line, events)
    whole = FaultyStorage().record()
    played(whole, line, events, [])
    for k, part in cuts(whole.operations, every):
        storage, acknowledged = FaultyStorage().cut_at(k, part), []
        try:
            played(storage, line, events, acknowledged)
        except PowerCut:
            pass
        games = games_on(storage.restart())
        _, table, _ = games.resume()
        if table is None:
            assert not acknowledged, (k, part)
            continue
        done = games.journal.lines - 1
        assert max(0, len(acknowledged) - 1) <= done <= len(acknowledged), (k, part)
        assert told(table) == expected[done], (k, part)
        for event in events[done:]:
            games.play(event)
        assert told(games.table) == expected[-1], (k, part)


def test_a_round_of_skyjo_goes_on_wherever_the_power_went():
    summary = states(SKYJO, ROUNDS)[-1][0]
    assert (summary["round"], summary["now"]) == (3, [1, None, 50, None])
    check_every_cut(SKYJO, ROUNDS, 7)


def test_a_counter_goes_on_wherever_the_power_went():
    assert states(LIFE, COUNTED)[-1][0]["totals"] == [18, 10, 1]
    check_every_cut(LIFE, COUNTED, 7)


def test_the_last_entry_is_undone_after_the_power_was_off():
    storage = FaultyStorage()
    played(storage, SKYJO, ROUNDS, [])
    games = games_on(storage.restart())
    games.resume()
    for _ in range(3):
        games.play(ev("undo"))
    assert games.table.game.now == [4, 9, None, 17] and games.table.game.round == 2


def test_a_sheet_of_many_rounds_comes_back_whole():
    storage = FaultyStorage()
    games = games_on(storage)
    games.create(setup("any_game", 2, title="Long", wins="low"))
    for k in range(100):
        games.play(ev("points", p=k % 2, k=k % 90))
    games.keep_state()
    for k in range(101):
        games.play(ev("points", p=k % 2, k=k % 70))
    rounds = games.table.game.rounds
    again = games_on(storage.restart())
    _, table, report = again.resume()
    assert report is None and table.game.rounds == rounds and table.game.now == [30, None]
    again.play(ev("undo", k=102))
    assert table.game.rounds == rounds[:49] and table.game.now == [8, None]
    again.play(ev("redo", k=102))
    assert table.game.rounds == rounds
    again.play(ev("correct", at=0, event=ev("points", p=0, k=1000)))
    assert table.game.rounds[0] == [1000, 1] and table.game.rounds[1:] == rounds[1:]
