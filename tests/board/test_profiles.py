"""Which board a device is: found on its bus, kept, said by a player, or named by the file of an older version."""

from helpers.faulty_storage import FaultyStorage
from helpers.real_flash import with_real_flash
from kiebitz.board.finding import find, said_before
from kiebitz.board.profiles import PROFILES, pins_of
from kiebitz.board.storage import Storage
from kiebitz.store.settings import BOARDS, Settings
from kiebitz_host.sim.hardware import Hardware

OLED, SH1106, LARGE, LCD = "pico_oled", "pico_oled_sh1106", "pico_oled_242", "pico_lcd_13"


def said(data):
    """Return the board that an old file with these bytes names; without a file if they are None."""
    found = []

    def look(path):
        storage = Storage(path)
        if data is not None:
            storage.write("board.txt", data)
        found.append(said_before(path + "/board.txt"))

    with_real_flash(look)
    return found[0]


def choice(hardware, **settings):
    """Return the choice of a device with these settings."""
    storage = FaultyStorage()
    for name in settings:
        Settings(storage).set(name, settings[name])
    return hardware.board(storage).choice


def test_every_display_is_found_by_its_answer():
    for name in (OLED, SH1106, LCD):
        hardware = Hardware(PROFILES[name])
        assert find(hardware.machine) == name
        found = choice(hardware)
        assert (found.name, found.found, found.on_trial) == (name, True, False)


def test_a_display_behind_a_reset_wire_is_found_as_the_usual_one_and_lit_also_if_a_player_keeps_that():
    hardware = Hardware(PROFILES[LARGE])
    assert not hardware.oled.answers and find(hardware.machine) == OLED and hardware.oled.answers
    for settings in ({}, {"board": OLED}, {"board": LARGE}, {"trial": LARGE}):
        hardware = Hardware(PROFILES[LARGE])
        storage = FaultyStorage()
        for name in settings:
            Settings(storage).set(name, settings[name])
        board = hardware.board(storage)
        board.display.show()
        assert hardware.oled.lit, settings


def test_no_other_board_uses_the_pin_of_the_reset_wire_which_every_start_pulses():
    pin = PROFILES[OLED].display.reset
    others = [gpio for key in PROFILES[LCD].keys for gpio in pins_of(key)]
    others += list(PROFILES[LCD].display.__dict__.values())
    assert pin is not None and pin not in others


def test_a_display_that_does_not_answer_once_is_the_one_that_was_found_before():
    hardware = Hardware(PROFILES[SH1106])
    hardware.unplug_display()
    assert find(hardware.machine, SH1106) == SH1106
    assert choice(hardware, found=SH1106).name == SH1106
    assert choice(hardware).name == LCD, "nothing is known: the square display is mute, too"


def test_a_display_that_takes_commands_and_tells_nothing_is_taken_for_the_usual_one():
    hardware = Hardware(PROFILES[OLED])

    def mute(address):
        raise OSError(5)

    hardware.receive = mute
    assert find(hardware.machine) == OLED and find(hardware.machine, SH1106) == SH1106


def test_another_display_on_the_same_wires_is_found_at_the_next_start():
    assert choice(Hardware(PROFILES[OLED]), found=SH1106).name == OLED
    assert choice(Hardware(PROFILES[OLED]), found=LCD).name == OLED


def test_what_a_player_has_said_overrules_what_answers():
    chosen = choice(Hardware(PROFILES[OLED]), board=SH1106, found=OLED)
    assert (chosen.name, chosen.found) == (SH1106, False)


def test_a_board_on_trial_is_forgotten_before_it_is_tried():
    storage = FaultyStorage()
    Settings(storage).set("trial", SH1106)
    chosen = Hardware(PROFILES[OLED]).board(storage).choice
    assert chosen.on_trial and chosen.name == SH1106
    assert Settings(storage)["trial"] == "" and not Hardware(PROFILES[OLED]).board(storage).choice.on_trial


def test_a_trial_that_cannot_be_forgotten_is_not_made():
    storage = FaultyStorage()
    Settings(storage).set("trial", SH1106)
    storage.full_at(storage.count, stays=True)
    chosen = Hardware(PROFILES[OLED]).board(storage).choice
    assert not chosen.on_trial and chosen.name == OLED


def test_find_by_itself_is_not_undone_by_the_file_of_an_older_version():
    storage = FaultyStorage()
    Settings(storage).set("board", SH1106)
    Settings(storage).set("board", "")
    assert Settings(storage).chosen("board")
    chosen = Hardware(PROFILES[OLED]).board(storage).choice
    assert chosen.found and chosen.name == OLED


def test_the_settings_know_every_board():
    assert sorted(BOARDS) == sorted([""] + list(PROFILES))


def test_one_line_of_the_old_file_is_enough_however_an_editor_wrote_it():
    for name in PROFILES:
        assert said(name.encode()) == name
    for data in (
        b"pico_oled_sh1106\n",
        b"  pico_oled_sh1106  \r\n",
        b"\r\n\r\npico_oled_sh1106\r\n# the 1.3 inch display\r\n",
        b"PICO_OLED_SH1106",
        b"\xef\xbb\xbfpico_oled_sh1106\n",
        b"\xff\xfe" + b"".join([bytes((byte, 0)) for byte in b"pico_oled_sh1106\r\n"]),
    ):
        assert said(data) == "pico_oled_sh1106", data


def test_an_old_file_that_names_no_board_says_nothing():
    for data in (None, b"pico_led\n", b"pico_oled pico_oled_sh1106", b"", b"\n \n", b"\x00\xff\xfe\x01", b"x" * 5000):
        assert said(data) == "", data


def test_every_oled_has_a_profile_with_the_same_wires():
    first = PROFILES[OLED]
    for name, controller in ((OLED, "ssd1306"), (SH1106, "sh1106"), (LARGE, "ssd1309")):
        profile = PROFILES[name]
        display = profile.display
        assert display.controller == controller
        assert (first.keys, first.buzzer, first.vsys) == (profile.keys, profile.buzzer, profile.vsys)
        wires = (first.display.sda, first.display.scl, first.display.reset)
        assert wires == (display.sda, display.scl, display.reset)
