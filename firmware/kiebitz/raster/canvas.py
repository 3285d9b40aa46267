"""Draw text, digits and simple shapes into one preallocated display buffer."""

from .font import Font, enlarge
from .font_digits import LARGE, MEDIUM
from .font_small import SMALL
from .pixel_loops import Pixels, imprint

_SMALL = Font(SMALL)
_digits: dict = {}  # fonts by their height


def _digit_font(size):
    """Return the font of this height, created on first use."""
    if size not in _digits:
        _digits[size] = Font(LARGE if size == 16 else MEDIUM)
    return _digits[size]


class Canvas(Pixels):
    """The canvas of an OLED, pixel by pixel."""

    battery_low = False  # True: every header shows the icon of a low battery
    clock_mark = ""  # the icon of a turn clock that goes, in every header
    labels = ()  # of the switches, on a board with fewer of them than keys
    hints = ()  # what the keys do, as pages of texts; one page is in the last line of the screen
    hints_w = 0  # columns of that line
    hint_page = 0  # the page that is shown
    wide = 1  # aspect ratio of a pixel
    coloured = False  # tint() does nothing

    def tint(self, colour: str, x: int, y: int, w: int, h: int) -> None:
        """Ignore the colour of a rectangle."""

    # Text

    def text(self, s: str, x: int, y: int, invert: bool = False, room: int = -1) -> int:
        """Draw a line of text, 8 rows high. Returns the column where the next text would continue.

        With `room` the text is shortened to that many columns. Inverted text has a margin of one pixel to the left,
        to the right and above, to separate the letters from dark surroundings.
        """
        if room >= 0:
            s = self.fit(s, room)
        if invert:
            return self._draw(_SMALL, s, x, y, invert)
        n = _SMALL.spelled(s)
        imprint(x, y, 8, self.buf, self.w, self.h, _SMALL.line, _SMALL.starts, _SMALL.widths, _SMALL.pages[0], n, 0)
        return x + n + _SMALL.gap if n else x

    def width(self, s: str) -> int:
        """Return how many columns a text covers."""
        return _SMALL.width(s)

    def fit(self, s: str, w: int) -> str:
        """Return the text, shortened with an ellipsis if it is wider than w columns."""
        return _SMALL.fit(s, w)

    def large(self, s: str, x: int, y: int) -> None:
        """Draw a text twice as large as usual, 16 rows high; at the usual size if the display is too small."""
        self.text(s, x, y)
        self.enlarge(x, y, self.width(s), 8)

    def digits(self, s: str, x: int, y: int, size: int = 16, invert: bool = False) -> int:
        """Draw a number in large digits, 16 rows high, or medium ones, 12 rows high. Returns the next column.

        The medium digits have the four suits beside them. Sizes 32 and 24 are the same digits at twice their size.
        """
        if size > 16:
            return self._draw_twice(_digit_font(size // 2), s, x, y, invert)
        return self._draw(_digit_font(size), s, x, y, invert)

    def digits_width(self, s: str, size: int = 16) -> int:
        """Return how many columns a number covers."""
        return 2 * _digit_font(size // 2).width(s) if size > 16 else _digit_font(size).width(s)

    def _draw(self, font, s, x, y, invert):
        n = font.spelled(s)
        line, starts, widths, rows = font.line, font.starts, font.widths, font.height
        flip = self._begin(x, y, n, rows, invert)
        for page in font.pages:
            imprint(x, y, min(rows, 8), self.buf, self.w, self.h, line, starts, widths, page, n, flip)
            rows -= 8
            y += 8
        return x + n + font.gap if n else x

    def _draw_twice(self, font, s, x, y, invert):
        n = 2 * font.spelled(s)
        self._begin(x, y, n, 2 * font.height, invert)
        at = x
        for number in font.line[1 : font.line[0] + 1]:
            width = font.widths[number]
            enlarge(self.rect, font.pages, font.starts[number], width - font.gap, at, y, 0 if invert else 1)
            at += 2 * width
        return x + n + 2 * font.gap if n else x

    def _begin(self, x, y, n, height, invert):
        """Fill the background of an inverted text. Returns the bits to invert in its columns."""
        if invert and n:
            self.rect(x - 1, y - 1, n + 2, height + 1)
        return 0xFF if invert else 0

    # Shapes

    def box(self, x: int, y: int, w: int, h: int, on: int = 1) -> None:
        """Draw the outline of a rectangle."""
        self.hline(x, y, w, on)
        self.hline(x, y + h - 1, w, on)
        self.vline(x, y, h, on)
        self.vline(x + w - 1, y, h, on)

    def hline(self, x: int, y: int, w: int, on: int = 1) -> None:
        """Draw a line to the right."""
        self.rect(x, y, w, 1, on)

    def vline(self, x: int, y: int, h: int, on: int = 1) -> None:
        """Draw a line downwards."""
        self.rect(x, y, 1, h, on)

    def pixel(self, x: int, y: int, on: int = 1) -> None:
        """Light or darken one pixel."""
        if 0 <= x < self.w and 0 <= y < self.h:
            at = (y >> 3) * self.w + x
            bit = 1 << (y & 7)
            self.buf[at] = self.buf[at] | bit if on else self.buf[at] & ~bit
