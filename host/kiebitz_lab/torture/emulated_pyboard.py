"""Runs MicroPython's run-tests.py on the emulated Pico, over its serial port and in emulated time.

Upstream's own driver of a serial port gives up after ten seconds of silence on the clock of this computer.
"""

import os
import runpy
import sys
from pathlib import Path
from types import ModuleType

from ..chip.pico import TimeUp
from ..chip.probes import branch
from ..chip.rig import Rig

RUNNER = "run-tests.py"
_RAW_PROMPT = b"raw REPL; CTRL-B to exit\r\n>"
_END = b"\x04"  # ends the output of a test, and its error
TEST_LIMIT_MS = 120_000  # emulated


class PyboardError(Exception):
    """What run-tests.py expects to be raised if a test fails: ("exception", output, error), or one sentence."""


class Pyboard:
    """The device as run-tests.py knows it, in emulated time: each test runs in a copy of a device at its raw prompt."""

    rig: Rig

    def __init__(self, *_: object):
        pass

    def enter_raw_repl(self) -> None:
        """Do nothing: the copy for the next test is at its raw prompt."""

    def exec_(self, code: bytes) -> bytes:
        """Run code. Returns its output; raises PyboardError with it if the code fails."""
        answer = branch(self.rig, lambda rig: _answer(rig, code))
        if answer.count(_END) < 2:
            raise PyboardError("the device restarted, or the test does not end")
        printed, error, *_ = answer.removeprefix(b"OK").split(_END)
        if error:
            raise PyboardError("exception", printed, error)
        return printed

    def close(self) -> None:
        """Do nothing: the device ends with its process."""


def _answer(rig: Rig, code: bytes) -> bytes:
    """Return what the raw prompt sends when it gets some code, or as much as comes within the limit."""
    since = len(rig.serial.out)
    rig.serial.send(code + _END)
    try:
        rig.pico.run_until(lambda: rig.serial.out.count(_END, since) > 1 or rig.pico.resets, TEST_LIMIT_MS)
    except TimeUp:
        pass
    return bytes(rig.serial.out[since:])


def at_raw_prompt(flash: bytes) -> Rig:
    """Return a device at its raw prompt, as after a soft reset: the app does not run."""
    rig = Rig(flash).boot()
    for sent, wanted in ((b"\r\x03", b">>> "), (b"\r\x01", _RAW_PROMPT), (b"\x04", _RAW_PROMPT)):
        since = len(rig.serial.out)
        rig.serial.send(sent)
        rig.serial.wait_for(wanted, since=since)
    return rig


def run_here(rig: Rig, tests: Path, files: list[str], results: Path) -> None:
    """Run run-tests.py in this process, with our Pyboard in place of upstream's."""
    results.mkdir(parents=True)
    output = open(results / "output", "w", buffering=1)  # noqa: SIM115 - the process ends with it
    sys.stdout = sys.stderr = output
    os.environ["MICROPY_CPYTHON3"] = sys.executable
    os.chdir(tests)
    Pyboard.rig = rig
    module = ModuleType("pyboard")
    vars(module).update(Pyboard=Pyboard, PyboardError=PyboardError)
    sys.modules["pyboard"] = module
    sys.argv = [RUNNER, "-t", "port:emulated", "-r", str(results), *files]
    runpy.run_path(RUNNER, run_name="__main__")
