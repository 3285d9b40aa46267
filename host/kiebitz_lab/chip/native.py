"""Compiles the emulator's fast core once, if there is a compiler here; without it everything is only slower."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from .cache_folder import cache_folder, only_one, seal, sealed

_SOURCE = Path(__file__).with_name("fastcore.c")
_HEADER = Path(__file__).with_name("fastcore.h")
Say = Callable[[str], None]

_FLAGS = ("-O3", "-shared", "-fPIC", "-fomit-frame-pointer")


def say_aside(line: str) -> None:
    print(f"emulator: {line}", file=sys.stderr, flush=True)


def fast_library(say: Say = say_aside) -> Path | None:
    """Return the compiled core, made on first use; None if it cannot be made here."""
    compiler = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
    if not compiler or sys.byteorder != "little" or os.name != "posix":
        return None
    digest = hashlib.sha256(_SOURCE.read_bytes() + _HEADER.read_bytes()).hexdigest()[:12]
    name = f"fastcore-{digest}-{os.uname().machine}.so"
    library = cache_folder() / name
    if not sealed(library):
        with only_one("fastcore", say):
            if not sealed(library):
                return _compile(compiler, library, say)
    return library


def _compile(compiler: str, library: Path, say: Say) -> Path | None:
    made = library.with_suffix(".part")
    done = subprocess.run([compiler, *_FLAGS, "-o", str(made), str(_SOURCE)], capture_output=True, text=True)
    if done.returncode:
        say(f"{compiler} does not compile {_SOURCE.name}, so it runs slowly: {done.stderr.strip()[:300]}")
        return None
    os.replace(made, library)
    seal(library)
    return library
