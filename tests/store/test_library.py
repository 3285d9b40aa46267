"""Test the library: running game, history, removal, full flash, and packed journals, which keep every game once."""

import json

from helpers.faulty_storage import FaultyStorage, PowerCut, cuts
from helpers.play import ev, refused
from helpers.shelf import DEVICE, NOW, TO_THE_END, games_on, match, play_all
from kiebitz.store.journal import RESERVE_BYTES
from kiebitz.store.laptop_view import LaptopView
from kiebitz.store.library import EVENT_BYTES, NEW_GAME_EVENTS
from kiebitz.store.packed_journals import FILE_BYTES
from kiebitz.store.sealed_lines import StorageFull
from kiebitz_lab.laptop_stand_in import confirm


def begun(events=()):
    """(flash, games, id) with one game begun."""
    storage = FaultyStorage()
    games = games_on(storage)
    journal, _ = games.create(match())
    play_all(games, events)
    return storage, games, journal.id


def finished(confirmed=True):
    """(flash, games, id) with one game on the shelf, played to its end."""
    storage, games, game_id = begun(TO_THE_END)
    games.close()
    if confirmed:
        assert confirm(games, game_id, 3)
    return storage, games, game_id


def is_full(action, *args):
    try:
        action(*args)
    except StorageFull:
        return True
    return False


# --- the game in play ---


def test_the_set_up_line_tells_id_time_and_device():
    storage, games, game_id = begun()
    line = storage.get(game_id + ".kbz").split(b" 0 ")[0]
    setup = json.loads(line.decode())
    assert (setup["id"], setup["at"], setup["device"]) == (game_id, NOW, DEVICE)
    assert game_id == "29c0ff-0001-010101"


def test_no_id_comes_twice():
    storage, games, first = finished()
    games.remove(first)
    second = games.create(match())[0].id
    # The file that counts is lost, and the noise repeats: the games on the shelf still count
    for name in ("running", "running.old"):
        if storage.size(name) is not None:
            storage.remove(name)
    games = games_on(storage)
    third = games.create(match())[0].id
    assert [game_id[7:11] for game_id in (first, second, third)] == ["0001", "0002", "0003"]


def test_a_start_goes_straight_back_to_the_running_game():
    storage, games, game_id = begun([ev("point", p=1), ev("point", p=2), ev("undo")])
    before = games.table.game.snapshot()
    games = games_on(storage.restart())
    assert games.running == game_id
    journal, table, report = games.resume()
    assert journal.id == game_id and report is None
    assert table.game.snapshot() == before and table.can_redo
    assert table is games.table and journal is games.journal


def test_without_a_running_game_there_is_nothing_to_resume():
    assert games_on(FaultyStorage()).resume() == (None, None, None)


def test_a_finished_game_runs_until_it_is_put_on_the_shelf():
    storage, games, game_id = begun(TO_THE_END)
    assert games_on(FaultyStorage(storage.files)).running == game_id
    games.close()
    assert games.running is None and games_on(storage).running is None


def test_a_game_left_in_the_middle_is_still_the_running_one():
    storage, games, game_id = begun([ev("point", p=0)])
    games.close()
    assert games.running == game_id and games.table is None
    assert len(games.resume()[1]) == 1


def test_two_games_can_be_open_and_either_one_gone_on_with():
    storage, games, first = begun([ev("point", p=0)])
    second = games.create(match())[0].id
    play_all(games, [ev("point", p=2), ev("point", p=2)])
    assert games.running == second
    assert [games.entry(game_id)["events"] for game_id in (first, second)] == [1, 2]
    assert games.resume(first)[1].game.points == [1, 0, 0]
    games.play(ev("point", p=0))
    games = games_on(storage.restart())
    assert games.running == first
    assert [games.entry(game_id)["events"] for game_id in (first, second)] == [2, 2]


def test_looking_at_a_game_does_not_make_it_the_running_one():
    storage, games, first = begun([ev("point", p=0)])
    second = games.create(match())[0].id
    journal, table, report = games.look(first)
    assert len(table) == 1 and report is None and games.running == second
    assert games.look(second)[1] is games.table


def test_what_the_rules_refuse_leaves_no_trace():
    storage, games, game_id = begun()
    before = storage.count
    refused("E_PLAYER", games.play, ev("point", p=7))
    refused("E_PHASE", games.play, ev("undo"))
    refused("E_PLAYERS", games.create, {"game": "top_spot", "players": ["Anna"]})
    assert storage.count == before and games.journal.id == game_id


def test_the_journal_keeps_known_keys_only():
    storage, games, game_id = begun([ev("point", p=0, note="well done"), ev("undo", k=1), ev("redo", k=1)])
    games.play(ev("correct", at=0, event=ev("point", p=2, why="wrong seat")))
    lines = [line.split(b"} ")[0] + b"}" for line in games.files.read(game_id + ".kbz").split(b"\n")[1:-1]]
    assert lines == [
        b'{"ev":"point","p":0}',
        b'{"ev":"undo"}',
        b'{"ev":"redo"}',
        b'{"ev":"correct","at":0,"event":{"ev":"point","p":2}}',
    ]


# --- the history ---


def test_the_history_tells_what_a_game_was():
    _, games, game_id = finished(confirmed=False)
    entry = games.entry(game_id)
    for key, value in (
        ("id", game_id),
        ("game", "top_spot"),
        ("players", ["Anna", "Ben", "Cleo"]),
        ("at", NOW),
        ("events", 3),
        ("lines", 3),
        ("finished", True),
        ("totals", [0, 1, 0]),
        ("winners", [1]),
        ("confirmed", False),
        ("damaged", False),
    ):
        assert entry[key] == value, key


def test_the_newest_game_stands_first():
    storage, games, first = finished()
    second = games.create(match())[0].id
    third = games.create(match())[0].id
    assert games.ids() == games_on(storage).ids() == [third, second, first]


def test_a_game_that_is_not_there_has_no_entry():
    assert games_on(FaultyStorage()).entry("29c0ff-0009-010101") is None


def test_confirmed_is_what_a_laptop_has_all_of():
    storage, games, game_id = begun([ev("point", p=0)])
    assert not confirm(games, game_id, 0) and not confirm(games, game_id, 2)
    assert not games.entry(game_id)["confirmed"]
    assert confirm(games, game_id, 1) and games.entry(game_id)["confirmed"]
    assert games_on(FaultyStorage(storage.files)).entry(game_id)["confirmed"]
    games.play(ev("undo"))
    assert not games.entry(game_id)["confirmed"]
    games.close()
    assert not games.entry(game_id)["confirmed"]
    assert confirm(games, game_id, 2) and games.entry(game_id)["confirmed"]
    assert not confirm(games, "29c0ff-0009-010101", 0)


def test_a_game_mended_and_played_on_to_the_same_length_is_not_confirmed():
    storage, games, game_id = begun([ev("point", p=0), ev("point", p=1), ev("undo")])
    assert confirm(games, game_id, 3)
    games.files.settle()
    storage.flip(game_id + ".kbz", storage.get(game_id + ".kbz").find(b'"p":1'), 0)
    games = games_on(storage.restart())
    assert games.resume()[2] == ("bad", 3, 1)
    play_all(games, [ev("point", p=2), ev("undo")])
    games.close()
    entry = games.entry(game_id)
    assert entry["lines"] == 3 and entry["damaged"] and not entry["confirmed"]


def test_only_what_is_finished_and_confirmed_can_be_removed():
    for confirmed, done in ((False, False), (True, False), (False, True)):
        storage, games, game_id = begun(TO_THE_END if done else [ev("point", p=0)])
        if confirmed:
            confirm(games, game_id, 1)
        assert games.removable() == []
        refused("E_KEEP", games.remove, game_id)
        assert games.ids() == [game_id], (confirmed, done)
    storage, games, game_id = finished()
    assert games.removable() == [game_id]
    games.remove(game_id)
    assert games.ids() == [] and games_on(storage).ids() == []
    refused("E_KEEP", games.remove, game_id)


def test_a_confirmed_game_that_is_opened_again_is_kept():
    storage, games, game_id = finished()
    games.resume(game_id)
    assert games.removable() == [game_id]
    games.play(ev("undo"))
    refused("E_KEEP", games.remove, game_id)
    games.close()
    refused("E_KEEP", games.remove, game_id)


def test_the_game_in_play_can_be_removed_once_it_is_finished_and_confirmed():
    storage, games, game_id = begun(TO_THE_END)
    confirm(games, game_id, 3)
    games.remove(game_id)
    assert games.table is None and games.running is None and games.ids() == []


# --- free space ---


def test_room_is_counted_in_events():
    storage = FaultyStorage(capacity=RESERVE_BYTES + 10 * EVENT_BYTES)
    games = games_on(storage)
    assert games.room() == 10
    storage.capacity = 100
    assert games.room() == 0
    storage.capacity = 100000000
    games.create(match())
    games.play(ev("point", p=0))
    assert games.room() == 4999


def test_no_game_is_begun_that_could_not_be_played():
    storage = FaultyStorage(capacity=RESERVE_BYTES + NEW_GAME_EVENTS * EVENT_BYTES - 1)
    assert is_full(games_on(storage).create, match()) and storage.names() == []
    storage.capacity += 1000
    games_on(storage).create(match())


def test_a_full_flash_is_told_before_the_table_moves():
    storage, games, game_id = begun([ev("point", p=0)])
    storage = storage.restart()
    games = games_on(storage)
    games.resume()
    storage.capacity = RESERVE_BYTES
    before, table = storage.files, games.table
    assert is_full(games.play, ev("point", p=1)) and is_full(games.play, ev("undo"))
    assert games.table is table and table.game.points == [1, 0, 0] and storage.files == before
    storage.capacity = 1 << 20
    games.play(ev("point", p=1))
    assert games.table.game.points == [1, 1, 0]


GAMES = 20
POINTS = 11


def play_some(games, count=GAMES, points=POINTS):
    """Begin games, each left after a few entries; game k has its first point for player k % 3."""
    for k in range(count):
        games.create(match())
        for p in range(points):
            games.play(ev("point", p=(k + p) % 3))
        games.close()


def shelf():
    storage = FaultyStorage()
    games = games_on(storage)
    play_some(games)
    return storage, games


def packed(storage):
    return [name for name in storage.names() if name.endswith(".pack")]


def first_seat(games, game_id):
    journal, table, report = games.look(game_id)
    assert report is None and len(table) == POINTS and journal.lines == POINTS + 1, (game_id, report)
    return table.event(0)["p"]


def all_there(games):
    """Assert that every game is there once, and as it was left."""
    ids = games.ids()
    assert len(ids) == len(set(ids)) == GAMES, ids
    assert [first_seat(games, game_id) for game_id in reversed(ids)] == [k % 3 for k in range(GAMES)]


def test_short_games_that_were_left_share_files_of_one_block():
    storage, games = shelf()
    assert 2 <= len(packed(storage)) <= GAMES // 4
    assert all([storage.size(name) <= FILE_BYTES for name in packed(storage)])
    all_there(games)
    all_there(games_on(storage.restart()))


def test_the_game_to_be_resumed_keeps_its_own_file():
    storage, games = shelf()
    assert storage.size(games.running + ".kbz") is not None


def test_a_packed_game_goes_on_and_is_packed_again():
    storage, games = shelf()
    oldest = games.ids()[-1]
    assert storage.size(oldest + ".kbz") is None
    games.resume(oldest)
    games.play(ev("point", p=2))
    assert storage.size(oldest + ".kbz") is not None
    again = games_on(FaultyStorage(storage.files))
    assert again.running == oldest and len(again.resume()[1]) == POINTS + 1 and len(again.ids()) == GAMES
    games.play(ev("undo"))
    games.close()
    play_some(games, 8)
    assert storage.size(oldest + ".kbz") is None and len(games.ids()) == GAMES + 8
    assert len(games.look(oldest)[1]) == POINTS


def test_a_laptop_reads_and_confirms_packed_games_like_any_other():
    storage, games = shelf()
    view = LaptopView(games)
    sizes = dict(view.sizes())
    assert sorted(sizes) == sorted([game_id + ".kbz" for game_id in games.ids()])
    buffer = bytearray(4096)
    for game_id in games.ids():
        reader = view.journal_lines(game_id, 0)
        end = reader.fill(buffer, 0, len(buffer))
        assert end == sizes[game_id + ".kbz"] == reader.at, game_id
        assert bytes(buffer[:end]) == games.files.read(game_id + ".kbz"), game_id
        assert not reader.fill(buffer, 0, len(buffer))
        reader.close()
        assert confirm(games, game_id, POINTS)


def test_confirmed_games_are_removed_from_a_packed_file_one_by_one():
    storage, games = shelf()
    ids = games.ids()
    for game_id in ids:
        confirm(games, game_id, POINTS)
    assert games.removable() == [] and games.removable(finished=False) == ids[1:]
    left = list(ids)
    for game_id in ids[1:]:
        games.remove(game_id)
        left.remove(game_id)
        assert games_on(FaultyStorage(storage.files)).ids() == left
    assert packed(storage) == []


def test_the_power_may_go_anywhere_while_journals_are_packed_unpacked_and_removed():
    before = FaultyStorage()
    play_some(games_on(before), 6)
    files = before.files

    def evening(storage):
        games = games_on(storage)
        while games.files.pack([games.running + ".kbz"], 0):
            pass
        games.resume(games.ids()[-1])
        games.play(ev("point", p=0))
        games.close()
        second = games.ids()[-2]
        confirm(games, second, POINTS)
        games.remove(second)

    recorded = FaultyStorage(files).record()
    evening(recorded)
    ids = games_on(FaultyStorage(files)).ids()
    for k, part in cuts(recorded.operations, 3):
        storage = FaultyStorage(files).cut_at(k, part)
        try:
            evening(storage)
        except PowerCut:
            pass
        games = games_on(storage.restart())
        found = games.ids()
        assert [game_id for game_id in ids if game_id not in (found + [ids[-2]])] == [], (k, part)
        for game_id in found:
            journal, table, report = games.look(game_id)
            torn = game_id == ids[-1] and report and report[0] == "torn"  # the entry that was being written
            assert torn or report is None and len(table) in (POINTS, POINTS + (game_id == ids[-1])), (k, part, game_id)


def test_a_damaged_packed_file_costs_the_damaged_game_only():
    storage, games = shelf()
    file = packed(storage)[0]
    data = storage.get(file)
    inside = data.count(b'{"game"')
    for at in range(3, len(data), 97):
        flash = FaultyStorage(storage.files)
        flash.flip(file, at, 2)
        games = games_on(flash)
        whole = 0
        for game_id in games.ids():
            _, table, report = games.look(game_id)
            whole += report is None and len(table) == POINTS
        assert whole >= GAMES - 2, at  # a damaged line, or the first line of the game behind it
    assert inside > 2
