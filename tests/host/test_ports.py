"""Serial ports, boot loader drives, and the package with the differences between operating systems."""

import ast
import errno
import os
import subprocess
import sys
import tty
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace

import kiebitz_host
import platformdirs.macos
import platformdirs.windows
import pytest
import serial
from helpers.installing import INFO_OTHER, INFO_RP2350, MODEM, PROBE, FakeUsb
from kiebitz_host import system
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
from kiebitz_host.library import location
from kiebitz_host.link import ports
from kiebitz_host.link.ports import Port, named_port, open_port
from kiebitz_host.link.trouble import LinkLost, NoPermission, NoPort, PortBusy, PortTrouble
from kiebitz_host.outcome import Trouble
from kiebitz_host.sim.flash_folder import MARK, flash_folder
from kiebitz_host.system import (
    SIMULATOR_PORT,
    InUse,
    group_of,
    is_locked,
    locked,
    posix,
    publish_simulator_port,
    simulator_port,
    windows,
)


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
    system = [usb.drive("media1"), usb.drive("media2")]
    with pytest.raises(SeveralPicos, match=f"drive {system[0]} and drive {system[1]}.*install --drive {system[0]}"):
        find_pico(usb)
    assert find_pico(usb, drive=str(system[1])) == system[1]
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


# --- operating systems ---

HOST = Path(kiebitz_host.__file__).parent
LABORATORY = HOST.parent / "kiebitz_lab"
POSIX_ONLY = {"termios", "tty", "pty", "fcntl", "grp", "pwd", "resource"}

# Imports all modules but posix.py as on Windows: without the modules of POSIX, and with the name of the system changed.
# The packages of others are imported before the name is changed: they would ask for modules that only Windows has.
ON_WINDOWS = """
import importlib, pkgutil, signal, sys
import asyncio, filelock, mpremote.transport_serial, multiprocessing, platformdirs, rich.progress, segno, serial
import serial.tools.list_ports, sqlite3, starlette.applications, starlette.responses, starlette.routing, subprocess
import tempfile, uvicorn, webbrowser
missing = {missing!r}
class NotHere:
    def find_spec(self, name, path=None, target=None):
        if name in missing:
            raise ModuleNotFoundError("no " + name, name=name)
sys.meta_path.insert(0, NotHere())
for name in missing:
    sys.modules.pop(name, None)
del signal.SIGHUP
sys.platform = "win32"
import kiebitz_host
names = [module.name for module in pkgutil.walk_packages(kiebitz_host.__path__, "kiebitz_host.")]
for name in names:
    if name not in ("kiebitz_host.system.posix", "kiebitz_host.cli.__main__"):
        importlib.import_module(name)
from kiebitz_host import system
assert not system.HAS_TERMINAL_FRONT
print(len(names))
"""


def imported(path):
    """Return the top-level names of the modules that a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(node.module.split(".")[0])
    return found


def test_only_one_room_imports_what_only_posix_has():
    users = {path.relative_to(HOST).as_posix() for path in HOST.rglob("*.py") if imported(path) & POSIX_ONLY}
    assert users == {"system/posix.py"}
    # Campaigns that limit themselves, and a server that must not run as root: developers run them on Linux
    users = {
        path.relative_to(LABORATORY).as_posix() for path in LABORATORY.rglob("*.py") if imported(path) & POSIX_ONLY
    }
    assert users == {"torture/hostile.py", "torture/raw_http.py", "postgres_server.py"}


def test_every_module_can_be_imported_on_windows():
    done = subprocess.run(
        [sys.executable, "-c", ON_WINDOWS.format(missing=sorted(POSIX_ONLY))], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


def test_both_systems_offer_the_same_names():
    for module in (posix, windows):
        assert all(hasattr(module, name) for name in system.__all__)


def test_on_windows_the_terminal_says_where_the_device_is_instead():
    for use in (windows.open_serial_pair, windows.RawTerminal(0).__enter__):
        with pytest.raises(Trouble, match="kiebitz web --sim"):
            use()
    assert windows.group_of("COM3") == ""


# --- folders ---


def test_on_linux_the_data_stay_where_they_are(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for given in ("", "relative/folder"):
        monkeypatch.setenv("XDG_DATA_HOME", given)
        assert location.default_path() == tmp_path / ".local" / "share" / "kiebitz" / "results.db"
        assert system.simulator_folder() == tmp_path / ".local" / "share" / "kiebitz" / "sim"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert location.default_path() == tmp_path / "data" / "kiebitz" / "results.db"
    assert system.cache_folder() == tmp_path / "cache" / "kiebitz"


def test_on_macos_and_windows_the_results_stay_where_they_are(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(platformdirs, "PlatformDirs", platformdirs.macos.MacOS)
    assert system.data_folder() == tmp_path / "Library" / "Application Support" / "kiebitz"
    local = r"C:\Users\Anna\AppData\Local"
    monkeypatch.setattr(platformdirs.windows, "get_win_folder", lambda name: {"CSIDL_LOCAL_APPDATA": local}[name])
    monkeypatch.setattr(platformdirs, "PlatformDirs", platformdirs.windows.Windows)
    assert PureWindowsPath(str(system.data_folder()).replace(os.sep, "\\")) == PureWindowsPath(local, "kiebitz")


# --- locks ---


def test_a_lock_is_held_by_one_and_ends_with_its_process(tmp_path):
    lock = tmp_path / "lock"
    holder = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            "import sys; from pathlib import Path; from kiebitz_host.system import locked\n"
            "with locked(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()",
            str(lock),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout.readline() == b"held\n"
        assert is_locked(lock)
        with pytest.raises(InUse), locked(lock):
            pass
        told = []
        # The waiting process prints a line first; then the holder is killed before it can release the lock
        with locked(lock, lambda: told.append("waiting") or holder.kill()):
            assert told == ["waiting"] and is_locked(lock)
    assert not is_locked(lock)
