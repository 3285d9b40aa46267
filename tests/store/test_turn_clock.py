"""Test what the turn clock counts, takes back and stores, and the minutes of a game, without screens."""

import json

from helpers.device import MINUTE, TICKS, Watch
from helpers.faulty_storage import FaultyStorage, PowerCut, cuts
from helpers.play import ev
from helpers.shelf import DEVICE, NOW, Noise, match
from kiebitz.store.library import Library
from kiebitz.store.play_time import NAME as PLAY_TIME
from kiebitz.store.replay import ReplayedTable
from kiebitz.store.safe_file import SafeFile
from kiebitz.store.turn_clock import NAME, TurnClock, forget

SECOND = 1000


def begun(storage=None, start=0, n=3):
    """Return (watch, clock), the clock going for the first of n players."""
    watch = Watch(start)
    clock = TurnClock(storage or FaultyStorage(), watch, lambda game_id: True)
    clock.sit_down("a-game", n, 0)
    clock.go(True)
    return watch, clock


def seconds(clock):
    clock.count()
    return [ms // 1000 for ms in clock.used]


def test_each_player_is_charged_for_the_own_turns_only():
    watch, clock = begun()
    for seat, passed in ((1, 20), (2, 30), (0, 5), (1, 60)):
        watch.go(passed * SECOND)
        clock.hand_over(seat)
    watch.go(7 * SECOND)
    assert seconds(clock) == [80, 37, 5] and clock.seat == 1 and clock.turn_ms == 7000


def test_a_clock_that_stands_or_rests_counts_nothing():
    watch, clock = begun()
    watch.go(10 * SECOND)
    clock.go(False)
    watch.go(100 * SECOND)
    clock.go(True)
    watch.go(3 * SECOND)
    clock.count()
    watch.go(500 * SECOND)
    clock.count(rests=True)
    watch.go(2 * SECOND)
    assert seconds(clock) == [15, 0, 0]


def test_a_turn_taken_back_goes_on_with_the_time_since():
    watch, clock = begun()
    watch.go(40 * SECOND)
    clock.hand_over(1)
    watch.go(5 * SECOND)
    assert clock.take_back()
    assert (clock.seat, clock.turn_ms, seconds(clock)) == (0, 45_000, [45, 0, 0])
    assert not clock.take_back()


def test_the_limit_is_told_once_a_turn_and_not_again_when_the_turn_is_taken_back():
    watch, clock = begun()
    clock.set_limit(30)
    told = []
    for _ in range(100):
        watch.go(SECOND)
        told.append(clock.count())
    assert told.count(True) == 1 and told.index(True) == 29
    clock.hand_over(1)
    watch.go(2 * SECOND)
    assert not clock.count() and not clock.late
    clock.take_back()
    watch.go(SECOND)
    assert not clock.count() and clock.late
    clock.hand_over(1)
    watch.go(31 * SECOND)
    assert clock.count()


def test_a_limit_below_the_time_that_has_passed_is_not_told():
    watch, clock = begun()
    watch.go(100 * SECOND)
    clock.count()
    clock.set_limit(60)
    watch.go(SECOND)
    assert clock.late and not clock.count()


def test_the_ticks_may_wrap_round():
    watch, clock = begun(start=TICKS - 90_000)
    clock.set_limit(180)
    told = []
    for _ in range(200):
        watch.go(SECOND)
        told.append(clock.count())
        clock.keep()
    assert seconds(clock) == [200, 0, 0] and told.count(True) == 1 and told.index(True) == 179


def test_it_is_written_once_a_minute_at_most_and_only_if_something_has_changed():
    storage = FaultyStorage().record()
    watch, clock = begun(storage)
    written = []
    for second in range(3600):
        watch.go(SECOND)
        clock.count()
        if second % 7 == 0:
            clock.hand_over((clock.seat + 1) % 3)
        before = storage.count
        clock.keep()
        if storage.count > before:
            written.append(second)
    gaps = [b - a for a, b in zip(written, written[1:])]
    assert 58 <= len(written) <= 60 and min(gaps) >= 60
    assert [kind for kind, _, _ in storage.operations].count("write") == len(written)
    clock.go(False)
    clock.keep()
    watch.go(61 * SECOND)
    clock.keep()
    before = storage.count
    for _ in range(3600):
        watch.go(SECOND)
        clock.count()
        clock.keep()
    assert storage.count == before


def test_times_survive_a_restart_to_the_minute():
    storage = FaultyStorage()
    watch, clock = begun(storage)
    clock.set_limit(120)
    for second in range(605):
        watch.go(SECOND)
        if second == 300:
            clock.hand_over(2)
        clock.count()
        clock.keep()
    again = TurnClock(storage.restart(), Watch(), lambda game_id: True)
    again.sit_down("a-game", 3, 0)
    assert not again.goes and again.seat == 2 and again.limit_s == 120
    assert 545 <= sum(seconds(again)) <= 605
    again.sit_down("another", 3, 1)
    assert (seconds(again), again.seat, again.limit_s) == ([0, 0, 0], 1, 120), "only the limit is a habit"


def test_a_file_that_another_version_wrote_is_not_trusted():
    strange = [["a-game", 30, 0, 0, [1, 2]], ["a-game", True, 9, 5, [1, 2, 3]], [1, 2, 3, 4, [5]]]
    strange += [["a-game", 30, "0", 0, [1, 2, 3]], ["a-game", 30, 0, 0, ["1", 2, 3]], ["a-game", 30, 0, -4, [1, 2, 3]]]
    for value in [{}, [], ["a-game"], ["a-game", 30, 0, 0, 3]] + strange:
        storage = FaultyStorage()
        SafeFile(storage, NAME).save(value)
        clock = TurnClock(storage, Watch(), lambda game_id: True)
        clock.sit_down("a-game", 3, 1)
        assert seconds(clock) == [0, 0, 0] and clock.seat == 1 and clock.turn_ms == 0, value


def test_a_full_flash_costs_the_times_of_a_minute_and_nothing_else():
    storage = FaultyStorage()
    watch, clock = begun(storage)
    storage.full_at(0, stays=True)
    for _ in range(3):
        watch.go(61 * SECOND)
        clock.count()
        clock.keep()
    assert seconds(clock) == [183, 0, 0]
    storage.make_room()
    watch.go(61 * SECOND)
    clock.count()
    clock.keep()
    assert SafeFile(storage, NAME).load()[0][4] == [244, 0, 0]


def games_on(storage):
    return Library(storage, DEVICE, Noise(), lambda: NOW, Watch())


def story(storage, reached):
    """Play a game with a clock; `reached` collects the entries and clock seconds that are surely on flash."""
    games = games_on(storage)
    games.create(match())
    watch = Watch()
    clock = TurnClock(storage, watch, lambda game_id: True)
    clock.sit_down(games.journal.id, 3, 0)
    clock.go(True)
    for p in (0, 1, 2):
        watch.go(61 * SECOND)
        clock.hand_over(p)
        clock.keep()
        reached[1] = sum(seconds(clock))
        games.play(ev("point", p=p))
        reached[0] += 1
    return games


def test_a_power_cut_anywhere_harms_no_game_and_loses_a_minute_at_most():
    recorded = FaultyStorage().record()
    story(recorded, [0, 0])
    tried = 0
    for k, part in cuts(recorded.operations, 5):
        storage = FaultyStorage().cut_at(k, part)
        reached = [0, 0]
        try:
            story(storage, reached)
        except PowerCut:
            pass
        again = games_on(storage.restart())
        journal, table, _ = again.resume()
        if journal is None:
            assert not reached[0]
            continue
        tried += 1
        assert len(table) >= reached[0], (k, part)
        clock = TurnClock(again.storage, Watch(), lambda game_id: True)
        clock.sit_down(journal.id, 3, 0)
        assert sum(seconds(clock)) >= reached[1], (k, part)
        again.play(ev("point", p=0))
    assert tried > 50


def test_any_damage_to_the_file_costs_the_times_only():
    storage = FaultyStorage()
    games = story(storage, [0, 0])
    game_id, whole = games.journal.id, storage.get(NAME)
    for data in [whole[:n] for n in range(0, len(whole), 7)] + [b"\xff" * 40, whole + b"x"]:
        storage.put(NAME, data)
        again = games_on(storage)
        assert len(again.resume(game_id)[1]) == 3
        clock = TurnClock(storage, Watch(), lambda game_id: True)
        clock.sit_down(game_id, 3, 0)
        assert sum(seconds(clock)) in (0, 122, 183), data  # none, the minute before, or all of it


def test_it_is_gone_with_the_game():
    storage = FaultyStorage()
    games = story(storage, [0, 0])
    game_id = games.journal.id
    games.close()
    forget(storage, "another")
    assert storage.size(NAME)
    games.erase(game_id)
    assert not [name for name in storage.names() if NAME in name]


def test_nothing_is_written_for_a_game_that_is_gone():
    storage = FaultyStorage()
    watch = Watch()
    clock = TurnClock(storage, watch, lambda game_id: False)
    clock.sit_down("gone", 3, 0)
    clock.go(True)
    watch.go(100 * SECOND)
    clock.count()
    clock.keep()
    assert not storage.count


# --- the minutes of a game ---

def games_at(watch, storage):
    return Library(storage, DEVICE, Noise(), lambda: NOW, watch)


def timed_games(storage=None, start=0):
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
    watch, games = timed_games()
    for event in [ev("point", p=p) for p in (0, 1, 2, 0, 1)] + [ev("undo"), ev("redo"), ev("point", p=2)]:
        watch.go(MINUTE)
        games.play(event)
    watch.go(2 * MINUTE)
    games.play(ev("correct", at=1, event=ev("point", p=0)))
    return watch, games


def test_a_line_carries_the_minutes_only_if_they_have_changed():
    watch, games = timed_games()
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


def test_the_ticks_may_wrap_round_between_entries():
    watch, games = timed_games(start=TICKS - 5 * MINUTE)
    for _ in range(30):
        watch.go(MINUTE)
        games.keep_minutes()
    assert games.minutes == 30


def test_a_power_cut_anywhere_loses_what_was_not_written_and_nothing_else():
    def story(storage):
        watch, games = timed_games(storage)
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
    assert len(storage.get(PLAY_TIME)) < 400
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
