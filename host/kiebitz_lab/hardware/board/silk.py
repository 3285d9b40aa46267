"""Draw the silk screen: the lines of a card table, names, hints for soldering and a QR code.

Each shape is a list that layout.py draws: ["line", side, x1, y1, x2, y2, width], ["circle", side, x, y, radius, width],
["poly", side, points], ["text", side, x, y, text, size, justify, angle], and ["keep", side, left, lower, right, upper],
where the layout puts no text and no vias between the ground planes. Places are those of places.py.
"""

from math import cos, pi, sin
from typing import Any

import segno
from kiebitz.widgets.keys import NAMES

from ...font_compiler import ART, read_art
from . import places
from .places import DISPLAY_ROW, KEYS, LCD_ROW, SIZE, SMALL_ROW, SWD_ROW

Shape = list[Any]
Point = tuple[float, float]
PIXEL_MM = 0.9
QR_MM = 19.0
TITLE_X = -8.5
QR_AT = (-23.5, 3.6)
OLED_PINS = ("GND", "VCC", "SCL", "SDA", "RES", "DC", "CS")
LCD_PINS = ("GND", "VCC", "SCL", "SDA", "RES", "DC", "CS", "BLK")
SWD_PINS = ("SWCLK", "GND", "SWDIO")


def silk(address: str) -> list[Shape]:
    """Return all shapes; the QR code has the address of the project's page, or says in words what this is."""
    page = address or f"Kiebitz board {places.VERSION}: score keeper for card games"
    return [*_table(), *_title(), *_qr(page), *_suits(), *_names(), *_back()]


def text(side: str, x: float, y: float, words: str, size: float = 1.0, justify: str = "center", turn: int = 0) -> Shape:
    return ["text", side, x, y, words, size, justify, turn]


def _table() -> list[Shape]:
    """Return the edge of a card table around the keys, a double line with cut corners, and a circle for each thumb."""
    found: list[Shape] = []
    for inset, width, cut in ((1.0, 0.3, 10.9), (1.8, 0.15, 10.4)):
        x, low, high = SIZE[0] / 2 - inset, -SIZE[1] / 2 + inset, -6.4 - inset
        corners = [(-x + cut, low), (x - cut, low), (x, low + cut), (x, high - 2), (x - 2, high), (-x + 2, high),
                   (-x, high - 2), (-x, low + cut)]  # fmt: skip
        found += [["line", "F", *a, *b, width] for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    return found


def _title() -> list[Shape]:
    """Return the name in the letters of the device's own display."""
    (font, *_) = read_art((ART / "small.txt").read_text("utf-8"), "small.txt")
    rows = [""] * font.height
    for letter in "KIEBITZ":
        rows = [row + more + "." for row, more in zip(rows, font.glyphs[letter], strict=True)]
    left, top = TITLE_X - len(rows[0]) * PIXEL_MM / 2, 25.4
    found = []
    for down, row in enumerate(rows):
        for start, end in _runs(row, "#"):
            found.append(_rectangle("F", left + start * PIXEL_MM, top - (down + 1) * PIXEL_MM, left + end * PIXEL_MM,
                                    top - down * PIXEL_MM))  # fmt: skip
    return [
        *found,
        text("F", TITLE_X, 16.2, "score keeper for card games", 1.5),
        text("F", -11.5, 9.8, f"Board {places.VERSION} for a Raspberry Pi Pico", 1.1, "left"),
        text("F", -11.5, 7.4, "Pico, small parts, buzzer: at the back", 1.0, "left"),
        text("F", -11.5, 5.4, "keys and one display: here", 1.0, "left"),
        text("F", -11.5, 3.4, "three AA cells, or a LiPo cell", 1.0, "left"),
        text("F", -11.5, 0.8, "Nobody has tested this version:", 1.0, "left"),
        text("F", -11.5, -1.2, "measure before you put cells in", 1.0, "left"),
        text("F", -11.5, -3.8, "CERN-OHL-P-2.0", 1.0, "left"),
    ]


def _runs(row: str, pixel: str) -> list[tuple[int, int]]:
    """Return (start, end) of each run of a pixel in a row."""
    found, start = [], None
    for i, char in enumerate(row + " "):
        if char == pixel and start is None:
            start = i
        elif char != pixel and start is not None:
            found.append((start, i))
            start = None
    return found


def _rectangle(side: str, left: float, lower: float, right: float, upper: float) -> Shape:
    return ["poly", side, [(left, lower), (right, lower), (right, upper), (left, upper)]]


def _qr(page: str) -> list[Shape]:
    """Return the light modules of a QR code and its light margin: the board itself is the dark."""
    code = segno.make(page, error="l", micro=False)
    rows = ["".join("# "[not module] for module in row) for row in code.matrix_iter(border=4)]
    size = QR_MM / len(rows)
    left, top = QR_AT[0] - QR_MM / 2, QR_AT[1] + QR_MM / 2
    light = [
        _rectangle("F", left + start * size, top - (down + 1) * size, left + end * size, top - down * size)
        for down, row in enumerate(rows) for start, end in _runs(row.replace(" ", "."), ".")
    ]  # fmt: skip
    return [*light, ["keep", "F", left, top - QR_MM, left + QR_MM, top]]


def _heart(x: float, y: float, size: float, up: int = 1) -> list[Point]:
    found = []
    for step in range(40):
        t = step * pi / 20
        across = 16 * sin(t) ** 3
        height = 13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)
        found.append((round(x + across * size / 32, 3), round(y + up * (height + 2) * size / 32, 3)))
    return found


def _circle(x: float, y: float, radius: float) -> list[Point]:
    return [(round(x + radius * cos(i * pi / 12), 3), round(y + radius * sin(i * pi / 12), 3)) for i in range(24)]


def _suit(name: str, x: float, y: float, size: float) -> list[Shape]:
    stem = [(x - 0.22 * size, y - 0.5 * size), (x + 0.22 * size, y - 0.5 * size), (x + 0.04 * size, y),
            (x - 0.04 * size, y)]  # fmt: skip
    if name == "heart":
        return [["poly", "F", _heart(x, y, size)]]
    if name == "diamond":
        return [["poly", "F", [(x, y + size / 2), (x + 0.36 * size, y), (x, y - size / 2), (x - 0.36 * size, y)]]]
    if name == "spade":
        return [["poly", "F", _heart(x, y + 0.06 * size, 0.92 * size, -1)], ["poly", "F", stem]]
    leaves = [(x, y + 0.24 * size), (x - 0.25 * size, y - 0.1 * size), (x + 0.25 * size, y - 0.1 * size)]
    return [*(["poly", "F", _circle(*leaf, 0.23 * size)] for leaf in leaves), ["poly", "F", stem]]


def _suits() -> list[Shape]:
    """Return the four suits between the arrows, where the thumb rests."""
    x, y = KEYS[0][0], KEYS[2][1]
    names = ("spade", "heart", "diamond", "club")
    return [shape for i, name in enumerate(names) for shape in _suit(name, x + (i - 1.5) * 3.6, y, 2.9)]


def _names() -> list[Shape]:
    """Return the names of keys and of the pins of the displays."""
    beside = {
        "UP": (9.8, 4.4),
        "DOWN": (10.0, -5.0),
        "LEFT": (0, 8.4),
        "RIGHT": (0, 8.4),
        "OK": (-9.3, 0),
        "UNDO": (9.9, 0),
    }
    found = []
    for name, (x, y) in zip(NAMES, KEYS, strict=True):
        found.append(text("F", x + beside[name][0], y + beside[name][1], name, 1.6))
    x, y = DISPLAY_ROW
    found.append(text("F", x - 9.4, y, '2.42"', 1.1, "right"))
    found.append(text("F", SMALL_ROW[0] - 5.6, SMALL_ROW[1], '1.3"', 1.1, "right"))
    for i, pin in enumerate(OLED_PINS):
        found.append(text("F", x + (i - 3) * 2.54, y + 2.3, pin, 1.0, "left", 90))
    for i, pin in enumerate(OLED_PINS[:4]):
        found.append(text("F", SMALL_ROW[0] + (i - 1.5) * 2.54, SMALL_ROW[1] - 1.7, pin, 1.0, "right", 90))
    for (x, y), pins in ((LCD_ROW, LCD_PINS), (SWD_ROW, SWD_PINS)):
        for i, pin in enumerate(pins):
            found.append(text("F", x - 1.8, y + (len(pins) - 1 - 2 * i) * 1.27, pin, 1.0, "right"))
    x, y = LCD_ROW
    found.append(text("F", x, y + 11, "ST7789", 1.0))
    return found


def _back() -> list[Shape]:
    """Return the hints at the back."""
    hints = [
        (0.0, -41.9, f"Kiebitz board {places.VERSION}", 1.2),
        (4.0, -4.4, "3 x AA lie here", 1.6),
        (-1.0, 39.9, "JP1, JP2: cut and bridge if VCC is first", 1.0),
        (21.8, 10.6, "3 x AA", 1.0),
        (27.0, -3.0, "LiPo", 1.0),
        (30.0, 29.5, "on", 1.0),
        (26.2, 16.85, "+", 1.2),
        (26.2, 14.35, "-", 1.2),
        (29.8, -4.0, "+", 1.2),
        (29.8, -2.0, "-", 1.2),
    ]
    found: list[Shape] = []
    for x, y, words, size in hints:
        wide = 0.48 * size * len(words)
        found += [text("B", x, y, words, size), ["keep", "B", x - wide, y - 0.8 * size, x + wide, y + 0.8 * size]]
    return found
