"""Use the USB port of the emulated device as other programs do: the prompt, mpremote, make dev."""

import subprocess
import sys

import pytest
from helpers.chip import patched
from kiebitz.board.parts import LIMIT, TICK_MS
from kiebitz_lab import dev
from kiebitz_lab.chip.flash import changed
from kiebitz_lab.chip.play import Port, PortFailed
from kiebitz_lab.chip.probes import ReferenceDevice, settled
from kiebitz_lab.chip.rig import BOOT_LIMIT_MS, TAP_MS, Rig

PROMPT = b">>> "
LIMIT_S = 300
LONG_MS = 2 * LIMIT * TICK_MS
ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
WATCHDOG = b"from kiebitz.board.parts import Watchdog as W; import machine, time; w = W(machine); w.start()"
HANG = b"while True: time.sleep_ms(100)\r\n\r\n"


def at_prompt(rig):
    """Send Ctrl-C, as mpremote and Thonny do, and wait for the prompt."""
    since = len(rig.serial.out)
    rig.serial.send(b"\x03")
    assert b"KeyboardInterrupt" in rig.serial.wait_for(PROMPT, since=since)
    return rig


def told(rig, line):
    """Return what the prompt answers."""
    since = len(rig.serial.out)
    rig.serial.send(line + b"\r\n")
    return rig.serial.wait_for(PROMPT, since=since).splitlines()[1:-1]


def test_ctrl_c_gives_the_prompt_and_the_display_says_so(attempt):
    def scenario(rig):
        at_prompt(rig)
        return told(rig, b"print(6 * 7)"), rig.frame()

    reference = ReferenceDevice()
    reference.hw.time.at(0, _interrupt)
    try:
        reference.run()
    except KeyboardInterrupt:
        pass
    assert attempt(scenario) == ([b"42"], reference.frame())


def _interrupt():
    raise KeyboardInterrupt


def test_mpremote_gets_on_with_a_running_app(flash, first_screen):
    with Port(lambda: Rig(flash).boot()) as port:

        def mpremote(*words):
            command = [sys.executable, "-m", "mpremote", "connect", port.name, *words]
            return subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=True).stdout

        assert mpremote("exec", "print(6 * 7)") == "42\n"
        assert "data/" in mpremote("fs", "ls")
        mpremote("reset")
        port.call("run_ms", BOOT_LIMIT_MS)
        assert port.call("frame") == first_screen.frame()


def test_nobody_is_bitten_at_the_prompt(attempt):
    def scenario(rig):
        at_prompt(rig).run_ms(LONG_MS)
        return rig.pico.resets, told(rig, b"print(6 * 7)")

    assert attempt(scenario) == (0, [b"42"])


def test_the_app_comes_back_with_a_soft_reset_and_with_a_hard_one(attempt, first_screen):
    def scenario(rig):
        frames = []
        for restart in (b"\x04", b"import machine; machine.reset()\r\n"):
            at_prompt(rig)
            rig.oled.power_on()
            rig.serial.send(restart)
            frames.append(rig.boot().frame())
        return frames, rig.pico.resets

    assert attempt(scenario) == ([first_screen.frame()] * 2, 1)


def test_a_program_that_hangs_is_restarted(attempt, first_screen):
    def scenario(rig):
        at_prompt(rig)
        told(rig, WATCHDOG)
        rig.serial.send(HANG)
        rig.run_ms((LIMIT - 2) * TICK_MS)
        before = rig.pico.resets
        rig.oled.power_on()
        rig.run_ms(4 * TICK_MS)
        return before, rig.pico.resets, rig.frame()

    assert attempt(scenario) == (0, 1, first_screen.frame())


def test_a_very_long_flash_operation_is_not_taken_for_a_hang(flash):
    reference = ReferenceDevice().sit_down(ROYAL)
    rig = Rig(changed(flash, reference.files())).boot().keys("ok up")
    rig.flash.program_ms = LONG_MS
    before = rig.ms
    rig.press("ok")
    rig.run_ms(TAP_MS)
    rig.release("ok")
    rig.run_ms(3 * TICK_MS)
    assert rig.ms - before > LONG_MS
    assert settled(rig.files("data")) == settled(reference.keys("ok up ok").files())
    assert rig.pico.resets == 0


# --- programs on a computer ---


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
