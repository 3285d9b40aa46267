"""Test the OLED model, which all pixel tests rely on, with byte sequences of the data sheets."""

from kiebitz_host.sim.oled_model import OledModel

READY = b"\x8d\x14\xa1\xc8\xaf"  # an SSD1306 that shines, mounted upright


def send(oled, control, data):
    oled.start()
    oled.write(control)
    for byte in data:
        oled.write(byte)


def ready(controller="ssd1306"):
    """Return a display with nothing in its memory."""
    oled = OledModel(controller)
    send(oled, 0x00, READY)
    for page in range(8):
        send(oled, 0x00, bytes([0xB0 | page, 0x00, 0x10]))
        send(oled, 0x40, bytes(132 if controller == "sh1106" else 128))
    assert lights(oled) == []
    return oled


def lights(oled):
    """Return where it shines, at most the first few places."""
    found = []
    frame = oled.frame()
    for y in range(64):
        for x in range(128):
            assert oled.pixel(x, y) == frame[y][x]
            if frame[y][x] and len(found) < 5:
                found.append((x, y))
    return found


def test_after_power_on_it_is_dark_and_full_of_noise():
    oled = OledModel()
    assert not oled.lit and lights(oled) == []
    send(oled, 0x00, READY)
    assert oled.lit and len(lights(oled)) == 5


def test_without_its_pump_an_ssd1306_stays_dark():
    oled = OledModel()
    send(oled, 0x00, b"\xaf")
    assert oled.on and not oled.lit
    send(oled, 0x00, b"\x8d\x14")
    assert oled.lit
    sh1106 = OledModel("sh1106")
    send(sh1106, 0x00, b"\xaf")
    assert sh1106.lit
    send(sh1106, 0x00, b"\xad\x8a")
    assert not sh1106.lit


def test_behind_a_reset_wire_it_answers_only_after_a_pulse_and_forgets_what_it_was_told():
    oled = OledModel("ssd1309")
    assert not oled.answers
    oled.reset(1)
    assert not oled.answers, "it must have been low before"
    oled.reset(0)
    assert not oled.answers
    oled.reset(1)
    assert oled.answers
    send(oled, 0x00, b"\xfd\x12\xaf")
    assert oled.lit and oled.unknown == [], "its voltage comes from the module"
    send(oled, 0x00, b"\x8d\x14")
    assert oled.lit and oled.unknown == [0x8D]
    oled.reset(0)
    assert not oled.lit and not oled.answers and oled.unknown == [0x8D]
    usual = OledModel()
    usual.reset(0)
    assert usual.answers, "it has no such wire"


def test_page_and_column_say_where():
    # (controller, page, column) -> the place of the lowest bit
    for controller, page, column, place in (
        ("ssd1306", 0, 0, (0, 0)),
        ("ssd1306", 7, 127, (127, 56)),
        ("ssd1306", 3, 0x25, (0x25, 24)),
        ("sh1106", 0, 2, (0, 0)),
        ("sh1106", 7, 129, (127, 56)),
        ("sh1106", 3, 0x25, (0x23, 24)),
    ):
        oled = ready(controller)
        send(oled, 0x00, bytes([0xB0 | page, column & 15, 0x10 | column >> 4]))
        send(oled, 0x40, b"\x01")
        assert lights(oled) == [place], (controller, page, column)


def test_the_margins_of_an_sh1106_are_not_seen():
    oled = ready("sh1106")
    for column in (0, 1, 130, 131):
        send(oled, 0x00, bytes([0xB0, column & 15, 0x10 | column >> 4]))
        send(oled, 0x40, b"\xff")
    assert lights(oled) == []


def test_columns_count_up_and_an_ssd1306_begins_the_page_again():
    oled = ready()
    send(oled, 0x00, b"\xb1\x0e\x17")
    send(oled, 0x40, b"\x01\x01\x01")
    assert lights(oled) == [(0, 8), (126, 8), (127, 8)]


def test_control_bytes_may_announce_one_byte_each():
    oled = ready()
    oled.start()
    for byte in b"\x80\xb2\x80\x05\x80\x10\xc0\x01\x40\x01\x01":
        oled.write(byte)
    assert lights(oled) == [(5, 16), (6, 16), (7, 16)]


def test_a_command_and_its_argument_may_come_one_by_one():
    oled = ready()
    send(oled, 0x80, b"\x81")
    send(oled, 0x80, b"\x42")
    assert oled.contrast == 0x42


def test_a_window_is_filled_line_by_line_or_column_by_column():
    for mode, places in ((0, [(10, 8), (11, 8)]), (1, [(10, 8), (10, 16)])):
        oled = ready()
        send(oled, 0x00, bytes([0x20, mode, 0x21, 10, 11, 0x22, 1, 2]))
        send(oled, 0x40, b"\x00\x01\x00\x00\x01")  # the fifth byte begins the window again
        assert lights(oled) == places, mode


def test_directions_turn_the_picture():
    for controller in ("ssd1306", "sh1106"):
        first = 2 if controller == "sh1106" else 0
        for directions, place in ((b"\xa1\xc8", (3, 0)), (b"\xa0\xc8", (124, 0)), (b"\xa1\xc0", (3, 63))):
            oled = ready(controller)
            send(oled, 0x00, directions + bytes([0xB0, 3 + first, 0x10]))
            send(oled, 0x40, b"\x01")
            assert lights(oled) == [place], (controller, directions)


def test_left_and_right_change_at_once_on_one_controller_only():
    for controller, place in (("ssd1306", (3, 0)), ("sh1106", (124, 0))):
        oled = ready(controller)
        send(oled, 0x00, bytes([0xB0, 5 if controller == "sh1106" else 3, 0x10]))
        send(oled, 0x40, b"\x01")
        send(oled, 0x00, b"\xa0")
        assert lights(oled) == [place], controller


def test_start_line_and_offset_move_the_rows():
    for command in (b"\x45", b"\xd3\x05"):
        oled = ready()
        send(oled, 0x00, b"\xb1\x00\x10" + command)
        send(oled, 0x40, b"\x01")
        assert lights(oled) == [(0, 3)], command


def test_inverse_all_on_and_off():
    oled = ready()
    send(oled, 0x00, b"\xa7")
    assert oled.frame() == [b"\x01" * 128] * 64
    send(oled, 0x00, b"\xa6\xa5")
    assert oled.frame() == [b"\x01" * 128] * 64 and oled.pixel(5, 5) == 1
    send(oled, 0x00, b"\xa4")
    assert lights(oled) == []
    assert oled.read() == 0x03
    send(oled, 0x00, b"\xa5\xae")
    assert lights(oled) == [] and oled.read() == 0x43


def test_commands_it_does_not_know_are_noted():
    oled = ready()
    assert oled.unknown == []
    send(oled, 0x00, b"\xe3\x26\x00\x00\x00\x00\x00\xff\x2f\xf0\xa6")
    assert oled.unknown == [0x26, 0x2F, 0xF0]
    sh1106 = ready("sh1106")
    send(sh1106, 0x00, b"\x21\x00\x7f")
    assert sh1106.unknown == [0x21]


def test_changes_are_counted_for_those_who_look():
    oled = ready()
    before = oled.changes
    send(oled, 0x40, b"\x01")
    assert oled.changes > before


def test_a_run_of_bytes_is_the_same_as_its_bytes():
    for controller in ("ssd1306", "sh1106", "ssd1309"):
        for turned in (b"", b"\xa0\xc0"):
            for mode in (b"", b"\x20\x00"):
                _compare(controller, turned + mode)


def _compare(controller, commands):
    """Send runs of pixels at once and byte by byte."""
    fast, slow = ready(controller), ready(controller)
    for at, length in ((0, 128), (5, 0), (7, 3), (100, 28), (100, 40), (120, 12), (131, 2), (0, 300)):
        for oled in (fast, slow):
            send(oled, 0x00, commands + bytes([0xB3, at & 15, 0x10 | at >> 4]))
        data = bytes([(i * 7 + at) & 0xFF for i in range(length)])
        fast.start()
        fast.write_all(b"\x40" + data)
        send(slow, 0x40, data)
        for oled in (fast, slow):
            oled.write(0xA5)  # the transfer goes on
        assert (fast.ram, fast.changes) == (slow.ram, slow.changes)
