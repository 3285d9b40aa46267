"""Measure and spell strings in a compiled pixel font, fast enough to redraw a whole screen."""

from array import array

from .pixel_loops import spell


class Font:
    """A font. `starts` and `widths` give the offset in the pages and the width of each character by its index.

    Characters are found without a string for each, because MicroPython would search all interned strings for it and
    fragment the heap.
    """

    def __init__(self, table: tuple):
        self.height, self.gap, codes, self.widths, starts, self.pages = table
        # Copied: constants in flash may begin at any address, and machine code reads whole words
        self._codes = array("I", codes)  # sorted
        self.starts = array("H", starts)
        self._most = len(self._codes)
        self._room = 128  # the longest text, in bytes, that fits into `line`
        self.line = array("H", bytes(2 * self._room))  # the text spelled last: how many characters, then their indexes

    def spelled(self, s: str) -> int:
        """Return how many columns a string covers; the indexes of its characters are in `line` until the next call."""
        width = self._spell(s)
        if width < 0:
            width = self._spell(self._shown(s))
        return width - self.gap if width else 0

    width = spelled

    def _spell(self, s):
        """Return the width with the dark columns behind the last character; -1 if the font lacks a character."""
        data = s.encode()
        size = len(data)
        if size >= self._room:
            self._room = 2 * size
            self.line = array("H", bytes(2 * self._room))
        return spell(data, size, self._codes, self._most, self.widths, self.line)

    def fit(self, s: str, width: int) -> str:
        """Return the string itself if it fits, otherwise as much of it as fits together with an ellipsis.

        The name of a guest keeps its number, because the names of guests differ in nothing else.
        """
        if self.spelled(s) <= width:
            return s
        end = "…" + s[-1] if s[-1:].isdigit() and s.find(" ") == len(s) - 2 else "…"
        room = width - self.spelled(end)
        if room < 0:
            return ""
        known = self._spell(s) >= 0
        kept = 0
        while True:
            room -= self.widths[self.line[kept + 1]] if known else self.spelled(s[kept]) + self.gap
            if room < 0:
                return s[:kept].rstrip() + end
            kept += 1

    def _shown(self, s):
        """Return the string with a substitute for every character that the font does not have."""
        from .substitutes import substitute

        shown = ""
        for char in s:
            if self._spell(char) >= 0:
                shown += char
            else:
                for other in substitute(char):
                    shown += other if self._spell(other) >= 0 else "?"
        return shown


def enlarge(paint, pages, start, width, x, y, on):
    """Draw `width` columns of a font from the offset `start` on, with a square of two by two for each pixel.

    paint(x, y, width, height, on) fills a rectangle.
    """
    rows = 8 * len(pages)
    for column in range(start, start + width):
        row = 0
        while row < rows:
            first = row
            while row < rows and pages[row >> 3][column] >> (row & 7) & 1:
                row += 1
            if row > first:
                paint(x, y + 2 * first, 2, 2 * (row - first), on)
            row += 1
        x += 2
