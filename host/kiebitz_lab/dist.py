"""`make dist`: writes a release to build/dist: image, the wheel with it inside, parts to print, notices, checksums."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from kiebitz_host.outcome import BAD_USAGE, OK, Trouble

from .frozen_tree import ROOT
from .hardware import case
from .image.build import BUILD, checksum_path, current_image, find_sources
from .image.notices import notices

DIST = BUILD / "dist"
NOTICES = "NOTICES.txt"
SUMS = "SHA256SUMS"
PRINTED = "kiebitz-case-{}.stl"


def make_wheel(image: Path, target: Path) -> Path:
    """Build the wheel with the image inside. Returns its path in the target folder."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("firmware", "host"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "kiebitz_lab"))
        for part in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / part, folder)
        shipped = folder / "host" / "kiebitz_host" / "uf2"
        shipped.mkdir()
        for path in (image, checksum_path(image), ROOT / "firmware" / "main.py"):  # the simulator runs main.py
            shutil.copy(path, shipped)
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "wheel", "--no-deps"]
        command.append("--no-build-isolation")  # setuptools is here, checked by its hash: no network is needed
        done = subprocess.run([*command, "-w", str(target), str(folder)], capture_output=True, text=True)
    if done.returncode:
        raise Trouble(f"the wheel cannot be built: {done.stderr.strip().splitlines()[-1]}.")
    return next(target.glob("*.whl"))


def make(target: Path = DIST) -> list[Path]:
    """Write all files of a release into a new folder. Returns the files."""
    image = current_image()
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    shutil.copy(image, target)
    shutil.copy(checksum_path(image), target)
    (target / NOTICES).write_text(notices(find_sources()), "utf-8")
    make_wheel(image, target)
    for path in case.built():
        shutil.copy(path, target / PRINTED.format(path.stem))
    files = sorted(path for path in target.iterdir())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (target / SUMS).write_text("".join(sums))
    return [*files, target / SUMS]


def main() -> int:
    """Make the release and list its files. Returns the exit code."""
    try:
        for path in make():
            print(f"{path.stat().st_size:>10,}  {path.relative_to(ROOT)}")
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE
    return OK


if __name__ == "__main__":
    sys.exit(main())
