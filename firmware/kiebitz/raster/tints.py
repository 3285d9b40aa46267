"""Define the colours of a colour display by meaning, and keep the coloured rectangles of a picture.

Screens name a colour; an OLED ignores it. Players who confuse red and green see their difference in brightness,
and no colour is the only sign of anything. A map of cells would be as large as the list of rectangles, but cards and
lines do not start at cell borders.
"""

from ..machine_code import const, micropython, ptr8, ptr32

_WHITE = const((255, 244, 224))
_AMBER = const((255, 196, 88))
_RED = const((248, 80, 88))
_ORANGE = const((255, 144, 24))
_YELLOW = const((255, 224, 88))
_GREEN = const((56, 200, 144))
_BLUE = const((96, 152, 255))
_VIOLET = const((208, 168, 240))

DARK = (8, 12, 16)  # every pixel that is not lit
# The first one is the colour of everything that a screen gives no other
COLOURS = (
    ("plain", _WHITE),
    ("bar", _AMBER),
    ("leader", _YELLOW),
    ("change", _BLUE),
    ("refused", _ORANGE),
    ("red", _RED),
    ("orange", _ORANGE),
    ("yellow", _YELLOW),
    ("green", _GREEN),
    ("blue", _BLUE),
    ("violet", _VIOLET),
)

NUMBERS = {name: number for number, (name, _) in enumerate(COLOURS)}


SIZE = 5  # bytes of a rectangle: left, top, right, bottom (in pixels, the last two outside of it), number of the colour
_MOST = const(72)  # 49 cards, and what else a screen may colour; what is beyond stays plain
OVER = 0x80  # in a layer: further rectangles touch the page


@micropython.viper
def _put(
    k: int, kept: int, overlaps: int,
    data: ptr8, count: int, colour: int, left: int, top: int, right: int, bottom: int, w: int, h: int,
) -> int:  # fmt: skip
    """Add a rectangle and remove those inside it. A plain one is added only over a colour. Returns the new count.

    The first three parameters are variables, not arguments: machine code keeps them in registers.
    """
    if left < 0:
        left = 0
    if top < 0:
        top = 0
    if right > w:
        right = w
    if bottom > h:
        bottom = h
    if left >= right or top >= bottom:
        return count
    end = 5 * count
    data[end] = left
    data[end + 1] = top
    data[end + 2] = right
    data[end + 3] = bottom
    data[end + 4] = colour
    while k <= end:
        keep = 0
        if k == end:
            keep = overlaps | colour
        elif left > data[k] or top > data[k + 1] or right < data[k + 2] or bottom < data[k + 3]:
            keep = 1
            if left < data[k + 2] and top < data[k + 3] and right > data[k] and bottom > data[k + 1]:
                overlaps = 1
        if keep:
            if kept < k:
                i = 0
                while i < 5:
                    data[kept + i] = data[k + i]
                    i += 1
            kept += 5
        k += 5
    return kept // 5 if kept < 5 * _MOST else _MOST


@micropython.viper
def _mark(k: int, page: int, mark: int, data: ptr8, count: int, marks: ptr32, layers: ptr8, pages: int, w: int):
    """Write the checksum and the layer of each page for Tints.mark().

    The first three parameters are variables, not arguments: machine code keeps them in registers.
    """
    while page < pages:
        marks[page] = 0
        layers[page] = 0
        page += 1
    n = 0
    while n < count:
        whole = 0
        if data[k] == 0 and data[k + 2] == w:
            whole = 1
        top = data[k + 1]
        bottom = data[k + 3]
        mark = 1
        page = k + 5
        while k < page:
            mark = mark * 251 + data[k]
            k += 1
        n += 1
        page = top >> 3
        while page << 3 < bottom:
            marks[page] = (marks[page] * 251 + mark) & 0xFFFFFF
            if whole and top <= page << 3 and bottom >= (page << 3) + 8:
                layers[page] = n
            else:
                layers[page] |= 0x80
            page += 1


class Tints:
    """The coloured rectangles of a display of up to 255 x 255 pixels; later ones cover earlier ones."""

    def __init__(self, width: int, height: int):
        self.data = bytearray(SIZE * (_MOST + 1))  # one more, which is written before it is known whether it is kept
        self.count = 0
        self._changed = True  # since mark(); a move of the cursor seldom changes a colour
        self._w = width
        self._h = height

    def clear(self) -> None:
        """Make everything plain."""
        self.count = 0
        self._changed = True

    def put(self, colour: int, left: int, top: int, right: int, bottom: int) -> None:
        """Colour a rectangle by the number of its colour, 0 for plain; the part outside the display is left out."""
        self._changed = True
        self.count = _put(0, 0, 0, self.data, self.count, colour, left, top, right, bottom, self._w, self._h)

    def stored(self) -> bytes:
        """Return all rectangles, SIZE bytes each."""
        return bytes(self.data[: SIZE * self.count])

    def mark(self, marks, layers) -> None:
        """Write about each page of eight rows a checksum of its colours, and which rectangles matter there.

        The arrays have to be the same ones each time: nothing is written if nothing has changed.
        The layer of a page is the number, from 1, of the last rectangle that covers all of it, or 0; with OVER added if
        others touch the page after that one.
        """
        if self._changed:
            _mark(0, 0, 0, self.data, self.count, marks, layers, len(layers), self._w)
            self._changed = False
