"""Read a board as KiCad saved it, without KiCad: parts, pads, tracks, copper areas, and the solids of the parts."""

from dataclasses import dataclass, field
from math import cos, radians, sin
from pathlib import Path

from .models import MODELS, Prism
from .places import THICKNESS
from .sexpr import Node, Text, all_of, one, read, value

ORIGIN = (100.0, 100.0)  # of the board's middle on KiCad's sheet
Point = tuple[float, float]


@dataclass
class Pad:
    """A pad or a hole: its middle, its size along x and y, and the copper layers it is on."""

    part: str
    number: str
    net: str
    at: Point
    size: Point
    layers: tuple[str, ...]


@dataclass
class Piece:
    """A part as it lies on the board; `fitted` is False for an option."""

    name: str
    footprint: str
    at: Point
    turn: float
    back: bool
    fitted: bool
    pads: list[Pad]

    @property
    def middle(self) -> Point:
        """The middle of its pads, which is its place in the description."""
        spots = [pad.at for pad in self.pads if pad.number or len(self.pads) == 1]
        xs, ys = [x for x, _ in spots], [y for _, y in spots]
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2

    def solids(self) -> list[Prism]:
        """Return the part's solids; z is 0 at the back of the board."""
        found = []
        for prism in MODELS.get(self.footprint, []):
            corners = tuple(self._place(x, -y) for x, y in prism.outline)
            low, high = (-prism.high, -prism.low) if self.back else (THICKNESS + prism.low, THICKNESS + prism.high)
            found.append(Prism(corners if not self.back else corners[::-1], low, high, prism.colour))
        return found

    def _place(self, x: float, y: float) -> Point:
        """Return a point of the library's footprint on the board, y up."""
        return _turned(self.at, self.turn, x, -y if self.back else y)


@dataclass
class Track:
    """A track; a via has one point and the layer "*"."""

    net: str
    layer: str
    start: Point
    end: Point
    width: float


@dataclass
class Board:
    pieces: dict[str, Piece] = field(default_factory=dict)
    tracks: list[Track] = field(default_factory=list)
    areas: list[tuple[str, str, list[Point]]] = field(default_factory=list)  # net, layer, outline of filled copper

    @property
    def pads(self) -> list[Pad]:
        return [pad for piece in self.pieces.values() for pad in piece.pads]

    def nets(self) -> dict[str, list[tuple[str, str]]]:
        """Return {net: [(part, pin)]}, without unconnected pins and without test pads."""
        found: dict[str, list[tuple[str, str]]] = {}
        for pad in self.pads:
            if pad.net and not pad.net.startswith("unconnected-") and not pad.part.startswith("TP"):
                found.setdefault(pad.net, []).append((pad.part, pad.number))
        return found


def read_board(path: Path) -> Board:
    """Return the board of a .kicad_pcb file, in millimetres from its middle, y up."""
    source = read(path.read_text("utf-8"))
    board = Board()
    for item in all_of(source, "footprint"):
        piece = _piece(item)
        board.pieces[piece.name] = piece
    nets = {str(net[1]): str(net[2]) for net in all_of(source, "net")}
    for item in all_of(source, "segment"):
        ends = [_point(one(item, name)) for name in ("start", "end")]
        net, layer, width = (value(item, name) for name in ("net", "layer", "width"))
        board.tracks.append(Track(nets[net], layer, ends[0], ends[1], float(width)))
    for item in all_of(source, "via"):
        spot = _point(one(item, "at"))
        board.tracks.append(Track(nets[value(item, "net")], "*", spot, spot, float(value(item, "size"))))
    for zone in all_of(source, "zone"):
        for filled in all_of(zone, "filled_polygon"):
            outline = [_point(corner) for corner in one(filled, "pts")[1:]]
            board.areas.append((value(zone, "net_name"), value(filled, "layer"), outline))
    return board


def _point(node: Node) -> Point:
    return round(float(node[1]) - ORIGIN[0], 6), round(ORIGIN[1] - float(node[2]), 6)


def _turned(at: Point, turn: float, x: float, y: float) -> Point:
    """Return a point of a footprint, with its own y downwards, on the board, with y upwards."""
    c, s = cos(radians(turn)), sin(radians(turn))
    return round(at[0] + x * c + y * s, 6), round(at[1] - (-x * s + y * c), 6)


def _piece(item: Node) -> Piece:
    names = {str(node[1]): str(node[2]) for node in all_of(item, "property")}
    place = one(item, "at")
    at, turn = _point(place), float(place[3]) if len(place) > 3 else 0.0
    back = value(item, "layer") == "B.Cu"
    fitted = Text("dnp") not in next(all_of(item, "attr"), []) and "dnp" not in next(all_of(item, "attr"), [])
    pads = []
    for node in all_of(item, "pad"):
        layers = tuple(
            layer for layer in ("F.Cu", "B.Cu") if layer in one(node, "layers") or "*.Cu" in one(node, "layers")
        )
        hole = node[2] == "np_thru_hole"
        if not layers and not hole:
            continue  # an opening of the solder mask
        spot = one(node, "at")
        middle = _turned(at, turn, float(spot[1]), float(spot[2]))
        wide, high = (float(size) for size in one(node, "size")[1:3])
        if len(spot) > 3 and round(float(spot[3])) % 180 == 90:
            wide, high = high, wide
        net = "" if hole else next((str(net[2]) for net in all_of(node, "net")), "")
        pads.append(
            Pad(names["Reference"], str(node[1]), net, middle, (wide, high), ("F.Cu", "B.Cu") if hole else layers)
        )
    return Piece(names["Reference"], str(item[1]).partition(":")[2], at, turn, back, fitted, pads)
