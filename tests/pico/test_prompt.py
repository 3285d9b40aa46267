"""A good citizen: Ctrl-C gives the prompt, nobody is bitten there, and the app comes back with a reset."""

import subprocess
import sys

from kiebitz.board.watchdog import LIMIT, TICK_MS
from kiebitz_lab.chip.files import changed
from kiebitz_lab.chip.pty import Port
from kiebitz_lab.chip.reference import ReferenceDevice, settled
from kiebitz_lab.chip.rig import BOOT_LIMIT_MS, TAP_MS, Rig

PROMPT = b">>> "
LIMIT_S = 300
LONG_MS = 2 * LIMIT * TICK_MS
ROYAL = {"game": "royal_flush", "players": ["Anna", "Ben", "Cleo"]}
WATCHDOG = b"from kiebitz.board.watchdog import Watchdog as W; import machine, time; w = W(machine); w.start()"
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
