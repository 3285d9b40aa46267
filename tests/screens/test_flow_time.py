"""Test that the minutes at the table exclude rests and survive undo and power cuts."""

from games.royal_flush.case import royal
from helpers.device import Device, at_table
from kiebitz.store.play_time import NAME

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
STANDINGS = "left pick:menu.standings"


def sit(d, minutes):
    """Let time pass at the table; in this long, steps of half a second show the same."""
    d.step_ms = 500
    d.wait(minutes * 60_000)
    d.step_ms = Device.step_ms


def evening(d, minutes):
    """Sit at the table and press a key every two minutes, so that the display stays on."""
    for _ in range(minutes // 2):
        sit(d, 2)
        d.keys("down")


def test_the_final_ranking_tells_how_long_the_game_took():
    d = at_table(ROYAL, [royal(0)] * 2)
    evening(d, 84)
    d.app.library.play(royal(0))
    d.restart()
    d.keys("ok")
    assert d.sees("Final ranking", "1:24 h")


def test_the_standings_tell_how_long_it_takes_so_far():
    d = at_table(ROYAL, [royal(0)])
    evening(d, 42)
    d.keys(STANDINGS)
    assert d.sees("Standings", "42 min")


def test_a_rest_with_the_display_off_is_not_counted():
    d = at_table(ROYAL, [royal(0)])
    evening(d, 10)
    sit(d, 60)  # the display goes off after five minutes
    assert not d.hw.oled.lit
    d.keys("up")
    evening(d, 10)
    d.keys(STANDINGS)
    assert d.sees("25 min")


def test_undo_takes_back_an_entry_and_no_time():
    d = at_table(ROYAL, [royal(0)])
    evening(d, 30)
    d.keys("ok ok")
    d.keys("undo undo")
    assert d.app.library.minutes == 30
    d.restart()
    assert d.app.library.minutes == 30


def test_a_power_cut_loses_a_minute_at_most():
    d = at_table(ROYAL, [royal(0)])
    evening(d, 20)
    for minutes in (20, 23, 27):
        sit(d, minutes - d.app.library.minutes)
        sit(d, 1)
        d.keys("up")
        d.restart()
        assert minutes <= d.app.library.minutes <= minutes + 1, minutes


def test_the_minutes_are_written_with_an_entry_or_once_a_minute_and_not_more_often():
    d = at_table(ROYAL, [royal(0)])
    d.wait(5000)
    d.storage.record()
    sit(d, 4)
    assert [(kind, name) for kind, name, _ in d.storage.operations] == [("write", NAME)] * 4
    d.keys("ok ok ok")  # the first key closes the scoreboard
    assert d.journal().count(b'"min":4') == 1
    d.keys("ok ok")
    assert d.journal().count(b'"min":') == 1, "in the same minute"


def test_leaving_the_table_and_coming_back_goes_on_counting():
    d = at_table(ROYAL, [royal(0)])
    evening(d, 6)
    d.keys("left pick:menu.leave")  # leave
    sit(d, 3)
    d.keys("ok")  # play on
    evening(d, 4)
    assert d.app.library.minutes == 10


def test_another_game_begins_at_nothing_and_the_first_one_keeps_its_minutes():
    d = at_table(ROYAL, [royal(0)])
    first = d.app.library.journal.id
    evening(d, 6)
    d.app.leave_table()
    d.sit_down(ROYAL)
    assert d.app.library.minutes == 0
    evening(d, 2)
    d.app.leave_table()
    d.app.library.resume(first)
    assert d.app.library.minutes == 6


def test_time_after_the_end_is_not_counted():
    d = at_table(ROYAL, [royal(0)] * 2)
    evening(d, 12)
    d.app.library.play(royal(0))
    evening(d, 10)
    assert d.game.over and d.app.library.minutes == 12
    d.app.library.play({"ev": "undo"})
    evening(d, 2)
    assert d.app.library.minutes == 14


def test_a_game_without_minutes_shows_none():
    d = at_table(ROYAL, [royal(0)] * 3)
    assert b'"min"' not in d.journal()
    d.restart()
    evening(d, 2)
    d.keys("ok")
    assert d.sees("Final ranking") and not d.sees(" min")


def test_a_damaged_file_of_minutes_costs_minutes_only():
    d = at_table(ROYAL, [royal(0)])
    evening(d, 4)
    d.keys("ok ok")
    evening(d, 4)
    d.storage.put(NAME, b"nonsense")
    d.restart()
    assert d.app.library.minutes == 4
    assert not d.sees("Please note")
