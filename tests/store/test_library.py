"""Test the library (running game, history, removal, full flash)."""

import json

from helpers.faulty_storage import FaultyStorage
from helpers.play import ev, refused
from helpers.shelf import DEVICE, NOW, TO_THE_END, games_on, match, play_all
from kiebitz.store.journal import RESERVE_BYTES
from kiebitz.store.library import EVENT_BYTES, NEW_GAME_EVENTS
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
