"""The pixels under a canvas, and the inner loops of drawing: machine code on a Pico, plain Python everywhere else."""

import sys

if sys.implementation.name == "micropython":
    import micropython
else:

    class micropython:  # type: ignore[no-redef]
        """On other computers, Python is quick enough."""

        @staticmethod
        def viper(function):
            return function

        native = viper

    ptr8 = bytearray


@micropython.viper
def paint(buf: ptr8, at: int, n: int, dark: int, flip: int):
    """Darkens some rows of n columns of a page, then flips some."""
    end = at + n
    keep = dark ^ 0xFF
    while at < end:
        buf[at] = (buf[at] & keep) ^ flip
        at += 1


@micropython.viper
def stamp(buf: ptr8, at: int, low: int, below: int, high: int, columns: ptr8, skip: int, n: int, shift: int, flip: int):
    """Replaces rows of n columns of a page, those in `low`, and of the one below it, those in `high`.

    The columns are taken from the one after `skip` on, flipped where `flip` says so, and moved down by `shift`.
    """
    end = skip + n
    keep_low = low ^ 0xFF
    keep_high = high ^ 0xFF
    while skip < end:
        bits = (columns[skip] ^ flip) << shift
        if low:
            buf[at] = (buf[at] & keep_low) | (bits & low)
        if high:
            buf[below] = (buf[below] & keep_high) | ((bits >> 8) & high)
        skip += 1
        at += 1
        below += 1


_PARTS = 4  # in which everything is wiped

# What _paint does to a pixel.
_DARK, _LIT, _FLIPPED = range(3)


class Pixels:
    """Pages of eight rows, a byte a column, the lowest bit on top: as the display takes them."""

    def __init__(self, width: int, height: int, buf=None):
        self.w = width
        self.h = height
        self.buf = bytearray(width * (height // 8)) if buf is None else buf
        view = memoryview(self.buf)  # writing a part of a bytearray would move everything behind it
        self._blank = bytes(len(view) // _PARTS)
        self._parts = [view[i * len(self._blank) : (i + 1) * len(self._blank)] for i in range(_PARTS)]

    def clear(self) -> None:
        """Makes everything dark."""
        for part in self._parts:
            part[:] = self._blank

    def rect(self, x: int, y: int, w: int, h: int, on: int = 1) -> None:
        """Fills a rectangle, lit or dark."""
        self._paint(x, y, w, h, _LIT if on else _DARK)

    def invert(self, x: int, y: int, w: int, h: int) -> None:
        """Turns lit pixels dark and dark ones lit."""
        self._paint(x, y, w, h, _FLIPPED)

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
            paint(self.buf, (top >> 3) * self.w + left, n, 0 if how == _FLIPPED else mask, 0 if how == _DARK else mask)
            y = top + 8
