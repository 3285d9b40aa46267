"""Write what the case needs to know of the board: places for the models, and the parts themselves for the pictures."""

from collections.abc import Iterable

from . import places
from .models import BLACK, DISPLAY_GLASS, GREEN, METAL, WHITE, Prism
from .reading import Board

# Solids beside the board that the pictures show: three AA cells in their holder, middle of the holder and its size
HOLDER = (58.0, 48.0, 16.0)
HOLDER_AT = (0.0, -17.5)


def places_scad(remark: str) -> str:
    """Return the places that board_case.scad replaces those of the perfboard with."""

    def numbers(value: object) -> str:
        return str(value).replace("(", "[").replace(")", "]")

    values = {
        "pcb": (*places.SIZE, places.THICKNESS),
        "pcb_holes": (2 * abs(places.HOLES[0][0]), 2 * abs(places.HOLES[0][1])),
        "pcb_keys": places.KEYS,
        "pcb_row_242": places.DISPLAY_ROW,
        "pcb_row_130": places.SMALL_ROW,
        "pcb_glass": DISPLAY_GLASS,
        "pcb_usb": places.PICO[1],
        "pcb_knob": places.SWITCH[1],
        "pcb_knob_on": 1,
        "pcb_sound": places.BUZZER[0],
        "pcb_i2c": next(part.at[0] for part in places.PARTS if part.name == "J4"),
        "holder": HOLDER,
        "holder_at": HOLDER_AT,
    }
    lines = [f"{name} = {numbers(value)};" for name, value in values.items()]
    return "\n".join([f"// {remark}", "// Millimetres from the middle of the board, seen from the front", *lines, ""])


def model_scad(board: Board, remark: str) -> str:
    """Return a module that draws every fitted part, in millimetres over the back of the board."""
    pieces = [piece for piece in board.pieces.values() if piece.fitted]
    front = [prism for piece in pieces if not piece.back and piece.name.startswith("SW") for prism in piece.solids()]
    display = [prism for piece in pieces if piece.name == "J1" for prism in piece.solids()]
    back = [prism for piece in pieces if piece.back for prism in piece.solids()]
    holes = " ".join(f"translate([{x}, {y}]) circle(d = 2.7);" for x, y in places.HOLES)
    x, y = places.SIZE
    plate = [
        "module board_plate() color([0.05, 0.30, 0.16]) difference() {",
        f"    linear_extrude({places.THICKNESS}) offset({places.CORNER}) square([{x - 2 * places.CORNER}, "
        f"{y - 2 * places.CORNER}], center = true);",
        f"    translate([0, 0, -1]) linear_extrude(4) {{ {holes} }}",
        "}",
    ]
    parts = [*_module("board_keys", front), *_module("board_display", display), *_module("board_back", back)]
    return "\n".join([f"// {remark}", *plate, *parts, *_module("aa_cells", _cells()), ""])


def _cells() -> list[Prism]:
    """Return the holder and its cells, z from the floor."""
    (x, y), (wide, high, _) = HOLDER_AT, HOLDER
    found = [Prism(_outline(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2), 0, 9, BLACK)]
    for row in (-1, 0, 1):
        middle = y + row * 15
        for low, high_z, half in ((1.2, 15.2, 4.2), (2.8, 13.6, 6.2), (4.9, 11.5, 7.0)):
            found.append(Prism(_outline(x - 25, middle - half, x + 16, middle + half), low, high_z, GREEN))
            found.append(Prism(_outline(x + 16, middle - half, x + 24.5, middle + half), low, high_z, WHITE))
        found.append(Prism(_outline(x + 24.5, middle - 2.5, x + 26, middle + 2.5), 6, 11, METAL))
    return found


def _outline(left: float, lower: float, right: float, upper: float) -> tuple[tuple[float, float], ...]:
    return (left, lower), (right, lower), (right, upper), (left, upper)


def _module(name: str, prisms: Iterable[Prism]) -> list[str]:
    lines = [f"module {name}() {{"]
    for prism in prisms:
        corners = ", ".join(f"[{x:g}, {y:g}]" for x, y in prism.outline)
        lines.append(f"    color({list(prism.colour)}) translate([0, 0, {prism.low:g}]) "
                     f"linear_extrude({prism.high - prism.low:.3g}) polygon([{corners}]);")  # fmt: skip
    return [*lines, "}"]
