"""Run the inner loops of drawing, in machine code on a Pico and in plain Python elsewhere."""

from ..machine_code import const, micropython, ptr8, ptr16, ptr32


@micropython.viper
def paint(
    at: int, y: int, end: int, buf: ptr8, w: int, h: int, x: int, right: int, bottom: int, dark: int, flip: int
):  # fmt: skip
    """Change a rectangle in a block of w by h pixels, page by page; the part outside the block is left out.

    The bits in `dark` are cleared in each column, and then the bits in `flip` are inverted.

    `at` and `end` are variables, not arguments: machine code keeps the first three parameters in registers.
    """
    if x < 0:
        x = 0
    if right > w:
        right = w
    if y < 0:
        y = 0
    if bottom > h:
        bottom = h
    while y < bottom:
        mask = (0xFF << (y & 7)) & 0xFF
        y = (y & ~7) + 8
        if bottom < y:
            mask &= 0xFF >> (y - bottom)
        keep = (mask & dark) ^ 0xFF
        mask &= flip
        at = ((y >> 3) - 1) * w
        end = at + right
        at += x
        while at < end:
            buf[at] = (buf[at] & keep) ^ mask
            at += 1


@micropython.viper
def spell(text: ptr8, size: int, codes: ptr32, most: int, widths: ptr8, line: ptr16) -> int:
    """Find the characters of a text among the sorted codes of a font. Returns their width in all; -1 if one is missing.

    Writes the number of characters into line[0], and their indexes in the font after it.
    """
    width = 0
    count = 0
    at = 0
    while at < size:
        code = text[at]
        at += 1
        while at < size and (text[at] & 0xC0) == 0x80:
            code = code << 8 | text[at]
            at += 1
        low = code - codes[0]  # the index of the code, unless the font leaves out one before it
        high = low
        if low < 0 or low >= most or codes[low] != code:
            low = 0
            high = most
        while low < high:
            middle = (low + high) >> 1
            if codes[middle] < code:
                low = middle + 1
            else:
                high = middle
        if low == most or codes[low] != code:
            return -1
        width += widths[low]
        count += 1
        line[count] = low
    line[0] = count
    return width


@micropython.viper
def imprint(
    at: int, source: int, end: int,
    buf: ptr8, w: int, h: int, line: ptr16, starts: ptr16, widths: ptr8, page: ptr8, room: int, flip: int,
):  # fmt: skip
    """Replace a block of w by h pixels by a spelled line; the part outside the block is left out.

    The first three parameters are the first column, the first row and the number of rows, up to eight; machine code
    keeps them in registers, and they serve as variables afterwards. Columns from `room` on are left out; the bits in
    `flip` are inverted in every column.
    """
    shift = source & 7
    low = ((1 << end) - 1) << shift
    high = low >> 8
    low &= 0xFF
    if source < 0 or source >= h:
        low = 0
    if source + 8 - shift < 0 or source + 8 - shift >= h:
        high = 0
    keep_low = low ^ 0xFF
    keep_high = high ^ 0xFF
    start = (source >> 3) * w
    last = start + (w if at + room > w else at + room)
    first = start
    at += start
    i = 1
    count = line[0]
    while i <= count:
        source = starts[line[i]]
        end = source + widths[line[i]]
        i += 1
        if end - source > last - at:
            end = source + last - at
        while source < end:
            if at >= first:
                bits = (page[source] ^ flip) << shift
                if low:
                    buf[at] = (buf[at] & keep_low) | (bits & low)
                if high:
                    buf[at + w] = (buf[at + w] & keep_high) | ((bits >> 8) & high)
            source += 1
            at += 1


@micropython.viper
def part(at: int, end: int, bit: int, buf: ptr8):
    """Darken the lit pixels of a row that have no dark pixel beside them."""
    before = bit
    lit = buf[at] & bit
    while at < end:
        after = bit
        if at + 1 < end:
            after = buf[at + 1] & bit
        if lit and before and after:
            buf[at] = buf[at] ^ bit
        before = lit
        lit = after
        at += 1


@micropython.viper
def enlarge(x: int, y: int, width: int, buf: ptr8, w: int, height: int):
    """Make a block of pixels twice as wide and as high; it must fit into the buffer, which is w columns wide.

    The last pixel goes first, so that no pixel is overwritten before it was read.
    """
    row = height
    while row > 0:
        row -= 1
        column = width
        while column > 0:
            column -= 1
            lit = (buf[((y + row) >> 3) * w + x + column] >> ((y + row) & 7)) & 1
            k = 0
            while k < 4:
                low = y + 2 * row + (k >> 1)
                at = (low >> 3) * w + x + 2 * column + (k & 1)
                bit = 1 << (low & 7)
                if lit:
                    buf[at] = buf[at] | bit
                else:
                    buf[at] = buf[at] & (bit ^ 0xFF)
                k += 1


_PARTS = const(4)  # parts in which clear() wipes the buffer


class Pixels:
    """A framebuffer in pages of eight rows, a byte for each column, the lowest bit on top."""

    def __init__(self, width: int, height: int, buf=None):
        self.w = width
        self.h = height
        self.buf = bytearray(width * (height // 8)) if buf is None else buf
        view = memoryview(self.buf)  # assigning to a slice of a bytearray would move everything behind it
        self._blank = bytes(len(view) // _PARTS)
        self._parts = [view[i * len(self._blank) : (i + 1) * len(self._blank)] for i in range(_PARTS)]

    def clear(self) -> None:
        """Make everything dark."""
        for part in self._parts:
            part[:] = self._blank

    def rect(self, x: int, y: int, w: int, h: int, on: int = 1) -> None:
        """Fill a rectangle, lit or dark."""
        paint(0, y, 0, self.buf, self.w, self.h, x, x + w, y + h, 0xFF, 0xFF if on else 0)

    def invert(self, x: int, y: int, w: int, h: int) -> None:
        """Turn lit pixels dark and dark ones lit."""
        paint(0, y, 0, self.buf, self.w, self.h, x, x + w, y + h, 0, 0xFF)

    def part(self, y: int, w: int) -> None:
        """Darken a row of an inverted text to separate it from the next line; what letters have in it stays visible."""
        at = (y >> 3) * self.w
        part(at, at + w, 1 << (y & 7), self.buf)

    def enlarge(self, x: int, y: int, w: int, h: int) -> None:
        """Make a block of pixels twice as wide and as high, if it fits."""
        if x >= 0 and y >= 0 and x + 2 * w <= self.w and y + 2 * h <= self.h:
            enlarge(x, y, w, self.buf, self.w, h)
