"""Draw the board: both sides, and the steps of soldering it, with the parts that are on it by then."""

import hashlib
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..case import stamped
from .build import COMMITTED, Kicad
from .places import PARTS
from .schematic import PROJECT
from .sexpr import all_of, read, write

FACTORY = {part.name for part in PARTS if part.by == "factory"}
BACK = FACTORY | {"A1", "BZ1", "SW7", "J5"}
KEYS = BACK | {f"SW{number}" for number in range(1, 7)}
# Picture -> side, and the parts that are on the board
PICTURES = {
    "front": ("top", set()),
    "back": ("bottom", BACK | KEYS | {"J1"}),
    "step1": ("bottom", FACTORY),
    "step2": ("bottom", FACTORY | {"A1"}),
    "step3": ("bottom", BACK),
    "step4": ("top", KEYS),
    "step5": ("top", KEYS | {"J1"}),
}
SIZE = ("900", "1010")


def digest(folder: Path = COMMITTED) -> str:
    """Return a digest of what the pictures show."""
    shown = [
        folder / f"{PROJECT}.kicad_pcb",
        *(Path(__file__).with_name(f"{name}.py") for name in ("models", "pictures")),
    ]
    return hashlib.sha256(b"".join(path.read_bytes() for path in shown)).hexdigest()


def draw(folder: Path, target: Path = COMMITTED) -> list[Path]:
    """Draw all pictures of the board in a folder. Returns their paths."""
    source = (folder / f"{PROJECT}.kicad_pcb").read_text("utf-8")
    run = Kicad(folder)

    def make(name: str) -> Path:
        side, parts = PICTURES[name]
        board = read(source)
        for item in all_of(board, "footprint"):
            names = {str(node[1]): str(node[2]) for node in all_of(item, "property")}
            if names["Reference"] not in parts:
                item[:] = [node for node in item if not (isinstance(node, list) and node[0] == "model")]
        stage = folder / f"{name}.kicad_pcb"
        stage.write_text(write(board) + "\n", "utf-8")
        rules = shutil.copy(folder / f"{PROJECT}.kicad_pro", stage.with_suffix(".kicad_pro"))  # models lie beside it
        run.run("pcb", "render", "-o", f"{name}.png", "--side", side, "-w", SIZE[0], "--height", SIZE[1], stage.name)
        stage.unlink()
        Path(rules).unlink()
        path = target / f"{name}.png"
        path.write_bytes(stamped((folder / f"{name}.png").read_bytes(), digest(folder)))
        return path

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(make, PICTURES))
