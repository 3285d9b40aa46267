"""Test what happens to lost and thrown-away games."""

from binascii import crc32

from helpers.faulty_storage import FaultyStorage
from helpers.play import ev
from helpers.shelf import NOW, Evening, games_on, match
from kiebitz.store.library import NEW_GAME_EVENTS
from kiebitz.store.sealed_lines import StorageFull
from kiebitz_lab.laptop_stand_in import confirm, confirm_index


def shelf():
    """Return a flash with a removed, a confirmed and a running game, and their history."""
    evening = Evening(FaultyStorage()).whole()
    games = evening.games
    second = games.ids()[1]
    confirm(games, second, evening.lines[second])
    return evening.storage.files, {game_id: games.entry(game_id) for game_id in games.ids()}


def same_or_less(entries, storage):
    """Check that the history is unchanged, except for a confirmation that may be missing."""
    games = games_on(storage)
    assert games.ids() == sorted(entries, reverse=True)
    for game_id in entries:
        got, expected = games.entry(game_id), entries[game_id]
        for key in expected:
            if key != "confirmed":
                assert got[key] == expected[key], (game_id, key)
        assert expected["confirmed"] or not got["confirmed"], game_id
        # What is listed now is listed the next time
        assert confirm(games, game_id, got["lines"])
        assert games_on(storage).entry(game_id)["confirmed"], game_id
        assert games.entry(game_id)["confirmed"], game_id


def test_a_lost_index_is_made_again():
    files, entries = shelf()
    del files["index"]
    storage = FaultyStorage(files)
    same_or_less(entries, storage)
    assert storage.size("index") > 0


def test_a_damaged_index_never_tells_anything_wrong():
    files, entries = shelf()
    size = len(files["index"])
    for byte in range(0, size, 5):
        storage = FaultyStorage(files)
        storage.flip("index", byte, byte % 8)
        same_or_less(entries, storage)
    for end in range(0, size, 37):
        storage = FaultyStorage(files)
        storage.put("index", files["index"][:end])
        same_or_less(entries, storage)
    storage = FaultyStorage(files)
    storage.put("index", files["index"] + b"\xff" * 2600)
    same_or_less(entries, storage)


def test_the_index_does_not_grow_for_ever():
    storage = FaultyStorage()
    games = games_on(storage)
    games.create(match())
    for k in range(100):
        games.play(ev("undo") if k % 2 else ev("point", p=0))
        assert confirm(games, games.running, k + 1)
        assert games.entry(games.running)["confirmed"]
    assert storage.get("index").count(b"\n") <= 20
    assert games_on(storage).entry(games.running)["confirmed"]


def test_a_game_damaged_from_its_first_line_is_told_and_kept():
    storage = FaultyStorage()
    games = games_on(storage)
    first = games.create(match())[0].id
    second = games.create(match())[0].id
    storage.flip(second + ".kbz", 3, 3)
    games = games_on(storage.restart())
    assert games.resume() == (None, None, ("bad", 1, 0))
    assert games.set_aside() == [second + ".bad"]
    assert games.entry(second) is None
    # The one before it can still be gone on with
    assert games.running == first and games.resume()[1] is not None


def test_if_it_is_lost_which_game_was_running_it_was_the_newest():
    files = Evening(FaultyStorage()).whole().storage.files
    newest = games_on(FaultyStorage(files)).ids()[0]
    for names in (["running"], ["running", "running.old"]):
        storage = FaultyStorage(files)
        for name in names:
            storage.flip(name, 2, 2)
        games = games_on(storage)
        assert games.report is not None and games.running == newest, names
        assert games.resume()[1] is not None
    storage = FaultyStorage()
    storage.put("running", b"rubbish")
    games = games_on(storage)
    assert games.report is not None and games.running is None


def test_what_a_power_cut_left_beside_a_journal_is_cleared_away():
    storage = FaultyStorage()
    game_id = games_on(storage).create(match())[0].id
    storage.put(game_id + ".tmp", b"half a line")
    storage.put("29c0ff-0007-070707.tmp", b"half a set-up")
    games = games_on(storage)
    names = [name for name in storage.names() if not name.startswith("fresh")]
    assert names == [game_id + ".kbz", "running"] and games.running == game_id


def test_a_damaged_mark_costs_one_confirmation_not_all():
    evening = Evening(FaultyStorage()).whole()
    storage, games = evening.storage, evening.games
    assert confirm_index(games, storage.size("index"), "%08x" % crc32(storage.get("index")))
    first, second = games.ids()[:2]
    data = storage.get("index")
    storage.flip("index", data.rfind(b'"mark":"', 0, data.rfind(b" ", 0, -9)) + 8, 7)
    again = games_on(storage)
    assert [again.entry(game_id)["confirmed"] for game_id in (first, second)].count(True) == 1


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
