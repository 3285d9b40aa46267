"""Test the turn clock at the table, and that the minutes at the table exclude rests."""

from games.royal_flush.case import royal
from helpers.device import Device, at_table
from kiebitz.games import GAMES
from kiebitz.raster import icons
from kiebitz.store.play_time import NAME as MINUTES_FILE
from kiebitz.store.turn_clock import NAME
from kiebitz.text import LANGUAGES

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
OFF_MS = 300_000
TONE_HZ = 660


def clock_of(d):
    """Open the turn clock from the menu of the table."""
    d.app.top.open_menu()
    d.wait(20)
    d.pick("Turn clock")
    return d


def pass_s(d, seconds):
    """Let time pass; in this long, steps of a fifth of a second show the same."""
    d.step_ms = 200
    d.wait(seconds * 1000)
    d.step_ms = Device.step_ms
    d.wait(250)  # until that is counted


def limited(d, presses):
    """Choose a limit in the menu of the clock by this many presses, and go back to the clock."""
    d.keys("right at:clock.limit ok*%d pick:clock.on" % presses)
    return d


def tones(d):
    """Note the beeps from now on; returns the list that grows."""
    heard = []
    beep = d.board.buzzer.beep

    def note(hz, ms):
        heard.append(hz)
        beep(hz, ms)

    d.board.buzzer.beep = note
    return heard


def used(d):
    return [ms // 1000 for ms in d.app.turn_clock.time.used]


def test_nobody_who_does_not_want_it_has_it():
    d = at_table(ROYAL, [royal(0)])
    d.keys("left undo ok undo")
    pass_s(d, 200)
    assert d.app.turn_clock is None and d.storage.size(NAME) is None
    assert icons.HOURGLASS not in d.text()


def test_every_table_has_it_in_its_menu():
    for kind in GAMES:
        d = clock_of(at_table({"game": kind, "players": ["Anna", "Ben", "Cleo"]}))
        assert d.sees("Turn clock", "stopped", "0:00", "start") and not d.faults(), kind


def test_ok_starts_it_and_gives_the_turn_to_the_next_player():
    d = clock_of(at_table(ROYAL))
    pass_s(d, 5)
    assert d.sees("Anna", "0:00", "stopped")
    d.keys("ok")
    pass_s(d, 65)
    assert d.sees("Anna", "1:05") and not d.sees("stopped")
    d.keys("ok")
    assert d.sees("Ben", "0:00", "1:05")
    pass_s(d, 12)
    d.keys("ok ok")
    assert d.sees("Anna") and d.app.turn_clock.time.seat == 0
    assert used(d)[:2] == [65, 12]


def test_up_and_down_choose_who_begins_or_goes_on():
    d = clock_of(at_table(ROYAL)).keys("down ok")
    pass_s(d, 3)
    assert d.sees("Ben", "0:03")
    d.keys("up up")
    assert d.sees("Cleo")
    pass_s(d, 4)
    assert used(d)[1:] == [3, 4]


def test_undo_gives_the_last_turn_back_and_then_leaves():
    d = clock_of(at_table(ROYAL)).keys("ok")
    pass_s(d, 30)
    d.keys("ok")
    pass_s(d, 10)
    d.keys("undo")
    assert d.sees("Anna", "0:40") and used(d) == [40, 0, 0]
    d.keys("undo")
    assert d.sees("Who starts?", "Turn clock") and len(d.table) == 0


def test_it_goes_on_at_the_table_and_the_header_shows_that():
    d = clock_of(at_table(ROYAL, [royal(0)]))
    d.keys("ok")
    pass_s(d, 10)
    d.keys("left")
    assert d.sees("Round 2 of 3") and icons.HOURGLASS in d.lines()[0]
    d.keys("ok ok")
    assert len(d.table) == 2
    pass_s(d, 20)
    assert clock_of(d).sees("0:30")


def test_the_limit_beeps_once_and_softly_and_is_seen():
    d = limited(clock_of(at_table(ROYAL)), 1).keys("ok")
    heard = tones(d)
    pass_s(d, 29)
    assert not heard and d.sees("30 s") and icons.WARNING not in d.lines()[0]
    pass_s(d, 200)
    assert heard == [TONE_HZ] and icons.WARNING in d.lines()[0]
    d.keys("ok")
    assert icons.WARNING not in d.lines()[0]
    pass_s(d, 31)
    assert heard.count(TONE_HZ) == 2


def test_at_the_table_the_limit_beeps_too_and_asks_nothing():
    d = limited(clock_of(at_table(ROYAL, [royal(0)])), 2).keys("ok left")
    heard = tones(d)
    d.keys("ok")
    pass_s(d, 61)
    assert heard.count(TONE_HZ) == 1 and icons.WARNING in d.lines()[0]
    d.keys("ok")
    assert len(d.table) == 2, "the entry that was begun before the limit"


def test_without_sound_it_is_only_seen():
    d = at_table(ROYAL)
    d.app.settings.set("sound", False)
    limited(clock_of(d), 1).keys("ok")
    heard = tones(d)
    pass_s(d, 40)
    assert not heard and icons.WARNING in d.lines()[0]


def test_it_rests_while_the_display_is_dark_and_goes_on_with_the_next_key():
    d = clock_of(at_table(ROYAL)).keys("ok")
    pass_s(d, 70)
    assert d.hw.oled.lit and d.sees("1:10"), "dimmed, it can still be read"
    pass_s(d, 3600)
    assert not d.hw.oled.lit
    counted = used(d)[0]
    assert OFF_MS // 1000 - 1 <= counted <= OFF_MS // 1000 + 1
    d.keys("ok")
    assert d.hw.oled.lit and d.app.turn_clock.time.seat == 0, "the key that switches the display on does nothing else"
    pass_s(d, 20)
    assert counted + 20 <= used(d)[0] <= counted + 21


def test_it_can_be_stopped_and_switched_off():
    d = clock_of(at_table(ROYAL)).keys("ok")
    pass_s(d, 10)
    d.keys("right pick:clock.stop")
    pass_s(d, 10)
    assert d.sees("stopped", "0:10")
    d.keys("ok")
    pass_s(d, 5)
    assert d.sees("0:15")
    d.keys("right pick:clock.off")
    assert d.sees("Round 1 of 3") and icons.HOURGLASS not in d.lines()[0]
    assert clock_of(d).sees("stopped") and used(d) == [0, 0, 0]


def test_the_end_of_the_game_and_leaving_the_table_stop_it():
    d = clock_of(at_table(ROYAL, [royal(0)] * 2)).keys("ok left")
    pass_s(d, 10)
    d.app.library.play(royal(0))
    pass_s(d, 50)
    assert d.game.over and sum(used(d)) == 10
    d.app.library.play({"ev": "undo"})
    pass_s(d, 5)
    assert sum(used(d)) == 15
    d.app.leave_table()
    pass_s(d, 50)
    assert sum(used(d)) == 15 and icons.HOURGLASS not in d.lines()[0]
    d.keys("ok")
    assert clock_of(d).sees("stopped", "0:15")


def test_a_new_game_begins_at_zero():
    d = clock_of(at_table(ROYAL)).keys("ok left")
    pass_s(d, 10)
    d.app.leave_table()
    d.sit_down(ROYAL)
    assert clock_of(d).sees("stopped") and used(d) == [0, 0, 0]


def test_ten_minutes_of_quick_turns_are_written_once_a_minute_at_most_and_never_in_the_journal():
    d = clock_of(at_table(ROYAL, [royal(0)])).keys("ok")
    journal = d.journal()
    d.storage.record()
    start = d.app.clock.ms()
    for _ in range(40):
        pass_s(d, 15)
        d.keys("ok")
    minutes = d.app.clock.diff(d.app.clock.ms(), start) // 60_000
    names = [name for kind, name, _ in d.storage.operations if kind == "write"]
    assert 9 <= names.count(NAME + ".new") <= minutes and d.journal() == journal
    d.restart()
    assert clock_of(d).sees("stopped")
    assert 590 <= sum(used(d)) <= 620


def test_only_a_new_second_is_drawn():
    d = clock_of(at_table(ROYAL)).keys("ok")
    shown = []
    show = d.board.display.show
    d.board.display.show = lambda: shown.append(1) or show()
    d.wait(10_000)
    # The laboratory's app draws each change a second time to compare
    assert 9 <= len(shown) // 2 <= 11
    d.keys("left")
    del shown[:]
    d.wait(10_000)
    assert len(shown) == 3, "at the table only the last line changes, every three seconds"


def test_every_table_has_room_for_its_mark_in_every_language():
    for kind in GAMES:
        for language in LANGUAGES:
            d = Device(language=language).sit_down({"game": kind, "players": ["Anna", "Ben", "Cleo", "Dan"]})
            d.app.top.open_menu()
            d.wait(20)
            d.app.pop()
            d.app.canvas.clock_mark = icons.HOURGLASS
            d.app.dirty = True
            d.wait(20)
            assert icons.HOURGLASS in d.lines()[0] and d.faults() == [], (kind, language)


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
    assert [(kind, name) for kind, name, _ in d.storage.operations] == [("write", MINUTES_FILE)] * 4
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
    d.storage.put(MINUTES_FILE, b"nonsense")
    d.restart()
    assert d.app.library.minutes == 4
    assert not d.sees("Please note")
