"""Test that the minutes of a game belong to its journal lines and are restored with them."""

import json

from helpers.board import MINUTE, TICKS, Watch
from helpers.faulty_storage import FaultyStorage, PowerCut, cuts
from helpers.play import ev
from helpers.shelf import DEVICE, NOW, Noise, match
from kiebitz.store.library import Library
from kiebitz.store.play_time import NAME
from kiebitz.store.replay import ReplayedTable


def games_at(watch, storage):
    return Library(storage, DEVICE, Noise(), lambda: NOW, watch)


def begun(storage=None, start=0):
    watch = Watch(start)
    games = games_at(watch, storage or FaultyStorage())
    games.create(match())
    return watch, games


def lines(games):
    """Return the values of the lines of the running game."""
    data = games.files.read(games.journal.name)
    return [json.loads(line.rsplit(b" ", 2)[0]) for line in data.split(b"\n")[:-1]]


def played():
    """Return games with a match in which a minute passes before each of several entries and changes of entries."""
    watch, games = begun()
    for event in [ev("point", p=p) for p in (0, 1, 2, 0, 1)] + [ev("undo"), ev("redo"), ev("point", p=2)]:
        watch.go(MINUTE)
        games.play(event)
    watch.go(2 * MINUTE)
    games.play(ev("correct", at=1, event=ev("point", p=0)))
    return watch, games


def test_a_line_carries_the_minutes_only_if_they_have_changed():
    watch, games = begun()
    for minutes in (0, 3, 0, 4):
        watch.go(minutes * MINUTE)
        games.play(ev("point", p=0))
    assert [line.get("min") for line in lines(games)] == [None, None, 3, None, 7]


def test_the_minutes_are_no_part_of_an_event():
    _, games = played()
    assert [line.get("min") for line in lines(games)] == [None, 1, 2, 3, 4, 5, 6, 7, 8, 10]
    assert all(["min" not in event for event in games.table.events()])
    assert "min" not in games.table.last_event()["event"]


def test_they_come_back_with_the_game_with_and_without_its_checkpoint():
    for kept in (True, False):
        _, games = played()
        if kept:
            games.keep_state()
            assert games.storage.size(games.journal.id + ".sav")
        before = games.table.game.snapshot()
        again = games_at(Watch(), games.storage.restart())
        _, table, report = again.resume()
        assert (report, again.minutes, table.game.snapshot()) == (None, 10, before), kept
        again.play(ev("point", p=0))
        assert "min" not in lines(again)[-1]


def test_a_journal_that_lost_its_end_has_the_minutes_before():
    _, games = played()
    storage = games.storage
    games.files.settle()
    storage.put("fresh/lines", b"")
    name = games.journal.name
    data = storage.get(name)
    storage.put(name, data[: data.rfind(b"\n", 0, -1) - 3])
    again = games_at(Watch(), storage)
    assert again.resume()[2] and again.minutes == 7


def test_the_ticks_may_wrap_round():
    watch, games = begun(start=TICKS - 5 * MINUTE)
    for _ in range(30):
        watch.go(MINUTE)
        games.keep_minutes()
    assert games.minutes == 30


def test_a_power_cut_anywhere_loses_what_was_not_written_and_nothing_else():
    def story(storage):
        watch, games = begun(storage)
        told = [0]
        try:
            for minutes in (2, 1, 3):
                watch.go(minutes * MINUTE)
                games.keep_minutes()
                told.append(games.minutes)
                games.play(ev("point", p=0))
        except PowerCut:
            pass
        return told

    recorded = FaultyStorage().record()
    assert story(recorded) == [0, 2, 3, 6]
    tried = 0
    for k, part in cuts(recorded.operations):
        storage = FaultyStorage().cut_at(k, part)
        try:
            told = story(storage)
        except PowerCut:
            continue
        again = games_at(Watch(), storage.restart())
        if again.resume()[0] is None:
            continue
        tried += 1
        # In a torn write of the small file, the minutes are those of the last entry
        assert again.minutes >= told[max(0, len(told) - 2)], (k, part)
    assert tried > 10


def test_the_file_keeps_the_games_that_were_left_last():
    storage = FaultyStorage()
    watch = Watch()
    games = games_at(watch, storage)
    ids = []
    for _ in range(12):
        games.create(match())
        watch.go(5 * MINUTE)
        ids.append(games.journal.id)
        games.close()
    assert len(storage.get(NAME)) < 400
    again = games_at(Watch(), storage)
    found = []
    for game_id in ids:
        again.resume(game_id)
        found.append(again.minutes)
        again.close()
    assert found == [0] * 4 + [5] * 8


def test_minutes_that_are_none_are_ignored_and_the_entry_counts():
    script = ReplayedTable()
    script.feed(json.dumps(match()).encode())
    script.feed(b'{"ev":"point","p":0,"min":17}')
    for wrong in ("true", "-3", "0", '"18"', "null", "1.5", "[19]", "{}", "99999999999999999999999"):
        script.feed(b'{"ev":"point","p":0,"min":%s}' % wrong.encode())
        assert script.minutes == 17, wrong
    assert script.events == 10 and script.table.game.points[0] == 10
    assert "min" not in script.table.last_event()
