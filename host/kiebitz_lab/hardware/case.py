"""Build the case with OpenSCAD: STL files of its parts, pictures (`make case`), and the signs on the key caps.

The measures are in hardware/case/parameters.scad, the only source for the models, the drawings and the tests.
"""

import ast
import hashlib
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from kiebitz.widgets.keys import NAMES
from kiebitz_host.outcome import Trouble
from kiebitz_host.png import SIGNATURE

from ..font_compiler import ART, Font, read_art
from ..frozen_tree import ROOT

SOURCES = ROOT / "hardware" / "case"
STL = ROOT / "build" / "case"
CASE = ("parameters.scad", "signs.scad", "case.scad")
MODEL = (*CASE, "board_places.scad", "board_case.scad")
VIEWS = (*CASE, "views.scad")
BOARD_VIEWS = (*MODEL, "board_model.scad", "board_views.scad")

# File name -> settings of the model; what begins with `board_` is for the board to order
PARTS = {
    "base": {"part": "base"},
    "lid_0.96": {"part": "lid", "display": "0.96"},
    "lid_1.3": {"part": "lid", "display": "1.3"},
    "base_2.42": {"part": "base", "display": "2.42"},
    "lid_2.42": {"part": "lid", "display": "2.42"},
    "keys": {"part": "keys"},
    "clip": {"part": "clip"},
    "stand": {"part": "stand"},
    "board_base": {"part": "board_base"},
    "board_lid_2.42": {"part": "lid", "display": "2.42"},
    "board_lid_1.3": {"part": "lid", "display": "1.3"},
    "board_keys": {"part": "keys"},
}
# File name -> settings, and the camera: the point it looks at, its angles and its distance
PICTURES = {
    "closed": ({"view": "closed"}, "0,-2,10,34,0,18,270"),
    "closed_1.3": ({"view": "closed", "display": "1.3"}, "0,-2,10,34,0,18,270"),
    "closed_2.42": ({"view": "closed", "display": "2.42"}, "0,2,10,34,0,18,300"),
    "stand": ({"view": "stand"}, "0,16,14,62,0,28,210"),
    "open": ({"view": "open"}, "0,0,56,53,0,9,405"),
    "inside": ({"view": "inside"}, "0,0,8,22,0,12,275"),
    "board_closed": ({"view": "closed"}, "0,-2,14,38,0,20,310"),
    "board_open": ({"view": "open"}, "0,0,54,55,0,20,480"),
    "board_inside": ({"view": "inside"}, "0,46,10,30,0,12,450"),
}
PICTURE_SIZE = "1200,900"

_LINE = re.compile(r'^(\w+) = ([^;]+);', re.MULTILINE)
_STAMP = b"Kiebitz sources"
_BUILT_FROM = "sources"


class Measures:
    """The parameters by name, and positions that follow from them; millimetres from the centre of the case."""

    def __init__(self, source: str | None = None):
        if source is None:
            source = (SOURCES / "parameters.scad").read_text()
        self.values: dict[str, Any] = {name: ast.literal_eval(value) for name, value in _LINE.findall(source)}

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["values"][name]
        except KeyError:
            raise AttributeError(name) from None

    def hole(self, column: float, row: float) -> tuple[float, float]:
        """Return the position of a hole of the perfboard."""
        columns, rows = self.board_grid
        return (column - (columns - 1) / 2) * self.pitch, ((rows - 1) / 2 - row) * self.pitch

    def key_middles(self) -> list[tuple[float, float]]:
        """Return the centres of the six switches."""
        return [self.hole(*at) for at in self.key_holes]

    def legs(self, key: int) -> list[tuple[int, int]]:
        """Return the upper left, upper right, lower left and lower right hole of a switch."""
        column, row = self.key_holes[key]
        across, down = self.switch_legs
        return [
            (int(column + x * across / 2), int(row + y * down / 2))
            for y in (-1, 1)
            for x in (-1, 1)
        ]

    def oled(self, display: str) -> list[float]:
        """Return the measures of a display module."""
        return {"1.3": self.display_130, "2.42": self.display_242}.get(display, self.display_096)

    def inside(self, display: str) -> tuple[float, float, float, float]:
        """Return the (left, lower, right, upper) wall inside the case for a display."""
        width, height = (size + 2 * self.board_play for size in self.board[:2])
        lower = -height / 2
        if display == "2.42":
            width, height = self.inside_242
        return -width / 2, lower, width / 2, lower + height

    def screws(self, display: str) -> list[tuple[float, float]]:
        """Return the positions of the four long screws."""
        x, y = self.board_holes[0] / 2, self.board_holes[1] / 2
        upper = self.screw_242 if display == "2.42" else (x, y)
        return [(-x, -y), (x, -y), (-upper[0], upper[1]), (upper[0], upper[1])]

    def module(self, display: str) -> tuple[float, float]:
        """Return the centre of the display module."""
        x, y = self.hole(*self.display_header)
        _, height, header, *_ = self.oled(display)
        return x, y + header - height / 2

    def lit_area(self, display: str) -> tuple[float, float, float, float]:
        """Return the (left, lower, right, upper) edge of the display's pixels."""
        x, y = self.module(display)
        _, _, _, width, height, above, _ = self.oled(display)
        y += above
        return x - width / 2, y - height / 2, x + width / 2, y + height / 2


def openscad() -> str:
    """Return the path of OpenSCAD; raises Trouble if it is not installed."""
    found = shutil.which(os.environ.get("OPENSCAD", "openscad"))
    if found is None:
        raise Trouble("OpenSCAD is missing: on Debian, run apt-get install openscad, then make again.")
    return found


def build(folder: Path = STL, parts: Iterable[str] = tuple(PARTS)) -> list[Path]:
    """Build the STL files, each complete before it gets its name. Returns their paths."""
    program = openscad()
    folder.mkdir(parents=True, exist_ok=True)

    def make(part: str) -> Path:
        path = folder / f"{part}.stl"
        unfinished = folder / f"{part}.{os.getpid()}.stl"
        model = "board_case.scad" if part.startswith("board_") else "case.scad"
        _run([program, *_settings(PARTS[part]), "-o", str(unfinished), str(SOURCES / model)])
        return unfinished.replace(path)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        paths = list(pool.map(make, parts))
    (folder / _BUILT_FROM).write_text(digest(MODEL))
    return paths


def built(folder: Path = STL) -> list[Path]:
    """Return the STL files of the current sources, built if needed."""
    mark = folder / _BUILT_FROM
    paths = [folder / f"{part}.stl" for part in PARTS]
    if mark.exists() and mark.read_text() == digest(MODEL) and all(path.exists() for path in paths):
        return paths
    return build(folder)


def draw(folder: Path = SOURCES) -> list[Path]:
    """Draw the pictures, each with the digest of its sources. Returns their paths."""
    program = [openscad()]
    if sys.platform == "linux" and "DISPLAY" not in os.environ:
        if shutil.which("xvfb-run") is None:
            raise Trouble("the pictures need a display or xvfb: on Debian, run apt-get install xvfb xauth.")
        program = ["xvfb-run", "-a", "-s", "-screen 0 1600x1200x24", *program]

    def make(name: str) -> Path:
        path = folder / f"{name}.png"
        settings, camera = PICTURES[name]
        look = [f"--imgsize={PICTURE_SIZE}", f"--camera={camera}", "--projection=p", "--colorscheme=Tomorrow"]
        sources = views(name)
        _run([*program, *_settings(settings), *look, "-o", str(path), str(SOURCES / sources[-1])])
        path.write_bytes(stamped(path.read_bytes(), digest(sources)))
        return path

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(make, PICTURES))


def views(picture: str) -> tuple[str, ...]:
    """Return the sources of a picture, the one that draws it last."""
    return BOARD_VIEWS if picture.startswith("board_") else VIEWS


def digest(names: Iterable[str]) -> str:
    """Return a digest of these sources as they are now."""
    everything = hashlib.sha256()
    for name in names:
        everything.update((SOURCES / name).read_bytes())
    return everything.hexdigest()


def drawn_from(picture: bytes) -> str:
    """Return the digest of the sources that a picture was drawn from; empty if the picture has none."""
    _, found, rest = picture.partition(_STAMP + b"\0")
    return rest[:64].decode() if found else ""


def stamped(picture: bytes, text: str) -> bytes:
    """Return the PNG with a text chunk after its header."""
    content = b"tEXt" + _STAMP + b"\0" + text.encode()
    chunk = struct.pack(">I", len(content) - 4) + content + struct.pack(">I", zlib.crc32(content))
    end = len(SIGNATURE) + 25  # the header chunk always has this length
    return picture[:end] + chunk + picture[end:]


def _settings(values: dict[str, str]) -> list[str]:
    return [word for name, value in values.items() for word in ("-D", f'{name}="{value}"')]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    warnings = [line for line in done.stderr.splitlines() if line.startswith(("WARNING", "ERROR"))]
    if done.returncode or warnings:
        raise Trouble(f"OpenSCAD: {' '.join(warnings) or done.stderr.strip()[-500:]}")


def main(arguments: list[str]) -> int:
    """Build parts and pictures; with the argument `parts` only missing parts. Returns the exit code."""
    try:
        for path in built() if arguments == ["parts"] else build() + draw():
            print(path.relative_to(ROOT))
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    return 0


PIXELS = ART / "small.txt"
ARROWS = {"UP": "↑", "DOWN": "↓", "LEFT": "←", "RIGHT": "→"}


def signs(path: Path = PIXELS) -> dict[str, list[str]]:
    """Return the sign of each key as rows of `.` and `#`, where # is cut into the cap."""
    (font, *_) = read_art(path.read_text("utf-8"), path.name)
    return {name: _sign(font, name) for name in NAMES}


def _sign(font: Font, name: str) -> list[str]:
    if name == "OK":
        # The letters are dark on a lit plate on the screen, so they are cut into the cap
        plate = _cropped(font.glyphs[font.icons["ok"]])
        return _cropped([row[1:-1].translate(str.maketrans(".#", "#.")) for row in plate[1:-1]])
    return _cropped(font.glyphs[ARROWS.get(name) or font.icons[name.lower()]])


def _cropped(rows: list[str]) -> list[str]:
    """Return the rows without empty ones and empty columns around the sign."""
    used = [y for y, row in enumerate(rows) if "#" in row]
    columns = [x for x in range(len(rows[0])) if any(row[x] == "#" for row in rows)]
    return [row[columns[0] : columns[-1] + 1] for row in rows[used[0] : used[-1] + 1]]


def signs_scad(remark: str) -> str:
    """Return the content of signs.scad, a list of rows for each key."""
    lines = [f"// {remark}", f"// {', '.join(NAMES)}: rows of pixels from the top, # is cut into the cap", "signs = ["]
    for rows in signs().values():
        lines += ["    [", *(f'        "{row}",' for row in rows), "    ],"]
    return "\n".join([*lines, "];", ""])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
