"""Test that games thrown away are kept for a month, or until their space is needed."""

from helpers.faulty_storage import FaultyStorage
from helpers.play import ev
from helpers.shelf import NOW, games_on, match
from kiebitz.store.library import NEW_GAME_EVENTS
from kiebitz.store.sealed_lines import StorageFull

DAY = 86400


def thrown(storage, times):
    """Throw a game away at each of these times and return their ids."""
    ids = []
    for now in times:
        games = games_on(storage, now)
        games.create(match())
        games.play(ev("point", p=1))
        ids.append(games.throw_away())
    return ids


def test_a_game_that_was_thrown_away_is_kept_and_comes_back_whole():
    storage = FaultyStorage()
    (game_id,) = thrown(storage, [NOW])
    games = games_on(storage)
    assert games.thrown.pairs == [[game_id, NOW]] and games.running is None and games.ids() == [game_id]
    games.thrown.bring_back(game_id)
    _, table, _ = games.resume(game_id)
    assert list(table.events()) == [ev("point", p=1)]
    assert games_on(storage).thrown.pairs == [] and games_on(storage).running == game_id


def test_after_a_month_it_goes_when_the_next_one_is_thrown_away():
    storage = FaultyStorage()
    ids = thrown(storage, [0, NOW, NOW + 10 * DAY, NOW + 31 * DAY])
    games = games_on(storage)
    assert games.thrown.ids() == [ids[0], ids[2], ids[3]]  # the time of the first one is unknown
    assert ids[1] not in games.ids() and len(games.ids()) == 3


def test_the_twenty_latest_are_kept():
    storage = FaultyStorage()
    ids = thrown(storage, [NOW] * 22)
    games = games_on(storage)
    assert games.thrown.ids() == ids[2:] and sorted(games.ids()) == sorted(ids[2:])


def test_it_goes_when_a_new_game_needs_the_room_and_not_before():
    storage = FaultyStorage()
    ids = thrown(storage, [NOW, NOW])
    games = games_on(storage)
    games.create(match())
    assert games.thrown.ids() == ids
    games.close()
    games.room = lambda: NEW_GAME_EVENTS if len(games.ids()) < 3 else 0
    games.create(match())
    assert games.thrown.ids() == ids[1:] and ids[0] not in games.ids()


def test_games_that_were_not_thrown_away_stay_however_short_the_room_is():
    storage = FaultyStorage()
    games = games_on(storage)
    games.create(match())
    games.close()
    games.room = lambda: 0
    try:
        games.create(match())
    except StorageFull:
        assert len(games.ids()) == 1
    else:
        raise AssertionError("a game was begun without room")
