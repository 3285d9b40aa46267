"""Draw the screens of 128 x 64 on a display of 240 x 240 pixels, scaled and coloured."""

from array import array

from ..machine_code import const, micropython, ptr8, ptr16
from .font import Font, enlarge
from .font_tall import TEXT
from .font_tall_digits import LARGE, MEDIUM
from .pixel_loops import Pixels
from .tints import NUMBERS, Tints


@micropython.viper
def typeset(
    at: int, source: int, end: int,
    buf: ptr8, start: int, above: ptr8, below: ptr8, shift: int, mask: int, flip: int,
    cells: ptr16, count: int, skip: int, room: int,
):  # fmt: skip
    """Replace the rows in `mask` of a page of the display, from the offset `start` on, by those of two pages of a font.

    The page `below` is moved down by `shift` rows; the page `above` fills the rows that become free. Each character
    has three numbers in `cells`: the offset of its columns in the font, how many there are, and how many it takes
    with the dark ones behind. Columns up to `skip` and from `room` on are left out.

    The first three parameters are variables, not arguments: machine code keeps them in registers.
    """
    keep = mask ^ 0xFF
    dark = flip & mask
    back = 8 - shift
    column = 0
    i = 0
    while i < count:
        source = cells[i]
        end = source + cells[i + 1]
        at = column
        column += cells[i + 2]
        i += 3
        if at < skip:
            source += skip - at
            at = skip
        if at + end - source > room:
            end = room - at + source
        at += start
        while source < end:
            buf[at] = (buf[at] & keep) | (((below[source] << shift | above[source] >> back) ^ flip) & mask)
            source += 1
            at += 1
        end = start + (column if column < room else room)
        while at < end:
            buf[at] = (buf[at] & keep) | dark
            at += 1


W = 128
H = 64
LINE = 8
_THIN = const(2)  # pixels: as wide as the stems of the letters
_MOST_STRINGS = const(32)  # about as many as a screen shows: a key press changes few of them


def across(x: int) -> int:
    """Return the pixel at which a column of the screens begins."""
    return x * 15 >> 3


def down(y: int) -> int:
    """Return the pixel at which a row of the screens begins."""
    return y * 15 >> 2


class TallFont(Font):
    """A font measured in columns of the screens, which then look alike on all displays; drawn in pixels."""

    def __init__(self, table: tuple):
        super().__init__(table)
        self._strings = {}

    def cells(self, s: str):
        """Return what typeset() needs to draw a string; the strings asked for last are cached."""
        cells = self._strings.get(s)
        if cells is None:
            cells = self._render(s)
            if len(self._strings) >= _MOST_STRINGS:
                self._strings.clear()
            self._strings[s] = cells
        return cells

    def _render(self, s):
        """Return three numbers for each character (offset in the pages, columns to draw, total columns).

        Each character is drawn where it is measured: a dark column is added where the widths, rounded down, fall
        behind. The last number of all is the width of the string.
        """
        self.spelled(s)
        line = self.line
        cells = array("H", bytes(6 * line[0] + 2))
        pen = 0  # in columns of the screens
        end = 0  # in pixels
        i = 0
        for number in line[1 : line[0] + 1]:
            width = self.widths[number]
            pen += width
            cells[i] = self.starts[number]
            cells[i + 1] = width * 15 >> 3
            cells[i + 2] = (pen * 15 >> 3) - end
            end = pen * 15 >> 3
            i += 3
        if i:  # the last character has no gap behind it
            cells[i - 1] -= across(self.gap)
            cells[i - 2] = min(cells[i - 2], cells[i - 1])
            cells[i] = pen - self.gap
        return cells


_TEXT = TallFont(TEXT)
_digits: dict = {}  # fonts by their height


def _digit_font(size):
    """Return the font of this height, created on first use."""
    if size not in _digits:
        _digits[size] = TallFont(LARGE if size == 16 else MEDIUM)
    return _digits[size]


class _Glass(Pixels):
    """The pixels of the display itself."""

    def put(self, pages, cells, x: int, y: int, height: int, invert: bool) -> None:
        """Replace a block, `height` rows high, by characters of a font; the part outside the display is left out.

        `pages` are the pages of the font, `cells` comes from TallFont.cells().
        """
        buf = self.buf
        skip = 0 if x >= 0 else -x
        room = self.w - x
        count = len(cells) - 1
        flip = 0xFF if invert else 0
        shift = y & 7
        top = y - shift
        start = top // 8 * self.w + x
        mask = 0xFF << shift & 0xFF
        rows = shift + height  # from the top of this page on
        above = below = pages[0]
        k = 0
        while rows > 0:
            if rows < 8:
                mask &= (1 << rows) - 1
            if 0 <= top < self.h:
                typeset(0, 0, 0, buf, start, above, below, shift, mask, flip, cells, count, skip, room)
            k += 1
            above = below
            if k < len(pages):
                below = pages[k]
            mask = 0xFF
            rows -= 8
            top += 8
            start += self.w


class LargeCanvas:
    """The canvas of a display of 240 x 240 pixels, with the methods and measures of a Canvas of 128 x 64.

    Where most is drawn, the formulas of across() and down() are written out: each call would take 25 us.
    """

    battery_low = False
    clock_mark = ""
    labels = ()  # of the switches, on a board with fewer of them than keys
    hints = ()
    hints_w = hint_page = 0
    wide = 2  # aspect ratio of a pixel
    coloured = True

    def __init__(self, width: int, height: int, buf=None, tints=None):
        self.w = W
        self.h = H
        self._glass = _Glass(width, height, buf)
        self._tints = tints or Tints(width, height)

    def clear(self) -> None:
        """Make everything dark, and plain."""
        self._glass.clear()
        self._tints.clear()

    def tint(self, colour: str, x: int, y: int, w: int, h: int) -> None:
        """Colour what is lit in a rectangle, now or later, by a name in the palette; wiping makes it plain again."""
        right, bottom = (x + w) * 15 >> 3, (y + h) * 15 >> 2
        self._tints.put(NUMBERS[colour], x * 15 >> 3, y * 15 >> 2, right, bottom)

    # Text

    def text(self, s: str, x: int, y: int, invert: bool = False, room: int = -1) -> int:
        """Draw a line of text, 8 rows high. Returns the column where the next text would continue."""
        if room >= 0:
            s = self.fit(s, room)
        return self._draw(_TEXT, s, LINE, x, y, invert)

    def width(self, s: str) -> int:
        """Return how many columns a text covers."""
        return _TEXT.width(s)

    def fit(self, s: str, w: int) -> str:
        """Return the text, shortened with an ellipsis if it is wider than w columns."""
        return _TEXT.fit(s, w)

    def large(self, s: str, x: int, y: int) -> None:
        """Draw a text twice as large as usual, 16 rows high; at the usual size if the display is too small."""
        self.text(s, x, y)
        self._glass.enlarge(across(x), down(y), across(self.width(s)), down(LINE))

    def digits(self, s: str, x: int, y: int, size: int = 16, invert: bool = False) -> int:
        """Draw a number in large digits, 16 rows high, or medium ones, 12 rows high. Returns the next column.

        Sizes 32 and 24 are the same digits at twice their size.
        """
        if size > 16:
            return self._draw_twice(_digit_font(size // 2), s, size, x, y, invert)
        return self._draw(_digit_font(size), s, size, x, y, invert)

    def digits_width(self, s: str, size: int = 16) -> int:
        """Return how many columns a number covers."""
        return 2 * _digit_font(size // 2).width(s) if size > 16 else _digit_font(size).width(s)

    def _draw(self, font, s, height, x, y, invert):
        cells = font.cells(s)
        width = cells[-1]
        if not width:
            return x
        if invert:
            self.rect(x - 1, y - 1, width + 2, height + 1)
        self._glass.put(font.pages, cells, x * 15 >> 3, y * 15 >> 2, height * 15 >> 2, invert)
        return x + width + font.gap

    def _draw_twice(self, font, s, height, x, y, invert):
        width = 2 * font.width(s)
        if invert:
            self.rect(x - 1, y - 1, width + 2, height + 1)
        cells = font.cells(s)
        left, top = across(x), down(y)
        for i in range(0, len(cells) - 1, 3):
            enlarge(self._glass.rect, font.pages, cells[i], cells[i + 1], left, top, 0 if invert else 1)
            left += 2 * cells[i + 2]
        return x + width + 2 * font.gap

    # Shapes

    def rect(self, x: int, y: int, w: int, h: int, on: int = 1) -> None:
        """Fill a rectangle, lit or dark; a dark one is plain again."""
        left, top, right, bottom = x * 15 >> 3, y * 15 >> 2, (x + w) * 15 >> 3, (y + h) * 15 >> 2
        self._glass.rect(left, top, right - left, bottom - top, on)
        if not on and self._tints.count:
            self._tints.put(0, left, top, right, bottom)

    def invert(self, x: int, y: int, w: int, h: int) -> None:
        """Turn lit pixels dark and dark ones lit."""
        left, top = across(x), down(y)
        self._glass.invert(left, top, across(x + w) - left, down(y + h) - top)

    def box(self, x: int, y: int, w: int, h: int, on: int = 1) -> None:
        """Draw the outline of a rectangle."""
        left, top = across(x), down(y)
        width, height = across(x + w) - left, down(y + h) - top
        paint = self._glass.rect
        paint(left, top, width, _THIN, on)
        paint(left, top + height - _THIN, width, _THIN, on)
        paint(left, top, _THIN, height, on)
        paint(left + width - _THIN, top, _THIN, height, on)

    def hline(self, x: int, y: int, w: int, on: int = 1) -> None:
        """Draw a line to the right, at the lower end of its row."""
        self._glass.rect(across(x), down(y + 1) - _THIN, across(x + w) - across(x), _THIN, on)

    def part(self, y: int, w: int) -> None:
        """Separate an inverted text, whose last row this is, from the next line by a thin dark line."""
        self.hline(0, y, w, 0)

    def vline(self, x: int, y: int, h: int, on: int = 1) -> None:
        """Draw a line downwards."""
        self._glass.rect(across(x), down(y), _THIN, down(y + h) - down(y), on)

    def pixel(self, x: int, y: int, on: int = 1) -> None:
        """Light or darken one pixel."""
        self.rect(x, y, 1, 1, on)
