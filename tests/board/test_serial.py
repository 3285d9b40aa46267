"""Test that the USB serial port never blocks."""

from kiebitz.board.serial import Unplugged
from kiebitz.link import PACKET
from kiebitz.store.no_storage import NoStorage
from kiebitz_host.sim.hardware import Hardware
from kiebitz_host.sim.usb import BUFFER


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
