"""Write all files in hardware/ that are generated from the board profiles (`make hardware`)."""

import sys
from pathlib import Path

from kiebitz.board.profiles import DEFAULT, PROFILES

from ..frozen_tree import ROOT
from .board.bom import parts_md
from .board.build import COMMITTED
from .board.reading import read_board
from .board.scad import model_scad, places_scad
from .case import Measures, signs_scad
from .checks import driven_keys, problems
from .drawing import wiring_svg
from .perfboard import perfboard_svg
from .table import bom_md, diagram_json, wiring_md
from .wiring import LIPO

FOLDER = ROOT / "hardware"
REMARK = "Made by `make hardware` from {}: change that, not this."
PLACES_FILE = "host/kiebitz_lab/hardware/board/places.py"
PROFILE_FILE = "firmware/kiebitz/board/profiles.py"


def generated(folder: Path = FOLDER) -> dict[str, str]:
    """Return {name: content} of every generated file."""
    measures = Measures()
    wires = REMARK.format(PROFILE_FILE)
    both = REMARK.format(f"{PROFILE_FILE} and hardware/case/parameters.scad")
    parts = (folder / "bom.csv").read_text("utf-8")
    reference = PROFILES[DEFAULT]
    return {
        "wiring.md": wiring_md(PROFILES, measures, both),
        "wiring.svg": wiring_svg(DEFAULT, reference, measures, both),
        "wiring_lipo.svg": wiring_svg(DEFAULT, reference, measures, both, LIPO),
        "perfboard.svg": perfboard_svg(measures, REMARK.format("hardware/case/parameters.scad")),
        "diagram.json": diagram_json(reference, measures, wires),
        "case/signs.scad": signs_scad(REMARK.format("host/kiebitz_lab/fonts/small.txt")),
        "case/board_places.scad": places_scad(REMARK.format(PLACES_FILE)),
        "case/board_model.scad": model_scad(
            read_board(COMMITTED / "kiebitz.kicad_pcb"), REMARK.format("hardware/board/kiebitz.kicad_pcb")
        ),
        "board/parts.md": parts_md(REMARK.format(PLACES_FILE)),
        "bom.md": bom_md(parts, REMARK.format("hardware/bom.csv")),
    }


def main(folder: Path = FOLDER) -> int:
    wrong = [f"{name}: {sentence}" for name, profile in PROFILES.items() for sentence in problems(profile)]
    wrong = wrong or driven_keys(PROFILES)
    if wrong:
        print(*wrong, sep="\n", file=sys.stderr)
        return 1
    for name, content in generated(folder).items():
        path = folder / name
        changed = not path.exists() or path.read_text("utf-8") != content
        if changed:
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, "utf-8")
        print(f"{folder.name}/{name}{'' if changed else ' is up to date'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
