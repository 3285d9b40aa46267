"""Test the ST7789 driver against a model of its glass, the clock, and colours that everybody can distinguish."""

from datetime import date, timedelta
from itertools import combinations, count
from math import dist

import pytest
from helpers.device import SHOP
from helpers.faulty_storage import FaultyStorage
from kiebitz.board.parts import date_of
from kiebitz.board.profiles import PROFILES
from kiebitz.games.poker_carre.card_entry import TINTS
from kiebitz.games.poker_carre.rules_grid import COLOURS as CARDS
from kiebitz.link import LATEST
from kiebitz.raster.tints import COLOURS, DARK, NUMBERS
from kiebitz_host.sim.hardware import Hardware
from kiebitz_host.sim.st7789_model import St7789Model

PROFILE = PROFILES["pico_lcd_13"]
SIZE = 240
PAGE_BYTES = SIZE * 8 * 2
WINDOW_BYTES = 11  # two commands with four bytes each, and the one that begins the pixels
BLACK = (0, 0, 0)


def start():
    """Return the hardware, and its display with nothing on it yet."""
    hardware = Hardware(PROFILE)
    return hardware, hardware.board(FaultyStorage()).display


def pattern(display, step=37):
    for i in range(len(display.buffer)):
        display.buffer[i] = (i * step + (i >> 5)) & 0xFF


def lit(display, x, y):
    return display.buffer[(y >> 3) * SIZE + x] >> (y & 7) & 1


def wanted(display):
    return [bytes(lit(display, x, y) for x in range(SIZE)) for y in range(SIZE)]


def test_the_picture_arrives_pixel_by_pixel():
    hardware, display = start()
    pattern(display)
    assert display.show() == 30
    assert hardware.oled.unknown == []
    assert hardware.oled.frame() == wanted(display)


@pytest.mark.parametrize("board", SHOP)
def test_on_every_glass_the_picture_is_upright_in_the_middle_and_the_rest_is_dark(board):
    hardware = Hardware(PROFILES[board])
    display = hardware.board(FaultyStorage()).display
    pattern(display)
    picture = wanted(display)
    for flipped in (False, True, False):
        display.flip(flipped)
        display.show()
        frame = hardware.oled.frame()
        wide, high = PROFILES[board].display.visible
        assert (len(frame[0]), len(frame)) == (wide, high) == (hardware.oled.width, hardware.oled.height)
        left, top = (wide - SIZE) // 2, (high - SIZE) // 2
        upright = [row[::-1] for row in reversed(picture)] if flipped else picture
        assert [row[left : left + SIZE] for row in frame[top : top + SIZE]] == upright
        around = [row for y, row in enumerate(hardware.oled.colours()) if not top <= y < top + SIZE]
        around += [row[:left] + row[left + SIZE :] for row in hardware.oled.colours()]
        assert {colour for row in around for colour in row} <= {shown("dark")}
    assert hardware.oled.unknown == [] and hardware.oled.lit


def test_a_display_without_a_reset_wire_is_reset_by_a_command():
    """A restart by the program leaves it on, asleep or in the middle of a picture."""
    hardware = Hardware(PROFILES["display_pack"])
    board = hardware.board(FaultyStorage())
    pattern(board.display)
    board.display.flip(True)
    board.display.show()
    board.display.power(False)
    begun = hardware.time.elapsed
    again = hardware.board(FaultyStorage()).display
    pattern(again, 41)
    again.show()
    assert hardware.time.elapsed - begun == 121 + 5
    assert hardware.oled.unknown == [] and hardware.oled.lit
    assert [row[40:280] for row in hardware.oled.frame()] == wanted(again)


def shown(name):
    """Return a colour of the palette as the glass shows it, with 5, 6 and 5 bits for its parts."""
    red, green, blue = dict(COLOURS)[name] if name != "dark" else DARK
    return (red >> 3) * 255 // 31, (green >> 2) * 255 // 63, (blue >> 3) * 255 // 31


def put(display, name, left, top, right, bottom):
    display.tints.put(NUMBERS[name], left, top, right, bottom)


def seen(hardware):
    return {colour for row in hardware.oled.colours() for colour in row}


def wanted_colours(display, *tints):
    """Return the picture with these (name, left, top, right, bottom) rectangles, later ones on top."""
    rows = [[shown("plain") if lit(display, x, y) else shown("dark") for x in range(SIZE)] for y in range(SIZE)]
    for name, left, top, right, bottom in tints:
        for y in range(top, bottom):
            for x in range(left, right):
                if lit(display, x, y):
                    rows[y][x] = shown(name)
    return rows


def test_two_colours_are_used_unless_a_screen_names_others():
    hardware, display = start()
    display.show()
    assert seen(hardware) == {shown("dark")} and max(shown("dark")) < 32
    display.buffer[5 * SIZE : 6 * SIZE] = b"\xff" * SIZE
    display.show()
    assert seen(hardware) == {shown("dark"), shown("plain")} and min(shown("plain")) > 200


def test_a_bar_at_the_top_has_its_colour_down_to_its_last_row():
    hardware, display = start()
    for page in range(6):
        display.buffer[page * SIZE : (page + 1) * SIZE] = b"\xff" * SIZE
    put(display, "bar", 0, 0, SIZE, 30)
    display.show()
    rows = hardware.oled.colours()
    bar, plain, dark = shown("bar"), shown("plain"), shown("dark")
    assert [rows[y][100] for y in (0, 29, 30, 31, 47, 48)] == [bar, bar, plain, plain, plain, dark]


RECTANGLES = [
    [("red", 0, 0, 240, 240)],
    [("red", 82, 30, 104, 60), ("green", 104, 30, 127, 60), ("blue", 150, 30, 172, 60)],  # cards, left to right
    [("blue", 150, 32, 172, 56), ("red", 82, 32, 104, 56)],  # right to left
    [("red", 10, 8, 100, 16), ("green", 50, 8, 150, 16)],  # one half over the other
    [("red", 10, 10, 100, 14), ("green", 50, 3, 150, 90), ("plain", 0, 12, 240, 20)],
    [("bar", 0, 0, 240, 30), ("red", 90, 0, 105, 30), ("leader", 0, 33, 240, 66), ("change", 150, 33, 170, 66)],
    [("change", 0, 236, 240, 240), ("violet", 239, 0, 240, 240), ("orange", 0, 0, 1, 240)],
]


@pytest.mark.parametrize("tints", RECTANGLES)
@pytest.mark.parametrize("begins_lit", [False, True])
def test_each_lit_pixel_has_the_colour_of_its_rectangle(tints, begins_lit):
    hardware, display = start()
    pattern(display)
    if begins_lit:
        for at in range(0, len(display.buffer), SIZE):
            display.buffer[at] = 0xFF
    for tint in tints:
        put(display, *tint)
    display.show()
    assert hardware.oled.colours() == wanted_colours(display, *tints)


def test_another_colour_alone_is_sent_too_and_only_where_it_is():
    hardware, display = start()
    pattern(display)
    assert display.show() == 30
    put(display, "red", 100, 20, 120, 40)
    assert display.show() == 3
    assert hardware.oled.colours() == wanted_colours(display, ("red", 100, 20, 120, 40))
    put(display, "green", 100, 20, 120, 40)
    assert display.show() == 3
    assert display.show() == 0
    display.tints.clear()
    put(display, "green", 100, 20, 120, 40)
    assert display.show() == 0, "drawn anew, but the same"
    display.tints.clear()
    assert display.show() == 3
    assert hardware.oled.colours() == wanted_colours(display)


def test_every_colour_is_bright_enough_to_be_read_as_lit():
    hardware, display = start()
    display.buffer[:] = b"\xff" * len(display.buffer)
    for name, _ in COLOURS:
        put(display, name, 0, 0, SIZE, SIZE)
        display.show()
        assert hardware.oled.frame() == wanted(display), name


def test_only_what_changed_is_sent():
    hardware, display = start()
    pattern(display)
    display.show()
    for pages, windows in (((), 0), ((7,), 1), ((3, 4, 5), 1), ((0, 2, 29), 3)):
        before = hardware.bus_bytes
        for page in pages:
            display.buffer[page * SIZE + 17] ^= 0x10
        assert display.show() == len(pages)
        assert hardware.bus_bytes - before == len(pages) * PAGE_BYTES + windows * WINDOW_BYTES
        assert hardware.oled.frame() == wanted(display)


def test_it_shines_after_the_first_picture_and_not_before():
    hardware, display = start()
    display.contrast(255)
    assert not hardware.oled.lit and not hardware.oled.light
    display.show()
    assert hardware.oled.lit


def test_it_waits_until_the_display_listens():
    # It ignores commands after a reset; other work at power-on counts as waiting
    hardware, display = start()
    hardware.time.advance(100)
    before = hardware.time.elapsed
    display.show()
    assert hardware.time.elapsed - before == 21 + 5
    assert hardware.oled.unknown == []


def test_brightness_has_steps_that_the_eye_can_tell():
    hardware, display = start()
    display.show()
    seen = []
    for level in (1, 30, 80, 130, 180, 230, 255):
        display.contrast(level)
        seen.append(hardware.oled.light)
    assert seen == sorted(set(seen)) and seen[0] > 1000 and seen[-1] == 65535


def test_off_and_on_again_with_the_same_picture_and_brightness():
    hardware, display = start()
    pattern(display)
    display.contrast(130)
    display.show()
    light = hardware.oled.light
    display.power(False)
    assert not hardware.oled.lit and hardware.oled.light == 0
    assert {colour for row in hardware.oled.colours() for colour in row} == {BLACK}
    display.contrast(55)
    assert hardware.oled.light == 0
    display.contrast(130)
    display.power(True)
    assert hardware.oled.lit and hardware.oled.light == light
    assert hardware.oled.frame() == wanted(display)


def test_turned_over_it_shows_the_same_upside_down():
    hardware, display = start()
    pattern(display)
    display.flip(True)
    display.show()
    turned = [row[::-1] for row in reversed(wanted(display))]
    assert hardware.oled.frame() == turned
    display.flip(True)
    assert display.show() == 0
    display.flip(False)
    assert display.show() == 30
    assert hardware.oled.frame() == wanted(display)


def test_the_board_has_a_surface_of_the_measures_of_all_screens():
    board = Hardware(PROFILE).board(FaultyStorage())
    assert (board.canvas.w, board.canvas.h) == (128, 64)
    board.canvas.rect(64, 32, 1, 1)
    assert any(board.display.buffer)


def test_nobody_can_know_whether_it_is_there():
    _, display = start()
    assert display.ok and not display.revived()


# --- the model ---


def command(model, op, *following):
    model.select(True)
    model.data_follows(False)
    model.write(bytes((op,)))
    model.data_follows(True)
    model.write(bytes(following))


def ready():
    """Return a display that is on, with a second between any two commands."""
    seconds = count(0, 1000)
    model = St7789Model(ms=lambda: next(seconds))
    for op, *following in ((0x11,), (0x3A, 0x55), (0x36, 0x60), (0x21,), (0x29,)):
        command(model, op, *following)
    model.shine(65535)
    return model


def test_what_is_not_for_it_is_not_heard():
    model = ready()
    model.select(False)
    model.data_follows(False)
    model.write(b"\x28")
    assert model.on


def test_without_inversion_this_glass_shows_the_opposite():
    model = ready()
    command(model, 0x2A, 0, 0, 0, 239)
    command(model, 0x2B, 0, 0, 0, 239)
    command(model, 0x2C, *[0xFF] * 4)
    assert model.colours()[0][:2] == [(255, 255, 255)] * 2
    command(model, 0x20)
    assert model.colours()[0][:2] == [BLACK] * 2


def test_pixels_fill_a_window_and_may_come_in_odd_pieces():
    model = ready()
    command(model, 0x2A, 0, 10, 0, 12)
    command(model, 0x2B, 0, 20, 0, 21)
    command(model, 0x2C, 0xF8)
    model.write(b"\x00\x07")
    model.write(b"\xe0\x00\x1f" + b"\xff\xff" * 3 + b"\x00\x00")
    rows = model.colours()
    red, green, blue, white = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)
    assert rows[20][10:13] == [BLACK, green, blue]  # the seventh pixel begins again at the first
    assert rows[21][10:13] == [white] * 3 and red not in rows[20]


@pytest.mark.parametrize("op", [0x00, 0x12, 0xB2, 0xE0])
def test_a_command_that_is_not_modelled_is_told(op):
    model = ready()
    command(model, op)
    assert model.unknown == [op]


def test_it_does_not_listen_right_after_a_reset():
    now = [0]
    model = St7789Model(ms=lambda: now[0])
    model.reset()
    command(model, 0x29)
    now[0] = 50
    command(model, 0x11)
    assert model.unknown == [0x29, 0x11] and model.asleep and not model.on
    now[0] = 120
    command(model, 0x11)
    command(model, 0x29)
    assert model.unknown == [0x29, 0x11, 0x29] and not model.asleep
    now[0] = 125
    command(model, 0x29)
    assert model.on


def test_pixels_of_another_size_are_told():
    model = ready()
    command(model, 0x3A, 0x66)
    command(model, 0x2C, 1, 2, 3)
    assert model.unknown == [0x2C]


@pytest.mark.long
def test_every_day_until_2100_has_its_date():
    for days in range(LATEST // 86400 + 1):
        day = date(1970, 1, 1) + timedelta(days)
        assert date_of(days) == (day.year, day.month, day.day)


SHADES = dict(COLOURS)
APART = 15  # two colours at this distance, as people see them, are clearly different
# What is left of red, green and blue light in an eye (Machado, Oliveira and Fernandes, 2009)
EYES = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "no green": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "no blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def light(part):
    """Return how much light a part of a colour gives, from 0 to 1."""
    part /= 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def brightness(shade):
    red, green, blue = map(light, shade)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def seen_by(shade, eye):
    """Return a colour in CIE Lab, where distances are as people see them."""
    lights = [light(part) for part in shade]
    red, green, blue = (min(1, max(0, sum(a * b for a, b in zip(row, lights, strict=True)))) for row in EYES[eye])
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize(
    "names", [TINTS, ("plain", "bar", "leader", "change", "refused", "red")], ids=["cards", "roles"]
)
def test_colours_on_one_screen_can_be_told_apart(eye, names):
    least = APART if names == TINTS else APART / 2  # a bar is a bar in any colour
    for one, other in combinations(names, 2):
        assert dist(seen_by(SHADES[one], eye), seen_by(SHADES[other], eye)) > least, (one, other)


@pytest.mark.parametrize("name", SHADES)
def test_every_colour_stands_out_from_the_dark(name):
    """By the measure for letters on a web page, of which 4.5 is the least."""
    assert (brightness(SHADES[name]) + 0.05) / (brightness(DARK) + 0.05) > 4.5


def test_each_card_colour_of_poker_carre_has_a_tint_of_its_own():
    assert len(set(TINTS)) == len(TINTS) == len(CARDS) and set(TINTS) <= set(SHADES)
