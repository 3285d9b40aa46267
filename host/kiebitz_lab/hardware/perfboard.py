"""Draw perfboard.svg: the holes of the perfboard for display and keys, at true size when printed."""

from math import ceil
from typing import Any

from kiebitz.widgets.keys import NAMES

from .case import Measures
from .drawing import SIGNAL_LEG
from .svg import Picture
from .wiring import KINDS

MARGIN = 9.0
INK = "#202020"
FAINT = "#9a9a9a"
BOARD = "#eef3ea"
DISPLAY_PINS = ("GND", "VCC", "SCL", "SDA")


def column_name(column: int) -> str:
    """Return the letter of a column, as in a spreadsheet."""
    return chr(ord("A") + column)


def hole_name(hole: tuple[int, int]) -> str:
    column, row = hole
    return f"{column_name(column)}{row + 1}"


def leg_holes(measures: Measures, name: str) -> dict[str, tuple[int, int]]:
    """Return the holes of the signal leg and the ground leg of a key."""
    upper_left, upper_right, lower_left, lower_right = measures.legs(NAMES.index(name))
    if SIGNAL_LEG.get(name, "upper") == "upper":
        return {"signal": upper_right, "ground": lower_left}
    return {"signal": lower_right, "ground": upper_left}


def header_holes(measures: Measures) -> dict[str, tuple[int, int]]:
    """Return the holes of the display's header."""
    column, row = measures.display_header
    first = int(column - (len(DISPLAY_PINS) - 1) / 2)
    return {pin: (first + i, row) for i, pin in enumerate(DISPLAY_PINS)}


class Perfboard:
    def __init__(self, measures: Measures, remark: str):
        self.measures = measures
        self.width, self.height = measures.board[:2]
        self.picture = Picture(self.width + 2 * MARGIN, self.height + 2 * MARGIN + 6, "mm", remark)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Convert a position from the centre of the board, y upwards, to the picture. Returns (x, y)."""
        return MARGIN + self.width / 2 + x, MARGIN + self.height / 2 - y

    def source(self) -> str:
        self.draw_board()
        for display, dash in (("0.96", "none"), ("1.3", "1 0.7")):
            self.draw_display(display, dash)
        for key, name in enumerate(NAMES):
            self.draw_key(key, name)
        self.draw_header()
        x, y = self.place(0, -self.height / 2 - MARGIN + 2)
        self.picture.text(x, y, "Seen from the front; at the back left and right are swapped.", 2, "middle", fill=INK)
        self.picture.text(x, y + 3.5, "Coloured leg: to the Pico. Black leg: to ground.", 2, "middle", fill=INK)
        return self.picture.source()

    def draw_board(self) -> None:
        draw, measures = self.picture, self.measures
        x, y = self.place(-self.width / 2, self.height / 2)
        draw.rect(x, y, self.width, self.height, BOARD, stroke=INK, stroke_width=0.3)
        columns, rows = measures.board_grid
        for column in range(columns):
            x, _ = self.place(*measures.hole(column, 0))
            for end in (1, -1):
                _, y = self.place(0, end * (self.height / 2 + 2))
                draw.text(x, y, column_name(column), 1.8, "middle", fill=INK)
        self.draw_holes()
        for row in range(rows):
            for end in (-1, 1):
                at = self.place(end * (self.width / 2 + 2), measures.hole(0, row)[1])
                draw.text(*at, str(row + 1), 1.8, "middle", fill=INK)
        for x in (-0.5, 0.5):
            for y in (-0.5, 0.5):
                at = self.place(x * measures.board_holes[0], y * measures.board_holes[1])
                draw.circle(*at, 1.1, "#ffffff", stroke=INK, stroke_width=0.3)

    def draw_holes(self) -> None:
        """Draw all holes as round ends of lines without length, which needs two elements instead of hundreds."""
        columns, rows = self.measures.board_grid
        holes = [self.measures.hole(column, row) for column in range(columns) for row in range(rows)]
        places = [self.place(*hole) for hole in holes if not self.under_screw(*hole)]
        dots = "".join(f"M{x:.2f} {y:.2f}h.01" for x, y in places)
        for colour, width in ((FAINT, 1.15), ("#ffffff", 0.85)):
            self.picture.add("path", d=dots, stroke=colour, stroke_width=width, stroke_linecap="round")

    def under_screw(self, x: float, y: float) -> bool:
        across, down = self.measures.board_holes
        return (abs(x) - across / 2) ** 2 + (abs(y) - down / 2) ** 2 < self.measures.screw_hole**2

    def label(self, column: float, row: int, text: str, size: float) -> None:
        """Draw a text over some holes of a row, and hide these holes."""
        pitch = self.measures.pitch
        x, y = self.place(*self.measures.hole(column, row))
        holes = 1 if column == int(column) else 2 * ceil(size * 0.6 * len(text) / pitch / 2)
        self.picture.rect(x - holes * pitch / 2, y - 1, holes * pitch, 2, BOARD)
        self.picture.text(x, y, text, size, "middle", fill=INK)

    def draw_display(self, display: str, dash: str) -> None:
        draw = self.picture
        width, height = self.measures.oled(display)[:2]
        x, y = self.measures.module(display)
        at = self.place(x - width / 2, y + height / 2)
        draw.rect(*at, width, height, stroke=INK, stroke_width=0.3, stroke_dasharray=dash)
        left, lower, right, upper = self.measures.lit_area(display)
        fill = "#cfe3f3" if dash == "none" else "none"
        edge: dict[str, Any] = {"stroke": KINDS["data"], "stroke_width": 0.3, "stroke_dasharray": dash}
        draw.rect(*self.place(left, upper), right - left, upper - lower, fill, fill_opacity=0.7, **edge)
        last_row = int((self.measures.board_grid[1] - 1) / 2 - (y - height / 2 + 1) / self.measures.pitch)
        self.label(self.measures.display_header[0], last_row, f'display {display}"', 1.7)

    def draw_key(self, key: int, name: str) -> None:
        draw, measures = self.picture, self.measures
        x, y = self.place(*measures.key_middles()[key])
        cap = measures.cap_size[key]
        width, height = measures.switch_body[:2]
        draw.rect(x - cap / 2, y - cap / 2, cap, cap, stroke=FAINT, stroke_width=0.25, stroke_dasharray="0.8 0.5", rx=2)
        draw.rect(x - width / 2, y - height / 2, width, height, "#ffffff", stroke=INK, stroke_width=0.3)
        draw.text(x, y, name, 1.6, "middle", fill=INK)
        used = leg_holes(measures, name)
        for leg in measures.legs(key):
            colour = "#ffffff"
            if leg == used["signal"]:
                colour = KINDS["key"]
            elif leg == used["ground"]:
                colour = KINDS["ground"]
            draw.circle(*self.place(*measures.hole(*leg)), 0.8, colour, stroke=INK, stroke_width=0.25)

    def draw_header(self) -> None:
        kinds = {"GND": "ground", "VCC": "power", "SCL": "data", "SDA": "data"}
        for pin, hole in header_holes(self.measures).items():
            x, y = self.place(*self.measures.hole(*hole))
            self.picture.circle(x, y, 0.8, KINDS[kinds[pin]], stroke=INK, stroke_width=0.25)
            self.label(hole[0], hole[1] + 1, pin, 1.05)


def perfboard_svg(measures: Measures, remark: str) -> str:
    return Perfboard(measures, remark).source()
