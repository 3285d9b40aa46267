"""Model an ST7789: process the bytes of the bus and return the visible pixels."""

from struct import unpack

_COLUMNS = 240
_ROWS = 320
_NOISE = (0x0000, 0xF81F, 0x07E0)  # possible memory content at power-on

_RESET_MS = 5  # commands are ignored for this long after a reset
_SLEEP_OUT_MS = 120  # and the wake-up command for this long
_WAKE_MS = 5

_MY, _MX, _MV = 0x80, 0x40, 0x20

# Number of argument bytes of a command; a memory write has no fixed number.
_ARGUMENTS = {0x2A: 4, 0x2B: 4, 0x36: 1, 0x3A: 1}
_WITHOUT = (0x01, 0x10, 0x11, 0x13, 0x20, 0x21, 0x28, 0x29, 0x2C)


class St7789Model:
    """A controller behind a glass, by default that of the Pico-LCD-1.3.

    The glass shows `visible` (columns, rows) of the memory, which a picture drawn in `direction` fills upright;
    `offset` is its upper left corner in that direction. ms() returns the time, for the periods in which the display
    ignores commands.
    """

    controller = "st7789"
    has_colours = True

    def __init__(self, ms=lambda: 1_000_000, direction=0x60, offset=(0, 0), visible=(240, 240)):
        self.width, self.height = visible
        self._mounted = direction
        self._offset = offset
        self.changes = 0  # incremented by everything that may change the picture
        self._ms = ms
        self._selected = False
        self._data = False
        self.light = 0  # from 0 to 65535, set by a pin
        self.power_on()

    def power_on(self):
        """Reset to the state after power-on, with random memory."""
        self.ram = [[_NOISE[(x + y) % 3] for y in range(_ROWS)] for x in range(_COLUMNS)]  # column by column
        self.unknown = []  # commands that are unsupported, not modelled, or too early
        self.reset()

    def reset(self):
        """Reset the registers to their defaults; the memory keeps its content."""
        self.asleep = True
        self.on = False
        self.inverted = False
        self._format = 0x66
        self._direction = 0
        self._window = [0, _COLUMNS - 1, 0, _ROWS - 1]
        self._deaf_until = self._ms() + _RESET_MS
        self._wakes_from = self._ms() + _SLEEP_OUT_MS
        self._command = 0
        self._arguments = bytearray()
        self._x = self._y = 0
        self._odd = b""  # the first byte of a pixel until the second one arrives
        self.changes += 1

    # --- the pins ---

    def select(self, low):
        """Set the level of CS; the bus is active while CS is low."""
        self._selected = low

    def data_follows(self, high):
        """Set the level of D/C, low for a command."""
        self._data = high

    def shine(self, duty):
        """Set the backlight, from 0 to 65535."""
        self.light = duty
        self.changes += 1

    def write(self, data):
        """Process bytes from the bus."""
        if not self._selected:
            return
        if not self._data:
            for byte in data:
                self._begin(byte)
        elif self._command == 0x2C:
            self._store(data)
        else:
            for byte in data:
                self._argument(byte)

    def _begin(self, op):
        now = self._ms()
        self._command = op
        self._arguments = bytearray()
        self._odd = b""
        if now < self._deaf_until or (op == 0x11 and now < self._wakes_from):
            self._command = 0
            if not (op == 0x01 and self.asleep):  # right after another reset it changes nothing
                self.unknown.append(op)
        elif op in _WITHOUT:
            self._obey(op)
        elif op not in _ARGUMENTS:
            self.unknown.append(op)

    def _argument(self, byte):
        self._arguments.append(byte)
        if len(self._arguments) == _ARGUMENTS.get(self._command, 0):
            self._obey_with(self._command, self._arguments)

    # --- commands ---

    def _obey(self, op):
        self.changes += 1
        if op == 0x01:
            self.reset()
        elif op in (0x10, 0x11):
            self.asleep = op == 0x10
            self._deaf_until = self._ms() + _WAKE_MS
        elif op in (0x20, 0x21):
            self.inverted = op == 0x21
        elif op in (0x28, 0x29):
            self.on = op == 0x29
        elif op == 0x2C:
            self._x, self._y = self._window[0], self._window[2]

    def _obey_with(self, op, args):
        self.changes += 1
        if op in (0x2A, 0x2B):
            at = 0 if op == 0x2A else 2
            self._window[at : at + 2] = [args[0] << 8 | args[1], args[2] << 8 | args[3]]
        elif op == 0x36:
            self._direction = args[0]
        else:
            self._format = args[0]

    # --- memory ---

    def _store(self, data):
        """Store pixels, upper byte first, along a row of the window, then the next row."""
        if self._format & 7 != 5:
            self.unknown.append(0x2C)  # unsupported pixel format
            return
        data = self._odd + bytes(data)
        whole = len(data) & ~1
        self._odd = data[whole:]
        pixels = unpack(f">{whole // 2}H", data[:whole])
        left, right, top, bottom = self._window
        while pixels:
            room = max(right - self._x + 1, 1)
            self._put(self._x, self._y, pixels[:room])
            self._x += len(pixels[:room])
            pixels = pixels[room:]
            if self._x > right:
                self._x = left
                self._y = top if self._y == bottom else self._y + 1
        self.changes += 1

    def _put(self, x, y, pixels):
        """Store pixels side by side, or one below the other if rows and columns are swapped."""
        exchanged = self._direction & _MV
        columns = [y] if exchanged else range(x, x + len(pixels))
        if self._direction & _MX:
            columns = [_COLUMNS - 1 - column for column in columns]
        first = x if exchanged else y
        last = first + (len(pixels) if exchanged else 1)
        if self._direction & _MY:
            first, last = _ROWS - last, _ROWS - first
            pixels = pixels[::-1] if exchanged else pixels
        if first < 0 or last > _ROWS or not all(0 <= column < _COLUMNS for column in columns):
            raise ValueError("pixels beyond the memory")
        if exchanged:
            self.ram[columns[0]][first:last] = pixels
        else:
            for i, column in enumerate(columns):
                self.ram[column][first] = pixels[i]

    # --- the visible picture ---

    @property
    def lit(self):
        """True if any pixel can be visible."""
        return self.on and not self.asleep and self.light > 0

    @property
    def contrast(self):
        """The backlight from 0 to 255, as in the drivers."""
        return int(self.light**0.5)

    def colours(self):
        """Return the (red, green, blue) of each pixel from the left, for each row from the top."""
        if not self.lit:
            return [[(0, 0, 0)] * self.width for _ in range(self.height)]
        known: dict = {}
        rows = []
        for row in self._rows():
            for colour in set(row) - set(known):
                known[colour] = self._seen(colour)
            rows.append([known[colour] for colour in row])
        return rows

    def _rows(self):
        """Return the memory behind the glass, row by row as a reader sees them."""
        exchanged = self._mounted & _MV
        lines = self.ram if exchanged else [list(row) for row in zip(*self.ram, strict=True)]
        if self._mounted & (_MX if exchanged else _MY):
            lines = lines[::-1]
        if self._mounted & (_MY if exchanged else _MX):
            lines = [line[::-1] for line in lines]
        left, top = self._offset
        return [line[left : left + self.width] for line in lines[top : top + self.height]]

    def _seen(self, colour):
        if not self.inverted:
            colour ^= 0xFFFF
        return (colour >> 11) * 255 // 31, (colour >> 5 & 63) * 255 // 63, (colour & 31) * 255 // 31

    def frame(self):
        """Return the picture: for each row, a byte for each pixel, 0 if rather dark and 1 if rather bright."""
        bright: dict = {}
        rows = []
        for row in self.colours():
            for colour in set(row) - set(bright):
                bright[colour] = int(sum(colour) > 382)
            rows.append(bytes([bright[colour] for colour in row]))
        return rows

    def picture(self):
        """Return (rows of palette indexes, palette)."""
        palette: list = []
        rows = []
        for row in self.colours():
            for colour in set(row) - set(palette):
                palette.append(colour)
            rows.append([palette.index(colour) for colour in row])
        return rows, palette
