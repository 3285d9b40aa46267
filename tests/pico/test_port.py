"""Use the USB port of the emulated device as programs on a computer do: mpremote, pulled cables, `make dev`."""

import subprocess
import sys

import pytest
from helpers.chip import patched
from kiebitz_lab import dev
from kiebitz_lab.chip.pty import Port, PortFailed
from kiebitz_lab.chip.reference import ReferenceDevice
from kiebitz_lab.chip.rig import BOOT_LIMIT_MS, Rig

LIMIT_S = 300


def mpremote(port, *arguments):
    command = [sys.executable, "-m", "mpremote", "connect", port.name, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)


def gone(file):
    """Return True if nothing will ever come from this port again."""
    try:
        return file.read(1) == b""
    except OSError:
        return True


@pytest.fixture
def port(first_screen):
    with Port(first_screen) as port:
        yield port


def test_mpremote_stops_the_app_works_at_its_prompt_and_starts_it_again(port, first_screen, tmp_path):
    done = mpremote(port, "exec", "import os; print(sorted(os.listdir()))")
    assert done.returncode == 0 and "'data'" in done.stdout, done.stderr
    local = tmp_path / "probe.bin"
    local.write_bytes(bytes(range(256)) * 4)
    assert mpremote(port, "fs", "cp", str(local), ":probe.bin").returncode == 0
    assert port.call("files")["probe.bin"] == local.read_bytes()
    assert mpremote(port, "reset").returncode == 0
    while not port.call("pico.resets"):
        pass  # mpremote exits shortly before
    port.call("boot")
    assert port.call("frame") == first_screen.frame()


def test_a_cable_that_is_pulled_takes_the_port_with_it(port):
    before = port.name
    with open(before, "rb", buffering=0) as held:
        port.unplug()
        assert port.name == ""
        assert gone(held)
    port.plug()
    assert mpremote(port, "exec", "print(6 * 7)").stdout == "42\n"


def test_the_bench_behind_the_port_can_be_asked_and_its_power_cut(port, first_screen):
    assert port.call("oled.lit") is True
    port.call("tap", "down")
    assert port.call("frame") != first_screen.frame()
    port.call("power_cut")
    port.call("boot")
    assert port.call("frame") == first_screen.frame()
    with pytest.raises(PortFailed, match="AttributeError"):
        port.call("nonsense")


SLOW_START_MS = 4 * BOOT_LIMIT_MS


def test_the_tree_is_put_on_the_device_runs_there_says_so_and_is_taken_away(flash, first_screen):
    with Port(lambda: Rig(flash).boot()) as port:
        assert dev.main([port.name]) == 0
        port.call("run_ms", SLOW_START_MS)
        files = port.call("files")
        assert files["boot.py"] == dev.BOOT.encode() and "dev/kiebitz/power_on.mpy" in files
        assert not any(name.startswith("dev/kiebitz_languages") for name in files), "they would take too much memory"
        told = ReferenceDevice()
        told.board.tree = "/dev"
        told.app.stack.clear()
        told.app.leave_table()
        assert told.wait(20) is None and told.sees("/dev")
        assert port.call("frame") == told.frame()
        assert dev.main([port.name, "--off"]) == 0
        port.call("run_ms", SLOW_START_MS)
        assert not any(name.startswith(("dev", "boot")) for name in port.call("files"))
        assert port.call("frame") == first_screen.frame()


def test_a_changed_module_is_the_one_that_runs(flash):
    changed = patched(flash, ("kiebitz/__init__.py", 'VERSION = "', 'VERSION = "9.'))
    rig = Rig(changed).boot(SLOW_START_MS)
    rig.serial.send(b"\x03")
    rig.serial.wait_for(b">>> ")
    rig.serial.send(b"import kiebitz; print(kiebitz.VERSION, kiebitz.__file__)\r")
    assert b"9.0." in rig.serial.wait_for(b">>> ") and b"/dev/kiebitz" in rig.serial.out


def test_without_a_device_it_says_so(capfd):
    assert dev.main(["/dev/nowhere"]) == 2
    assert "is a Kiebitz plugged in?" in capfd.readouterr().err
