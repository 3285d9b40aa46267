"""The coloured rectangles of a picture: which pixels of a colour display are lit in which colour.

A map of cells, as home computers had, would be as large, but cards and lines do not begin where cells do.
"""

from ..machine_code import const, micropython, ptr8, ptr32

SIZE = 5  # bytes of a rectangle: left, top, right, bottom (in pixels, the last two outside of it), number of the colour
_MOST = const(72)  # 49 cards, and what else a screen may colour; beyond that rectangles stay plain


@micropython.viper
def _put(
    k: int, kept: int, overlaps: int,
    data: ptr8, count: int, colour: int, left: int, top: int, right: int, bottom: int,
) -> int:  # fmt: skip
    """Add a rectangle, a plain one only over another colour, and remove those inside it. Returns how many there are.

    The first three parameters are variables, not arguments: machine code keeps them in registers.
    """
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
    return kept // 5


@micropython.viper
def _mark(k: int, page: int, mark: int, data: ptr8, count: int, marks: ptr32, pages: int):
    """Write a checksum of the rectangles that touch each page of eight rows; 0 if none does.

    The first three parameters are variables, not arguments: machine code keeps them in registers.
    """
    while page < pages:
        marks[page] = 0
        page += 1
    end = count * 5
    while k < end:
        page = data[k + 1] >> 3
        last = (data[k + 3] + 7) >> 3
        while page < last:
            mark = marks[page]
            i = 0
            while i < 5:
                mark = (mark * 251 + data[k + i] + 1) & 0xFFFFFF
                i += 1
            marks[page] = mark
            page += 1
        k += 5


class Tints:
    """The coloured rectangles of a display of up to 255 x 255 pixels; a later one lies over those before."""

    def __init__(self, width: int, height: int):
        self.data = bytearray(SIZE * (_MOST + 1))  # one to look at, whether it is kept or not
        self.count = 0
        self._w = width
        self._h = height

    def clear(self) -> None:
        """Make everything plain."""
        self.count = 0

    def put(self, colour: int, left: int, top: int, right: int, bottom: int) -> None:
        """Colour a rectangle by the number of its colour, 0 for plain; the part outside the display is left out."""
        left = max(left, 0)
        top = max(top, 0)
        right = min(right, self._w)
        bottom = min(bottom, self._h)
        if left < right and top < bottom:
            count = _put(0, 0, 0, self.data, self.count, colour, left, top, right, bottom)
            self.count = min(count, _MOST)

    def mark(self, marks) -> None:
        """Write into an array what is to be compared to see whether the colours of a page have changed."""
        _mark(0, 0, 0, self.data, self.count, marks, len(marks))
