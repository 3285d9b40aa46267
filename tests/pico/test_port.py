"""The USB port of the emulated device, as programs on a computer use it."""

import subprocess
import sys

import pytest
from kiebitz_lab.chip.pty import Port, PortFailed

LIMIT_S = 300


def mpremote(port, *arguments):
    command = [sys.executable, "-m", "mpremote", "connect", port.name, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)


def gone(file):
    """True if nothing will ever come from this port again."""
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
        pass  # mpremote leaves a moment before it happens
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
