"""Place and connect the parts of the board with KiCad's own module; runs in the Python that KiCad is installed for.

Called by build.py with a folder that has the schematic's netlist, silk.json and an empty board with its rules.
"""

import json
import sys
from math import hypot
from pathlib import Path

import pcbnew  # type: ignore[import-not-found]

from . import places
from .places import ANTENNA, PARTS, SIZE, Part
from .reading import ORIGIN
from .router import STEP_MM, Rect, Router, Track
from .schematic import every_part, uuid, value_of
from .sexpr import all_of, one, read, value

FOOTPRINTS = Path("/usr/share/kicad/footprints")
EDGE_MM = 0.4  # between copper and the edge: a tenth more than asked
VIA_MM, DRILL_MM = 0.6, 0.3
TEXT_MM, CHAR_MM = 1.0, 0.98  # height of a name at the back, and the width of a letter
STITCH_MM = 5.0  # between vias that join both ground planes
LAYERS = (pcbnew.F_Cu, pcbnew.B_Cu)


def mm(x: float) -> int:
    return pcbnew.FromMM(x)


def at(x: float, y: float) -> pcbnew.VECTOR2I:
    """Return a place of the description as KiCad counts it, y downwards."""
    return pcbnew.VECTOR2I(mm(ORIGIN[0] + x), mm(ORIGIN[1] - y))


def netlist(path: Path) -> dict[tuple[str, str], str]:
    """Return {(part, pad): net} of the schematic, also the names of pins that are connected to nothing."""
    found = {}
    for net in all_of(one(read(path.read_text("utf-8")), "nets"), "net"):
        for node in all_of(net, "node"):
            found[value(node, "ref"), value(node, "pin")] = value(net, "name")
    return found


class Layout:
    def __init__(self, folder: Path):
        self.path = folder / "kiebitz.kicad_pcb"
        self.board = pcbnew.LoadBoard(str(self.path))
        self.wires = netlist(folder / "kiebitz.net")
        self.silk = json.loads((folder / "silk.json").read_text("utf-8"))

    def make(self) -> None:
        for net in sorted(set(self.wires.values())):
            self.board.Add(pcbnew.NETINFO_ITEM(self.board, net))
        for part in PARTS:
            self.place(part)
        self.outline()
        self.reload()  # shapes of pads are those of the old place until the file is read again
        self.names_and_test_pads()
        self.reload()
        router = Router(*SIZE, self.widths(), self.obstacles(), EDGE_MM)
        for track in router.route(self.to_connect()):
            self.track(track)
        for shape in self.silk:
            self.draw(shape)
        planes = self.planes()
        self.fill()
        self.stitch(router, planes)
        self.fill()
        pcbnew.SaveBoard(str(self.path), self.board)

    def fill(self) -> None:
        self.board.BuildConnectivity()
        pcbnew.ZONE_FILLER(self.board).Fill(self.board.Zones())

    def reload(self) -> None:
        pcbnew.SaveBoard(str(self.path), self.board)
        self.board = pcbnew.LoadBoard(str(self.path))

    # --- parts ---

    def place(self, part: Part) -> None:
        library, _, name = part.kind.footprint.partition(":")
        item = pcbnew.FootprintLoad(str(FOOTPRINTS / f"{library}.pretty"), name)
        item.SetFPID(pcbnew.LIB_ID(library, name))
        item.SetReference(part.name)
        item.SetValue(value_of(part))
        item.SetPath(pcbnew.KIID_PATH(f"/{uuid(part.name)}"))
        item.SetField("Order", part.kind.order)
        item.GetFieldByName("Order").SetVisible(False)
        item.SetDNP(not part.fitted)
        item.SetExcludedFromBOM(not part.kind.order)
        item.SetExcludedFromPosFiles(part.by != "factory")
        item.Reference().SetVisible(False)
        self.board.Add(item)
        if part.by != "factory":
            self.cut_paste(item)
        if part.name == "A1":
            self.cut_silk(item)
        if part.back:
            item.Flip(item.GetPosition(), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
        item.SetOrientationDegrees(part.turn)
        self.model(item, part)
        middle = self.middle(item)
        item.SetPosition(item.GetPosition() + at(*part.at) - middle)
        for pad in item.Pads():
            net = self.wires.get((part.name, pad.GetNumber()))
            if net:
                pad.SetNet(self.board.FindNet(net))

    @staticmethod
    def cut_silk(item: pcbnew.FOOTPRINT) -> None:
        """Remove what the Pico's footprint prints beyond the board, where its USB socket is."""
        for shape in list(item.GraphicalItems()):
            if shape.IsOnLayer(pcbnew.F_SilkS) and pcbnew.ToMM(shape.GetBoundingBox().GetTop()) < -24:
                item.Remove(shape)

    @staticmethod
    def cut_paste(item: pcbnew.FOOTPRINT) -> None:
        """Remove the openings of the stencil: melted paste would keep a part soldered by hand from lying flat."""
        for pad in list(item.Pads()):
            layers = pad.GetLayerSet()
            layers.RemoveLayer(pcbnew.F_Paste)
            if layers.Seq():
                pad.SetLayerSet(layers)
            else:
                item.Remove(pad)

    @staticmethod
    def middle(item: pcbnew.FOOTPRINT) -> pcbnew.VECTOR2I:
        """Return the middle of all pads with a number."""
        spots = [pad.GetPosition() for pad in item.Pads() if pad.GetNumber() or item.GetPadCount() == 1]
        xs, ys = [spot.x for spot in spots], [spot.y for spot in spots]
        return pcbnew.VECTOR2I((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2)

    @staticmethod
    def model(item: pcbnew.FOOTPRINT, part: Part) -> None:
        """Replace the library's model, which is not installed, by our own simple one."""
        item.Models().clear()
        model = pcbnew.FP_3DMODEL()
        model.m_Filename = f"${{KIPRJMOD}}/models/{part.kind.footprint.partition(':')[2]}.step"
        if (Path(item.GetBoard().GetFileName()).parent / "models" / Path(model.m_Filename).name).exists():
            item.Models().push_back(model)

    def rects(self, item: pcbnew.FOOTPRINT) -> list[list[Rect]]:
        """Return the copper and the holes of each pad."""
        found = []
        for pad in item.Pads():
            box = pad.GetBoundingBox()
            net = pad.GetNetname() or "*"
            hole = pad.GetAttribute() == pcbnew.PAD_ATTRIB_NPTH
            both = hole or pad.GetAttribute() == pcbnew.PAD_ATTRIB_PTH
            more = 0.15 if hole else 0  # a hole needs more clearance than copper
            layers = (0, 1) if both else tuple(n for n, layer in enumerate(LAYERS) if pad.IsOnLayer(layer))
            found.append([self.rect(box, layer, "*" if hole else net, more) for layer in layers])
        return [pad for pad in found if pad]

    def rect(self, box: pcbnew.BOX2I, layer: int, net: str = "*", more: float = 0) -> Rect:
        """Return a box of KiCad in millimetres from the upper left corner of the board."""
        return Rect(self.x(box.GetLeft()) - more, self.y(box.GetTop()) - more, self.x(box.GetRight()) + more,
                    self.y(box.GetBottom()) + more, layer, net)  # fmt: skip

    @staticmethod
    def left(x: float) -> float:
        return x + SIZE[0] / 2

    @staticmethod
    def top(y: float) -> float:
        return SIZE[1] / 2 - y

    @staticmethod
    def x(nanometres: int) -> float:
        return pcbnew.ToMM(nanometres) - ORIGIN[0] + SIZE[0] / 2

    @staticmethod
    def y(nanometres: int) -> float:
        return pcbnew.ToMM(nanometres) - ORIGIN[1] + SIZE[1] / 2

    def names_and_test_pads(self) -> None:
        """Find a place at the back for the name of each part, then for a test pad of each net with the net's name."""
        room = self.taken_at_the_back()
        for part in PARTS:
            if part.back and part.kind not in (places.HOLE, places.MODULE):
                x, y = self.free(room, self.left(part.at[0]), self.top(part.at[1]), CHAR_MM * len(part.name), 1.4)
                self.draw(["text", "B", x, y, part.name, TEXT_MM, "center", 0])
        for part in every_part():
            if part.name.startswith("TP"):
                wide = 1.5 + CHAR_MM * len(part.value)
                x, y = self.free(room, *self.near(part.nets["1"]), wide, 1.6)
                x += wide / 2 - 0.8  # at the back text runs from right to left as seen from the front
                self.place(part._replace(at=(x, y)))
                self.draw(["text", "B", x - 0.8, y, part.value, TEXT_MM, "left", 0])

    def taken_at_the_back(self) -> list[Rect]:
        taken = [rect for item in self.board.GetFootprints() for pad in self.rects(item) for rect in pad if rect.layer]
        for item in self.board.GetFootprints():
            box = item.GetCourtyard(pcbnew.B_CrtYd).BBox()
            if item.IsFlipped() and item.GetReference() != "A1":
                taken.append(self.rect(box, 1))
        (x, y), head = places.PICO, places.SCREW_HEAD / 2
        taken += [self.area(x - 25.5, y - 11.6, x + 25.5, y + 11.6, 1), self.area(*ANTENNA, 1)]
        taken += [self.area(x - head, y - head, x + head, y + head, 1) for x, y in places.HOLES]
        return [*taken, *(self.area(*kept, 1) for kept in self.kept("B"))]

    def kept(self, side: str) -> list[tuple[float, float, float, float]]:
        """Return the areas that the silk screen of a side keeps for itself: left, lower, right, upper."""
        return [tuple(shape[2:]) for shape in self.silk if shape[:2] == ["keep", side]]

    @staticmethod
    def free(taken: list[Rect], x: float, y: float, wide: float, high: float) -> tuple[float, float]:
        """Take the nearest free rectangle of this size. Returns its middle, as in the description."""
        spots = sorted(
            (hypot(column / 2 - x, row / 2 - y), column / 2, row / 2)
            for column in range(int(SIZE[0] * 2)) for row in range(int(SIZE[1] * 2))
        )  # fmt: skip
        for _, px, py in spots:
            me = Rect(px - wide / 2, py - high / 2, px + wide / 2, py + high / 2, 1, "*")
            inside = me.left > 1 and me.right < SIZE[0] - 1 and me.upper > 1 and me.lower < SIZE[1] - 1
            if inside and not any(
                me.left < other.right + 0.2 and me.right > other.left - 0.2 and me.upper < other.lower + 0.2
                and me.lower > other.upper - 0.2 for other in taken
            ):  # fmt: skip
                taken.append(me)
                return px - SIZE[0] / 2, SIZE[1] / 2 - py
        raise ValueError("the back of the board is full: move some parts.")

    def near(self, net: str) -> tuple[float, float]:
        """Return a place of a net: a pad that is not the Pico's, if there is one."""
        pads = [pad for item in self.board.GetFootprints() for pad in item.Pads() if pad.GetNetname() == net]
        owners = [(pad.GetParentFootprint().GetReference(), pad.GetNumber(), pad) for pad in pads]
        *_, pad = min(owners, key=lambda owner: (owner[0] == "A1", *owner[:2]))
        spot = pad.GetPosition()
        return self.x(spot.x), self.y(spot.y)

    # --- copper ---

    def widths(self) -> dict[str, float]:
        nets = {net for net in self.wires.values() if not net.startswith("unconnected-")}
        return {net: places.POWER_TRACK_MM if net in places.POWER else places.TRACK_MM for net in sorted(nets)}

    def obstacles(self) -> list[Rect]:
        found = [rect for item in self.board.GetFootprints() for pad in self.rects(item) for rect in pad]
        head = places.SCREW_HEAD / 2
        for x, y in places.HOLES:
            found += [self.area(x - head, y - head, x + head, y + head, layer) for layer in (0, 1)]
        found += [self.area(*ANTENNA, layer) for layer in (0, 1)]
        for item in self.board.GetFootprints():
            for zone in item.Zones():
                for n, layer in enumerate(LAYERS):
                    if zone.GetDoNotAllowTracks() and zone.IsOnLayer(layer):
                        found.append(self.rect(zone.GetBoundingBox(), n))
        return found

    def area(self, left: float, lower: float, right: float, upper: float, layer: int) -> Rect:
        """Return a rectangle of the description that is not free."""
        return Rect(self.left(left), self.top(upper), self.left(right), self.top(lower), layer, "*")

    def to_connect(self) -> dict[str, list[list[Rect]]]:
        """Return the pads of each net, also of ground: its planes alone would leave pads between other tracks open."""
        found: dict[str, list[list[Rect]]] = {}
        for item in sorted(self.board.GetFootprints(), key=lambda item: item.GetReference()):
            for pad in self.rects(item):
                net = pad[0].net
                if net != "*" and not net.startswith("unconnected-"):
                    found.setdefault(net, []).append(pad)
        return {net: pads for net, pads in found.items() if len(pads) > 1}

    def track(self, track: Track) -> None:
        net = self.board.FindNet(track.net)
        ends = [pcbnew.VECTOR2I(mm(x + ORIGIN[0] - SIZE[0] / 2), mm(y + ORIGIN[1] - SIZE[1] / 2))
                for x, y in (track.start, track.end)]  # fmt: skip
        if track.layers[0] != track.layers[1]:
            self.via(ends[0], net)
            return
        item = pcbnew.PCB_TRACK(self.board)
        item.SetStart(ends[0])
        item.SetEnd(ends[1])
        item.SetWidth(mm(track.width))
        item.SetLayer(LAYERS[track.layers[0]])
        item.SetNet(net)
        self.board.Add(item)

    def via(self, spot: pcbnew.VECTOR2I, net: pcbnew.NETINFO_ITEM) -> None:
        item = pcbnew.PCB_VIA(self.board)
        item.SetPosition(spot)
        item.SetWidth(mm(VIA_MM))
        item.SetDrill(mm(DRILL_MM))
        item.SetNet(net)
        self.board.Add(item)

    def stitch(self, router: Router, planes: list[pcbnew.ZONE]) -> None:
        """Join the ground planes with vias where one of them has copper, one in each square of the board.

        Copper without a via is removed as an island, so a via may also keep a piece that is not filled yet. No via is
        drilled through what is printed.
        """
        ground = self.board.FindNet("GND")
        kept = [self.area(*area, 0) for area in self.kept("F")]
        printed = [item for item in self.board.GetDrawings() if item.IsOnLayer(pcbnew.F_SilkS)]
        printed = [item for item in printed if not self.within(item.GetPosition(), kept)]
        reach = int(STITCH_MM / STEP_MM / 2)
        steps = range(-reach, reach)
        nudges = sorted(((dx, dy) for dx in steps for dy in steps), key=lambda nudge: hypot(*nudge))
        for row in range(int(SIZE[1] / STITCH_MM)):
            for column in range(int(SIZE[0] / STITCH_MM)):
                for dx, dy in nudges:
                    x, y = (column + 0.5) * STITCH_MM + STEP_MM * dx, (row + 0.5) * STITCH_MM + STEP_MM * dy
                    spot = pcbnew.VECTOR2I(mm(x + ORIGIN[0] - SIZE[0] / 2), mm(y + ORIGIN[1] - SIZE[1] / 2))
                    filled = [zone.HitTestFilledArea(zone.GetLayer(), spot) for zone in planes]
                    if not any(filled) or not router.free_for_via(x, y) or self.within(spot, kept):
                        continue
                    if not any(item.HitTest(spot, mm(VIA_MM / 2)) for item in printed):
                        self.via(spot, ground)
                        break

    def within(self, spot: pcbnew.VECTOR2I, areas: list[Rect]) -> bool:
        """Return True if a place on KiCad's sheet is inside one of these areas."""
        x, y = self.x(spot.x), self.y(spot.y)
        return any(area.left < x < area.right and area.upper < y < area.lower for area in areas)

    def planes(self) -> list[pcbnew.ZONE]:
        """Draw the ground planes and the areas without copper. Returns the planes."""
        found = []
        for layer in LAYERS:
            zone = self.zone(
                -SIZE[0] / 2 + EDGE_MM, -SIZE[1] / 2 + EDGE_MM, SIZE[0] / 2 - EDGE_MM, SIZE[1] / 2 - EDGE_MM
            )
            zone.SetLayer(layer)
            zone.SetNet(self.board.FindNet("GND"))
            zone.SetLocalClearance(mm(0.25))
            zone.SetMinThickness(mm(0.25))
            zone.SetThermalReliefGap(mm(0.3))
            zone.SetThermalReliefSpokeWidth(mm(0.4))
            zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
            self.board.Add(zone)
            found.append(zone)
        head = places.SCREW_HEAD / 2
        for left, lower, right, upper in [
            ANTENNA,
            *[(x - head, y - head, x + head, y + head) for x, y in places.HOLES],
        ]:
            zone = self.zone(left, lower, right, upper)
            zone.SetIsRuleArea(True)
            zone.SetLayerSet(pcbnew.LSET.AllCuMask(2))
            zone.SetDoNotAllowCopperPour(True)
            zone.SetDoNotAllowTracks(True)
            zone.SetDoNotAllowVias(True)
            zone.SetDoNotAllowPads(False)
            zone.SetDoNotAllowFootprints(False)
            self.board.Add(zone)
        return found

    def zone(self, left: float, lower: float, right: float, upper: float) -> pcbnew.ZONE:
        zone = pcbnew.ZONE(self.board)
        corners = pcbnew.VECTOR_VECTOR2I([at(left, lower), at(right, lower), at(right, upper), at(left, upper)])
        zone.AddPolygon(corners)
        return zone

    # --- drawings ---

    def outline(self) -> None:
        x, y, r = SIZE[0] / 2, SIZE[1] / 2, places.CORNER
        for start, end in [((-x + r, y), (x - r, y)), ((x, y - r), (x, -y + r)), ((x - r, -y), (-x + r, -y)),
                           ((-x, -y + r), (-x, y - r))]:  # fmt: skip
            self.shape(pcbnew.SHAPE_T_SEGMENT, pcbnew.Edge_Cuts, 0.1, start, end)
        for dx, dy in ((1, 1), (1, -1), (-1, -1), (-1, 1)):
            cx, cy = dx * (x - r), dy * (y - r)
            s = r * 0.5**0.5
            item = self.shape(pcbnew.SHAPE_T_ARC, pcbnew.Edge_Cuts, 0.1, (cx + dx * r, cy), (cx, cy + dy * r))
            item.SetArcGeometry(at(cx + dx * r, cy), at(cx + dx * s, cy + dy * s), at(cx, cy + dy * r))

    def shape(self, kind: int, layer: int, width: float, start: tuple[float, float], end: tuple[float, float]):
        item = pcbnew.PCB_SHAPE(self.board, kind)
        item.SetLayer(layer)
        item.SetWidth(mm(width))
        item.SetStart(at(*start))
        item.SetEnd(at(*end))
        self.board.Add(item)
        return item

    def draw(self, shape: list) -> None:
        """Draw one shape of the silk screen, see silk.py."""
        kind, side, *rest = shape
        layer = pcbnew.F_SilkS if side == "F" else pcbnew.B_SilkS
        if kind == "line":
            x1, y1, x2, y2, width = rest
            self.shape(pcbnew.SHAPE_T_SEGMENT, layer, width, (x1, y1), (x2, y2))
        elif kind == "circle":
            x, y, radius, width = rest
            self.shape(pcbnew.SHAPE_T_CIRCLE, layer, width, (x, y), (x + radius, y))
        elif kind == "poly":
            item = pcbnew.PCB_SHAPE(self.board, pcbnew.SHAPE_T_POLY)
            item.SetLayer(layer)
            item.SetPolyPoints(pcbnew.VECTOR_VECTOR2I([at(x, y) for x, y in rest[0]]))
            item.SetFilled(True)
            item.SetWidth(0)
            self.board.Add(item)
        elif kind == "text":
            x, y, text, size, justify, angle = rest
            item = pcbnew.PCB_TEXT(self.board)
            item.SetText(text)
            item.SetLayer(layer)
            item.SetTextSize(pcbnew.VECTOR2I(mm(size), mm(size)))
            item.SetTextThickness(mm(size * 0.15))
            item.SetHorizJustify({"left": pcbnew.GR_TEXT_H_ALIGN_LEFT, "center": pcbnew.GR_TEXT_H_ALIGN_CENTER,
                                  "right": pcbnew.GR_TEXT_H_ALIGN_RIGHT}[justify])  # fmt: skip
            item.SetMirrored(side == "B")
            item.SetTextAngleDegrees(angle)
            item.SetPosition(at(x, y))
            self.board.Add(item)


if __name__ == "__main__":
    pcbnew.KIID.SeedGenerator(1)
    try:
        Layout(Path(sys.argv[1])).make()
    except ValueError as problem:
        sys.exit(str(problem))
