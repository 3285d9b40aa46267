"""Writes case/signs.scad: what the key caps show, in the pixels of the signs at the foot of the screens."""

from pathlib import Path

from kiebitz.widgets.keys import NAMES

from ..font_compiler import ART, Font, read_art

PIXELS = ART / "small.txt"
ARROWS = {"UP": "↑", "DOWN": "↓", "LEFT": "←", "RIGHT": "→"}


def signs(path: Path = PIXELS) -> dict[str, list[str]]:
    """Return the sign of each key as rows of `.` and `#`, where # is cut into the cap."""
    (font, *_) = read_art(path.read_text("utf-8"), path.name)
    return {name: _sign(font, name) for name in NAMES}


def _sign(font: Font, name: str) -> list[str]:
    if name == "OK":
        # On the screen the letters are dark on a lit plate: the cap is the plate, and the letters are cut into it
        plate = _cropped(font.glyphs[font.icons["ok"]])
        return _cropped([row[1:-1].translate(str.maketrans(".#", "#.")) for row in plate[1:-1]])
    return _cropped(font.glyphs[ARROWS.get(name) or font.icons[name.lower()]])


def _cropped(rows: list[str]) -> list[str]:
    """Return the rows without empty ones and empty columns around the sign."""
    used = [y for y, row in enumerate(rows) if "#" in row]
    columns = [x for x in range(len(rows[0])) if any(row[x] == "#" for row in rows)]
    return [row[columns[0] : columns[-1] + 1] for row in rows[used[0] : used[-1] + 1]]


def signs_scad(remark: str) -> str:
    """Return the file: a list of rows for each key."""
    lines = [f"// {remark}", f"// {', '.join(NAMES)}: rows of pixels from the top, # is cut into the cap", "signs = ["]
    for rows in signs().values():
        lines += ["    [", *(f'        "{row}",' for row in rows), "    ],"]
    return "\n".join([*lines, "];", ""])
