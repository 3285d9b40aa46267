"""Test the chords of the four keys of the Display Pack, and that the USB serial port never blocks."""

from helpers.faulty_storage import FaultyStorage
from kiebitz.board.profiles import PROFILES
from kiebitz.board.serial import Unplugged
from kiebitz.link import PACKET
from kiebitz.store.no_storage import NoStorage
from kiebitz.widgets.keys import DOWN, LEFT, OK, RIGHT, UNDO, UP, Keys
from kiebitz_host.sim.hardware import Hardware
from kiebitz_host.sim.usb import BUFFER

A, B, X, Y = 12, 13, 14, 15
TURN_MS = 5


class Pack:
    """A board with four switches, whose contacts close and open at given times."""

    def __init__(self, down=()):
        self.hardware = Hardware(PROFILES["display_pack"])
        for gpio in down:
            self.hardware.ground(gpio)
        self.board = self.hardware.board(FaultyStorage())
        self.keys = Keys(self.board.clock)
        self.keys.rate = 0
        self.turn()

    def turn(self):
        return list(self.keys.feed(self.board.read_keys(), self.board.clock.ms()))

    def moves(self, *moves, bounce=0, until=400, every=TURN_MS):
        """Return the events of moves, given as (ms, pin, True if its contact closes); each bounces for a while."""
        for at, gpio, down in moves:
            for k in range(bounce):
                self.hardware.time.at(at + k, self._contact(gpio, down if k % 2 == 0 else not down))
            self.hardware.time.at(at + bounce, self._contact(gpio, down))
        events = []
        for _ in range(moves[-1][0] // every + until // every):
            events += self.turn()
            self.board.clock.sleep(every)
        return events

    def _contact(self, gpio, closed):
        return lambda: self.hardware.ground(gpio) if closed else self.hardware.lift(gpio)


def tap(key):
    return [(key, "press"), (key, "release")]


def test_each_switch_alone_is_its_key():
    for gpio, key in ((A, UP), (B, DOWN), (X, OK), (Y, UNDO)):
        for bounce in (0, 6, 12):
            assert Pack().moves((10, gpio, True), (90, gpio, False), bounce=bounce) == tap(key), (gpio, bounce)


def test_undo_counts_on_release():
    pack = Pack()
    assert pack.moves((10, Y, True), until=300) == []
    assert pack.moves((10, Y, False)) == tap(UNDO)


def test_y_with_a_is_left_and_with_b_right_and_undo_is_not_reported():
    for gpio, key in ((A, LEFT), (B, RIGHT)):
        for bounce in (0, 6, 12):
            moves = ((10, Y, True), (100, gpio, True), (250, gpio, False), (320, Y, False))
            assert Pack().moves(*moves, bounce=bounce) == tap(key), (gpio, bounce)


def test_a_short_chord_counts_when_its_second_key_is_let_go():
    assert Pack().moves((10, Y, True), (50, A, True), (80, A, False), (110, Y, False)) == tap(LEFT)


def test_y_stays_down_for_several_chords():
    moves = [(10, Y, True)]
    for k in range(3):
        moves += [(100 + 150 * k, (A, B, A)[k], True), (180 + 150 * k, (A, B, A)[k], False)]
    moves.append((600, Y, False))
    assert Pack().moves(*moves) == tap(LEFT) + tap(RIGHT) + tap(LEFT)


def test_a_chord_that_is_held_is_a_key_that_is_held():
    pack = Pack()
    events = pack.moves((10, Y, True), (60, A, True), until=900)
    assert events == [(LEFT, "press"), (LEFT, "hold")]
    assert pack.moves((10, Y, False), (60, A, False)) == [(LEFT, "release")], "whichever is let go first"


def test_fingers_that_roll_from_y_to_another_key_press_two_keys():
    for gpio, key in ((A, UP), (B, DOWN), (X, OK)):
        for overlap in (5, 20, 40):
            for bounce in (0, 4):
                moves = ((10, Y, True), (80, gpio, True), (80 + overlap, Y, False), (150, gpio, False))
                events = Pack().moves(*moves, bounce=bounce)
                presses = [event for event in events if event[1] == "press"]
                assert presses == [(UNDO, "press"), (key, "press")], (gpio, overlap, bounce, events)
                assert events.index((UNDO, "release")) < events.index((key, "press")), "the next key would cancel UNDO"


def test_fingers_that_roll_to_y_press_two_keys():
    for gpio, key in ((A, UP), (B, DOWN), (X, OK)):
        for overlap in (5, 40, 120):
            moves = ((10, gpio, True), (80, Y, True), (80 + overlap, gpio, False), (260, Y, False))
            events = Pack().moves(*moves, bounce=4)
            assert [event for event in events if event[1] == "press"] == [(key, "press"), (UNDO, "press")], events


def test_y_that_is_held_alone_is_undo_held():
    events = Pack().moves((10, Y, True), (1500, Y, False))
    assert events == [(UNDO, "press"), (UNDO, "hold"), (UNDO, "release")]


def test_x_that_is_held_is_ok_held_at_once():
    events = Pack().moves((10, X, True), (900, X, False))
    assert events == [(OK, "press"), (OK, "hold"), (OK, "release")]


def test_taps_during_one_long_write_are_not_lost():
    pack = Pack()
    for gpio in (Y, A):
        pack.hardware.ground(gpio)
    for gpio in (A, Y):
        pack.hardware.lift(gpio)
    assert pack.moves((0, X, False)) == tap(LEFT)
    pack.hardware.ground(X)
    pack.hardware.lift(X)
    assert pack.moves((0, X, False)) == tap(OK)


def test_slow_turns_on_battery_see_the_same():
    assert Pack().moves((10, Y, True), (110, A, True), (260, A, False), (330, Y, False), every=25) == tap(LEFT)
    assert Pack().moves((10, Y, True), (110, Y, False), every=25) == tap(UNDO)


def test_a_switch_that_sticks_at_power_on_reports_nothing_until_it_is_let_go():
    pack = Pack(down=(Y,))
    assert pack.keys.stuck == [UNDO] and pack.moves((900, Y, False)) == []
    assert pack.moves((10, Y, True), (90, Y, False)) == tap(UNDO)
    pack = Pack(down=(A,))
    assert pack.keys.stuck == [UP] and pack.moves((900, A, False)) == []


def test_undo_held_at_power_on_is_known_at_once():
    assert Pack(down=(Y,)).board.held_at_power_on(UNDO) and not Pack(down=(A,)).board.held_at_power_on(UNDO)


def test_many_quick_taps_are_as_many_presses():
    moves = []
    for k in range(10):
        moves += [(10 + 120 * k, Y, True), (60 + 120 * k, Y, False)]
    assert Pack().moves(*moves, bounce=4) == 10 * tap(UNDO)


def plugged():
    hardware = Hardware()
    return hardware, hardware.usb, hardware.board(NoStorage()).serial


def port():
    return plugged()[1:]


def lines(size):
    return b"x" * (size - 1) + b"\n"


def test_reads_what_is_there_and_no_more():
    usb, serial = port()
    assert serial.read(8) == b""
    usb.send(b"hello, world")
    assert serial.read(5) == b"hello"
    assert serial.read(100) == b", world"
    assert serial.read(100) == b""


def test_a_host_that_reads_gets_everything():
    usb, serial = port()
    usb.connect()
    for size in (1, 2, 63, 64, 65, 128, 1000, 2000):
        data = lines(size)
        assert serial.write(data) == size
        got = usb.receive()
        assert got[:size] == data and got[size:].strip() == b"" and len(got) % PACKET == 0, size
    assert usb.waited_ms == 0


def test_a_host_that_does_not_read_is_not_waited_for():
    usb, serial = port()
    usb.connect(reading=False)
    data = (b"abcdefghijklmnopqrstuvwxyz" * 39)[:999] + b"\n"
    taken = 0
    for _ in range(10):
        taken += serial.write(memoryview(data)[taken:])
    assert taken == BUFFER and usb.waited_ms == 0
    usb.reading = True
    taken += serial.write(memoryview(data)[taken:])
    assert taken == 1000
    assert usb.receive()[:1000] == data and usb.waited_ms == 0


def test_any_mixture_of_lengths_is_taken_without_waiting():
    usb, serial = port()
    usb.connect(reading=False)
    for k in range(200):
        serial.write(lines(1 + k * 37 % 150))
        if k % 7 == 3:
            usb.reading = True
            assert len(usb.receive()) % PACKET == 0, k
            usb.reading = False
    assert usb.waited_ms == 0


def test_after_text_of_somebody_else_one_wait_at_most():
    usb, serial = port()
    usb.connect(reading=False)
    usb.sys.stdout.buffer.write(b"MPY: soft reboot\r\n")
    data = lines(1000)
    taken = 0
    for _ in range(20):
        taken += serial.write(memoryview(data)[taken:])
    waited = usb.waited_ms
    assert taken < 1000 and waited <= 1000
    usb.reading = True
    while taken < 1000:
        taken += serial.write(memoryview(data)[taken:])
    assert data in usb.receive() and usb.waited_ms == waited


def test_with_nobody_at_the_port_nothing_stops():
    usb, serial = port()
    for _ in range(100):
        assert serial.write(lines(300)) == 300
    assert usb.waited_ms == 0
    # The next host gets the latest of it
    usb.connect()
    assert usb.receive() == (lines(300) + b"\n" * 20)[-BUFFER:]
    assert serial.write(lines(300)) == 300 and usb.waited_ms == 0


def test_a_pulled_cable_never_catches_the_program():
    for filled in range(0, 400, 64):
        for after_ms in range(0, 12):
            hardware, usb, serial = plugged()
            usb.connect(reading=False)
            serial.write(lines(filled + 1))
            hardware.time.advance(after_ms)
            usb.pull()
            for _ in range(20):
                serial.write(lines(300))
                hardware.time.advance(1)
            assert serial.write(lines(300)) == 0
            assert usb.waited_ms == 0, (filled, after_ms)


def test_after_the_cable_is_back_everything_goes_on():
    hardware, usb, serial = plugged()
    usb.connect()
    assert serial.write(lines(300)) == 300
    usb.pull()
    hardware.time.advance(5000)
    assert serial.write(lines(300)) == 0
    usb.connect()
    assert serial.write(lines(300)) == 300 and len(usb.receive()) == 320


def test_a_bus_that_rests_between_two_writes_is_no_reason_to_wait():
    hardware, usb, serial = plugged()
    usb.connect()
    for ms in (0, 1, 2, 3, 5, 50, 2047, 2048, 2049, 100000):
        hardware.time.advance(ms)
        assert serial.write(lines(100)) == 100 or serial.write(lines(100)) == 100, ms


def test_a_board_without_usb_has_nobody_to_talk_to():
    nobody = Unplugged()
    assert nobody.read(10) == b"" and nobody.write(b"hello\n") == 0
