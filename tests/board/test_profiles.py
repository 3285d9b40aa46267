"""Test mistakes in the profile of a board, and which profile a device finds, remembers, or gets from a player."""

from helpers.device import SHOP, changed
from helpers.faulty_storage import FaultyStorage
from kiebitz.board import Board
from kiebitz.board.finding import find
from kiebitz.board.profiles import DEFAULT, FAMILIES, PROFILES, I2cDisplay, Profile, SpiDisplay, family_of, pins_of
from kiebitz.store.settings import BOARDS, Settings
from kiebitz_host.sim.hardware import Hardware
from kiebitz_lab.hardware.checks import INPUTS, driven_keys, problems, uses

OLED, SH1106, LARGE, LCD = "pico_oled", "pico_oled_sh1106", "pico_oled_242", "pico_lcd_13"


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


def test_the_settings_know_every_board():
    assert sorted(BOARDS) == sorted([""] + list(PROFILES))


def test_every_oled_has_a_profile_with_the_same_wires():
    first = PROFILES[OLED]
    for name, controller in ((OLED, "ssd1306"), (SH1106, "sh1106"), (LARGE, "ssd1309")):
        profile = PROFILES[name]
        display = profile.display
        assert display.controller == controller
        assert (first.keys, first.buzzer, first.vsys) == (profile.keys, profile.buzzer, profile.vsys)
        wires = (first.display.sda, first.display.scl, first.display.reset)
        assert wires == (display.sda, display.scl, display.reset)


def test_every_board_is_in_one_family():
    assert sorted([name for names in FAMILIES.values() for name in names]) == sorted(PROFILES)
    names = (OLED, LCD, "picoboy_color", "display_pack", "picosystem")
    assert [family_of(name) for name in names] == ["", "", "picoboy", "displaypack", "picosystem"]


def test_the_family_of_the_image_decides_where_no_oled_can_be():
    for name in SHOP:
        for settings in ({}, {"found": LCD}, {"board": OLED}, {"board": SH1106, "found": LCD}, {"trial": LCD}):
            chosen = choice(Hardware(PROFILES[name]), **settings)
            assert (chosen.name, chosen.on_trial, chosen.guessed) == (name, False, False), settings


def test_what_was_found_or_chosen_with_an_image_of_another_family_does_not_count():
    for name in SHOP:
        for setting in ("found", "board", "trial"):
            assert choice(Hardware(PROFILES[OLED]), **{setting: name}).name == OLED
            assert choice(Hardware(PROFILES[LCD]), **{setting: name}).name == LCD


def test_a_start_drives_no_pin_that_is_not_an_output_of_the_board():
    """The wires of an OLED are not probed, and no radio of a Pico W is looked for, on a board that has neither."""
    for name in SHOP:
        outputs = {use.gpio for use in uses(PROFILES[name]) if use.job not in INPUTS and use.job[:3] != "SPI"}
        if name == "display_pack":
            outputs.add(25)  # on a Pico, which may be a Pico W: nothing else has such a low voltage
        assert _driven_at_start(PROFILES[name]) == outputs, name


def _driven_at_start(profile):
    """Return the pins that were made outputs, except those of the bus, with a supply of 0 V."""
    driven = set()

    class Watched(Hardware):
        def set_mode(self, gpio, output):
            if output:
                driven.add(gpio)
            super().set_mode(gpio, output)

    hardware = Watched(profile)
    hardware.vsys_mv = 0
    board = hardware.board(FaultyStorage())
    board.display.show()
    board.supply.look(0)
    assert hardware.bus_writes and not hardware.oled.unknown
    return driven


def test_no_key_is_an_output_of_a_board_with_the_same_image():
    """A soldered board whose display does not answer is taken for the ready-made one."""
    assert driven_keys(PROFILES) == []
    old = changed(PROFILES[OLED], keys=(10, 11, 12, 13, 14, 9))
    told = driven_keys(dict(PROFILES, pico_oled=old))
    assert "pico_oled: GP12 (key LEFT) is display RESET of pico_lcd_13, which has the same image." in told
    assert len(told) == 5, told
    together = dict(FAMILIES, picosystem=("picosystem", "display_pack"), displaypack=())
    told = driven_keys(PROFILES, together)
    assert "picosystem: GP17 (key OK) is display CS of display_pack, which has the same image." in told
    assert "display_pack: GP12 (key UP) is display light of picosystem, which has the same image." in told
    assert len(told) == 6, told


def test_a_display_that_is_only_guessed_is_asked_for_every_two_seconds():
    hardware = Hardware(PROFILES[OLED])
    hardware.unplug_display()
    board = hardware.board(FaultyStorage())
    assert board.choice.guessed and board.choice.name == LCD
    assert not board.oled_came(hardware.time.ticks_ms())
    hardware.time.advance(4000)
    assert not board.oled_came(hardware.time.ticks_ms())
    hardware.plug_display()
    hardware.time.advance(1000)
    assert not board.oled_came(hardware.time.ticks_ms()), "it was asked a second ago"
    hardware.time.advance(1000)
    assert board.oled_came(hardware.time.ticks_ms())
    chosen = Hardware(PROFILES[OLED]).board(FaultyStorage())
    assert not chosen.choice.guessed and not chosen.oled_came(10_000)


def test_a_profile_can_slow_the_processor_down_and_light_sleep_does_not_undo_it():
    for mhz in (200, 125):
        slow = dict(PROFILES, pico_oled=changed(PROFILES[OLED], mhz=mhz))
        hardware = Hardware(slow[OLED])
        storage = FaultyStorage()
        board = Board(hardware.machine, hardware.time, Settings(storage), storage, profiles=slow)
        assert hardware.hz == mhz * 1_000_000
        hardware.usb_power = False
        board.rest_dark(100)
        assert hardware.slept_ms > 0 and hardware.hz == mhz * 1_000_000


OLED_PROFILE = PROFILES[DEFAULT]
LCD_PROFILE = PROFILES["pico_lcd_13"]
PACK = PROFILES["display_pack"]
SYSTEM = PROFILES["picosystem"]


def refused(kind, facts):
    """Return the message about a profile, or a display, with these facts."""
    try:
        kind(**facts)
    except TypeError as error:
        return str(error)
    raise AssertionError(facts)


def with_display(profile, **changes):
    """Return a profile with a display that differs."""
    return changed(profile, display=changed(profile.display, **changes))


def test_every_profile_can_work():
    for name in PROFILES:
        assert problems(PROFILES[name]) == [], name


def test_a_board_may_leave_out_what_it_does_not_have():
    display = I2cDisplay(controller="ssd1306", sda=4, scl=5)
    board = Profile(keys=(10, 11, 12, 13, 14, 9), display=display)
    assert board.buzzer is None and board.vsys is None
    assert (display.bus, display.hz, display.address, display.first_column) == (0, 400_000, 0x3C, 0)
    assert (display.width, display.height, display.reset) == (128, 64, None)
    assert problems(board) == []


def test_an_unknown_name_is_refused():
    for thing in (OLED_PROFILE, OLED_PROFILE.display, LCD_PROFILE.display):
        said = refused(type(thing), dict(thing.__dict__, led=3))
        assert "unexpected keyword argument 'led'" in said, said


def test_a_missing_name_is_refused():
    for thing, needed in (
        (OLED_PROFILE, ("keys", "display")),
        (OLED_PROFILE.display, ("controller", "sda", "scl")),
        (LCD_PROFILE.display, ("controller", "bus", "sck", "mosi", "cs", "dc", "light", "hz", "width", "height")),
    ):
        for name in needed:
            facts = dict(thing.__dict__)
            del facts[name]
            said = refused(type(thing), facts)
            assert "missing" in said and "'%s'" % name in said, said


def test_a_display_on_one_bus_has_no_wires_of_the_other():
    assert "'sck'" in refused(I2cDisplay, {"controller": "ssd1306", "sda": 4, "scl": 5, "sck": 10})
    assert "'sda'" in refused(SpiDisplay, dict(LCD_PROFILE.display.__dict__, sda=4))


def test_a_wrong_pin_is_told_in_a_sentence():
    for board, sentence in (
        (changed(OLED_PROFILE, buzzer=3), "GP3 is used twice: key OK and buzzer."),
        (changed(LCD_PROFILE, keys=(2, 18, 16, 20, (3, 15, 21), (17, 15))), "GP15 is used twice: key OK and key UNDO."),
        (changed(OLED_PROFILE, buzzer=30), "GP30 (buzzer) does not exist: the RP2040 has GP0 to GP29."),
        (changed(OLED_PROFILE, buzzer=25), "GP25 (buzzer) is not on the header: the Pico itself uses it as the LED."),
        (
            changed(OLED_PROFILE, vbus=26),
            "GP26 (USB sensing) cannot be: the Pico senses USB at GP24, and nowhere else.",
        ),
        (with_display(OLED_PROFILE, sda=14), "GP14 (display SDA) cannot be SDA of I2C0: it can be SDA of I2C1."),
        (changed(OLED_PROFILE, mhz=250), '"mhz" must lie between 48 and 200, not at 250.'),
        (changed(OLED_PROFILE, empty_mv=3400), '"empty_mv" must lie between 1800 and "low_mv", not at 3400.'),
        (with_display(OLED_PROFILE, reset=3), "GP3 is used twice: display RESET and key OK."),
        (with_display(LCD_PROFILE, sck=6), "GP6 (display SCK) cannot be SCK of SPI1: it can be SCK of SPI0."),
        (changed(SYSTEM, buzzer=8), "GP8 (buzzer) cannot be: another part of the board drives it."),
        (
            changed(SYSTEM, vsys=22, keys=(23, 20, 25, 21, (18, 17), (19, 16))),
            "GP22 (VSYS sensing) cannot be: the RP2040 measures at GP26 to GP29.",
        ),
        (changed(SYSTEM, vbus=30), "GP30 (USB sensing) does not exist: the RP2040 has GP0 to GP29."),
        (
            changed(SYSTEM, pico=True, foreign=(), vsys=None, vbus=None),
            "GP23 (key UP) is not on the header: the Pico itself uses it as the power-save pin of the regulator.",
        ),
        (with_display(SYSTEM, sck=10), "GP10 (display SCK) cannot be SCK of SPI0: it can be SCK of SPI1."),
        (changed(PACK, keys=(12, 13, (), 10, 14, 15)), "The key RIGHT must have either a pin or a chord."),
        (changed(PACK, chords=((5, 0, 2), (4, 1, 3))), "All chords must have the same held key."),
        (changed(PACK, chords=((5, 0, 2), (5, 5, 3))), "A chord needs two keys with pins, not 5 and 5."),
        (changed(PACK, labels=()), "A board with chords, and no other, has a label for each key."),
        (
            with_display(PACK, offset=(0, 1)),
            "A picture of 240 on a glass of 240 from 1 on does not fit into a memory of 240.",
        ),
        (
            with_display(PACK, width=328),
            "A picture of 328 on a glass of 320 from 0 on does not fit into a memory of 320.",
        ),
        (
            with_display(PACK, visible=(320, 241)),
            "A picture of 240 on a glass of 241 from 0 on does not fit into a memory of 240.",
        ),
        (with_display(OLED_PROFILE, address=0x78), "0x78 is no I2C address. With the write bit in it, it means 0x3C."),
    ):
        assert problems(board) == [sentence], problems(board)


def test_a_value_of_the_wrong_kind_is_told_in_a_sentence():
    for board, sentence in (
        (changed(OLED_PROFILE, buzzer="15"), "The pin of buzzer must be the number of a GPIO, not '15'."),
        (changed(OLED_PROFILE, vsys=True), "The pin of VSYS sensing must be the number of a GPIO, not True."),
        (changed(OLED_PROFILE, vbus=2.4), "The pin of USB sensing must be the number of a GPIO, not 2.4."),
        (changed(OLED_PROFILE, low_mv=3.3), '"low_mv" must be a number of millivolts, not 3.3.'),
        (
            changed(OLED_PROFILE, keys=(10, 11, 12, 13, 14, None)),
            "The pin of key UNDO must be the number of a GPIO, not None.",
        ),
        (changed(OLED_PROFILE, keys=(10, 11)), "There must be 6 keys (UP, DOWN, LEFT, RIGHT, OK, UNDO), not 2."),
        (changed(OLED_PROFILE, keys=[10]), "The keys must be a tuple of pins, not [10]."),
        (changed(OLED_PROFILE, display="oled"), "The display must be an I2cDisplay or a SpiDisplay, not 'oled'."),
        (with_display(OLED_PROFILE, sda=None), "The pin of display SDA must be the number of a GPIO, not None."),
        (with_display(OLED_PROFILE, reset="6"), "The pin of display RESET must be the number of a GPIO, not '6'."),
        (with_display(PACK, visible=320), '"visible" of the display must be columns and rows, not 320.'),
        (with_display(OLED_PROFILE, hz="400k"), "\"hz\" of the display must be a number, not '400k'."),
    ):
        assert problems(board) == [sentence], problems(board)
