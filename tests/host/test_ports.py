"""The ports: where a Kiebitz may be, one program at a time, and a sentence for whatever does not work."""

import errno
import os
import tty
from types import SimpleNamespace

import pytest
import serial
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


def usb(device, vid=None, pid=None):
    return SimpleNamespace(device=device, vid=vid, pid=pid)


def test_picos_are_found_and_after_them_a_running_simulator(monkeypatch, tmp_path):
    found = [usb("/dev/ttyS0"), usb("/dev/ttyACM1", 0x2E8A, 5), usb("/dev/ttyUSB0", 0x1A86, 0x7523)]
    found.append(usb("/dev/ttyACM0", 0x2E8A, 5))
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
