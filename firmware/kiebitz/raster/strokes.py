"""The pixels under a canvas, and the inner loops of drawing: machine code on a Pico, plain Python everywhere else."""

from ..machine_code import const, micropython, ptr8, ptr16, ptr32


@micropython.viper
def paint(
    at: int, y: int, end: int, buf: ptr8, w: int, h: int, x: int, right: int, bottom: int, dark: int, flip: int
):  # fmt: skip
    """Changes a rectangle of a block of w by h pixels, as far as it is there, page by page.

    Columns are darkened where `dark` says so, and then flipped where `flip` says so.

    `at` and `end` are variables, not values: machine code keeps the first three in registers.
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
    """Finds the characters of a text among the codes of a font, which are in order.

    Writes how many there are and the number of each into `line`, and returns how wide they are in all; -1 if the font
    does not have one of them.
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
        low = code - codes[0]  # where it is, unless one before it is missing
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
    """Replaces a block of w by h pixels by a spelled line, as far as it is there.

    The first three parameters are its first column, its first row and how many rows it has, up to eight; machine code
    keeps them in registers, and they serve as variables afterwards. Columns from `room` on are left out; all are
    flipped where `flip` says so.
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


_PARTS = const(4)  # in which everything is wiped


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
        paint(0, y, 0, self.buf, self.w, self.h, x, x + w, y + h, 0xFF, 0xFF if on else 0)

    def invert(self, x: int, y: int, w: int, h: int) -> None:
        """Turns lit pixels dark and dark ones lit."""
        paint(0, y, 0, self.buf, self.w, self.h, x, x + w, y + h, 0, 0xFF)
