"""Test the messages about mistakes in the profile of a board."""

from helpers.board import changed
from kiebitz.board.profiles import DEFAULT, PROFILES, I2cDisplay, Profile, SpiDisplay
from kiebitz_lab.hardware.checks import problems

OLED = PROFILES[DEFAULT]
LCD = PROFILES["pico_lcd_13"]
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
    for thing in (OLED, OLED.display, LCD.display):
        said = refused(type(thing), dict(thing.__dict__, led=3))
        assert "unexpected keyword argument 'led'" in said, said


def test_a_missing_name_is_refused():
    for thing, needed in (
        (OLED, ("keys", "display")),
        (OLED.display, ("controller", "sda", "scl")),
        (LCD.display, ("controller", "bus", "sck", "mosi", "cs", "dc", "light", "hz", "width", "height")),
    ):
        for name in needed:
            facts = dict(thing.__dict__)
            del facts[name]
            said = refused(type(thing), facts)
            assert "missing" in said and "'%s'" % name in said, said


def test_a_display_on_one_bus_has_no_wires_of_the_other():
    assert "'sck'" in refused(I2cDisplay, {"controller": "ssd1306", "sda": 4, "scl": 5, "sck": 10})
    assert "'sda'" in refused(SpiDisplay, dict(LCD.display.__dict__, sda=4))


def test_a_wrong_pin_is_told_in_a_sentence():
    for board, sentence in (
        (changed(OLED, buzzer=3), "GP3 is used twice: key OK and buzzer."),
        (changed(LCD, keys=(2, 18, 16, 20, (3, 15, 21), (17, 15))), "GP15 is used twice: key OK and key UNDO."),
        (changed(OLED, buzzer=30), "GP30 (buzzer) does not exist: the RP2040 has GP0 to GP29."),
        (changed(OLED, buzzer=25), "GP25 (buzzer) is not on the header: the Pico itself uses it as the LED."),
        (changed(OLED, vbus=26), "GP26 (USB sensing) cannot be: the Pico senses USB at GP24, and nowhere else."),
        (with_display(OLED, sda=14), "GP14 (display SDA) cannot be SDA of I2C0: it can be SDA of I2C1."),
        (changed(OLED, mhz=250), '"mhz" must lie between 48 and 200, not at 250.'),
        (changed(OLED, empty_mv=3400), '"empty_mv" must lie between 1800 and "low_mv", not at 3400.'),
        (with_display(OLED, reset=3), "GP3 is used twice: display RESET and key OK."),
        (with_display(LCD, sck=6), "GP6 (display SCK) cannot be SCK of SPI1: it can be SCK of SPI0."),
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
        (with_display(OLED, address=0x78), "0x78 is no I2C address. With the write bit in it, it means 0x3C."),
    ):
        assert problems(board) == [sentence], problems(board)


def test_a_value_of_the_wrong_kind_is_told_in_a_sentence():
    for board, sentence in (
        (changed(OLED, buzzer="15"), "The pin of buzzer must be the number of a GPIO, not '15'."),
        (changed(OLED, vsys=True), "The pin of VSYS sensing must be the number of a GPIO, not True."),
        (changed(OLED, vbus=2.4), "The pin of USB sensing must be the number of a GPIO, not 2.4."),
        (changed(OLED, low_mv=3.3), '"low_mv" must be a number of millivolts, not 3.3.'),
        (changed(OLED, keys=(10, 11, 12, 13, 14, None)), "The pin of key UNDO must be the number of a GPIO, not None."),
        (changed(OLED, keys=(10, 11)), "There must be 6 keys (UP, DOWN, LEFT, RIGHT, OK, UNDO), not 2."),
        (changed(OLED, keys=[10]), "The keys must be a tuple of pins, not [10]."),
        (changed(OLED, display="oled"), "The display must be an I2cDisplay or a SpiDisplay, not 'oled'."),
        (with_display(OLED, sda=None), "The pin of display SDA must be the number of a GPIO, not None."),
        (with_display(OLED, reset="6"), "The pin of display RESET must be the number of a GPIO, not '6'."),
        (with_display(PACK, visible=320), '"visible" of the display must be columns and rows, not 320.'),
        (with_display(OLED, hz="400k"), "\"hz\" of the display must be a number, not '400k'."),
    ):
        assert problems(board) == [sentence], problems(board)
