"""Build everything of the board with KiCad: schematic, layout, reports, files for the factory, models and pictures."""

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from kiebitz_host.outcome import Trouble

from ...font_compiler import ART
from ...frozen_tree import ROOT
from . import places
from .bom import bom_csv, positions_csv
from .models import MODELS, step
from .project import empty_board, project
from .reading import ORIGIN
from .schematic import PROJECT, schematic
from .silk import silk

BUILD = ROOT / "build" / "board"
COMMITTED = ROOT / "hardware" / "board"
FAB = f"{PROJECT}-board-{places.VERSION}-fab.zip"
BOM, POSITIONS = "bom.csv", "positions.csv"
# Committed, so that nobody needs KiCad to look at the board or to order it
FILES = (f"{PROJECT}.kicad_sch", f"{PROJECT}.kicad_pcb", f"{PROJECT}.kicad_pro", FAB, BOM, POSITIONS)
LAYERS = "F.Cu,B.Cu,F.Paste,B.Paste,F.SilkS,B.SilkS,F.Mask,B.Mask,Edge.Cuts"
MIDDLE = f"{ORIGIN[0]:g}x{ORIGIN[1]:g}mm"
SYSTEM_PYTHON = "/usr/bin/python3"  # KiCad's module is installed for this one
TEMPLATES = Path("/usr/share/kicad/template")
DAY = "2026-01-01"
_DATES = (
    (re.compile(rb"\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d([+-]\d\d:?\d\d|Z)?"), rb"2026-01-01\g<1>00:00:00\g<2>"),
    (re.compile(rb"D:\d{14}"), b"D:20260101000000"),
)
_SOURCES = "sources"


def kicad() -> str:
    """Return the path of KiCad's command; raises Trouble if KiCad 9 is not installed."""
    found = shutil.which("kicad-cli")
    version = subprocess.run([found, "version"], capture_output=True, text=True).stdout if found else ""
    if not found or not version.startswith("9."):
        raise Trouble("the board needs KiCad 9; without it, use the files in hardware/board as they are.")
    return found


def digest() -> str:
    """Return a digest of everything the board is made from."""
    names = ("bom", "build", "layout", "models", "places", "project", "reading", "router", "schematic", "sexpr", "silk")
    sources = [Path(__file__).parent / f"{name}.py" for name in names]
    sources += [ART / "small.txt", Path(__file__).parents[1] / "pico.py"]
    sources.append(ROOT / "firmware" / "kiebitz" / "board" / "profiles.py")
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


class Kicad:
    """Runs KiCad's commands in a folder, with a configuration of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.program = kicad()
        config = folder / "config" / "9.0"
        config.mkdir(parents=True, exist_ok=True)
        for name in ("sym-lib-table", "fp-lib-table"):
            shutil.copy(TEMPLATES / name, config)
        paths = os.pathsep.join(str(ROOT / part) for part in ("host", "firmware"))
        self.environ = {**os.environ, "KICAD_CONFIG_HOME": str(config.parent), "PYTHONPATH": paths,
                        "PYTHONHASHSEED": "0", "TZ": "UTC"}  # fmt: skip

    def run(self, *words: str) -> None:
        """Run a command of KiCad; raises Trouble with its last words if it fails."""
        self._run([self.program, *words])

    def layout(self) -> None:
        self._run([SYSTEM_PYTHON, "-m", f"{__package__}.layout", str(self.folder)])

    def _run(self, command: list[str]) -> None:
        done = subprocess.run(command, cwd=self.folder, env=self.environ, capture_output=True, text=True)
        if done.returncode:
            words = (done.stderr.strip() or done.stdout.strip() or "no reason").splitlines()[-1]
            raise Trouble(f"KiCad: {' '.join(command[1:4])}: {words}")


def build(folder: Path = BUILD, address: str = "") -> Path:
    """Build all files but the pictures. The QR code has the address. Returns the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run = Kicad(folder)
    (folder / f"{PROJECT}.kicad_sch").write_text(schematic(), "utf-8")
    (folder / f"{PROJECT}.kicad_pro").write_text(project(), "utf-8")
    (folder / f"{PROJECT}.kicad_pcb").write_text(empty_board(), "utf-8")
    (folder / "silk.json").write_text(json.dumps(silk(address)), "utf-8")
    (folder / "models").mkdir()
    for name, prisms in MODELS.items():
        if prisms:
            (folder / "models" / f"{name}.step").write_text(step(name, prisms))
    check_schematic(run)
    run.run("sch", "export", "netlist", "-o", f"{PROJECT}.net", f"{PROJECT}.kicad_sch")
    run.layout()
    (folder / f"{PROJECT}.kicad_pro").write_text(project(), "utf-8")  # KiCad has written its own
    check_board(run)
    export(run)
    (folder / _SOURCES).write_text(digest())
    return folder


def check_schematic(run: Kicad) -> None:
    run.run("sch", "erc", "--severity-all", "--format", "json", "-o", "erc.json", f"{PROJECT}.kicad_sch")


def check_board(run: Kicad) -> None:
    run.run("pcb", "drc", "--schematic-parity", "--severity-all", "--format", "json", "-o", "drc.json",
            f"{PROJECT}.kicad_pcb")  # fmt: skip


def complaints(folder: Path) -> list[str]:
    """Return everything KiCad found wrong with the schematic and the board."""
    erc, drc = (json.loads((folder / name).read_text("utf-8")) for name in ("erc.json", "drc.json"))
    found = [item for sheet in erc["sheets"] for item in sheet["violations"]]
    for kind in ("violations", "unconnected_items", "schematic_parity"):
        found += drc[kind]
    return [f"{item['type']}: {item['description']}" for item in found]


def export(run: Kicad) -> None:
    """Write what a factory needs, with dates that are the same in each run."""
    folder, board = run.folder, f"{PROJECT}.kicad_pcb"
    run.run("pcb", "export", "gerbers", "-o", "fab/", "-l", LAYERS, "--subtract-soldermask",
            "--use-drill-file-origin", board)  # fmt: skip
    run.run("pcb", "export", "drill", "-o", "fab/", "--format", "excellon", "--excellon-separate-th",
            "--drill-origin", "plot", board)  # fmt: skip
    run.run("pcb", "export", "ipcd356", "-o", f"fab/{PROJECT}.ipc", board)
    run.run("pcb", "export", "pos", "-o", "kicad.pos.csv", "--format", "csv", "--units", "mm", "--exclude-dnp",
            "--smd-only", "--use-drill-file-origin", board)  # fmt: skip
    run.run("sch", "export", "bom", "-o", "kicad.bom.csv", "--fields", "Reference,Value,Order,${DNP}",
            "--labels", "Reference,Value,Order,DNP", f"{PROJECT}.kicad_sch")  # fmt: skip
    run.run("sch", "export", "pdf", "-o", "schematic.pdf", f"{PROJECT}.kicad_sch")
    run.run("pcb", "export", "step", "-f", "--user-origin", MIDDLE, "-o", f"{PROJECT}.step", board)
    run.run("pcb", "export", "stl", "-f", "--user-origin", MIDDLE, "-o", f"{PROJECT}.stl", board)
    (folder / BOM).write_text(bom_csv(), "utf-8")
    (folder / POSITIONS).write_text(positions_csv((folder / "kicad.pos.csv").read_text("utf-8")), "utf-8")
    made = [*sorted((folder / "fab").iterdir()), *(folder / name for name in ("schematic.pdf", f"{PROJECT}.step"))]
    for path in made:
        content = path.read_bytes()
        for pattern, day in _DATES:
            content = pattern.sub(day, content)
        path.write_bytes(content)
    with ZipFile(folder / FAB, "w", ZIP_DEFLATED) as packed:
        for path in sorted((folder / "fab").iterdir()):
            packed.writestr(ZipInfo(path.name), path.read_bytes(), ZIP_DEFLATED)


def built() -> Path:
    """Return the folder with the board of the current sources, built if needed; raises Trouble without KiCad."""
    mark = BUILD / _SOURCES
    if mark.exists() and mark.read_text() == digest():
        return BUILD
    return build()


def for_release(address: str) -> list[Path]:
    """Return the files of a release: the committed ones, or with KiCad those whose QR code has the address."""
    folder = COMMITTED
    if address:
        try:
            folder = build(BUILD.with_name("board-release"), address)
            wrong = complaints(folder)
            if wrong:
                raise Trouble(f"KiCad objects to the board: {wrong[0]}")
        except Trouble as trouble:
            print(f"kiebitz: {trouble}")
            folder = COMMITTED
    return [folder / name for name in (FAB, BOM, POSITIONS)]
