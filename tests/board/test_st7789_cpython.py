"""The driver of the square display and a model of it: real bytes on the bus, and what the eye sees of them."""

from itertools import count

import pytest
from helpers.faulty_storage import FaultyStorage
from kiebitz.board.profiles import PROFILES
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
    display.buffer[0] &= 0xFE  # no bar


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


def test_two_colours_are_used_and_a_third_one_for_a_bar_at_the_top():
    hardware, display = start()
    display.show()
    (dark,) = {colour for row in hardware.oled.colours() for colour in row}
    assert max(dark) < 32
    display.buffer[5 * SIZE : 6 * SIZE] = b"\xff" * SIZE
    display.show()
    bright = hardware.oled.colours()[40][0]
    assert min(bright) > 200
    for page in range(4):
        display.buffer[page * SIZE : (page + 1) * SIZE] = (b"\xff" if page < 3 else b"\x3f") * SIZE
    display.show()
    rows = hardware.oled.colours()
    bar = rows[0][0]
    assert bar not in (dark, bright)
    assert [rows[y][100] for y in (0, 29, 30, 31, 40, 50)] == [bar, bar, dark, dark, bright, dark]


def test_a_cursor_close_below_the_bar_keeps_its_colour():
    hardware, display = start()
    for page, right in enumerate((0xFF, 0xFF, 0xFF, 0x3F, 0, 0, 0, 0)):
        display.buffer[page * SIZE : (page + 1) * SIZE] = b"\xff" * 120 + bytes([right]) * 120
    display.show()
    rows = hardware.oled.colours()
    assert rows[29][0] != rows[30][0] == rows[60][0]


def test_a_mark_in_the_corner_is_no_bar():
    hardware, display = start()
    display.buffer[0:40] = b"\xff" * 40
    display.buffer[8 * SIZE : 8 * SIZE + 9] = b"\xff" * 9
    display.show()
    rows = hardware.oled.colours()
    assert rows[0][0] == rows[64][0] != rows[100][0]


def test_a_display_that_is_all_lit_has_one_colour():
    hardware, display = start()
    display.buffer[:] = b"\xff" * len(display.buffer)
    display.show()
    assert len({colour for row in hardware.oled.colours() for colour in row}) == 1


def test_the_bar_comes_and_goes_although_its_lower_pages_stay_the_same():
    hardware, display = start()
    display.buffer[2 * SIZE : 3 * SIZE] = b"\xff" * SIZE
    display.show()
    plain = hardware.oled.colours()[20][7]
    display.buffer[0] = display.buffer[SIZE - 1] = 1
    display.show()
    assert hardware.oled.colours()[20][7] != plain
    display.buffer[0] = display.buffer[SIZE - 1] = 0
    display.show()
    assert hardware.oled.colours()[20][7] == plain


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
    # A reset makes it deaf; what else is to be done at power-on counts
    hardware, display = start()
    hardware.time.advance(100)
    before = hardware.time.elapsed
    display.show()
    assert hardware.time.elapsed - before == 20 + 5
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
    """Return a display that is on, in no hurry: a second passes between any two commands."""
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
