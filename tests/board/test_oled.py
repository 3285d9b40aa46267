"""Test the OLED driver against models of its controllers, with the picture, the bus traffic and failures."""

from helpers.device import without_allocating
from kiebitz.board.oled import Oled
from kiebitz.board.parts import Clock
from kiebitz.board.profiles import PROFILES
from kiebitz_host.sim.hardware import FakeTime, Hardware

ALL = ("pico_oled", "pico_oled_sh1106", "pico_oled_242")
WHOLE_FRAME = 8 * (4 + 129)  # bytes on the bus, without those that turn the display on


def start(name="pico_oled"):
    hardware = Hardware(PROFILES[name])
    return hardware, _oled(hardware)


def _oled(hardware):
    machine, wiring = hardware.machine, hardware.profile.display
    return Oled(wiring.open_bus(machine), Clock(machine, hardware.time), wiring, wiring.hold_reset(machine))


def draw(oled, step=7):
    """Draw a picture without any symmetry."""
    for i in range(len(oled.buffer)):
        oled.buffer[i] = (i * step + (i >> 5)) & 0xFF


def drawn(oled, x, y):
    return oled.buffer[(y >> 3) * oled.width + x] >> (y & 7) & 1


def turned(frame):
    """Return a frame as seen by somebody on the other side of the table."""
    return [bytes(reversed(list(row))) for row in reversed(frame)]


def same(oled, frame):
    """Return True if a frame is the picture in the buffer."""
    for y in range(oled.height):
        if frame[y] != bytes([drawn(oled, x, y) for x in range(oled.width)]):
            return False
    return True


def sent(hardware, action):
    """Return how many bytes an action sends."""
    before = hardware.bus_bytes
    action()
    return hardware.bus_bytes - before


def test_the_eye_sees_what_was_drawn():
    for name in ALL:
        hardware, oled = start(name)
        draw(oled)
        assert oled.ok and oled.show() == 8
        assert same(oled, hardware.oled.frame()), name
        for x, y in ((0, 0), (127, 0), (0, 63), (127, 63), (64, 17)):
            assert hardware.oled.pixel(x, y) == drawn(oled, x, y), (name, x, y)
        assert hardware.oled.unknown == [], name


def test_nothing_is_seen_before_the_first_picture():
    hardware, oled = start()
    assert not hardware.oled.lit
    oled.show()
    assert hardware.oled.lit and hardware.oled.frame() == [bytes(128)] * 64


def test_only_what_changed_is_sent():
    hardware, oled = start()
    assert sent(hardware, oled.show) == WHOLE_FRAME + 2
    assert sent(hardware, oled.show) == 0 and oled.show() == 0
    # (columns that change in page 3) -> places at which something is sent, and bytes of data, in steps of eight columns
    for columns, places, data in (
        ((0,), 1, 8),
        ((127,), 1, 8),
        ((15, 16), 1, 16),
        ((40, 79), 2, 16),
        ((0, 127), 2, 16),
        (range(128), 1, 128),
    ):
        for column in columns:
            oled.buffer[3 * 128 + column] ^= 0x55
        assert sent(hardware, oled.show) == places * (4 + 1) + data, columns
        assert same(oled, hardware.oled.frame()), columns
    oled.buffer[0] ^= 1
    oled.buffer[1023] ^= 1
    assert oled.show() == 2


def test_every_single_byte_reaches_the_glass():
    for name in ALL:
        hardware, oled = start(name)
        oled.show()
        for i in range(0, 1024, 5):
            oled.buffer[i] ^= 0xA5
            assert oled.show() == 1
        assert same(oled, hardware.oled.frame()), name


def test_the_picture_can_be_turned_over():
    for name in ALL:
        hardware, oled = start(name)
        draw(oled)
        oled.show()
        upright = hardware.oled.frame()
        oled.flip(True)
        assert oled.show() == 8
        assert hardware.oled.frame() == turned(upright), name
        oled.buffer[5] ^= 0xFF
        oled.show()
        assert same(oled, turned(hardware.oled.frame()))
        oled.flip(False)
        oled.show()
        assert same(oled, hardware.oled.frame()), name


def test_turning_to_where_it_is_sends_nothing():
    hardware, oled = start()
    oled.show()
    assert sent(hardware, lambda: oled.flip(False)) == 0 and oled.show() == 0


def test_brightness_and_power():
    hardware, oled = start()
    draw(oled)
    oled.show()
    oled.contrast(9)
    assert hardware.oled.contrast == 9
    oled.power(False)
    assert not hardware.oled.lit and hardware.oled.frame() == [bytes(128)] * 64
    oled.buffer[100] ^= 0xFF
    oled.show()
    assert not hardware.oled.lit
    oled.power(True)
    assert same(oled, hardware.oled.frame())


def test_turned_off_before_the_first_picture_it_stays_dark():
    hardware, oled = start()
    oled.power(False)
    oled.show()
    assert not hardware.oled.lit
    oled.power(True)
    assert hardware.oled.lit


def test_a_missing_display_stops_nobody_and_is_found_when_it_comes():
    hardware = Hardware()
    hardware.unplug_display()
    oled = _oled(hardware)
    draw(oled)
    assert not oled.ok and oled.show() == 0
    oled.contrast(30)
    oled.flip(True)
    oled.power(True)
    hardware.time.advance(10_000)
    assert not oled.revived()
    hardware.plug_display()
    hardware.time.advance(2000)
    assert oled.revived() and oled.ok and not oled.revived()
    assert oled.show() == 8
    assert hardware.oled.contrast == 30
    assert same(oled, turned(hardware.oled.frame()))


def test_a_missing_display_is_not_asked_all_the_time():
    hardware = Hardware()
    hardware.unplug_display()
    oled = _oled(hardware)
    before = hardware.bus_writes
    for _ in range(60_000 // 5):
        oled.show()
        oled.revived()
        hardware.time.advance(5)
    assert 30 <= hardware.bus_writes - before <= 36


def test_a_display_that_starts_slowly_is_there_at_once():
    hardware = Hardware()
    hardware.unplug_display()
    oled = _oled(hardware)
    hardware.time.advance(60)
    hardware.plug_display()
    hardware.time.advance(60)
    assert oled.revived()


def test_unplugged_in_the_middle_of_a_frame_it_comes_back_complete():
    for after in (0, 1, 3, 4, 5, 60, 133, 134, 500, WHOLE_FRAME - 1, WHOLE_FRAME + 1):
        hardware, oled = start()
        draw(oled)
        hardware.unplug_display(after)
        oled.show()
        assert not oled.ok, after
        draw(oled, 11)
        assert oled.show() == 0
        hardware.plug_display()
        hardware.time.advance(2000)
        assert oled.show() == 8 and oled.ok
        assert same(oled, hardware.oled.frame()), after


def test_a_display_that_was_away_while_nothing_changed_is_noticed():
    hardware, oled = start()
    draw(oled)
    oled.show()
    hardware.unplug_display()
    hardware.time.advance(1000)
    assert not oled.revived() and not oled.ok
    hardware.plug_display()
    hardware.time.advance(2000)
    assert oled.revived() and oled.show() == 8
    assert same(oled, hardware.oled.frame())


def test_a_quiet_display_is_asked_once_a_second():
    hardware, oled = start()
    oled.show()
    before = hardware.bus_writes
    for _ in range(10_000 // 5):
        assert not oled.revived()
        hardware.time.advance(5)
    assert 8 <= hardware.bus_writes - before <= 10


def test_settings_made_while_it_is_away_hold_when_it_is_back():
    hardware, oled = start()
    oled.show()
    hardware.unplug_display()
    oled.contrast(77)
    assert not oled.ok
    oled.power(False)
    hardware.plug_display()
    hardware.time.advance(3000)
    oled.show()
    assert hardware.oled.contrast == 77 and not hardware.oled.lit
    oled.power(True)
    assert hardware.oled.lit


def test_a_display_with_a_reset_wire_answers_after_a_pulse_and_after_every_return():
    hardware = Hardware(PROFILES["pico_oled_242"])
    assert not hardware.oled.answers
    oled = _oled(hardware)
    draw(oled)
    assert oled.show() == 8 and same(oled, hardware.oled.frame())
    hardware.plug_display()  # a loose wire: for a moment it had no supply
    assert not hardware.oled.answers
    hardware.time.advance(1000)
    assert not oled.revived() and not oled.ok
    hardware.time.advance(2000)
    assert oled.revived() and oled.show() == 8
    assert same(oled, hardware.oled.frame()) and hardware.oled.unknown == []


def test_taken_for_the_usual_display_it_shows_the_same_picture():
    """The commands of a pump are unknown to it, and the byte after each is a column that the next page sets."""
    for name in ("pico_oled", "pico_oled_242"):
        hardware = Hardware(PROFILES["pico_oled_242"])
        machine, wiring = hardware.machine, PROFILES[name].display
        oled = Oled(wiring.open_bus(machine), Clock(machine, hardware.time), wiring, wiring.hold_reset(machine))
        draw(oled)
        oled.show()
        assert same(oled, hardware.oled.frame()), name
        assert hardware.oled.unknown == ([] if name == "pico_oled_242" else [0x8D])


class QuietBus:
    """A bus that accepts everything without allocating, so that only the driver's allocations are measured."""

    def writeto(self, address, data):
        pass


def test_showing_a_frame_needs_no_memory():
    clock = Clock(None, FakeTime())
    oled = Oled(QuietBus(), clock, PROFILES["pico_oled"].display)
    draw(oled)
    clock.ms = int  # a stopped clock that is not a Python function
    assert without_allocating(oled.show) == 8
    for i in (0, 130, 131, 700, 1023):
        oled.buffer[i] ^= 0xFF
    assert without_allocating(oled.show) == 4
    assert without_allocating(oled.show) == 0
