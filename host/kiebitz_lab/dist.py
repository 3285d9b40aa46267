"""Write a release to build/dist (`make dist`): images, wheel, site, server, board, parts to print, checksums."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from kiebitz import VERSION
from kiebitz_host.outcome import BAD_USAGE, OK, Trouble

from .container import DEPLOY
from .frozen_tree import ROOT
from .hardware import case
from .hardware.board.build import for_release
from .image.build import BUILD, checksum_path, current_image, family_images, find_sources, notices
from .site.build import build

DIST = BUILD / "dist"
NOTICES = "NOTICES.txt"
SUMS = "SHA256SUMS"
PRINTED = "kiebitz-case-{}.stl"
ORDERED = "kiebitz-board-{}"
PACKED_SITE = f"kiebitz-site-{VERSION}.zip"
ADDRESS = "KIEBITZ_ADDRESS"  # of the project on the web, if the job does not set it
# The project URLs of a wheel; the same on GitHub and Forgejo
URLS = {"Homepage": "", "Source": "", "Issues": "/issues", "Releases": "/releases"}
_WEB = re.compile(r"https?://[\w.:-]+(/[\w.~-]+)*")


def address_of(environ: Mapping[str, str]) -> str:
    """Return the address of the project, or of the repository of this job; empty if unknown."""
    job = [environ.get(name, "") for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY")]
    address = environ.get(ADDRESS) or ("/".join(job) if all(job) else "")
    if address and not _WEB.fullmatch(address):
        raise Trouble(f"{address} is not the address of a project on the web: see docs/releasing.md.")
    return address


def with_urls(project: str, address: str) -> str:
    """Return the text of pyproject.toml with the project URLs, or unchanged without an address."""
    if not address:
        return project
    lines = "".join(f"{name} = {json.dumps(address + path)}\n" for name, path in URLS.items())
    return f"{project}\n[project.urls]\n{lines}"


def make_wheel(image: Path, target: Path, address: str = "") -> Path:
    """Build the wheel with the image inside. Returns its path in the target folder."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("firmware", "host"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "kiebitz_lab"))
        for part in ("README.md", "LICENSE"):
            shutil.copy(ROOT / part, folder)
        project = (ROOT / "pyproject.toml").read_text("utf-8")
        (folder / "pyproject.toml").write_text(with_urls(project, address), "utf-8")
        shipped = folder / "host" / "kiebitz_host" / "uf2"
        shipped.mkdir()
        for path in (image, checksum_path(image), ROOT / "firmware" / "main.py"):  # the simulator runs main.py
            shutil.copy(path, shipped)
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "wheel", "--no-deps"]
        command.append("--no-build-isolation")  # setuptools is installed already, so no network is needed
        done = subprocess.run([*command, "-w", str(target), str(folder)], capture_output=True, text=True)
    if done.returncode:
        raise Trouble(f"the wheel cannot be built: {done.stderr.strip().splitlines()[-1]}.")
    return next(target.glob("*.whl"))


def pack(folder: Path, target: Path) -> None:
    """Pack a folder; the same files give the same bytes."""
    with ZipFile(target, "w", ZIP_DEFLATED) as packed:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            packed.writestr(ZipInfo(path.relative_to(folder).as_posix()), path.read_bytes(), ZIP_DEFLATED)


def make(target: Path = DIST, address: str = "", build_site: Callable[[Path], object] = build) -> list[Path]:
    """Write all files of a release into a new folder. Returns the files."""
    image = current_image()
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for path in family_images().values():
        shutil.copy(path, target)
        shutil.copy(checksum_path(path), target)
    (target / NOTICES).write_text(notices(find_sources()), "utf-8")
    make_wheel(image, target, address)
    with TemporaryDirectory() as name:
        build_site(Path(name) / "site")
        pack(Path(name) / "site", target / PACKED_SITE)
    for path in case.built():
        shutil.copy(path, target / PRINTED.format(path.stem))
    for path in sorted(DEPLOY.iterdir()):
        shutil.copy(path, target)
    for path in for_release(address):
        shutil.copy(path, target / (path.name if path.name.startswith("kiebitz") else ORDERED.format(path.name)))
    files = sorted(path for path in target.iterdir())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (target / SUMS).write_text("".join(sums))
    return [*files, target / SUMS]


def main() -> int:
    """Make the release and list its files. Returns the exit code."""
    try:
        address = address_of(os.environ)
        for path in make(address=address):
            print(f"{path.stat().st_size:>10,}  {path.relative_to(ROOT)}")
        if not address:
            print(f"The wheel names no address of the project: {ADDRESS} was not set (docs/releasing.md).")
    except Trouble as trouble:
        print(f"kiebitz: {trouble}", file=sys.stderr)
        return BAD_USAGE
    return OK


if __name__ == "__main__":
    sys.exit(main())
