"""One package has the differences between Linux, macOS and Windows; all others are importable on all three."""

import ast
import os
import subprocess
import sys
from pathlib import Path, PureWindowsPath

import kiebitz_host
import platformdirs.macos
import platformdirs.windows
import pytest
from kiebitz_host import system
from kiebitz_host.library import location
from kiebitz_host.outcome import Trouble
from kiebitz_host.system import folders, posix, windows
from kiebitz_host.system.folders import InUse, is_locked, locked

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
        assert folders.simulator_folder() == tmp_path / ".local" / "share" / "kiebitz" / "sim"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert location.default_path() == tmp_path / "data" / "kiebitz" / "results.db"
    assert folders.cache_folder() == tmp_path / "cache" / "kiebitz"


def test_on_macos_and_windows_the_results_stay_where_they_are(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(platformdirs, "PlatformDirs", platformdirs.macos.MacOS)
    assert folders.data_folder() == tmp_path / "Library" / "Application Support" / "kiebitz"
    local = r"C:\Users\Anna\AppData\Local"
    monkeypatch.setattr(platformdirs.windows, "get_win_folder", lambda name: {"CSIDL_LOCAL_APPDATA": local}[name])
    monkeypatch.setattr(platformdirs, "PlatformDirs", platformdirs.windows.Windows)
    assert PureWindowsPath(str(folders.data_folder()).replace(os.sep, "\\")) == PureWindowsPath(local, "kiebitz")


# --- locks ---


def test_a_lock_is_held_by_one_and_ends_with_its_process(tmp_path):
    lock = tmp_path / "lock"
    holder = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            "import sys; from pathlib import Path; from kiebitz_host.system.folders import locked\n"
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
