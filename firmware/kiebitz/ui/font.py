"""A compiled pixel font in use: turns a string into display columns fast enough to redraw a whole screen."""

_MOST_STRINGS = 32  # about what a screen shows: a key press leaves most of it as it was
BITS = 5  # of a place are the width, those above it the start
WIDTH = (1 << BITS) - 1


def _codes(s):
    """One number for each character: its UTF-8 bytes, the first one highest.

    Strings of one character would be simpler but slow: MicroPython searches all the names it knows for each.
    """
    data = s.encode()
    if len(data) == len(s):
        return data
    codes = []
    for byte in data:
        if 0x7F < byte < 0xC0:
            codes[-1] = (codes[-1] << 8) | byte
        else:
            codes.append(byte)
    return codes


class Font:
    """A font that remembers the strings it drew last, as column bytes for each page of its height."""

    across = 8  # eighths of a column that the display has for one that is measured

    def __init__(self, table: tuple):
        self.height, self.gap, chars, widths, self._pages = table
        # Where each character is, as one number: glyphs kept as objects would litter the heap by hundreds.
        self._places = {}
        start = 0
        for code, width in zip(_codes(chars), widths):
            self._places[code] = start << BITS | width
            start += width * self.across >> 3
        self._strings = {}

    def columns(self, s: str) -> list:
        """The columns of a string from the first to the last one drawn: a bytes object for each page of height."""
        pages = self._strings.get(s)
        if pages is None:
            pages = self._render(s)
            if len(self._strings) >= _MOST_STRINGS:
                self._strings.clear()
            self._strings[s] = pages
        return pages

    def width(self, s: str) -> int:
        """How many columns a string covers."""
        pages = self._strings.get(s)
        if pages is None:  # it may never be drawn: sentences are measured word by word
            return max(0, sum([place & WIDTH for place in self._line(s)]) - self.gap)
        return len(pages[0])

    def fit(self, s: str, width: int) -> str:
        """The string itself if it fits, otherwise as much of it as fits together with an ellipsis."""
        if self.width(s) <= width:
            return s
        room = width - self.width("…")
        if room < 0:
            return ""
        kept = 0
        for code in _codes(s):
            place = self._places.get(code)
            room -= self.width(s[kept]) + self.gap if place is None else place & WIDTH
            if room < 0:
                break
            kept += 1
        return s[:kept].rstrip() + "…"

    def _line(self, s):
        """The places of the characters that are drawn for a string."""
        places = self._places
        try:
            return [places[code] for code in _codes(s)]
        except KeyError:
            return [places[code] for code in _codes(self._shown(s))]

    def _render(self, s):
        line = self._line(s)
        rows = [[page[at >> BITS : (at >> BITS) + (at & WIDTH)] for at in line] for page in self._pages]
        return [b"".join(row)[: -self.gap] for row in rows]

    def _shown(self, s):
        """The string with a substitute for every character that the font does not have."""
        from kiebitz.ui.substitutes import substitute

        shown = ""
        for char in s:
            if self._has(char):
                shown += char
            else:
                for other in substitute(char):
                    shown += other if self._has(other) else "?"
        return shown

    def _has(self, char):
        return _codes(char)[0] in self._places
