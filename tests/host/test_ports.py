"""Serial ports and boot loader drives: which Pico is used, and the error if there is none."""

import errno
import os
import tty
from types import SimpleNamespace

import pytest
import serial
from helpers.installing import INFO_OTHER, INFO_RP2350, MODEM, PROBE, FakeUsb
from kiebitz_host.install.find_picos import find_pico
from kiebitz_host.install.trouble import (
    NoPico,
    NoSuchDrive,
    NoSuchPort,
    NotMounted,
    OtherBoard,
    OtherProgram,
    SeveralPicos,
)
from kiebitz_host.link import ports
from kiebitz_host.link.ports import Port, named_port, open_port
from kiebitz_host.link.trouble import LinkLost, NoPermission, NoPort, PortBusy, PortTrouble
from kiebitz_host.outcome import Trouble
from kiebitz_host.sim.flash_folder import MARK, flash_folder
from kiebitz_host.system import group_of
from kiebitz_host.system.folders import SIMULATOR_PORT, publish_simulator_port, simulator_port


@pytest.fixture
def pty():
    """Yield a pseudo-terminal: (near end, path of the far end)."""
    near, far = os.openpty()
    tty.setraw(far)
    yield near, os.ttyname(far)
    for end in (near, far):
        try:
            os.close(end)
        except OSError:
            pass


def usb_port(device, vid=None, pid=None):
    return SimpleNamespace(device=device, vid=vid, pid=pid)


def test_picos_are_found_and_after_them_a_running_simulator(monkeypatch, tmp_path):
    found = [usb_port("/dev/ttyS0"), usb_port("/dev/ttyACM1", 0x2E8A, 5), usb_port("/dev/ttyUSB0", 0x1A86, 0x7523)]
    found.append(usb_port("/dev/ttyACM0", 0x2E8A, 5))
    monkeypatch.setattr(ports.list_ports, "comports", lambda: found)
    monkeypatch.setattr(ports, "simulator_folder", lambda: tmp_path / "sim")
    picos = [Port("/dev/ttyACM0", "Pico"), Port("/dev/ttyACM1", "Pico")]
    assert ports.ports() == picos
    with flash_folder(tmp_path / "sim"):
        publish_simulator_port(tmp_path / "sim", "/dev/pts/99")
        assert ports.ports() == [*picos, Port("/dev/pts/99", "simulator")]
    assert ports.ports() == picos


def test_what_a_killed_simulator_has_left_is_not_believed(tmp_path):
    assert simulator_port(tmp_path) is None
    (tmp_path / MARK).touch()
    (tmp_path / SIMULATOR_PORT).write_text("/dev/pts/3")
    assert simulator_port(tmp_path) is None


def test_a_port_can_be_named_by_the_folder_of_its_simulator(tmp_path):
    assert named_port("/dev/ttyACM5") == Port("/dev/ttyACM5", "port")
    with pytest.raises(Trouble, match="no simulator is running on"):
        named_port(str(tmp_path))
    with flash_folder(tmp_path / "sim"):
        publish_simulator_port(tmp_path / "sim", "/dev/pts/99")
        assert named_port(str(tmp_path / "sim")).path == "/dev/pts/99"


def test_bytes_go_both_ways(pty):
    near, path = pty
    port = open_port(Port(path, "Pico"))
    assert port.name == path
    port.write(b"hello\n")
    assert os.read(near, 100) == b"hello\n"
    os.write(near, b"\x00\x03\x11\x13\r\n\xff")
    assert port.read(5) == b"\x00\x03\x11\x13\r\n\xff"
    assert port.read(0) == b""
    port.close()
    port.close()


def test_the_second_one_at_a_port_is_told(pty, kiebitz, tmp_path):
    _, path = pty
    first = open_port(Port(path, "Pico"))
    with pytest.raises(PortBusy):
        open_port(Port(path, "Pico"))
    for command in ("sync", "live"):
        done = kiebitz(command, "--port", path, *(["--db", str(tmp_path / "x.db")] if command == "sync" else []))
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith(f"kiebitz: {path} is in use by another program") and done.err.count("\n") == 1
    first.close()
    open_port(Port(path, "Pico")).close()


def test_a_port_that_is_not_there(kiebitz, tmp_path):
    path = str(tmp_path / "ttyACM0")
    with pytest.raises(NoPort):
        open_port(Port(path, "Pico"))
    done = kiebitz("sync", "--port", path, "--db", str(tmp_path / "x.db"))
    assert (done.code, done.err) == (
        2,
        f"kiebitz: there is no port {path}: plug the Kiebitz in, and leave out --port to have it found.\n",
    )


def test_a_file_is_no_port(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(PortTrouble, match="cannot open"):
        open_port(Port(str(tmp_path / "file"), "port"))


@pytest.mark.parametrize(
    "code, kind",
    [(errno.EACCES, NoPermission), (errno.EBUSY, PortBusy), (errno.ENODEV, NoPort), (errno.EIO, PortTrouble)],
)
def test_what_the_system_says_becomes_a_sentence(monkeypatch, code, kind):
    def refuse(*_, **__):
        raise serial.SerialException(code, "could not open port")

    monkeypatch.setattr(ports.serial, "Serial", refuse)
    with pytest.raises(kind) as trouble:
        open_port(Port("/dev/ttyACM0", "Pico"))
    assert "/dev/ttyACM0" in str(trouble.value) and str(trouble.value).endswith(".")


def test_whoever_may_not_open_a_port_hears_which_group_may(monkeypatch):
    state = SimpleNamespace(st_gid=20, st_mode=0o020660)
    monkeypatch.setattr("os.stat", lambda path: state)
    monkeypatch.setattr("grp.getgrgid", lambda gid: SimpleNamespace(gr_name={20: "dialout"}[gid]))
    assert group_of("/dev/ttyACM0") == "dialout"
    state.st_mode = 0o020600  # joining the group would not help
    assert group_of("/dev/ttyACM0") == ""
    assert "ask the administrator of this computer" in str(NoPermission("/dev/ttyACM0"))


def test_a_port_that_goes_away_is_told(pty):
    near, path = pty
    port = open_port(Port(path, "Pico"))
    os.close(near)
    with pytest.raises(LinkLost):
        port.read(5)
    with pytest.raises(LinkLost):
        port.write(b"x")
    port.close()


# --- finding a Pico ---


@pytest.fixture
def usb(tmp_path):
    return FakeUsb(tmp_path)


def test_the_only_pico_is_found_among_other_things(usb):
    usb.plug("/dev/ttyS0", (None, None))
    usb.plug("/dev/ttyACM1")
    usb.plug("/dev/ttyUSB0", MODEM)
    usb.plug("/dev/ttyACM7", PROBE)
    assert find_pico(usb) == "/dev/ttyACM1"


def test_a_pico_that_waits_as_a_drive_is_found(usb):
    folder = usb.drive()
    usb.drive("media2", INFO_OTHER)
    assert find_pico(usb) == folder


def test_of_several_picos_one_must_be_named(usb):
    usb.plug("/dev/ttyACM1")
    usb.plug("/dev/ttyACM0")
    with pytest.raises(SeveralPicos) as trouble:
        find_pico(usb)
    assert str(trouble.value) == (
        "there are several Picos, on /dev/ttyACM0 and /dev/ttyACM1: say which one is meant, "
        "as in kiebitz install /dev/ttyACM0."
    )


def test_of_several_drives_one_must_be_named(usb):
    folders = [usb.drive("media1"), usb.drive("media2")]
    with pytest.raises(SeveralPicos, match=f"drive {folders[0]} and drive {folders[1]}.*install --drive {folders[0]}"):
        find_pico(usb)
    assert find_pico(usb, drive=str(folders[1])) == folders[1]
    usb.unplug("media1")


def test_a_port_and_a_drive_are_several_as_well(usb):
    folder = usb.drive()
    usb.plug("/dev/null")
    with pytest.raises(SeveralPicos, match=f"on /dev/null and drive {folder}"):
        find_pico(usb)
    assert find_pico(usb, port="/dev/null") == "/dev/null"


def test_no_pico_at_all(usb):
    with pytest.raises(NoPico, match="a cable that carries data.*BOOTSEL.*kiebitz install"):
        find_pico(usb)


def test_a_port_that_does_not_exist(usb, tmp_path):
    with pytest.raises(NoSuchPort, match="there is no Pico on USB now"):
        find_pico(usb, str(tmp_path / "ttyACM7"))
    usb.plug("/dev/ttyACM0")
    with pytest.raises(NoSuchPort, match="there is one on /dev/ttyACM0"):
        find_pico(usb, str(tmp_path / "ttyACM7"))


def test_a_pico_with_another_program(usb):
    usb.plug("/dev/null", PROBE)
    for given in (None, "/dev/null"):
        with pytest.raises(OtherProgram, match="runs another program.*BOOTSEL"):
            find_pico(usb, given)


def test_a_drive_that_is_not_mounted(usb):
    device = usb.unmounted_drive()
    with pytest.raises(NotMounted, match=f"the drive {device}, which is not mounted: run udisksctl mount -b {device}"):
        find_pico(usb)


def test_a_pico_2_is_found_like_a_pico_mounted_or_not(usb):
    folder = usb.drive(info=INFO_RP2350)
    assert find_pico(usb) == find_pico(usb, drive=str(folder)) == folder
    (folder / "INFO_UF2.TXT").unlink()
    device = usb.unmounted_drive("RP2350")
    with pytest.raises(NotMounted, match=str(device)):
        find_pico(usb)


def test_a_folder_that_is_no_drive_of_a_pico(usb, tmp_path):
    with pytest.raises(NoSuchDrive, match="there is no INFO_UF2.TXT in it"):
        find_pico(usb, drive=str(tmp_path))
    folder = usb.drive(info=INFO_OTHER)
    with pytest.raises(OtherBoard, match="is not a Raspberry Pi Pico, but Feather M0"):
        find_pico(usb, drive=str(folder))


def test_a_pico_is_known_by_its_serial_number(usb):
    usb.plug("/dev/ttyACM0", number="e66")
    usb.plug("/dev/ttyACM1", number="e77")
    assert usb.serial_number("/dev/ttyACM1") == "e77"
    assert usb.serial_number("/dev/pts/3") is None
    usb.unplug("/dev/ttyACM1")
    usb.plug("/dev/ttyACM2", number="e77")
    assert usb.port_of("e77") == "/dev/ttyACM2"
    assert usb.port_of("e99") is None
    assert usb.port_of(None) is None
