"""Test that the library on a faulty flash loses, changes and removes no game."""

from helpers.faulty_storage import IO_ERROR, FaultyStorage, PowerCut, SickStorage, cuts
from helpers.play import ev
from helpers.shelf import TO_THE_END, Evening, games_on, match, play_all
from kiebitz.store.journal_files import NAME
from kiebitz.store.sealed_lines import StorageFull
from kiebitz_lab.laptop_stand_in import confirm


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
