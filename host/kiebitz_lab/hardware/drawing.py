"""Draw the wiring with each battery: the Pico with all its pins, every part, and a wire for every connection."""

from functools import cached_property

from kiebitz.board.profiles import Profile
from kiebitz.widgets.keys import NAMES

from . import pico
from .case import Measures
from .svg import Picture, Point, arrange
from .wiring import AA, KINDS, LIPO, RESISTOR, End, Net, nets

WIDTH, HEIGHT = 1540, 960

INK = "#202020"
FAINT = "#8a8a8a"
BOARD = "#e6efe6"
PART = "#f2f2f2"

PICO_LEFT, PICO_RIGHT = 660, 840
PIN_TOP, PIN_PITCH = 190, 29
TAG = (72, 19)
TAG_GAP = 12  # between a pad of the Pico and its tag
LANES, LANE_PITCH = 450, 12  # the first lane for the wires of the left side
BELOW = 800  # the first height for wires that pass below the Pico, to its right side
RIGHT_LANES = 940  # the first lane for these wires
FROM_THE_LEFT = ("data", "key", "sound")  # the kinds of wires whose parts are left of the Pico
BUS = 50  # the ground rail

DISPLAY = (100, 130, 230, 200)
DISPLAY_PINS = ("GND", "VCC", "SCL", "SDA")
ABOVE_DISPLAY = {"SDA": 112, "SCL": 100, "VCC": 88, "GND": 112}  # the height of the wires above the module
KEY_COLUMN, KEY_ROW = 18, 32  # pixels for a hole of the perfboard
KEY_ORIGIN = (70, 440)  # column 0, and the height of the uppermost key
KEY_HALF = 22
BUZZER = (140, 848)
RESISTOR_AT = (280, 848)
CHARGER = (1190, 120, 160, 215)
CHARGER_PINS = {"IN+": 150, "OUT+": 219, "OUT−": 248, "IN−": 290}
CHARGER_JOINT = 1160  # the junction of its two ground pins
CELL = (1190, 425, 160, 130)
CELL_PINS = {"+": 1230, "−": 1310}
HOLDER = (1190, 190, 240, 170)
HOLDER_PINS = {"+": 219, "−": 248}  # at the height of their pins of the Pico
SUPPLY_LANE = 964

# The leg for the signal: "upper" or "lower" right; ground is the one diagonally opposite
SIGNAL_LEG = {"DOWN": "lower", "UNDO": "lower"}

TAGS = {"3V3": "3.3 V", "VBUS": "USB 5 V", "VSYS": "battery", "OUT−": "GND", "AA−": "GND"}
# Dashes, because colours look alike when printed in grey
DASHES = {"data": "12 3", "sound": "3 3", "battery": "9 3 3 3"}
THICK = {"power": 4.0}
LEGEND = {
    "power": "supply from the Pico",
    "ground": "ground",
    "data": "display data (I2C)",
    "key": "keys: pressed means connected to ground",
    "sound": "buzzer (can be left out)",
    "battery": "battery (can be left out)",
}
NOTES = (
    "A dot joins wires; without a dot wires that cross are not joined.",
    "Go by the print on the display: on some VCC stands before GND.",
    "Of each key use two legs that lie diagonally opposite.",
    "No wire is needed to measure the battery: the Pico does it inside.",
)
BATTERY_NOTES = {
    AA: "The ring on the diode points to the Pico: it protects the cells.",
    LIPO: "The battery's − goes to B− of the charger and nowhere else.",
}


class Drawing:
    """The parts and then the wires; `pads` holds the position of each end of a net."""

    def __init__(self, name: str, profile: Profile, measures: Measures, remark: str, battery: str):
        self.name = name
        self.measures = measures
        self.battery = battery
        self.nets = nets(profile, battery)
        self.picture = Picture(WIDTH, HEIGHT, remark=remark)
        self.pads: dict[End, Point] = {}
        self.kinds = {end: net.kind for net in self.nets for end in net.ends}
        self.has_buzzer = profile.buzzer is not None

    def source(self) -> str:
        self.draw_pico()
        self.draw_display()
        self.draw_keys()
        if self.has_buzzer:
            self.draw_buzzer()
        if self.battery == AA:
            self.draw_holder()
        else:
            self.draw_charger()
        self.draw_diode_and_switch(HOLDER_PINS["+"] if self.battery == AA else CHARGER_PINS["OUT+"])
        for net in self.nets:
            self.draw_wires(net)
        for joint in self.joints():
            self.picture.circle(*joint, 4.5, KINDS["ground"])
        for net in self.nets:
            self.draw_tag(net)
        for end, (x, y) in self.pads.items():
            self.picture.circle(x, y, 5, "#ffffff", stroke=INK, stroke_width=1.5, class_="pad", data_end=".".join(end))
        self.draw_texts()
        return self.picture.source()

    # --- parts ---

    def pin(self, number: int) -> Point:
        """Return the position of a pin of the Pico."""
        if number in pico.LEFT_SIDE:
            return PICO_LEFT, PIN_TOP + (number - 1) * PIN_PITCH
        return PICO_RIGHT, PIN_TOP + (40 - number) * PIN_PITCH

    def draw_pico(self) -> None:
        draw = self.picture
        top, bottom = PIN_TOP - 40, PIN_TOP + 19 * PIN_PITCH + 40
        width = PICO_RIGHT - PICO_LEFT
        draw.rect(PICO_LEFT, top, width, bottom - top, BOARD, stroke=INK, stroke_width=2, rx=8, class_="part")
        draw.rect(PICO_LEFT + width / 2 - 32, top - 16, 64, 44, "#d0d0d0", stroke=INK, stroke_width=1.5, rx=3)
        draw.text(PICO_LEFT + width / 2, top + 6, "USB", 13, "middle", fill=INK)
        draw.text(PICO_LEFT + width / 2, bottom - 16, "Raspberry Pi Pico", 13, "middle", fill=INK)
        for number, name in pico.HEADER.items():
            x, y = self.pin(number)
            end = End("pico", str(number))
            used = end in self.kinds
            self.pads[end] = (x, y)
            inwards = 1 if x == PICO_LEFT else -1
            anchor = "start" if inwards > 0 else "end"
            ink = INK if used else FAINT
            draw.text(x + 20 * inwards, y, str(number), 11, "middle", fill=ink)
            draw.text(x + 34 * inwards, y, name, 13, anchor, fill=ink, font_weight="bold" if used else None)

    def draw_display(self) -> None:
        draw = self.picture
        x, y, width, height = DISPLAY
        draw.rect(x, y, width, height, PART, stroke=INK, stroke_width=2, rx=6, class_="part")
        draw.rect(x + 18, y + 62, width - 36, 92, "#303840", rx=3)
        draw.text(x + width / 2, y + 108, "128 × 64", 16, "middle", fill="#ffffff")
        draw.text(x + width / 2, y + height - 23, "OLED display", 14, "middle", fill=INK)
        for i, pin in enumerate(DISPLAY_PINS):
            at = x + width / 2 + (i - 1.5) * 40
            self.pads[End("display", pin)] = (at, y + 20)
            draw.text(at, y + 42, pin, 12, "middle", fill=INK)

    def draw_keys(self) -> None:
        draw = self.picture
        uppermost = min(row for _, row in self.measures.key_holes)
        for name, (column, row) in zip(NAMES, self.measures.key_holes, strict=True):
            x = KEY_ORIGIN[0] + KEY_COLUMN * column
            y = KEY_ORIGIN[1] + KEY_ROW * (row - uppermost)
            side = -10 if SIGNAL_LEG.get(name, "upper") == "upper" else 10
            for dx, dy in ((-1, -10), (1, -10), (-1, 10), (1, 10)):
                draw.line([(x + dx * KEY_HALF, y + dy), (x + dx * (KEY_HALF + 6), y + dy)], INK, 3)
            body = (x - KEY_HALF, y - KEY_HALF, 2 * KEY_HALF, 2 * KEY_HALF)
            draw.rect(*body, PART, stroke=INK, stroke_width=2, rx=4, class_="part")
            draw.text(x, y, name, 11, "middle", fill=INK, font_weight="bold")
            self.pads[End(name, "1")] = (x + KEY_HALF + 6, y + side)
            self.pads[End(name, "2")] = (x - KEY_HALF - 6, y - side)

    def draw_buzzer(self) -> None:
        draw = self.picture
        x, y = BUZZER
        draw.circle(x, y, 36, PART, stroke=INK, stroke_width=2)
        draw.circle(x, y, 7, "#ffffff", stroke=INK, stroke_width=1.5)
        self.pads[End("buzzer", "−")] = (x - 36, y)
        self.pads[End("buzzer", "+")] = (x + 36, y)
        draw.text(x - 20, y, "−", 16, "middle", fill=INK)
        draw.text(x + 20, y, "+", 16, "middle", fill=INK)
        draw.text(x, y + 54, "passive piezo buzzer", 14, "middle", fill=INK)
        x, y = RESISTOR_AT
        draw.rect(x - 26, y - 9, 52, 18, PART, stroke=INK, stroke_width=2, class_="part")
        self.pads[End("resistor", "1")] = (x + 26, y)
        self.pads[End("resistor", "2")] = (x - 26, y)
        draw.text(x, y - 24, RESISTOR, 13, "middle", fill=INK)

    def draw_holder(self) -> None:
        draw = self.picture
        x, y, width, height = HOLDER
        draw.rect(x, y, width, height, PART, stroke=INK, stroke_width=2, rx=6, class_="part")
        for pin, at in HOLDER_PINS.items():
            self.pads[End("holder", pin)] = (x, at)
            draw.text(x + 18, at, pin, 16, "middle", fill=INK)
        for i in range(3):
            top = y + 12 + 40 * i
            draw.rect(x + 48, top, width - 72, 30, "#ffffff", stroke=INK, stroke_width=1.5, rx=4)
            draw.rect(x + 41 if i == 1 else x + width - 24, top + 9, 7, 12, INK)  # the cells are placed head to tail
            draw.text(x + 12 + width / 2, top + 15, "AA, 1.5 V", 12, "middle", fill=INK)
        draw.text(x + width / 2, y + height - 18, "holder for three AA cells", 13, "middle", fill=INK)

    def draw_charger(self) -> None:
        draw = self.picture
        x, y, width, height = CHARGER
        draw.rect(x, y, width, height, PART, stroke=INK, stroke_width=2, rx=6, class_="part")
        for pin, at in CHARGER_PINS.items():
            self.pads[End("charger", pin)] = (x, at)
            draw.text(x + 14, at, pin, 12, fill=INK)
        for i, line in enumerate(("charger", "TP4056", "with", "protection")):
            draw.text(x + 108, y + 66 + 20 * i, line, 13, "middle", fill=INK)
        bottom = y + height
        for pin, at in CELL_PINS.items():
            self.pads[End("charger", "B" + pin)] = (at, bottom)
            draw.text(at, bottom - 18, "B" + pin, 12, "middle", fill=INK)
        x, y, width, height = CELL
        draw.rect(x, y, width, height, PART, stroke=INK, stroke_width=2, rx=6, class_="part")
        for pin, at in CELL_PINS.items():
            self.pads[End("cell", pin)] = (at, y)
            draw.text(at, y + 20, pin, 16, "middle", fill=INK)
        draw.text(x + width / 2, y + 62, "LiPo cell", 14, "middle", fill=INK)
        draw.text(x + width / 2, y + 84, "3.7 V, protected", 13, "middle", fill=INK)

    def draw_diode_and_switch(self, y: float) -> None:
        draw = self.picture
        x = 1005
        triangle = f"M{x + 6} {y} L{x + 30} {y - 12} L{x + 30} {y + 12} Z"
        draw.add("path", d=triangle, fill=PART, stroke=INK, stroke_width=2)
        draw.line([(x + 6, y - 12), (x + 6, y + 12)], INK, 3)
        self.pads[End("diode", "cathode")] = (x, y)
        self.pads[End("diode", "anode")] = (x + 36, y)
        draw.text(x + 18, y - 26, "1N5817", 12, "middle", fill=INK)
        x = 1090
        draw.line([(x + 4, y), (x + 44, y - 14)], INK, 3)
        self.pads[End("switch", "1")] = (x, y)
        self.pads[End("switch", "2")] = (x + 50, y)
        draw.text(x + 25, y - 32, "on/off", 12, "middle", fill=INK)

    # --- wires ---

    def routes(self, net: Net) -> list[list[Point]]:
        """Return the lines of a net, each as its corner points."""
        if net.name == "GND":
            return self.ground_routes(net)
        if net.name == "OUT−":
            start, out, other = (self.pads[end] for end in net.ends)
            return [[start, out], [(CHARGER_JOINT, out[1]), (CHARGER_JOINT, other[1]), other]]
        first, second = (self.pads[end] for end in net.ends)
        if net.name == "VBUS":
            return [[first, (SUPPLY_LANE, first[1]), (SUPPLY_LANE, second[1]), second]]
        if net.name == "3V3":
            beside, level = SUPPLY_LANE - 20, ABOVE_DISPLAY["VCC"]
            return [[first, (beside, first[1]), (beside, level), (second[0], level), second]]
        if net.name not in self.lanes:
            return [[first, second]]
        lane = self.lanes[net.name]
        way = self.way_out(net)
        begin = [*way, (lane, way[-1][1]), (lane, self.height_out(net))]
        if net.pico_pin in pico.LEFT_SIDE:
            return [[*begin, first]]
        up = RIGHT_LANES + LANE_PITCH * self.to_the_right.index(net)
        points = [*begin, (up, self.height_out(net)), (up, first[1]), first]
        return [list(dict.fromkeys(points))]  # a part at the height of its lane needs no corner

    @cached_property
    def in_lanes(self) -> list[Net]:
        """Return the nets whose wires come from the left and use the lanes beside the Pico."""
        return [net for net in self.nets if net.pico_pin and (net.name == "GND" or net.kind in FROM_THE_LEFT)]

    @cached_property
    def to_the_right(self) -> list[Net]:
        """Return the wires that end on the right side of the Pico, the innermost first."""
        found = [net for net in self.in_lanes if net.pico_pin not in pico.LEFT_SIDE]
        return sorted(found, key=lambda net: net.pico_pin or 0)

    def height_out(self, net: Net) -> float:
        """Return the height of its pin, or below the Pico, where a wire leaves the lanes."""
        if net in self.to_the_right:
            return BELOW + LANE_PITCH * self.to_the_right.index(net)
        return self.pin(net.pico_pin or 0)[1]

    def way_out(self, net: Net) -> list[Point]:
        """Return the points from a part of the left side to the beginning of the lanes."""
        if net.name == "GND":
            return [(BUS, self.tie())]
        part = net.ends[1]
        x, y = self.pads[part]
        if part.part == "display":
            return [(x, y), (x, ABOVE_DISPLAY[part.pin])]
        if part.part == "LEFT":  # RIGHT is in its way
            return [(x, y), (x + 8, y), (x + 8, y - 22)]
        return [(x, y)]

    def tie(self) -> float:
        """Return the height between display and keys at which the ground rail leaves for the Pico."""
        return KEY_ORIGIN[1] - KEY_HALF - 22

    @cached_property
    def lanes(self) -> dict[str, float]:
        """The lane of each wire from the left, by the name of its net; all parts must have their pads."""
        wires = [(self.way_out(net)[-1][1], self.height_out(net)) for net in self.in_lanes]
        names = [net.name for net in self.in_lanes]
        return {name: LANES + LANE_PITCH * lane for name, lane in zip(names, arrange(wires), strict=True)}

    def ground_routes(self, net: Net) -> list[list[Point]]:
        """Return the lines of the ground net, a rail at the left with a branch to every part."""
        found = []
        heights = [self.tie()]
        for end in net.ends[1:]:
            x, y = self.pads[end]
            if end.part == "display":
                way = [(x, y), (x, ABOVE_DISPLAY["GND"]), (BUS, ABOVE_DISPLAY["GND"])]
            elif end.part == "RIGHT":  # LEFT is in its way
                way = [(x, y), (x - 8, y), (x - 8, y + 26), (BUS, y + 26)]
            else:
                way = [(x, y), (BUS, y)]
            found.append(way)
            heights.append(way[-1][1])
        lane = self.lanes[net.name]
        pin = self.pads[net.ends[0]]
        found.append([(BUS, min(heights)), (BUS, max(heights))])
        found.append([(BUS, self.tie()), (lane, self.tie()), (lane, pin[1]), pin])
        return found

    def joints(self) -> list[Point]:
        """Return the junctions of wires of one net, which need a dot."""
        found: list[Point] = [(CHARGER_JOINT, CHARGER_PINS["OUT−"])] if self.battery == LIPO else []
        for net in self.nets:
            if net.name == "GND":
                heights = sorted({way[-1][1] for way in self.ground_routes(net)[:-2]} | {self.tie()})
                found += [(BUS, y) for y in heights[1:-1]]
        return found

    def draw_wires(self, net: Net) -> None:
        routes = self.routes(net)
        for points in routes:  # first a white edge, which shows at crossings which wire is above
            self.picture.line(points, "#ffffff", 7)
        for points in routes:
            self.stroke(points, net.kind, class_="wire", data_net=net.name)

    def stroke(self, points: list[Point], kind: str, **more: str) -> None:
        dash = DASHES.get(kind)
        ends = "butt" if dash else "square"
        width = THICK.get(kind, 2.6)
        self.picture.line(points, KINDS[kind], width, stroke_dasharray=dash, stroke_linecap=ends, **more)

    def draw_tag(self, net: Net) -> None:
        """Draw a wire's purpose beside the Pico, so that the wire can be followed without colours."""
        if net.pico_pin is None:
            return
        x, y = self.pin(net.pico_pin)
        width, height = TAG
        left = x - TAG_GAP - width if x == PICO_LEFT else x + TAG_GAP
        draw = self.picture
        edge = {"stroke": KINDS[net.kind], "stroke_width": 2, "rx": 5}
        draw.rect(left, y - height / 2, width, height, "#ffffff", **edge, class_="tag", data_net=net.name)
        draw.text(left + width / 2, y, TAGS.get(net.name, net.name), 12, "middle", fill=INK)

    # --- texts ---

    def draw_texts(self) -> None:
        draw = self.picture
        draw.text(40, 34, f"Kiebitz: wiring of {self.name} with {self.battery}", 22, fill=INK, font_weight="bold")
        draw.text(40, 62, "The keys stand as on the case, seen from the front.", 13, fill=INK)
        x, y = 1030, 640
        for kind, label in LEGEND.items():
            self.stroke([(x, y), (x + 48, y)], kind)
            draw.text(x + 62, y, label, 14, fill=INK)
            y += 24
        y += 16
        for note in (*NOTES, BATTERY_NOTES[self.battery]):
            draw.text(x, y, note, 12, fill=INK)
            y += 22


def wiring_svg(name: str, profile: Profile, measures: Measures, remark: str, battery: str = AA) -> str:
    """Return the drawing of a profile with a battery."""
    return Drawing(name, profile, measures, remark, battery).source()
