"""The drawing surface of all screens: text, digits and simple shapes in one preallocated display buffer."""

from kiebitz.ui.font import Font
from kiebitz.ui.font_digits import LARGE, MEDIUM
from kiebitz.ui.font_small import SMALL

_SMALL = Font(SMALL)
_DIGITS = {16: Font(LARGE), 12: Font(MEDIUM)}

# Four rows of a column as two columns of eight: every pixel becomes a square of four.
_DOUBLED = [bytes((byte, byte)) for byte in b"\x00\x03\x0c\x0f\x30\x33\x3c\x3f\xc0\xc3\xcc\xcf\xf0\xf3\xfc\xff"]

# What _paint does to a pixel.
_DARK, _LIT, _FLIPPED = range(3)

_FEW = 16  # columns; up to here a loop over them is quicker than long numbers


class Canvas:
    """Pixels in pages of eight rows, a byte a column, the lowest bit on top: as the display takes them.

    What does not cover whole bytes is done on a row of columns as one long number: a few steps for the
    interpreter instead of some for each column.
    """

    def __init__(self, width: int, height: int, buf=None):
        self.w = width
        self.h = height
        self.buf = bytearray(width * (height // 8)) if buf is None else buf
        self._view = memoryview(self.buf)  # writing a part of a bytearray would move everything behind it
        self._blank = bytes(len(self.buf))
        self._ones = int.from_bytes(b"\x01" * width, "little")
        # Tests set this to a function (s, x, y, w, h, fitted_from) that hears of every text drawn.
        self.spy = None
        self._fitted = {}

    # Text

    def text(self, s: str, x: int, y: int, invert: bool = False, room: int = -1) -> int:
        """Draws a line of text, 8 rows high, and returns where the next one would continue.

        Quick if y is a multiple of 8. With a room it is shortened to that many columns. Inverted text has a margin
        of one pixel to the left, to the right and above, for the letters would melt into a dark surrounding.
        """
        if room >= 0:
            s = self.fit(s, room)
        return self._draw(s, _SMALL.columns(s), _SMALL.height, _SMALL.gap, x, y, invert)

    def width(self, s: str) -> int:
        """How many columns a text covers."""
        return _SMALL.width(s)

    def fit(self, s: str, w: int) -> str:
        """The text, shortened with an ellipsis if it is wider than w columns."""
        short = _SMALL.fit(s, w)
        if self.spy and short != s:
            self._fitted[short] = s
        return short

    def big(self, s: str, x: int, y: int, invert: bool = False) -> int:
        """Draws a text at double size, 16 rows high and twice its width."""
        columns = _SMALL.columns(s)[0]
        pages = [b"".join([_DOUBLED[(column >> half) & 15] for column in columns]) for half in (0, 4)]
        return self._draw(s, pages, 2 * _SMALL.height, 2 * _SMALL.gap, x, y, invert)

    def digits(self, s: str, x: int, y: int, size: int = 16, invert: bool = False) -> int:
        """Draws a number with the large digits, 16 rows high, or the medium ones, 12 rows high."""
        font = _DIGITS[size]
        return self._draw(s, font.columns(s), font.height, font.gap, x, y, invert)

    def digits_width(self, s: str, size: int = 16) -> int:
        """How many columns a number covers."""
        return _DIGITS[size].width(s)

    def _draw(self, s, pages, height, gap, x, y, invert):
        n = len(pages[0])
        if self.spy:
            self.spy(s, x, y, n, height, self._fitted.get(s))
        if not n:
            return x
        after = x + n + gap
        if invert:
            self._paint(x - 1, y - 1, n + 2, height + 1, _LIT)
        if x < 0 or x + n > self.w:
            left = max(-x, 0)
            pages = [columns[left : max(self.w - x, 0)] for columns in pages]
            x += left
        if pages[0]:
            for columns in pages:
                self._put(self._flipped(columns) if invert else columns, x, y, min(height, 8))
                height -= 8
                y += 8
        return after

    def _put(self, columns, x, y, rows):
        """Replaces a block of up to eight rows by ready columns."""
        at = (y >> 3) * self.w + x
        shift = y & 7
        if rows == 8 and not shift:
            if 0 <= at < len(self.buf):
                self._view[at : at + len(columns)] = columns
            return
        mask = ((1 << rows) - 1) << shift
        bits = int.from_bytes(columns, "little") << shift
        self._merge(at, len(columns), mask & 0xFF, bits)
        if mask > 0xFF:
            self._merge(at + self.w, len(columns), mask >> 8, bits >> 8)

    def _merge(self, at, n, mask, bits):
        """Replaces the masked rows of n columns of one page."""
        if 0 <= at < len(self.buf):
            part = self._view[at : at + n]
            old = int.from_bytes(part, "little")
            part[:] = (old ^ ((old ^ bits) & self._lanes(mask, n))).to_bytes(n, "little")

    def _flipped(self, columns):
        n = len(columns)
        return (int.from_bytes(columns, "little") ^ self._lanes(0xFF, n)).to_bytes(n, "little")

    def _lanes(self, mask, n):
        """A long number that holds the same byte for each of n columns."""
        return (self._ones >> 8 * (self.w - n)) * mask

    # Shapes

    def clear(self) -> None:
        """Makes everything dark."""
        self._view[:] = self._blank

    def rect(self, x: int, y: int, w: int, h: int, on: int = 1) -> None:
        """Fills a rectangle, lit or dark."""
        self._paint(x, y, w, h, _LIT if on else _DARK)

    def invert(self, x: int, y: int, w: int, h: int) -> None:
        """Turns lit pixels dark and dark ones lit."""
        self._paint(x, y, w, h, _FLIPPED)

    def box(self, x: int, y: int, w: int, h: int, on: int = 1) -> None:
        """Draws the outline of a rectangle."""
        self.hline(x, y, w, on)
        self.hline(x, y + h - 1, w, on)
        self.vline(x, y, h, on)
        self.vline(x + w - 1, y, h, on)

    def hline(self, x: int, y: int, w: int, on: int = 1) -> None:
        """Draws a line to the right."""
        self.rect(x, y, w, 1, on)

    def vline(self, x: int, y: int, h: int, on: int = 1) -> None:
        """Draws a line downwards."""
        self.rect(x, y, 1, h, on)

    def pixel(self, x: int, y: int, on: int = 1) -> None:
        """Lights or darkens one pixel."""
        if 0 <= x < self.w and 0 <= y < self.h:
            at = (y >> 3) * self.w + x
            bit = 1 << (y & 7)
            self.buf[at] = self.buf[at] | bit if on else self.buf[at] & ~bit

    def _paint(self, x, y, w, h, how):
        """Changes a rectangle page by page."""
        left = max(x, 0)
        n = min(x + w, self.w) - left
        bottom = min(y + h, self.h)
        y = max(y, 0)
        while n > 0 and y < bottom:
            top = y & ~7
            mask = (0xFF << (y - top)) & 0xFF
            if bottom < top + 8:
                mask &= (1 << (bottom - top)) - 1
            self._paint_page((top >> 3) * self.w + left, n, mask, how)
            y = top + 8

    def _paint_page(self, at, n, mask, how):
        """Changes the masked rows of n columns of one page."""
        if n <= _FEW:
            dark = 0 if how == _FLIPPED else mask
            flip = 0 if how == _DARK else mask
            for i in range(at, at + n):
                self.buf[i] = (self.buf[i] & ~dark) ^ flip
        elif mask == 0xFF and how != _FLIPPED:
            self._view[at : at + n] = (b"\xff" if how == _LIT else b"\0") * n
        else:
            part = self._view[at : at + n]
            lanes = self._lanes(mask, n)
            bits = int.from_bytes(part, "little")
            if how != _FLIPPED:
                bits |= lanes
            if how != _LIT:
                bits ^= lanes
            part[:] = bits.to_bytes(n, "little")
