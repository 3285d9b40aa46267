"""Finding the Pico: on which port, as a drive, several of them or none, each with a sentence that says what to do."""

from types import SimpleNamespace

import pytest
from kiebitz_host.install import boards
from kiebitz_host.install.trouble import (
    DriveFailed,
    InBootsel,
    NoDrive,
    NoPico,
    NoRestart,
    NoSuchPort,
    NotMounted,
    OtherProgram,
    SeveralPicos,
)

PICO = (0x2E8A, 0x0005)
PROBE = (0x2E8A, 0x000C)
MODEM = (0x1234, 0x5678)


def port(name, usb, number=None):
    return SimpleNamespace(device=name, vid=usb[0], pid=usb[1], serial_number=number)


@pytest.fixture
def usb(monkeypatch, tmp_path):
    """usb(port, ...) plugs in what is given; usb.drive() is a Pico that waits for MicroPython."""
    ports = []
    monkeypatch.setattr(boards.list_ports, "comports", lambda: ports)
    monkeypatch.setattr(boards, "PLACES", [str(tmp_path / "*" / boards.LABEL)])
    monkeypatch.setattr(boards, "UNMOUNTED", tmp_path / "by-label")

    def plug(*found):
        ports[:] = found

    def drive(info="UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"):
        folder = tmp_path / "somebody" / boards.LABEL
        folder.mkdir(parents=True)
        (folder / "INFO_UF2.TXT").write_text(info)
        return folder

    plug.drive = drive
    return plug


def test_the_only_pico_is_found_among_other_things(usb):
    usb(port("/dev/ttyS0", (None, None)), port("/dev/ttyACM1", PICO), port("/dev/ttyUSB0", MODEM))
    assert boards.find("install", None) == "/dev/ttyACM1"


def test_of_several_picos_one_must_be_named(usb):
    usb(port("/dev/ttyACM1", PICO), port("/dev/ttyACM0", PICO))
    with pytest.raises(SeveralPicos) as trouble:
        boards.find("install", None)
    assert str(trouble.value) == (
        "there are Picos on /dev/ttyACM0 and /dev/ttyACM1: say which one is meant, as in kiebitz install /dev/ttyACM0."
    )


def test_no_pico_at_all(usb):
    with pytest.raises(NoPico, match="a cable that carries data.*BOOTSEL.*kiebitz install --uf2"):
        boards.find("install", None)


def test_a_port_that_does_not_exist(usb, tmp_path):
    with pytest.raises(NoSuchPort, match="there is no Pico on USB now"):
        boards.find("install", str(tmp_path / "ttyACM7"))
    usb(port("/dev/ttyACM0", PICO))
    with pytest.raises(NoSuchPort, match="there is one on /dev/ttyACM0"):
        boards.find("install", str(tmp_path / "ttyACM7"))


def test_a_pico_with_another_program(usb, tmp_path):
    name = str(tmp_path / "ttyACM0")
    (tmp_path / "ttyACM0").touch()
    usb(port(name, PROBE))
    for given in (None, name):
        with pytest.raises(OtherProgram, match="another program in place of MicroPython.*BOOTSEL"):
            boards.find("install", given)


def test_a_pico_that_waits_as_a_drive(usb, tmp_path):
    folder = usb.drive()
    with pytest.raises(InBootsel, match=f"on the drive {folder}: run kiebitz install --uf2, or copy the UF2 file from"):
        boards.find("install", None)
    with pytest.raises(InBootsel, match="or copy /cache/m.uf2 there and run kiebitz install"):
        boards.find("install", None, lambda: "/cache/m.uf2")


def test_a_drive_of_another_board_does_not_count(usb):
    usb.drive("UF2 Bootloader v1.0\nModel: Raspberry Pi RP2350\nBoard-ID: RP2350\n")
    assert boards.drives() == []


def test_a_drive_that_is_not_mounted(usb, tmp_path):
    (tmp_path / "by-label").touch()
    for look in (lambda: boards.find("install", None), boards.waiting_drive):
        with pytest.raises(NotMounted, match="open it in your file manager"):
            look()


def test_no_drive_to_put_micropython_on(usb):
    usb(port("/dev/ttyACM0", PICO))
    with pytest.raises(NoDrive, match="hold its BOOTSEL button down"):
        boards.waiting_drive()


# --- MicroPython onto the drive ---


@pytest.fixture
def image(tmp_path):
    path = tmp_path / "micropython.uf2"
    path.write_bytes(b"UF2" * 1000)
    return path


class Clock:
    def __init__(self, *events):
        self.now = 0.0
        self._events = dict(events)

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds
        for moment in [moment for moment in self._events if moment <= self.now]:
            self._events.pop(moment)()


def test_micropython_is_copied_and_the_pico_comes_back(usb, image):
    usb(port("/dev/ttyACM0", PICO))
    folder = usb.drive()
    clock = Clock((3, lambda: usb(port("/dev/ttyACM0", PICO), port("/dev/ttyACM1", PICO))))
    assert boards.put_micropython(image, boards.waiting_drive(), clock, clock.sleep) == "/dev/ttyACM1"
    assert (folder / "micropython.uf2").read_bytes() == image.read_bytes()


def test_a_pico_that_does_not_come_back(usb, image):
    usb.drive()
    clock = Clock()
    with pytest.raises(NoRestart, match="plug it in again"):
        boards.put_micropython(image, boards.waiting_drive(), clock, clock.sleep)


def test_a_drive_that_cannot_be_written(usb, image):
    folder = usb.drive()
    (folder / image.name).mkdir()
    with pytest.raises(DriveFailed, match="Is a directory"):
        boards.put_micropython(image, folder)


def test_a_drive_that_is_gone_has_taken_everything(usb, image, tmp_path):
    usb()
    clock = Clock((1, lambda: usb(port("/dev/ttyACM0", PICO))))
    assert boards.put_micropython(image, tmp_path / "gone", clock, clock.sleep) == "/dev/ttyACM0"


# --- known again ---


def test_a_pico_is_known_by_its_serial_number(usb):
    usb(port("/dev/ttyACM0", PICO, "e66"), port("/dev/ttyACM1", PICO, "e77"))
    assert boards.serial_number("/dev/ttyACM1") == "e77"
    assert boards.serial_number("/dev/pts/3") is None
    usb(port("/dev/ttyACM0", PICO, "e66"), port("/dev/ttyACM2", PICO, "e77"))
    assert boards.port_of("e77") == "/dev/ttyACM2"
    assert boards.port_of("e99") is None
    assert boards.port_of(None) is None
