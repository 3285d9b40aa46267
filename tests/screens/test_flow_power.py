"""Test pause, update and watchdog through key presses, and that an unusable flash is explained and not changed."""

from helpers.device import Device, at_table
from helpers.faulty_storage import FaultyStorage
from kiebitz import VERSION
from kiebitz.board.parts import LIMIT, TICK_MS
from kiebitz.board.profiles import DEFAULT, PROFILES
from kiebitz.screens.titles import open_titles
from kiebitz.store.no_storage import NoStorage
from kiebitz.store.safe_file import SafeFile
from kiebitz.store.settings import FORMAT, Settings
from kiebitz.text import LANGUAGES, Phrases
from kiebitz.widgets.screen import Screen
from kiebitz_host.sim.hardware import Hardware, PowerOff, Reset

ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
TOAST_MS = 6000


def picture(d):
    """Return the pixels of the display when no message covers the screen."""
    d.wait(TOAST_MS)
    return bytes(d.board.display.buffer)


def test_after_two_entries_and_a_power_cut_it_is_the_third_players_turn():
    d = at_table(ROYAL)
    d.keys("ok up ok ok up ok")  # Anna and Ben: Three of a Kind
    d.restart()
    assert d.sees("Ben: Three of a Kind", "+5") and not d.sees("starts")
    d.keys("ok")
    assert d.sees("Cleo +11")


def test_leaving_the_table_and_coming_back_changes_nothing():
    d = at_table(ROYAL)
    d.keys("ok up ok right ok")
    before = picture(d)
    d.keys("left pick:menu.leave ok")
    assert picture(d) == before and d.sees("Ben spends 1")


def test_what_was_taken_back_before_the_pause_is_entered_next_after_it():
    d = at_table(ROYAL)
    d.keys("ok up ok ok up ok undo")
    before = picture(d)
    d.restart()
    assert picture(d) == before and d.sees("-5")
    d.keys("ok")
    assert d.sees("Ben +11")


def test_a_correction_before_the_pause_is_still_the_last_entry():
    d = at_table(ROYAL)
    d.keys("ok up ok ok up ok left pick:menu.history up ok pick:history.correct ok left down ok")
    assert d.sees("Corrected: Anna: Four of a Kind")
    d.restart()
    assert d.sees("Anna: Four of a Kind")
    d.keys("ok")
    assert d.sees("Cleo +11")


UPDATE = "pick:start.settings pick:set.update"


def starts_boot_loader(d, ms=1000):
    try:
        d.wait(ms)
    except PowerOff:
        return True
    return False


def test_the_question_comes_first_and_undo_says_no():
    d = Device()
    d.keys(UPDATE)
    assert d.sees("Update", "The games stay") and not starts_boot_loader(d, 5000)
    d.keys("undo")
    assert d.sees("Settings") and not starts_boot_loader(d, 5000)


def test_the_display_says_what_to_do_before_the_boot_loader_starts():
    d = Device()
    d.keys(UPDATE)
    d.keys("ok")
    assert d.sees("RPI-RP2", "unplug") and not d.faults()
    assert starts_boot_loader(d)


def test_the_running_game_is_on_flash_before():
    d = Device().sit_down({"game": "poch", "players": ["Anna", "Ben", "Cleo"]})
    d.keys("ok")
    before = d.journal()
    d.app.start_update()
    assert starts_boot_loader(d)
    d.restart()
    assert d.journal() == before


HELD = "Keep UNDO down for an update"


def switch_on_with_undo_down(d, restarted=False):
    hw = Hardware(PROFILES[DEFAULT])
    hw.restarted = restarted
    hw.press("undo")
    d.on(hw)
    d.wait(100)


def test_undo_held_at_power_on_starts_the_boot_loader():
    d = Device()
    switch_on_with_undo_down(d)
    assert d.sees(HELD) and not d.faults()
    assert starts_boot_loader(d, 5000)


def test_undo_let_go_or_another_key_leads_to_the_game():
    d = Device().sit_down({"game": "poch", "players": ["Anna", "Ben", "Cleo"]})
    before = d.lines()
    for let_go in (True, False):
        switch_on_with_undo_down(d)
        assert d.sees(HELD)
        if let_go:
            d.hw.release("undo")
            d.wait(100)
        else:
            d.keys("ok")
        assert not d.sees(HELD) and not starts_boot_loader(d, 5000)
        d.hw.release("undo")
        d.wait(100)
        assert d.lines()[:-1] == before[:-1]  # the last line shows other keys meanwhile


def test_undo_that_is_down_after_a_restart_by_the_program_is_meant_for_the_game():
    d = Device()
    switch_on_with_undo_down(d, restarted=True)
    assert not starts_boot_loader(d, 5000) and not d.sees(HELD)


LONG_MS = 2 * LIMIT * TICK_MS


class Broken(Screen):
    """A screen that crashes when drawn."""

    def draw(self, c):
        raise ValueError("broken")


def interrupt():
    raise KeyboardInterrupt


def stopped_after(d, ms):
    """Run the app until Ctrl-C after this time. Return True if the Ctrl-C ends it."""
    d.hw.time.at(ms, interrupt)
    try:
        d.run()
    except KeyboardInterrupt:
        return True
    return False


def test_the_app_feeds_it_while_nobody_plays():
    d = Device()
    assert stopped_after(d, LONG_MS)


def test_after_ctrl_c_the_prompt_is_left_alone_and_the_display_says_so():
    d = Device()
    d.board.buzzer.beep(440, 100000)
    assert stopped_after(d, 1000)
    assert d.sees("Paused: a computer")
    assert d.faults() == []
    assert d.hw.tone == 0
    d.hw.time.advance(LONG_MS)


def test_after_ctrl_c_a_dark_display_is_lit():
    d = Device()
    d.hw.time.advance(1000 * d.app.settings["off_s"])
    d.wait(10)
    assert not d.hw.oled.lit
    assert stopped_after(d, 1000)
    assert d.hw.oled.lit and d.sees("Paused: a computer")


def test_ctrl_c_comes_through_without_a_display():
    d = Device()
    d.hw.unplug_display()
    assert stopped_after(d, 1000)


def test_an_app_that_hangs_is_restarted():
    d = Device()
    d.app.top.draw = lambda _: d.hw.time.advance(LONG_MS)
    d.app.dirty = True
    try:
        d.run()
    except Reset:
        return
    raise AssertionError("it hangs for ever")


def test_the_crash_screen_stays_until_somebody_has_read_it():
    d = Device()
    d.app.push(Broken(d.app))
    read = []
    d.hw.time.at(LONG_MS, lambda: read.append(d.sees("broken")))
    d.hw.time.at(LONG_MS + 10, lambda: d.hw.tap("ok"))
    try:
        d.run()
    except Reset:
        pass
    assert read == [True]
    d.hw.time.advance(LONG_MS)


SLOW_MS = 5000
LOST = {
    "en": "cannot be read",
    "de": "nicht lesbar",
    "fr": "illisibles",
    "it": "non si leggono",
    "nl": "onleesbaar",
}


def lost():
    """Return a device whose file system cannot be mounted, and the list of its actions."""
    d = Device(NoStorage(), None)
    done = []
    d.board.format = lambda: done.append("format")
    return d, done


def newer(version="9.9.0"):
    """Return a device with a game that a newer version has kept."""
    storage = FaultyStorage()
    d = Device(storage, "de")
    d.sit_down({"game": "poch", "players": ["Anna", "Ben", "Cleo"]})
    SafeFile(storage, "settings").save({"language": "de", "format": [FORMAT + 1, version]})
    d.on()
    return d


def test_lost_games_are_told_with_the_way_to_fetch_them_in_every_language():
    d, _ = lost()
    for lang in LANGUAGES + LANGUAGES[:1]:
        words = LOST.get(lang, Phrases(lang).get("lost.title"))
        assert d.sees(words, "kiebitz doctor", "--save-flash") and not d.faults(), d.text()
        d.wait(SLOW_MS)


def test_a_player_chooses_the_language_and_it_stays():
    d, _ = lost()
    d.keys("right")
    assert d.sees("nicht lesbar")
    d.wait(3 * SLOW_MS)
    assert d.sees("nicht lesbar")
    d.keys("left")
    assert d.sees("cannot be read")


def test_only_a_long_press_after_the_offer_erases():
    d, done = lost()
    d.keys("hold:ok")
    assert d.sees("Hold OK to erase") and done == [], "the first long press only leads to the offer"
    d.keys("ok undo")
    assert d.sees("cannot be read") and done == []
    d.keys("ok up down undo ok")
    try:
        d.keys("hold:ok")
        raise AssertionError("it did not start again")
    except Reset:
        assert done == ["format"]


def test_nothing_else_can_be_reached():
    d, done = lost()
    d.keys("undo up down undo*3")
    assert d.sees("cannot be read") and done == []


def test_games_of_a_newer_version_are_left_alone():
    d = newer()
    assert d.sees("9.9.0", VERSION, "unberührt") and not d.faults(), d.text()
    before, count = dict(d.storage.files), d.storage.count
    d.keys("up down left undo right*3")
    d.wait(10_000)
    assert d.storage.count == count and d.storage.files == before


def test_one_file_of_a_newer_version_is_enough_to_leave_all_alone():
    for name, value in (("roster", {"names": ["Anna"], "last": []}), ("running", {"running": None})):
        storage = FaultyStorage()
        d = Device(storage, "de")
        d.sit_down({"game": "poch", "players": ["Anna", "Ben", "Cleo"]})
        SafeFile(storage, name, FORMAT + 1).save(value)
        storage.put("x.tmp", b"half a copy")
        before = dict(storage.files)
        d.on()
        assert d.sees("Kiebitz ?", VERSION, "unberührt") and not d.faults(), d.text()
        d.keys("up down left undo right*3")
        d.wait(10_000)
        assert storage.files == before, name


def test_titles_of_a_newer_version_are_told_and_left_alone():
    storage = FaultyStorage()
    SafeFile(storage, "presets", FORMAT + 1).save({"presets": []})
    d = Device(storage, "en")
    before = storage.get("presets")
    open_titles(d.app, "any_game")
    d.wait(100)
    assert d.sees("Kiebitz ?", VERSION) and not d.faults(), d.text()
    d.sit_down({"game": "any_game", "players": ["Anna", "Ben"], "title": "Skyjo"})
    assert d.game.title == "Skyjo" and storage.get("presets") == before


def test_after_the_upgrade_everything_is_there_again():
    d = newer()
    SafeFile(d.storage, "settings").save({"language": "de", "format": [FORMAT, VERSION]})
    d.restart()
    assert d.table is not None and d.game.names == ["Anna", "Ben", "Cleo"]


def test_the_way_to_the_upgrade_is_one_key():
    d = newer()
    d.keys("ok")
    assert d.sees("RPI-RP2")
    try:
        d.wait(1000)
        raise AssertionError("the boot loader was not started")
    except PowerOff:
        pass


def test_a_format_nobody_can_have_written_is_no_newer_one():
    for value in (None, [], [FORMAT], ["x", "y"], [FORMAT + 1, 5], "9", {"a": 1}, [True, "1.0"]):
        storage = FaultyStorage()
        SafeFile(storage, "settings").save({"format": value})
        assert Settings(storage).newer() == "", value


def test_a_newer_format_is_stored_by_the_real_writer_before_anything_else_and_an_older_firmware_sees_it():
    storage = FaultyStorage()
    Settings(storage).claim()
    assert SafeFile(storage, "settings").load()[0]["format"] == [FORMAT, VERSION]
    later = Settings(storage, FORMAT + 1)
    later.claim()
    assert later.newer() == "" and Settings(storage).newer() == VERSION
    count = storage.count
    Settings(storage, FORMAT + 1).claim()
    assert storage.count == count
