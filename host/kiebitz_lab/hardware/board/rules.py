"""Check a board against the rules of its design. Each rule returns sentences about what is wrong."""

from collections import deque
from collections.abc import Iterable, Mapping
from math import hypot
from typing import Any

from kiebitz.board.profiles import PROFILES, I2cDisplay, Profile, pins_of
from kiebitz.widgets.keys import NAMES

from .. import pico
from . import places
from .models import Prism
from .reading import Board, Point
from .silk import LCD_PINS, OLED_PINS, SWD_PINS, Shape

Nets = dict[str, list[tuple[str, str]]]
EDGE_MM = 0.3
I2C_MAX_MM = 100
SUPPLIES = ("AA+", "LIPO+", "VSYS", "VBUS", "3V3")
SEPARATORS = ("Q", "D", "U", "A")  # MOSFET, diode, charger, and the Pico with its own regulator and diode
# Part, the pins where current enters and leaves (of Q1 those of its body diode), and the nets it flows between
ONE_WAY = (("Q1", "3", "2", "AA+", "VSYS"), ("D2", "2", "1", "LIPO+", "VSYS"),
           ("D1", "1", "3", "VBUS", "GATE"), ("D1", "2", "3", "LIPO+", "GATE"))  # fmt: skip
# Name in a profile -> its print beside the row of a display
OLED = {"sda": "SDA", "scl": "SCL", "reset": "RES"}
LCD = {"sck": "SCL", "mosi": "SDA", "cs": "CS", "dc": "DC", "reset": "RES", "light": "BLK"}


def pico_pin(gpio: int) -> tuple[str, str]:
    return "A1", str(pico.number(f"GP{gpio}"))


LOGIC = [
    ("A1", str(number)) for number, name in pico.HEADER.items() if name.startswith(("GP", "3V3")) and name != "3V3_EN"
]


def net_of(nets: Nets, end: tuple[str, str]) -> str:
    """Return the net of a pin, or "" if it is connected to nothing."""
    return next((net for net, ends in nets.items() if end in ends), "")


def profiles(nets: Nets, claims: Iterable[str] = places.CLAIMS) -> list[str]:
    """Check that the pins of every profile that the board claims go where the profile says, and nothing else does."""
    found = []
    used = set()
    for name in claims:
        profile = PROFILES[name]
        for gpio, ends in _wires(profile).items():
            used.add(pico_pin(gpio))
            net = net_of(nets, pico_pin(gpio))
            missing = [end for end in ends if end not in nets.get(net, [])]
            found += [f"{name}: GP{gpio} is not connected to {part}, pin {pin}." for part, pin in missing]
    supply = {("A1", str(pin)) for pin in (*pico.GROUNDS, *(pico.number(s) for s in ("3V3", "VSYS", "VBUS", "RUN")))}
    connected = {end for ends in nets.values() for end in ends if end[0] == "A1"}
    found += [
        f"pin {pin} of the Pico is connected and no profile uses it." for _, pin in sorted(connected - used - supply)
    ]
    return found


def _wires(profile: Profile) -> dict[int, list[tuple[str, str]]]:
    """Return {GPIO: pins that it must be connected to}: rows of the displays, and the resistor of each key."""
    display, prints = profile.display, OLED
    rows: dict[str, tuple[str, ...]] = {"J1": OLED_PINS, "J2": OLED_PINS[:4]}
    if not isinstance(display, I2cDisplay):
        rows, prints = {"J3": LCD_PINS}, LCD
    wires: dict[int, list[tuple[str, str]]] = {}
    for name, label in prints.items():
        gpio = getattr(display, name)
        if gpio is not None:
            wires[gpio] = [(row, str(pins.index(label) + 1)) for row, pins in rows.items() if label in pins]
    for number, key in enumerate(profile.keys, 1):
        wires[pins_of(key)[0]] = [(f"R{number}", "1")]
    if profile.buzzer is not None:
        wires[profile.buzzer] = [("R9", "1")]
    return wires


def keys(nets: Nets, values: dict[str, str]) -> list[str]:
    """Check that each key has exactly one resistor, of 1 kΩ, between it and the Pico, and ground on its other side."""
    found = []
    for number, name in enumerate(NAMES, 1):
        key = f"SW{number}"
        if net_of(nets, (key, "2")) != "GND":
            found.append(f"{name} does not go to ground.")
        others = [end for end in nets.get(net_of(nets, (key, "1")), []) if end[0] != key]
        if len(others) != 1 or not others[0][0].startswith("R") or values.get(others[0][0]) != "1 kΩ":
            found.append(f"{name} must be joined with one resistor of 1 kΩ and nothing else, not with {others}.")
    return found


def supplies(nets: Nets) -> list[str]:
    """Check that no two supplies meet through anything but a MOSFET, a diode, the charger or the Pico."""
    found = []
    for i, first in enumerate(SUPPLIES):
        reached = _reached(nets, first)
        found += [
            f"{first} and {other} meet without a MOSFET or diode." for other in SUPPLIES[i + 1 :] if other in reached
        ]
    logic = {net for net, ends in nets.items() if any(end in ends for end in LOGIC)}
    with_logic = {part for net in logic for joined in _reached(nets, net) for part, _ in nets[joined]} - {"A1"}
    for supply in SUPPLIES[:-1]:
        with_supply = {part for net in _reached(nets, supply) for part, _ in nets.get(net, [])}
        found += [f"{part} has both {supply} and 3.3 V." for part in sorted(with_supply & with_logic)]
    return found


def directions(nets: Nets) -> list[str]:
    """Check that cells only feed VSYS, and that USB or a LiPo cell switches the MOSFET of the AA cells off."""
    found = []
    for part, enter, leave, source, target in ONE_WAY:
        if net_of(nets, (part, enter)) not in _reached(nets, source) or net_of(nets, (part, leave)) != target:
            found.append(f"{part} does not conduct from {source} to {target}.")
    gate = net_of(nets, ("Q1", "1"))
    pulls = [part for part, _ in nets.get(gate, []) if part.startswith("R")]
    if gate != "GATE" or len(pulls) != 1 or not any(part == pulls[0] for part, _ in nets["GND"]):
        found.append("the gate of Q1 must have one resistor to ground.")
    return found


def _reached(nets: Nets, start: str) -> set[str]:
    """Return the nets that current reaches through switches, resistors and bridges, but not through ground."""
    seen, queue = {start}, deque([start])
    while queue:
        for part, pin in nets.get(queue.popleft(), []):
            if part.startswith(SEPARATORS) or part.startswith(("J", "C")) and not part.startswith("JP"):
                continue
            for net, ends in nets.items():
                if (
                    net != "GND"
                    and net not in seen
                    and any(end[0] == part and _joined(part, pin, end[1]) for end in ends)
                ):
                    seen.add(net)
                    queue.append(net)
    return seen


def _joined(part: str, pin: str, other: str) -> bool:
    """Return True if two pins of a part can be joined inside it: the poles of the slide switch cannot."""
    poles = ({"1", "2", "3"}, {"4", "5", "6"})
    return part != "SW7" or any(pin in pole and other in pole for pole in poles)


def pull_ups(nets: Nets, board: Board) -> list[str]:
    """Check that SDA and SCL have one pull-up each, and are short."""
    found = []
    for net in ("SDA", "SCL"):
        resistors = [part for part, _ in nets.get(net, []) if part.startswith("R")]
        if len(resistors) != 1 or not any(part == resistors[0] for part, _ in nets["3V3"]):
            found.append(f"{net} must have one pull-up to 3.3 V, not {resistors}.")
        length = sum(hypot(t.end[0] - t.start[0], t.end[1] - t.start[1]) for t in board.tracks if t.net == net)
        if length > I2C_MAX_MM:
            found.append(f"{net} is {length:.0f} mm long.")
    return found


def edge(board: Board) -> list[str]:
    """Check that all copper keeps away from the edge, also in the round corners."""
    found = []
    for what, spot, radius in _copper(board):
        if _from_edge(spot) - radius < EDGE_MM - 1e-4:
            found.append(f"{what} at {spot} is {_from_edge(spot) - radius:.2f} mm from the edge.")
    return found


def _copper(board: Board) -> Iterable[tuple[str, Point, float]]:
    """Yield circles that cover the outer parts of all copper: what, middle, radius."""
    for track in board.tracks:
        for spot in (track.start, track.end):
            yield f"a track of {track.net}", spot, track.width / 2
    for pad in board.pads:
        if pad.number:
            (x, y), (wide, high) = pad.at, pad.size
            for dx in (-wide / 2, wide / 2):
                for dy in (-high / 2, high / 2):
                    yield f"a pad of {pad.part}", (x + dx, y + dy), 0.0
    for net, _, outline in board.areas:
        for spot in outline:
            yield f"the copper area of {net}", spot, 0.0


def _from_edge(spot: Point) -> float:
    x, y = abs(spot[0]), abs(spot[1])
    wide, high, r = places.SIZE[0] / 2, places.SIZE[1] / 2, places.CORNER
    if x > wide - r and y > high - r:
        return r - hypot(x - wide + r, y - high + r)
    return min(wide - x, high - y)


def screws(board: Board) -> list[str]:
    """Check that nothing lies under a screw head on either side: copper or the body of a part."""
    found = []
    radius = places.SCREW_HEAD / 2
    for number, hole in enumerate(places.HOLES, 1):
        if hypot(*(a - b for a, b in zip(board.pieces[f"H{number}"].middle, hole, strict=True))) > 0.05:
            found.append(f"H{number} is not at {hole}.")
        for track in board.tracks:
            if _distance(hole, track.start, track.end) - track.width / 2 < radius:
                found.append(f"a track of {track.net} is under the screw at {hole}.")
        for piece in board.pieces.values():
            near = [pad for pad in piece.pads if pad.number and _from_box(hole, pad.at, pad.size) < radius]
            if near or any(_from_outline(hole, solid) < radius for solid in piece.solids()):
                found.append(f"{piece.name} is under the screw at {hole}.")
    return found


def antenna(board: Board) -> list[str]:
    """Check that no copper lies under the antenna of a Pico W, on both sides."""
    left, lower, right, upper = places.ANTENNA
    middle, size = ((left + right) / 2, (lower + upper) / 2), (right - left, upper - lower)
    found = []
    for track in board.tracks:
        steps = max(1, int(hypot(track.end[0] - track.start[0], track.end[1] - track.start[1]) / 0.2))
        for i in range(steps + 1):
            spot = tuple(a + (b - a) * i / steps for a, b in zip(track.start, track.end, strict=True))
            if _from_box((spot[0], spot[1]), middle, size) < track.width / 2 - 1e-4:
                found.append(f"a track of {track.net} is under the antenna.")
                break
    for pad in board.pads:
        (x, y), (wide, high) = pad.at, pad.size
        if (
            pad.number
            and left < x + wide / 2
            and x - wide / 2 < right
            and lower < y + high / 2
            and y - high / 2 < upper
        ):
            found.append(f"a pad of {pad.part} is under the antenna.")
    probes = [(left + 0.5 * i, lower + 0.5 * j) for i in range(1, int(size[0] * 2)) for j in range(1, int(size[1] * 2))]
    for net, layer, outline in board.areas:
        if any(_inside(probe, outline) for probe in probes):
            found.append(f"the copper area of {net} on {layer} is under the antenna.")
    return found


def _distance(spot: Point, start: Point, end: Point) -> float:
    (x, y), (ax, ay), (bx, by) = spot, start, end
    length = (bx - ax) ** 2 + (by - ay) ** 2
    along = 0.0 if not length else max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
    return hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay))


def _from_box(spot: Point, middle: Point, size: Point) -> float:
    return hypot(*(max(abs(a - b) - c / 2, 0) for a, b, c in zip(spot, middle, size, strict=True)))


def _from_outline(spot: Point, solid: Prism) -> float:
    outline = list(solid.outline)
    if _inside(spot, outline):
        return 0.0
    return min(_distance(spot, a, b) for a, b in zip(outline, outline[1:] + outline[:1], strict=True))


def _inside(spot: Point, outline: list[Point]) -> bool:
    x, y = spot
    within = False
    for (ax, ay), (bx, by) in zip(outline, outline[1:] + outline[:1], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            within = not within
    return within


def test_pads(board: Board) -> list[str]:
    """Check that every net has a test pad at the back."""
    tested = {pad.net for pad in board.pads if pad.part.startswith("TP") and pad.layers == ("B.Cu",)}
    return [f"{net} has no test pad." for net in board.nets() if net not in tested]


def ipc_nets(source: str) -> Nets:
    """Return {net: [(part, pin)]} of an IPC-D-356 file, as a tester of bare boards reads it; without test pads."""
    found: Nets = {}
    for line in source.splitlines():
        net, part, pin = line[3:17].strip(), line[20:26].strip(), line[27:31].strip()
        # Names are cut to their last 14 characters; those of open pins end with a bracket
        if line[:3] in ("317", "327") and part != "VIA" and pin and not net.endswith(")") and not part.startswith("TP"):
            ends = found.setdefault(net, [])
            if (part, pin) not in ends:
                ends.append((part, pin))
    return found


def prints(shapes: Iterable[Shape], board: Board) -> list[str]:
    """Check that each name of a pin, each + and -, and each name of a key is printed beside what it names."""
    pads: dict[str, list[tuple[Point, str]]] = {"+-": [], "keys": []}
    for row, names in (("J1", OLED_PINS), ("J2", OLED_PINS[:4]), ("J3", LCD_PINS), ("J7", SWD_PINS)):
        pads[row] = [(pad.at, names[int(pad.number) - 1]) for pad in board.pieces[row].pads]
    for plug in ("J5", "J6"):
        pads["+-"] += [(pad.at, "-" if pad.net == "GND" else "+") for pad in board.pieces[plug].pads]
    pads["keys"] = [(board.pieces[f"SW{number}"].middle, name) for number, name in enumerate(NAMES, 1)]
    texts = [((shape[2], shape[3]), shape[4]) for shape in shapes if shape[0] == "text"]
    found = []
    for spots in pads.values():
        wanted = {name for _, name in spots}
        near = [text for text in texts if text[1] in wanted]
        for spot, name in spots:
            words = min(near, key=lambda text: hypot(text[0][0] - spot[0], text[0][1] - spot[1]))[1]
            if words != name:
                found.append(f"{words} is printed beside {name} at {spot}.")
    return found


def parts_list(rows: Iterable[Mapping[str, str]], board: Board) -> list[str]:
    """Check that the parts list has every part of the board once, with its footprint, sources, and who fits it."""
    kinds = {part.name: part.kind for part in places.PARTS}
    missing = {name for name in board.pieces if name in kinds and kinds[name].order}
    found = []
    for row in rows:
        names = row["Designator"].split(",")
        if row["Quantity"] != str(len(names)):
            found.append(f"{row['Comment']}: {row['Quantity']} are not {len(names)}.")
        for name in names:
            if name not in missing:
                found.append(f"{name} is listed twice, or is not on the board.")
                continue
            missing.remove(name)
            piece, kind = board.pieces[name], kinds[name]
            by = "hand" if kind.hand else "factory"
            wanted = (piece.footprint, kind.order, kind.second, by if piece.fitted else "nobody")
            columns = ("Footprint", "Order number", "Second source", "Fitted by")
            for column, value in zip(columns, wanted, strict=True):
                if row[column] != value or not value:
                    found.append(f"{name}: {column} is {row[column]}, not {value}.")
    return found + [f"{name} is not listed." for name in sorted(missing)]


def positions(rows: Iterable[Mapping[str, str]], board: Board) -> list[str]:
    """Check that the positions are those of all parts that the factory fits, on the right side."""
    missing = {part.name for part in places.PARTS if part.by == "factory"}
    found = []
    for row in rows:
        name = row["Designator"]
        if name not in missing:
            found.append(f"{name} is not fitted by the factory, or listed twice.")
            continue
        missing.remove(name)
        piece = board.pieces[name]
        x, y = (float(row[axis].removesuffix("mm")) for axis in ("Mid X", "Mid Y"))
        if hypot(x - piece.at[0], y - piece.at[1]) > 0.001:
            found.append(f"{name} is at {piece.at}, not at {(x, y)}.")
        if row["Layer"] != ("Bottom" if piece.back else "Top"):
            found.append(f"{name} is on the other side.")
    return found + [f"{name} has no position." for name in sorted(missing)]


def paste(gerber: str, rows: Iterable[Mapping[str, str]]) -> list[str]:
    """Check that the stencil is open around the position of each part that the factory fits, and nowhere else."""
    spots: dict[str, list[Point]] = {}
    for line in gerber.splitlines():
        if line.startswith("%TO.C,"):
            name = line[6:-2]
        elif line.endswith("D03*"):
            x, _, y = line[1:-4].partition("Y")
            spots.setdefault(name, []).append((int(x) / 1e6, int(y) / 1e6))
    found = []
    for row in rows:
        openings = spots.pop(row["Designator"], [])
        if not openings:
            found.append(f"{row['Designator']} gets no solder paste.")
            continue
        middle = [(min(axis) + max(axis)) / 2 for axis in zip(*openings, strict=True)]
        place = [float(row[axis].removesuffix("mm")) for axis in ("Mid X", "Mid Y")]
        away = hypot(middle[0] - place[0], middle[1] - place[1])
        if away > 0.2:
            found.append(f"the solder paste of {row['Designator']} is {away:.1f} mm from its position.")
    return found + [f"{name} gets solder paste, but the factory does not fit it." for name in sorted(spots)]


GERBERS = (
    *((kind, side) for kind in ("copper", "silkscreen", "soldermask", "solderpaste") for side in ("bottom", "top")),
    ("drill", "all"), ("drill", "all"), ("outline", "all"),
)  # fmt: skip


def gerbers(drawn: Mapping[str, Any]) -> list[str]:
    """Check what gerbers.mjs has printed: all layers are recognised, and both sides have the size of the board."""
    kinds = sorted((str(layer["type"]), str(layer["side"])) for layer in drawn["layers"])
    found = [] if kinds == sorted(GERBERS) else [f"the layers are {kinds}."]
    scale = 25.4 if drawn["units"] == "in" else 1
    size = tuple(drawn[name] * scale for name in ("width", "height"))
    if max(abs(a - b) for a, b in zip(size, places.SIZE, strict=True)) > 0.11:
        found.append(f"the outline is {size[0]:.1f} mm x {size[1]:.1f} mm.")
    return found + [f"the {side} is empty." for side in ("top", "bottom") if drawn[side] < 100_000]
