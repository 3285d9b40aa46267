"""Finds or builds MicroPython for the Pico: given by the user, cached, downloaded, or made from Debian's sources."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

from ..install.uf2 import FLASH_START, FS_START, BadImage, read_uf2
from ..install.uf2 import MICROPYTHON as VERSION
from ..outcome import Trouble
from .cache import cache_folder, only_one

__all__ = ["FLASH_START", "FS_START", "VERSION", "BadImage", "Failed", "find_image", "read_uf2"]

_NAME = f"micropython-{VERSION}-RPI_PICO.uf2"
_BUILD = Path(__file__).with_name("build_uf2.sh")
_DOWNLOAD_S = 20  # for an answer, and for each piece of the file

Say = Callable[[str], None]


def say_aside(line: str) -> None:
    """Progress, on standard error: what the command prints stays clean."""
    print(f"MicroPython for the Pico: {line}", file=sys.stderr, flush=True)


def find_image(given: str | None = None, say: Say = say_aside) -> Path:
    """The UF2 file, made on first use; `given` or KIEBITZ_UF2 is taken instead of everything else."""
    given = given or os.environ.get("KIEBITZ_UF2")
    if given:
        return _given(Path(given))
    cached = cache_folder() / _NAME
    if _is_good(cached):
        return cached
    with only_one(_NAME, say):
        if not _is_good(cached):  # nor has somebody made it while we waited
            _make(cached, say)
    return cached


def _given(path: Path) -> Path:
    try:
        read_uf2(path)
    except OSError as trouble:
        raise Trouble(f"cannot read {path}: {trouble.strerror}.") from None
    except BadImage as trouble:
        raise Trouble(f"{path} is no MicroPython {VERSION} for the Pico: {trouble}.") from None
    return path


def _is_good(path: Path) -> bool:
    try:
        read_uf2(path)
    except (OSError, BadImage):
        return False
    return True


def _make(target: Path, say: Say) -> None:
    """Tries every way in turn; only a file that was looked through gets the name."""
    reasons = []
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="making-") as work:
        made = Path(work) / _NAME
        for way in (_download, _build):
            try:
                way(made, say)
                read_uf2(made)
            except (OSError, BadImage, Failed) as trouble:
                reasons.append(str(trouble).rstrip(".") or type(trouble).__name__)
                say(reasons[-1])
                continue
            os.replace(made, target)
            say(f"kept as {target}")
            return
    raise Trouble(
        f"there is no MicroPython {VERSION} for the Pico ({'; '.join(reasons)}): "
        "fetch the UF2 file from micropython.org and give it with --uf2 FILE or KIEBITZ_UF2=FILE."
    )


class Failed(Exception):
    """One way to an image did not lead there, and why."""


def _download(target: Path, say: Say) -> None:
    try:
        from rp2040py.utils.firmware_retrieve import MICROPYTHON
    except ImportError:
        raise Failed("the emulator, which knows where to find it, is not installed") from None
    known = MICROPYTHON.boards["pico"].fw if MICROPYTHON.boards else {}
    if VERSION not in known:
        raise Failed(f"the emulator does not know where to find version {VERSION}")
    url = known[VERSION]
    say(f"downloading {url}")
    try:
        with urlopen(url, timeout=_DOWNLOAD_S) as answer, open(target, "wb") as file:
            shutil.copyfileobj(answer, file)
    except (OSError, ValueError) as trouble:
        raise Failed(f"the download failed: {getattr(trouble, 'reason', trouble)}") from None


def _build(target: Path, say: Say) -> None:
    """From Debian's sources; of a build that fails the log is kept in the cache."""
    work = target.parent / "work"
    say("building it from Debian's source packages")
    try:
        with subprocess.Popen(
            ["bash", str(_BUILD), str(target), str(work)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as build:
            assert build.stdout and build.stderr
            for line in build.stdout:
                say(line.strip())
            reason = build.stderr.read().strip()
    except FileNotFoundError:
        raise Failed("there is no bash to build it with") from None
    if build.returncode:
        log = work / "build.log"
        if log.exists():
            kept = shutil.copy(log, cache_folder() / "micropython-build.log")
            reason += f" (the log is {kept})"
        raise Failed(reason or "the build failed")
