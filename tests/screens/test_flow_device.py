"""Test the device around the games (start, settings, players, list of games, sleep, trouble)."""

from helpers.device import Device, at_table
from kiebitz import VERSION
from kiebitz.widgets.screen import LINE, Screen
from kiebitz_lab.handheld import spelled
from kiebitz_lab.laptop_stand_in import confirm

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
SPEND = {"ev": "spend", "p": 0, "k": 2}


class Broken(Screen):
    """A screen that crashes on a key."""

    def key(self, k):
        raise ValueError("example")


def first_line(d):
    return d.lines()[0]


def test_a_cold_start_with_a_running_game_goes_straight_to_its_table():
    d = at_table(ROYAL, [SPEND])
    d.restart()
    assert d.sees("Round 1 of 3", "Anna")


def test_leaving_the_table_keeps_the_game_and_resume_stands_first():
    d = at_table(ROYAL, [SPEND])
    d.keys("left pick:menu.leave")
    assert d.sees("Go on playing", "New game")
    d.restart()
    d.keys("undo")
    assert d.game.chips == [5, 5, 5]


def test_a_new_game_keeps_the_old_one_on_the_shelf():
    d = at_table(ROYAL, [SPEND])
    d.app.roster.played(["Anna", "Ben", "Cleo"])
    d.keys("left pick:menu.leave pick:start.new")
    d.keys("pick:game.top_spot ok ok")
    assert d.sees("Game 1 of 3")
    d.keys("ok pick:menu.leave pick:start.games")
    assert d.sees("Games played", "Top Spot", "Royal Flush")
    d.keys("down ok ok pick:shelf.open")
    assert d.sees("Round 1 of 3") and d.game.chips == [3, 5, 5]


def test_a_finished_game_can_be_reopened_with_undo():
    d = at_table({"game": "poch", "players": ["Anna", "Ben"]}, [{"ev": "end_game"}])
    assert d.game.over
    d.keys("undo")
    assert not d.game.over and d.sees("Taken back")


def test_settings_are_changed_kept_and_restored():
    d = Device()
    d.keys("pick:start.settings at:set.brightness")
    assert d.sees("Brightness: 6")
    d.keys("right*2")
    assert d.sees("Brightness: 8")
    d.keys("left")
    assert d.app.settings["brightness"] == 7
    d.restart()
    d.keys("pick:start.settings at:set.brightness")
    assert d.sees("Brightness: 7")
    d.keys("pick:set.defaults")
    assert d.sees("Reset all settings?")
    d.keys("ok")
    assert d.app.settings["brightness"] == 6


def test_turning_the_display_turns_the_picture():
    d = Device()
    upright = [bytes(row) for row in d.hw.oled.frame()]
    d.keys("pick:start.settings pick:set.flip undo at:start.new")
    assert d.app.settings["flip"] is True
    turned = [bytes(reversed(row)) for row in reversed(d.hw.oled.frame())]
    assert turned == upright


def test_the_self_test_shows_every_key_and_is_left_by_holding_undo():
    d = Device()
    d.keys("pick:start.settings pick:set.test")
    assert d.sees("Self-test", "Press every key")
    d.keys("up down left right ok undo")
    assert d.sees("6/6", "All keys work")
    d.keys("hold:ok")
    assert all(all(row) for row in d.hw.oled.frame())
    d.keys("ok ok hold:undo")
    assert d.sees("Settings")


def test_a_key_stuck_at_power_on_is_ignored_and_named():
    d = Device()
    d.hw.press("down")
    d.on(d.hw)
    first = first_line(d)
    d.wait(2000)
    assert first_line(d) == first
    d.keys("pick:start.settings pick:set.test")
    assert d.sees("Stuck: Down")


def test_about_tells_version_and_room():
    d = Device()
    d.keys("pick:start.settings pick:set.about")
    assert d.sees("Kiebitz " + VERSION, "Display", "OLED SSD1306", "Flash", "KB free", "V")


def test_the_display_dims_goes_off_and_the_first_press_only_wakes_it():
    d = at_table(ROYAL)
    bright = d.hw.oled.contrast
    d.wait(60000)
    assert d.hw.oled.contrast < bright
    d.wait(240000)
    assert not d.hw.oled.lit
    d.keys("ok")
    assert d.hw.oled.lit and d.hw.oled.contrast == bright and d.sees("Round 1 of 3")
    d.keys("ok")
    assert d.sees("Anna +11")


def test_a_display_that_comes_back_is_drawn_anew():
    d = at_table(ROYAL)
    before = [bytes(row) for row in d.hw.oled.frame()][:-LINE]  # the last line shows other keys meanwhile
    d.hw.unplug_display()
    d.keys("right")
    d.keys("ok")
    assert d.game.chips == [4, 5, 5]
    d.keys("undo")
    d.hw.plug_display()
    d.wait(6000)
    assert [bytes(row) for row in d.hw.oled.frame()][:-LINE] == before


def test_names_are_added_renamed_and_removed():
    d = Device()
    d.keys("pick:start.players ok " + spelled("Ab") + " hold:ok")
    assert d.app.roster.names == ["Ab"]
    d.keys("down ok pick:players.rename " + spelled("a") + " hold:ok")
    assert d.app.roster.names == ["Aba"]
    d.keys("ok pick:players.remove")
    assert d.app.roster.names == [] and d.sees("New name")


def test_the_same_name_twice_is_one_person():
    d = Device()
    d.app.roster.add("Ben")
    d.app.roster.add("Ann")
    d.keys("pick:start.players down*2 ok pick:players.rename")
    d.keys("undo*3 " + spelled("Ann") + " hold:ok")
    assert d.app.roster.names == ["Ann", "Ben"]


def test_a_full_flash_is_told_before_anything_is_lost():
    d = at_table(ROYAL, [SPEND])
    d.storage.full_at(d.storage.count, 0, True)
    before = d.game.snapshot()
    d.keys("ok ok")
    assert d.game.snapshot() == before and d.sees("Memory")
    d.storage.make_room()
    d.keys("ok ok")
    assert len(d.table) == 2
    d.restart()
    assert len(d.table) == 2


def test_a_torn_last_line_is_dropped_and_told():
    d = at_table(ROYAL, [SPEND])
    name = d.app.library.journal.name
    d.app.library.files.settle()
    d.storage.put(name, d.storage.get(name) + b'{"ev":"spend","p":1')
    d.restart()
    assert d.sees("Please note", "The power failed")
    d.keys("ok")
    assert d.game.chips == [3, 5, 5]


def test_a_damaged_line_keeps_what_was_before_it_and_is_told():
    d = at_table(ROYAL, [SPEND, {"ev": "spend", "p": 1, "k": 1}])
    name = d.app.library.journal.name
    d.app.library.files.settle()
    d.storage.flip(name, d.storage.get(name).index(b'"k":2'), 1)
    d.restart()
    assert d.sees("Please note") and d.game.chips == [5, 5, 5]
    assert any(".bad" in other for other in d.storage.files)


def test_an_error_shows_a_trace_keeps_it_and_the_next_start_resumes():
    d = at_table(ROYAL, [SPEND])
    d.app.push(Broken(d.app))
    d.hw.tap("ok")
    d.hw.time.at(400, d.power_off)
    d.run()
    assert d.sees("Sorry, an error", "ValueError: example", "Any key starts again")
    assert b"ValueError" in d.storage.files["crash.txt"]
    d.restart()
    assert d.sees("Round 1 of 3") and d.game.chips == [3, 5, 5]


def test_what_is_not_yet_on_the_laptop_cannot_be_removed():
    d = at_table({"game": "poch", "players": ["Anna", "Ben"]}, [{"ev": "end_game"}])
    d.keys("left pick:menu.leave pick:start.games ok ok")
    assert d.sees("Back to this table") and not d.sees("Remove from the device")


def test_a_game_the_laptop_has_can_be_removed():
    d = at_table({"game": "poch", "players": ["Anna", "Ben"]}, [{"ev": "end_game"}])
    game_id = d.app.library.journal.id
    d.keys("left pick:menu.leave")
    assert confirm(d.app.library, game_id, 1)
    d.keys("pick:start.games ok ok pick:shelf.remove")
    assert d.app.library.ids() == [] and d.sees("No games yet")


def test_undo_let_go_over_a_menu_that_another_key_has_opened_does_nothing():
    d = at_table(ROYAL, [SPEND])
    d.hw.press("left")
    d.wait(50)
    d.hw.press("undo")
    d.wait(50)
    d.hw.release("undo")
    d.wait(50)
    d.hw.press("undo")
    d.wait(50)
    assert d.sees("Undo:")
    d.wait(300)  # LEFT, still held, repeats
    assert d.sees("Back to the game")
    d.hw.release("undo")
    d.wait(100)
    d.hw.release("left")
    d.wait(100)
    assert d.game.chips == [3, 5, 5] and not d.storage.size("crash.txt")


def test_unfinished_games_that_the_laptop_has_are_removed_only_after_a_question():
    d = at_table(ROYAL, [SPEND])
    first = d.app.library.journal.id
    d.app.leave_table()
    confirm(d.app.library, first, 1)
    d.sit_down(ROYAL, [SPEND])
    d.storage.full_at(d.storage.count, 0, True)
    d.keys("ok ok")
    assert d.sees("unfinished game")
    d.keys("undo")
    assert first in d.app.library.ids()
    d.keys("ok ok")
    d.storage.make_room()
    d.keys("ok")
    assert d.app.library.ids() == [d.app.library.journal.id]


def test_the_game_to_be_resumed_is_never_offered_for_removal():
    d = at_table(ROYAL, [SPEND])
    confirm(d.app.library, d.app.library.journal.id, 1)
    d.storage.full_at(d.storage.count, 0, True)
    d.keys("ok ok")
    assert d.sees("Nothing is lost") and not d.sees("unfinished")


def test_lines_of_another_game_that_had_to_be_set_aside_are_told_at_the_table():
    d = at_table(ROYAL, [SPEND])
    d.app.library.files.lost = "another.kbz"
    d.keys("ok ok")
    assert d.sees("set aside") and len(d.table) == 2
    d.keys("ok")
    assert not d.sees("set aside")


def test_a_stored_game_shows_all_of_its_eight_players():
    names = ["Anna", "Ben", "Cleo", "Dan", "Eva", "Fritz", "Gerda", "Heidi"]
    for n in range(2, 9):
        d = at_table({"game": "poch", "players": names[:n]})
        d.keys("left pick:menu.leave pick:start.games ok")
        assert d.sees("Poch", "not yet on the laptop", *["%s %d" % (name, 300 // n) for name in names[:n]]), d.text()
        assert d.faults() == []


def test_a_key_that_is_held_goes_on_only_in_the_screen_that_took_its_press():
    """LEFT opens the menu of the table; its repeats would close it again, and open it, and so on."""
    d = at_table({"game": "royal_flush", "players": ["Anna", "Ben"]})
    d.hw.press("left")
    d.wait(590)
    assert d.sees("Back to the game")
    d.hw.release("left")
    d.wait(100)
    assert d.sees("Back to the game")


def test_a_key_that_is_held_changes_nothing_on_the_screen_it_has_opened():
    """RIGHT opens the chips of a player; there it would add one chip after another."""
    d = at_table({"game": "royal_flush", "players": ["Anna", "Ben"]})
    d.hw.press("right")
    d.wait(100)
    opened = d.text()
    assert d.sees("Anna spends")
    d.wait(2000)
    assert d.text() == opened
    d.hw.release("right")
    d.wait(100)
    d.keys("right")
    assert d.sees("Anna spends") and d.text() != opened
