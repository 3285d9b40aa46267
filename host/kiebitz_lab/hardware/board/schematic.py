"""Write the schematic from the description of the board: each pin has a label with the name of its net."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from . import places
from .places import PAD, PARTS, Kind, Part, test_pads
from .sexpr import Node, Text, all_of, one, read, value, write

SYMBOLS = Path("/usr/share/kicad/symbols")
PROJECT = "kiebitz"
GRID = 2.54
FLAG = Kind("PWR_FLAG", "power:PWR_FLAG", "", "", "", (0, 0, 0))

# Title, its place on the sheet in steps of the grid, its width, the step from part to part, and the names of the parts
BLOCKS: list[tuple[str, int, int, int, tuple[int, int], Iterable[str]]] = [
    ("Raspberry Pi Pico: USB, 3.3 V, all logic", 6, 7, 40, (34, 46), ["A1"]),
    ("Displays: plug in one of them. Bridges for modules that have VCC first", 50, 7, 106, (21, 14),
     ["J1", "J2", "J3", "JP1", "JP2"]),
    ("Pull-ups, the only ones, and I2C for more", 50, 25, 54, (18, 14), ["R7", "R8", "J4"]),
    ("Wires to the SWD pads of the Pico", 108, 25, 26, (26, 14), ["J7"]),
    ("Screws", 138, 25, 21, (10, 7), ["H1", "H2", "H3", "H4"]),
    ("Keys to ground, 1 kΩ each. The Pico has the pull-ups", 50, 43, 109, (18, 15),
     [f"{kind}{n}" for n in range(1, 7) for kind in ("SW", "R")]),
    ("Sound", 6, 57, 36, (18, 14), ["R9", "BZ1"]),
    ("Three AA cells: plug, switch, MOSFET as ideal diode", 6, 76, 104, (17, 14),
     ["J5", "SW7", "Q1", "D1", "R10", "#FLG1"]),
    ("LiPo cell and charger: not fitted", 6, 94, 104, (17, 15), ["J6", "U1", "R11", "C1", "C2", "D2"]),
    ("A test pad for every net", 114, 76, 46, (3, 7), [name for name, _ in test_pads()]),
]  # fmt: skip


class Pin(NamedTuple):
    number: str
    x: float
    y: float
    angle: int


def uuid(*names: object) -> Text:
    """Return an identifier that is the same in each run."""
    return Text(uuid5(NAMESPACE_URL, "/".join(["kiebitz-board", *map(str, names)])))


@cache
def _library(name: str) -> dict[str, Node]:
    content = read((SYMBOLS / f"{name}.kicad_sym").read_text("utf-8"))
    return {symbol[1]: symbol for symbol in all_of(content, "symbol")}


@cache
def symbol(name: str) -> Node:
    """Return a symbol of KiCad's libraries as a schematic holds it, complete and with its full name."""
    library, _, short = name.partition(":")
    found = _library(library)[short]
    base = value(found, "extends")
    if base:
        own = {item[1]: item for item in all_of(found, "property")}
        parent = _library(library)[base]
        found = [own.pop(item[1], item) if item[0] == "property" else item for item in parent[2:]]
        found = [item if item[0] != "symbol" else [*item[:1], Text(item[1].replace(base, short, 1)), *item[2:]]
                 for item in found]  # fmt: skip
        return ["symbol", Text(name), *found]
    return ["symbol", Text(name), *found[2:]]


def pins(name: str) -> list[Pin]:
    """Return the pins of a symbol with the places of their ends, y upwards."""
    found = []
    for unit in all_of(symbol(name), "symbol"):
        for pin in all_of(unit, "pin"):
            _, x, y, angle = one(pin, "at")
            found.append(Pin(value(pin, "number"), float(x), float(y), int(float(angle))))
    return found


def every_part() -> list[Part]:
    """Return all parts, also test pads and the remark for KiCad that VSYS is a supply."""
    pads = [Part(name, PAD, (0, 0), {"1": net}, value=net) for name, net in test_pads()]
    return [*PARTS, *pads, Part("#FLG1", FLAG, (0, 0), {"1": "VSYS"}, value="PWR_FLAG")]


def value_of(part: Part) -> str:
    """Return what stands beside a part on the schematic."""
    return part.value or part.kind.name


def schematic() -> str:
    """Return the content of the schematic's file."""
    parts = {part.name: part for part in every_part()}
    sheet: Node = [
        "kicad_sch", ["version", "20250114"], ["generator", Text("kiebitz")], ["generator_version", Text("9.0")],
        ["uuid", uuid("sheet")], ["paper", Text("A3")],
        ["title_block", ["title", Text("Kiebitz")], ["rev", Text(places.VERSION)],
         ["comment", "1", Text("Made by `make board` from host/kiebitz_lab/hardware/board/places.py: change that.")],
         ["comment", "2", Text("No board has been made yet.")]],
        ["lib_symbols", *(symbol(name) for name in sorted({part.kind.symbol for part in parts.values()}))],
    ]  # fmt: skip
    placed = set()
    for title, left, top, width, step, names in BLOCKS:
        sheet.append(_title(title, left, top))
        column, row = 0, 0
        for name in names:
            if column + step[0] > width:
                column, row = 0, row + step[1]
            middle = (left + column + step[0] // 2) * GRID, (top + row + (step[1] + 1) // 2 + 1) * GRID
            sheet += _placed(parts[name], *middle)
            placed.add(name)
            column += step[0]
    if placed != set(parts):
        raise ValueError(f"no block of the schematic has {', '.join(sorted(set(parts) ^ placed))}.")
    sheet += [["sheet_instances", ["path", Text("/"), ["page", Text("1")]]], ["embedded_fonts", "no"]]
    return write(sheet) + "\n"


def _title(title: str, left: int, top: int) -> Node:
    at = ["at", left * GRID, top * GRID, 0]
    effects = ["effects", ["font", ["size", 2.54, 2.54], ["thickness", 0.4], ["bold", "yes"]], ["justify", "left"]]
    return ["text", Text(title), ["exclude_from_sim", "no"], at, effects, ["uuid", uuid("title", title)]]


def _placed(part: Part, x: float, y: float) -> list[Node]:
    """Return the nodes of a symbol and of the labels at its pins."""
    nodes = [_instance(part, x, y)]
    seen = set()
    for pin in pins(part.kind.symbol):
        at = x + pin.x, y - pin.y
        net = part.nets.get(pin.number)
        if (at, net) in seen:
            continue
        seen.add((at, net))
        if net is None:
            nodes.append(["no_connect", ["at", *at], ["uuid", uuid(part.name, pin.number, "open")]])
            continue
        away = (pin.angle + 180) % 360
        effects = ["effects", ["font", ["size", 1.27, 1.27]], ["justify", "right" if away in (180, 270) else "left"]]
        label = ["global_label", Text(net), ["shape", "passive"], ["at", *at, away], effects]
        nodes.append([*label, ["uuid", uuid(part.name, pin.number, net)]])
    return nodes


def _instance(part: Part, x: float, y: float) -> Node:
    here = pins(part.kind.symbol)
    top = max((pin.y for pin in here), default=2.0)
    tall = max((abs(pin.x) for pin in here), default=0) == 0  # its labels are above and below
    hidden = part.name.startswith(("#", "TP"))
    above = [pin.x for pin in here if pin.angle == 270]  # labels stand on these pins: the names are left of them
    if tall and len(here) > 1:
        beside = x + 3, y - 1.27, "left"
    elif above:
        beside = x + min(above) - 2.54, y - top - 2.54, "right"
    else:
        beside = x, y - top - 4.2 * (not tall) - 3, "center"

    def field(name: str, text: str, down: float, hide: bool) -> Node:
        effects: Node = ["effects", ["font", ["size", 1.27, 1.27]]]
        if beside[2] != "center":
            effects.append(["justify", beside[2]])
        if hide:
            effects.append(["hide", "yes"])
        return ["property", Text(name), Text(text), ["at", beside[0], beside[1] + down, 0], effects]

    kind = part.kind
    bought = "yes" if kind.order else "no"
    return [
        "symbol", ["lib_id", Text(kind.symbol)], ["at", x, y, 0], ["unit", 1], ["exclude_from_sim", "no"],
        ["in_bom", bought], ["on_board", "no" if part.name.startswith("#") else "yes"],
        ["dnp", "no" if part.fitted else "yes"], ["uuid", uuid(part.name)],
        field("Reference", part.name, 0, hidden), field("Value", value_of(part), 2.2, hidden),
        field("Footprint", kind.footprint, 0, True), field("Order", kind.order, 0, True),
        *(["pin", Text(pin.number), ["uuid", uuid(part.name, "pin", pin.number)]] for pin in here),
        ["instances", ["project", Text(PROJECT), ["path", Text(f"/{uuid('sheet')}"),
                                                  ["reference", Text(part.name)], ["unit", 1]]]],
    ]  # fmt: skip
