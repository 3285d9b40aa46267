"""Finds a MicroPython for this computer, for the tests and the benchmark."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MPY_VERSION = "6"
_OWN = ROOT / "build" / "micropython" / "bin" / "micropython"


def find_interpreter() -> str | None:
    """Return the interpreter given in UNIX_MICROPYTHON, or on the PATH, or made by make; None if none of them runs."""
    for candidate in (os.environ.get("UNIX_MICROPYTHON"), shutil.which("micropython"), str(_OWN)):
        if candidate and _is_usable(candidate):
            return candidate
    return None


def _is_usable(path: str) -> bool:
    question = "import sys; print(sys.implementation.name, sys.implementation._mpy & 0xff)"
    try:
        done = subprocess.run([path, "-c", question], cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return False
    return done.stdout.split() == ["micropython", MPY_VERSION]
