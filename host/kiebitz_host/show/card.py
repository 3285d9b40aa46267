"""Draw results as a picture to send to a chat: a headline and tables, in the letters of the device's large display.

The letters of the display are enlarged with smooth edges, so that no font has to be installed or shipped.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from kiebitz.raster.font_tall import TEXT
from kiebitz.raster.large_canvas import TallFont

from ..png import Color, png
from ..printable import printable

WIDTH = 1080  # pixels, as wide as the screen of a phone
MARGIN = 56
PAD = 28  # inside the frame of a table
GAP = 34  # between two columns
RADIUS = 22  # of the corners of a table
BAR = 10  # height of a bar
TITLE, BODY, SMALL = 2.4, 1.8, 1.5  # sizes of letters, as multiples of those on the display
SIZES = (1.8, 1.6, 1.4, 1.2, 1.05, 0.9)  # of a table, the first that fits
LINE = 32  # height of a line of text, at size 1
STRETCH = 1.2  # letters of the display are narrow
SPACING, SPACE = 2, 6  # columns of the display between two letters, and of a blank
LEVELS = 16  # of coverage at the edge of a letter
SHARPNESS = 1.4
CENTRE = 3  # weight of a pixel of the display against each of its neighbours

# The colours of the pages in the light (web/static/kiebitz.css)
PAPER, FRAME, INK, SOFT, EDGE = (251, 249, 244), (255, 255, 255), (29, 35, 39), (85, 95, 102), (217, 212, 199)
ACCENT, FIRST = (11, 93, 82), (255, 243, 196)
SEATS: tuple[Color, ...] = (
    (31, 95, 191), (179, 38, 30), (27, 116, 56), (122, 63, 176), (154, 77, 0), (11, 111, 130), (173, 38, 112),
    (107, 91, 62),
)  # fmt: skip


class Row(NamedTuple):
    """A row of a table."""

    cells: tuple[str, ...]
    seat: int | None = None  # its colour
    share: float | None = None  # length of its bar, from 0 to 1
    first: bool = False  # a winner


class Table(NamedTuple):
    """A table; columns in `numbers` are aligned to the right."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    numbers: frozenset[int] = frozenset()
    seats: int = 0  # how many heads, from the second on, have the colours of the seats


@lru_cache(maxsize=16)
def card(title: str, about: str, lead: str, tables: tuple[Table, ...], foot: str) -> bytes:
    """Return the picture as PNG; the last pictures are cached."""
    canvas = _Canvas()
    y = MARGIN
    for words, size, color in ((title, TITLE, INK), (about, SMALL, SOFT), (lead, BODY, ACCENT)):
        if not words:
            continue
        for line in _wrapped(words, size, WIDTH - 2 * MARGIN):
            canvas.text(MARGIN, y, line, size, color, PAPER)
            y += round(LINE * size * 1.05)
        y += 8
    for table in tables:
        y += 20
        if table.caption:
            canvas.text(MARGIN, y, table.caption, SMALL, SOFT, PAPER)
            y += round(LINE * SMALL * 1.15)
        y = _draw_table(canvas, table, y)
    canvas.text(WIDTH - MARGIN - _width(foot, SMALL), y + 16, foot, SMALL, SOFT, PAPER)
    return canvas.png(y + 16 + round(LINE * SMALL) + MARGIN // 2)


# --- tables ---


def _draw_table(canvas: "_Canvas", table: Table, y: int) -> int:
    """Draw a table. Returns the y below it."""
    size, widths = _columns(table)
    line, pad = round(LINE * size), round(6 * size)
    titles = [_wrapped(head, size, width) for head, width in zip(table.heads, widths, strict=True)]
    heads = max(map(len, titles)) * line + 2 * pad if any(table.heads) else 0
    rows = [[_wrapped(cell, size, width) for cell, width in zip(row.cells, widths, strict=True)] for row in table.rows]
    heights = [
        max(map(len, cells)) * line + 2 * pad + (BAR + pad if row.share is not None else 0)
        for row, cells in zip(table.rows, rows, strict=True)
    ]
    bottom = y + heads + sum(heights) + 2 * RADIUS // 3
    canvas.rounded(MARGIN, y, WIDTH - MARGIN, bottom, RADIUS, EDGE)
    canvas.rounded(MARGIN + 2, y + 2, WIDTH - MARGIN - 2, bottom - 2, RADIUS - 2, FRAME)
    y += RADIUS // 3
    if heads:
        colors = [SEATS[(k - 1) % len(SEATS)] if 0 < k <= table.seats else SOFT for k in range(len(widths))]
        _draw_cells(canvas, table, titles, widths, size, y + pad, colors, FRAME)
        y += heads
    for k, (row, cells, height) in enumerate(zip(table.rows, rows, heights, strict=True)):
        if k or heads:
            canvas.fill(MARGIN + PAD, y, WIDTH - MARGIN - PAD, y + 2, EDGE)
        ground = FIRST if row.first else FRAME
        if row.first:
            canvas.rounded(MARGIN + 10, y + 5, WIDTH - MARGIN - 10, y + height - 3, RADIUS // 2, FIRST)
        color = SEATS[row.seat % len(SEATS)] if row.seat is not None else INK
        _draw_cells(canvas, table, cells, widths, size, y + pad, [color, *[INK] * len(widths)], ground)
        if row.share is not None:
            end = MARGIN + PAD + round((WIDTH - 2 * MARGIN - 2 * PAD) * max(0.0, min(1.0, row.share)))
            top = y + height - BAR - pad
            canvas.rounded(MARGIN + PAD, top, max(end, MARGIN + PAD + BAR), top + BAR, BAR // 2, color)
        y += height
    return bottom


def _draw_cells(canvas, table: Table, cells, widths, size: float, y: int, colors: Sequence[Color], ground: Color):
    x = MARGIN + PAD
    for k, (lines, width) in enumerate(zip(cells, widths, strict=True)):
        for n, words in enumerate(lines):
            left = x + width - _width(words, size) if k in table.numbers else x
            canvas.text(left, y + n * round(LINE * size), words, size, colors[k], ground)
        x += width + _gap(table)


def _columns(table: Table) -> tuple[float, list[int]]:
    """Return the size of the letters and the widths of the columns.

    The widest column of words may wrap. If even the smallest letters are too wide, the heads of numbers are cut.
    """
    room = WIDTH - 2 * MARGIN - 2 * PAD - _gap(table) * (len(table.heads) - 1)
    bodies = list(zip(*[row.cells for row in table.rows], strict=True))
    columns = [(head, *body) for head, body in zip(table.heads, bodies, strict=True)]
    for size in SIZES:
        widths = [max(_width(words, size) for words in column) for column in columns]
        flexible = max([k for k in range(len(widths)) if k not in table.numbers], key=lambda k: widths[k])
        free = room - sum(widths)
        least = max(_width(word, size) for words in columns[flexible] for word in words.split(" "))
        if free >= 0 or widths[flexible] + free >= max(least, room // 3):
            widths[flexible] += free
            return size, widths
    needed = [max(map(_width, body, repeat(size))) for body in bodies]
    spare = [0 if k == flexible else width - needed[k] for k, width in enumerate(widths)]
    missing = max(least, widths[flexible] + free) - widths[flexible] - free
    cut = min(1.0, missing / max(sum(spare), 1))
    widths = [width - round(cut * more) for width, more in zip(widths, spare, strict=True)]
    widths[flexible] += room - sum(widths)
    return size, [max(width, 1) for width in widths]


def _gap(table: Table) -> int:
    return GAP if len(table.heads) < 8 else GAP // 2


# --- letters ---


@lru_cache
def _font() -> TallFont:
    return TallFont(TEXT)


def _width(words: str, size: float) -> int:
    return round((max([x + columns for x, _, columns in _glyphs(words)], default=0)) * size * STRETCH)


def _wrapped(words: str, size: float, width: int) -> list[str]:
    """Return the lines of a text; a word that is too wide is cut with an ellipsis."""
    lines: list[str] = []
    for word in words.split(" ") if words else []:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _width(longer, size) <= width:
            lines[-1] = longer
        else:
            while _width(word, size) > width and len(word) > 2:
                word = word.rstrip("…")[:-1] + "…"
            lines.append(word)
    return lines or [""]


def _glyphs(words: str) -> Iterator[tuple[int, int, int]]:
    """Yield (x on the display, offset in the font, columns) of each letter, evenly spaced."""
    cells = _font().cells(printable(words))
    x = 0
    for k in range(0, len(cells) - 1, 3):
        start, columns = _ink(cells[k], cells[k + 1])
        if columns:
            yield x, start, columns
        x += columns + SPACING if columns else SPACE


@lru_cache(maxsize=1024)
def _ink(start: int, columns: int) -> tuple[int, int]:
    """Return the offset and the number of the columns of a letter, without dark ones at its sides."""
    lit = [x for x in range(start, start + columns) if any(page[x] for page in _font().pages)]
    return (lit[0], lit[-1] - lit[0] + 1) if lit else (start, 0)


@lru_cache(maxsize=4096)
def _enlarged(start: int, columns: int, size: float) -> list[tuple[int, bytes]]:
    """Return the rows of an enlarged letter: (pixels left out at the left, coverage of each pixel after them).

    The pixels of the display are blurred, interpolated and sharpened again, which makes smooth edges.
    """
    font = _font()
    pages, height = font.pages, font.height
    lit = [[0] * (columns + 4)] * 2
    lit += [[0, 0, *[pages[y >> 3][start + x] >> (y & 7) & 1 for x in range(columns)], 0, 0] for y in range(height)]
    lit += [[0] * (columns + 4)] * 2
    across = [[row[x] + CENTRE * row[x + 1] + row[x + 2] for x in range(columns + 2)] for row in lit]
    whole = (2 + CENTRE) ** 2
    blurred = [
        [(a + CENTRE * b + c) / whole for a, b, c in zip(*across[y : y + 3], strict=True)] for y in range(height + 2)
    ]
    steps_x = _steps(columns + 2, size * STRETCH)
    wide = [[row[k] + (row[k + 1] - row[k]) * part for k, part in steps_x] for row in blurred]
    found = []
    for k, part in _steps(height + 2, size):
        row = [above + (below - above) * part for above, below in zip(wide[k], wide[k + 1], strict=True)]
        sharp = [(value - 0.5) * size * SHARPNESS + 0.5 for value in row]
        line = bytes([round(LEVELS * min(max(value, 0.0), 1.0)) for value in sharp])
        trimmed = line.lstrip(b"\0")
        found.append((len(line) - len(trimmed), trimmed.rstrip(b"\0")))
    return found


def _steps(count: int, size: float) -> list[tuple[int, float]]:
    """Return (source pixel, part of the way to the next) for each pixel of an enlarged row."""
    found = []
    for k in range(round((count - 1) * size)):
        at = min(k / size, count - 1.001)
        found.append((int(at), at - int(at)))
    return found


@lru_cache
def _ramp(color: Color, ground: Color) -> list[bytes]:
    """Return the colours between the ground and a letter, by coverage."""
    return [
        bytes([round(low + (high - low) * k / LEVELS) for low, high in zip(ground, color, strict=True)])
        for k in range(LEVELS + 1)
    ]


class _Canvas:
    """Pixels that grow downwards."""

    def __init__(self) -> None:
        self._rows: list[bytearray] = []

    def png(self, height: int) -> bytes:
        self._grow(height)
        return png(WIDTH, height, map(bytes, self._rows[:height]))

    def _grow(self, height: int) -> None:
        while len(self._rows) < height:
            self._rows.append(bytearray(bytes(PAPER) * WIDTH))

    def fill(self, left: int, top: int, right: int, bottom: int, color: Color) -> None:
        self._grow(bottom)
        for y in range(top, bottom):
            self._rows[y][3 * left : 3 * right] = bytes(color) * (right - left)

    def rounded(self, left: int, top: int, right: int, bottom: int, radius: int, color: Color) -> None:
        """Fill a rectangle with round corners."""
        self.fill(left, top + radius, right, bottom - radius, color)
        self._grow(bottom)
        for k in range(radius):
            inset = radius - (radius**2 - (radius - k - 0.5) ** 2) ** 0.5
            whole, part = int(inset) + 1, 1 - inset % 1
            for y in (top + k, bottom - 1 - k):
                self._rows[y][3 * (left + whole) : 3 * (right - whole)] = bytes(color) * (right - left - 2 * whole)
                for x in (left + whole - 1, right - whole):
                    ground = self._rows[y][3 * x : 3 * x + 3]
                    self._rows[y][3 * x : 3 * x + 3] = bytes(
                        [round(low + (high - low) * part) for low, high in zip(ground, color, strict=True)]
                    )

    def text(self, x: int, y: int, words: str, size: float, color: Color, ground: Color) -> None:
        """Write one line; `ground` is the colour below it."""
        ramp = _ramp(color, ground)
        height = round(LINE * size) + 4
        self._grow(y + height)
        for left, start, columns in _glyphs(words):
            at = x + round((left - 1) * size * STRETCH)
            for k, (skip, coverage) in enumerate(_enlarged(start, columns, size)):
                if coverage:
                    begin = 3 * (at + skip)
                    row = self._rows[y + k]
                    row[begin : begin + 3 * len(coverage)] = b"".join([ramp[level] for level in coverage])
                    del row[3 * WIDTH :]
