"""Test that a faulty flash loses no game, and what happens to lost and thrown-away games."""

from binascii import crc32

from helpers.faulty_storage import IO_ERROR, FaultyStorage, PowerCut, SickStorage, cuts
from helpers.play import ev
from helpers.shelf import NOW, TO_THE_END, Evening, games_on, match, play_all
from kiebitz.store.journal_files import NAME
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


# --- a faulty flash ---

def check(evening, storage):
    """Everything acknowledged is on this flash, and play goes on."""
    games = games_on(storage)
    assert games.report is None
    ids = games.ids()
    for game_id in evening.lines:
        if game_id in ids:
            entry = games.entry(game_id)
            assert entry["lines"] in (evening.lines[game_id], evening.lines[game_id] + 1), game_id
            assert not entry["damaged"], game_id
        else:
            assert game_id in evening.gone, "%s is lost" % game_id
    if games.running is None and evening.running is not None and not evening.thrown:
        assert games.entry(evening.running)["finished"], "forgot which game is running"
    elif games.running in evening.lines:
        assert games.running == evening.running
    assert [name for name in storage.names() if name.endswith(".tmp")] == []
    table = games.resume()[1]
    if table is not None and table.game.phase == "TRICK":
        play_all(games, [ev("point", p=1), ev("undo")])
    games.create(match())
    play_all(games, TO_THE_END)
    game_id = games.running
    games.close()
    assert games.entry(game_id)["finished"]
    assert confirm(games, game_id, 3)
    games.remove(game_id)
    games = games_on(storage)
    for other in ids:
        assert games.entry(other) is not None, other


def test_the_power_may_go_anywhere():
    operations = Evening(FaultyStorage().record()).whole().storage.operations
    for k, part in cuts(operations, 9):
        storage = FaultyStorage().cut_at(k, part)
        evening = Evening(storage)
        try:
            evening.whole()
            raise AssertionError("the power did not go")
        except PowerCut:
            pass
        check(evening, storage.restart())


def test_the_check_notices_an_entry_that_is_lost_or_a_game_that_is_gone():
    for harm in ("line", "game", "running"):
        evening = Evening(FaultyStorage()).whole()
        game_id = evening.running
        if harm == "line":
            evening.lines[game_id] += 1
        elif harm == "game":
            evening.storage.remove(game_id + ".kbz")
        else:
            evening.storage.remove("running")
        try:
            check(evening, evening.storage.restart())
        except AssertionError:
            continue
        raise AssertionError(harm)


def test_the_flash_may_be_full_at_any_write():
    operations = Evening(FaultyStorage().record()).whole().storage.operations
    for k, (_, _, size) in enumerate(operations):
        for part in (0, size // 2, size):
            storage = FaultyStorage()
            evening = Evening(storage)
            storage.full_at(k, part, stays=True)
            for step in evening.steps():
                try:
                    step()
                except StorageFull:
                    storage.make_room()
                    break
            check(evening, storage.restart())


def test_an_entry_that_meets_a_full_flash_is_off_the_table_again():
    for event in (ev("point", p=1), ev("undo"), ev("redo"), ev("correct", at=0, event=ev("point", p=2))):
        for part in (0, 10):
            storage = FaultyStorage()
            games = games_on(storage)
            games.create(match())
            play_all(games, [ev("point", p=0), ev("point", p=0), ev("undo")])
            before = games.table.game.snapshot()
            storage.full_at(storage.count, part, stays=True)
            for _ in range(2):
                try:
                    games.play(event)
                    raise AssertionError("acknowledged on a full flash")
                except StorageFull:
                    pass
                table = games.table
                assert table.game.snapshot() == before and len(table) == 1 and table.can_redo, (event, part)
            storage.make_room()
            games.play(event)
            after = games.table.game.snapshot()
            assert after != before
            assert games_on(storage).resume()[1].game.snapshot() == after, (event, part)


def test_an_entry_the_flash_complained_about_but_kept_counts():
    storage = FaultyStorage()
    games = games_on(storage)
    games.create(match())
    storage.full_at(storage.count, 1000)
    games.play(ev("point", p=1))
    assert games.table.game.points == [0, 1, 0] and games.journal.lines == 2


def test_a_flash_that_cannot_be_read_after_a_failed_write_is_read_before_the_next():
    storage = FaultyStorage()
    games = games_on(storage)
    games.create(match())
    games.play(ev("point", p=1))
    storage.full_at(storage.count, 3)
    read = storage.read
    storage.read = no_read
    for _ in range(2):
        try:
            games.play(ev("point", p=1))
            raise AssertionError("acknowledged")
        except OSError:
            pass
    storage.read = read
    games.play(ev("point", p=2))
    assert games.table.game.points == [0, 1, 1]
    assert games_on(storage).resume()[1].game.points == [0, 1, 1]


def no_read(*args):
    raise OSError(5)


def test_a_running_game_is_resumed_on_a_full_flash():
    storage = FaultyStorage()
    games = games_on(storage)
    games.create(match())
    games.create(match())
    games.play(ev("point", p=1))
    storage = storage.restart().full_at(0, 0, stays=True)
    assert games_on(storage).resume()[1].game.points == [0, 1, 0]


def test_a_game_that_is_left_after_trouble_is_what_the_flash_has():
    storage = SickStorage()
    games = games_on(storage)
    game_id = games.create(match())[0].id
    play_all(games, TO_THE_END[:-1])
    names = (game_id + ".kbz", NAME)
    storage.unreadable = storage.unwritable = dict.fromkeys(names, IO_ERROR)
    try:
        games.play(TO_THE_END[-1])
        raise AssertionError("it was taken")
    except OSError:
        pass
    storage.unreadable = storage.unwritable = {}
    games.close()
    assert games.running == game_id and not games.entry(game_id)["finished"]
    assert not games_on(storage).look(game_id)[1].game.over
