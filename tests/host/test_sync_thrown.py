"""A game thrown away or brought back on a device is so on every laptop, unless somebody there decides otherwise."""

from helpers.syncing import NOW, held, ids, lines_of, memory_store, spot, sync
from kiebitz_host.library import query, removals


def lists(store):
    """Return the ids of the games in the lists, and of those that are deleted."""
    return [[game["id"] for game in query.games(store.db, query.Filter(deleted=out))][::-1] for out in (False, True)]


def throw_away(device, at=0):
    """Throw the game in play away, at a time of its clock. Returns its id."""
    if at:
        device.app.clock.set(at)
    return device.app.library.throw_away()


def test_a_game_thrown_away_on_the_device_is_in_no_list_of_the_laptop(evening, store):
    gone = throw_away(evening.sit_down(spot()))
    report = sync(evening, store)
    assert [game.id for game in report.games if game.thrown] == [gone]
    assert lists(store) == [ids(evening)[:-1], [gone]]
    (decision,) = store.decided(store.number(gone))
    assert (decision.kind, decision.author) == ("throw away", f"Kiebitz {evening.app.board.device_id[-6:]}")
    assert held(store, gone) == lines_of(evening, gone)  # nothing is lost
    sync(evening, store)
    assert len(store.decided(store.number(gone))) == 1


def test_a_game_thrown_away_after_it_was_synced_leaves_the_lists(evening, store):
    sync(evening, store)
    gone = throw_away(evening)
    sync(evening, store)
    assert lists(store) == [ids(evening)[:-1], [gone]]


def test_what_the_laptop_has_restored_stays_though_the_device_still_lists_it_as_thrown_away(evening, store):
    gone = throw_away(evening)
    sync(evening, store)
    removals.restore(store, store.number(gone))
    sync(evening, store)
    assert lists(store) == [ids(evening), []]


def test_a_game_brought_back_on_the_device_is_back_on_every_laptop(evening, store):
    gone = throw_away(evening, at=NOW - 100)
    with memory_store() as other:
        sync(evening, store)
        sync(evening, other)
        evening.app.library.thrown.bring_back(gone)
        sync(evening, store)
        sync(evening, other)
        assert lists(store) == lists(other) == [ids(evening), []]
        told = [[one.id for one in one_store.decided(one_store.number(gone))] for one_store in (store, other)]
        assert told[0] == told[1] and len(told[0]) == 2  # both laptops made the same decisions
        evening.app.library.resume(gone)
        throw_away(evening, at=NOW)
        sync(evening, store)
        assert lists(store)[1] == [gone]


def test_what_the_laptop_has_deleted_stays_so_though_the_device_brings_it_back(evening, store):
    gone = throw_away(evening)
    sync(evening, store)
    removals.restore(store, store.number(gone))
    removals.delete(store, store.number(gone))
    evening.app.library.thrown.bring_back(gone)
    sync(evening, store)
    assert lists(store)[1] == [gone]
