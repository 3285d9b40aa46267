"""Write a simple 3D model of each part as a STEP file: prisms with the outlines and heights of the data sheets.

KiCad's own models are half a gigabyte and are not installed. Measures are those of a footprint in KiCad's library:
millimetres from its origin, x to the right, y up, z away from the board.
"""

from collections.abc import Iterable
from math import cos, pi, sin
from typing import NamedTuple

Colour = tuple[float, float, float]
BLACK: Colour = (0.09, 0.09, 0.10)
WHITE: Colour = (0.90, 0.89, 0.84)
METAL: Colour = (0.72, 0.73, 0.75)
GOLD: Colour = (0.83, 0.68, 0.28)
GREEN: Colour = (0.05, 0.35, 0.18)
BLUE: Colour = (0.08, 0.16, 0.36)
LIT: Colour = (0.30, 0.52, 0.70)
BROWN: Colour = (0.55, 0.38, 0.22)


class Prism(NamedTuple):
    """An outline, counterclockwise, between two heights."""

    outline: tuple[tuple[float, float], ...]
    low: float
    high: float
    colour: Colour


def box(x1: float, y1: float, x2: float, y2: float, low: float, high: float, colour: Colour) -> Prism:
    return Prism(((x1, y1), (x2, y1), (x2, y2), (x1, y2)), low, high, colour)


def round_(x: float, y: float, radius: float, low: float, high: float, colour: Colour) -> Prism:
    corners = tuple((x + radius * cos(i * pi / 16), y + radius * sin(i * pi / 16)) for i in range(32))
    return Prism(corners, low, high, colour)


def _pins(places: Iterable[tuple[float, float]], low: float = -3.0, high: float = 0.0) -> list[Prism]:
    return [box(x - 0.32, y - 0.32, x + 0.32, y + 0.32, low, high, METAL) for x, y in places]


def _row(pins: int) -> list[Prism]:
    places = [(0, -2.54 * i) for i in range(pins)]
    return [box(-1.27, -2.54 * (pins - 1) - 1.27, 1.27, 1.27, 0, 2.5, BLACK), *_pins(places, -3.0, 2.6)]


def _chip(
    x: float, y: float, height: float, colour: Colour = BLACK, legs: Iterable[tuple[float, float]] = ()
) -> list[Prism]:
    feet = [box(a - 0.35, b - 0.2, a + 0.35, b + 0.2, 0, 0.2, METAL) for a, b in legs]
    return [box(-x / 2, -y / 2, x / 2, y / 2, 0.1, height, colour), *feet]


def _two_ends(x: float, y: float, height: float, colour: Colour) -> list[Prism]:
    ends = [box(s * x / 2 - 0.4 * (s > 0), -y / 2, s * x / 2 + 0.4 * (s < 0), y / 2, 0, height, METAL) for s in (-1, 1)]
    return [box(-x / 2 + 0.4, -y / 2, x / 2 - 0.4, y / 2, 0, height, colour), *ends]


def _pico() -> list[Prism]:
    pads = [box(s * 9.7 - 0.8, y - 0.8, s * 9.7 + 0.8, y + 0.8, 1.0, 1.03, GOLD)
            for s in (-1, 1) for y in (24.13 - 2.54 * i for i in range(20))]  # fmt: skip
    return [
        box(-10.5, -25.5, 10.5, 25.5, 0.05, 1.0, GREEN), *pads,
        box(-3.9, 21.2, 3.9, 26.8, 1.0, 3.7, METAL),  # USB
        box(-3.5, -5.5, 3.5, 1.5, 1.0, 1.9, BLACK),  # RP2040
        box(-2.5, 4.5, 2.5, 8.5, 1.0, 1.8, BLACK),  # flash
        box(-7.5, 11.5, -4.5, 15.5, 1.0, 3.0, WHITE),  # BOOTSEL
        box(4.0, 13.0, 7.0, 16.0, 1.0, 2.2, BLACK),  # regulator
    ]  # fmt: skip


# The 2.42 inch display with its pin row soldered flat: it stands 2.5 mm over the board
DISPLAY_OVER_BOARD = 2.5
DISPLAY_GLASS = 5.8


def _display() -> list[Prism]:
    y = -7.62
    return [
        *_row(7),
        box(-41.1, y - 36, 1.9, y + 36, DISPLAY_OVER_BOARD, 3.7, BLUE),
        box(-38.1, y - 30.5, -1.1, y + 30.5, 3.7, DISPLAY_GLASS - 0.05, BLACK),
        box(-19.6 - 13.75, y - 27.5, -19.6 + 13.75, y + 27.5, DISPLAY_GLASS - 0.05, DISPLAY_GLASS, LIT),
    ]


MODELS: dict[str, list[Prism]] = {
    "RaspberryPi_Pico_Common_SMD": _pico(),
    "SW_SPST_Omron_B3F-40xx": [
        box(0.25, -8.5, 12.25, 3.5, 0, 3.6, BLACK),
        round_(6.25, -2.5, 3.4, 3.6, 4.3, METAL),
        box(4.35, -4.4, 8.15, -0.6, 4.3, 7.3, BLACK),
        *_pins([(0, 0), (12.5, 0), (0, -5), (12.5, -5)]),
    ],
    "SW_CK_JS202011AQN_DPDT_Angled": [
        box(-2, -3.65, 7, 0.35, 0, 3.5, METAL),
        box(0.75, -5.65, 2.25, -3.65, 0.9, 2.6, BLACK),
        *_pins([(x, y) for x in (0, 2.5, 5) for y in (0, -3.3)]),
    ],
    "Buzzer_TDK_PS1240P02BT_D12.2mm_H6.5mm": [
        round_(2.5, 0, 6.3, 0, 6.9, BLACK), round_(2.5, 0, 1.2, 6.9, 6.92, METAL), *_pins([(0, 0), (5, 0)]),
    ],
    "JST_XH_B2B-XH-A_1x02_P2.50mm_Vertical": [
        box(-2.45, -3.4, 4.95, 2.35, 0, 7.0, WHITE), *_pins([(0, 0), (2.5, 0)]),
        box(-1.7, -2.6, 4.2, 1.6, 7.0, 9.8, WHITE),  # the plug in it
    ],
    "JST_PH_B2B-PH-K_1x02_P2.00mm_Vertical": [
        box(-1.95, -2.8, 3.95, 1.7, 0, 6.0, WHITE), *_pins([(0, 0), (2, 0)]),
        box(-1.5, -2.2, 3.5, 1.2, 6.0, 8.0, WHITE),
    ],
    "JST_SH_SM04B-SRSS-TB_1x04-1MP_P1.00mm_Horizontal": [box(-3, -2.6, 3, 1.6, 0, 2.95, WHITE)],
    "PinHeader_1x03_P2.54mm_Vertical": [],
    "PinHeader_1x04_P2.54mm_Vertical": _row(4),
    "PinHeader_1x07_P2.54mm_Vertical": _display(),
    "PinHeader_1x08_P2.54mm_Vertical": _row(8),
    "R_0805_2012Metric_Pad1.20x1.40mm_HandSolder": _two_ends(2.0, 1.25, 0.5, BLACK),
    "C_0805_2012Metric_Pad1.18x1.45mm_HandSolder": _two_ends(2.0, 1.25, 1.25, BROWN),
    "SOT-23": _chip(1.3, 2.9, 1.1, legs=[(-1, 0.95), (-1, -0.95), (1, 0)]),
    "SOT-23-5": _chip(1.6, 2.9, 1.2, legs=[(-1.2, y) for y in (0.95, 0, -0.95)] + [(1.2, y) for y in (0.95, -0.95)]),
    "D_SMA": _two_ends(4.6, 2.6, 2.3, BLACK),
}  # fmt: skip


class _Step:
    """The lines of a STEP file, each with its number."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, text: str) -> str:
        self.lines.append(f"#{len(self.lines) + 1}={text};")
        return f"#{len(self.lines)}"

    def point(self, *place: float) -> str:
        return self.add(f"CARTESIAN_POINT('',({','.join(f'{value:.5f}' for value in place)}))")

    def direction(self, *way: float) -> str:
        return self.add(f"DIRECTION('',({','.join(f'{value:.9f}' for value in way)}))")

    def axes(self, place: tuple[float, ...], normal: tuple[float, ...], along: tuple[float, ...]) -> str:
        return self.add(
            f"AXIS2_PLACEMENT_3D('',{self.point(*place)},{self.direction(*normal)},{self.direction(*along)})"
        )

    def prism(self, prism: Prism) -> str:
        """Add a solid. Returns its number."""
        count = len(prism.outline)
        spots = [(x, y, z) for z in (prism.low, prism.high) for x, y in prism.outline]
        corners = [self.add(f"VERTEX_POINT('',{self.point(*spot)})") for spot in spots]
        edges: dict[tuple[int, int], str] = {}
        faces = [[*range(count)][::-1], [*range(count, 2 * count)]]
        faces += [[i, (i + 1) % count, (i + 1) % count + count, i + count] for i in range(count)]
        shells = []
        for face in faces:
            loop = []
            for a, b in zip(face, face[1:] + face[:1], strict=True):
                key = min(a, b), max(a, b)
                if key not in edges:
                    edges[key] = self._edge(corners, spots, *key)
                loop.append(self.add(f"ORIENTED_EDGE('',*,*,{edges[key]},{'.T.' if (a, b) == key else '.F.'})"))
            around = self.add(f"EDGE_LOOP('',({','.join(loop)}))")
            bound = self.add(f"FACE_OUTER_BOUND('',{around},.T.)")
            plane = self.add(f"PLANE('',{self._plane([spots[i] for i in face])})")
            shells.append(self.add(f"ADVANCED_FACE('',({bound}),{plane},.T.)"))
        closed = self.add(f"CLOSED_SHELL('',({','.join(shells)}))")
        return self.add(f"MANIFOLD_SOLID_BREP('',{closed})")

    def _edge(self, corners: list[str], spots: list[tuple[float, float, float]], a: int, b: int) -> str:
        way = [end - start for start, end in zip(spots[a], spots[b], strict=True)]
        length = sum(value * value for value in way) ** 0.5
        vector = self.add(f"VECTOR('',{self.direction(*(value / length for value in way))},1.)")
        line = self.add(f"LINE('',{self.point(*spots[a])},{vector})")
        return self.add(f"EDGE_CURVE('',{corners[a]},{corners[b]},{line},.T.)")

    def _plane(self, face: list[tuple[float, float, float]]) -> str:
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = face[:3]
        u, v = (bx - ax, by - ay, bz - az), (cx - bx, cy - by, cz - bz)
        normal = u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
        size, length = (sum(value * value for value in way) ** 0.5 for way in (normal, u))
        return self.axes(face[0], tuple(value / size for value in normal), tuple(value / length for value in u))


def step(name: str, prisms: list[Prism]) -> str:
    """Return the content of a STEP file with these prisms."""
    file = _Step()
    application = file.add("APPLICATION_CONTEXT('automotive design')")
    file.add(f"APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,{application})")
    context = file.add(f"PRODUCT_CONTEXT('',{application},'mechanical')")
    product = file.add(f"PRODUCT('{name}','{name}','',({context}))")
    formation = file.add(f"PRODUCT_DEFINITION_FORMATION('','',{product})")
    about = file.add(f"PRODUCT_DEFINITION_CONTEXT('part definition',{application},'design')")
    definition = file.add(f"PRODUCT_DEFINITION('design','',{formation},{about})")
    shape = file.add(f"PRODUCT_DEFINITION_SHAPE('','',{definition})")
    units = [
        file.add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))"),
        file.add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))"),
        file.add("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())"),
    ]
    exact = file.add(f"UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-6),{units[0]},'accuracy','')")
    space = file.add(
        f"(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT(({exact}))"
        f"GLOBAL_UNIT_ASSIGNED_CONTEXT(({','.join(units)}))REPRESENTATION_CONTEXT('',''))"
    )
    origin = file.axes((0, 0, 0), (0, 0, 1), (1, 0, 0))
    solids = [(file.prism(prism), prism.colour) for prism in prisms]
    items = ",".join([origin, *(solid for solid, _ in solids)])
    model = file.add(f"ADVANCED_BREP_SHAPE_REPRESENTATION('{name}',({items}),{space})")
    file.add(f"SHAPE_DEFINITION_REPRESENTATION({shape},{model})")
    styles = []
    for solid, colour in solids:
        paint = file.add(f"COLOUR_RGB('',{','.join(f'{value:.3f}' for value in colour)})")
        style = file.add(f"FILL_AREA_STYLE_COLOUR('',{paint})")
        for kind in ("FILL_AREA_STYLE('',({}))", "SURFACE_STYLE_FILL_AREA({})", "SURFACE_SIDE_STYLE('',({}))",
                     "SURFACE_STYLE_USAGE(.BOTH.,{})", "PRESENTATION_STYLE_ASSIGNMENT(({}))"):  # fmt: skip
            style = file.add(kind.format(style))
        styles.append(file.add(f"STYLED_ITEM('',({style}),{solid})"))
    file.add(f"MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION('',({','.join(styles)}),{space})")
    head = (
        "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('Kiebitz'),'2;1');\n"
        f"FILE_NAME('{name}','2026-01-01T00:00:00',(''),(''),'','','');\n"
        "FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));\nENDSEC;\nDATA;\n"
    )
    return head + "\n".join(file.lines) + "\nENDSEC;\nEND-ISO-10303-21;\n"
