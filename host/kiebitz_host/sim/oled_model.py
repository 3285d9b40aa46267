"""Model an SSD1306, SSD1309 or SH1106: process the bytes of the bus and return the visible pixels."""

# Number of argument bytes of a command
_ARGUMENTS = {0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}
_ARGUMENTS_SSD1306 = {0x20: 1, 0x21: 2, 0x22: 2, 0x8D: 1, 0xA3: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5}
_ARGUMENTS_SH1106 = {0xAD: 1}
_ARGUMENTS_SSD1309 = {0x20: 1, 0x21: 2, 0x22: 2, 0xFD: 1}

# Driving times, voltages, the wiring of the glass, and "no operation", which do not affect the picture here.
_SILENT = (0xA8, 0xD5, 0xD9, 0xDA, 0xDB, 0xE3)

PALETTE = ((10, 12, 16), (232, 240, 248))  # dark and lit, as red, green and blue

_HORIZONTAL, _VERTICAL, _PAGE = 0, 1, 2


class OledModel:
    """A display mounted as on the usual modules: upright with 0xA1 and 0xC8, upside down with 0xA0 and 0xC0.

    The SSD1309 has a reset line, and an external supply for its pixels instead of a charge pump.
    """

    has_colours = False

    def __init__(self, controller="ssd1306", width=128, height=64):
        self.controller = controller
        self.width = width
        self.height = height
        self._sh1106 = controller == "sh1106"
        self._ssd1309 = controller == "ssd1309"
        self._columns = 132 if self._sh1106 else 128
        self._margin = (self._columns - width) // 2
        self._arguments = dict(_ARGUMENTS)
        others = {"sh1106": _ARGUMENTS_SH1106, "ssd1309": _ARGUMENTS_SSD1309}
        self._arguments.update(others.get(controller, _ARGUMENTS_SSD1306))
        self.unknown = []  # unsupported commands, or those whose effect is not modelled
        self.changes = 0  # incremented by every byte that may change the picture
        self.power_on()

    def power_on(self):
        """Reset to the state after power-on: display off, default registers, random memory."""
        self.ram = bytearray(self._columns * self.height // 8)
        for i in range(len(self.ram)):
            self.ram[i] = (i * 89 + (i >> 3)) & 0xFF
        self.on = False
        self.inverse = False
        self.all_on = False
        self.pump = self.controller != "ssd1306"  # the SSD1306 starts with the charge pump off
        self.answers = not self._ssd1309  # with a reset line, only after a reset pulse
        self._in_reset = False
        self.contrast = 0x80 if self._sh1106 else 0x7F
        self._mode = _PAGE
        self._window = [0, self._columns - 1, 0, self.height // 8 - 1]  # first and last column, first and last page
        self._column = 0
        self._page = 0
        self._remap = False
        self._reverse = False
        self._start_line = 0
        self._offset = 0
        self._command = bytearray()
        self._control = None
        self.changes += 1

    # --- the bus ---

    def reset(self, level):
        """Set the level of the reset line, if there is one."""
        if self._ssd1309:
            if not level:
                self.power_on()
            elif self._in_reset:
                self.answers = True
            self._in_reset = not level

    def start(self):
        """Begin a transfer to this address."""
        self._control = None

    def write_all(self, data):
        """Process the bytes of a transfer. Copies a run of pixels at once, because tests draw millions of bytes."""
        end = self._column + len(data) - 1
        if self._control is not None or self._mode != _PAGE or data[:1] != b"\x40" or end > self._columns:
            for byte in data:
                self.write(byte)
            return
        self._control = 0x40
        if len(data) > 1:
            pixels = data[1:]
            start = self._page * self._columns + self._column
            if self._remap and not self._sh1106:
                pixels = bytes(reversed(pixels))
                start = self._page * self._columns + self._columns - end
            self.ram[start : start + len(pixels)] = pixels
            self.changes += len(pixels)
            self._column = end if self._sh1106 else end % self._columns

    def write(self, byte):
        """Process the next byte of a transfer: first a control byte, then the bytes that it announces."""
        if self._control is None:
            self._control = byte
            return
        if self._control & 0x40:
            self._store(byte)
        else:
            self._take(byte)
        if self._control & 0x80:  # for the next byte only
            self._control = None

    def read(self):
        """Return the status: bit 6 is set while the display is off, the low bits identify the controller."""
        return (0x00 if self.on else 0x40) | (0x08 if self._sh1106 else 0x03)

    # --- memory ---

    def _store(self, byte):
        column = self._column
        if column < self._columns:
            if self._remap and not self._sh1106:  # an SSD1306 reverses the columns on write
                column = self._columns - 1 - column
            self.ram[self._page * self._columns + column] = byte
            self.changes += 1
        if self._mode == _PAGE:
            self._column += 1
            if not self._sh1106:
                self._column %= self._columns
        else:
            self._step()

    def _step(self):
        """Advance within the window along a page, then to the next page; or down the pages, then to the next column."""
        left, right, top, bottom = self._window
        along = self._column == right
        down = self._page == bottom
        if self._mode == _HORIZONTAL or down:
            self._column = left if along else self._column + 1
        if self._mode == _VERTICAL or along:
            self._page = top if down else self._page + 1

    # --- commands ---

    def _take(self, byte):
        """Collect a command with its arguments, and execute it when complete."""
        self._command.append(byte)
        if len(self._command) > self._arguments.get(self._command[0], 0):
            command = self._command
            self._command = bytearray()
            self._obey(command[0], command[1:])

    def _obey(self, op, args):
        self.changes += 1
        if op <= 0x0F:
            self._column = self._column & 0xF0 | op
        elif op <= 0x1F:
            self._column = self._column & 0x0F | (op & 0x0F) << 4
        elif 0x40 <= op <= 0x7F:
            self._start_line = op & 0x3F
        elif 0xB0 <= op <= 0xB7:
            self._page = op & 7
        elif op == 0x81:
            self.contrast = args[0]
        elif op in (0xA0, 0xA1):
            self._remap = op == 0xA1
        elif op in (0xA4, 0xA5):
            self.all_on = op == 0xA5
        elif op in (0xA6, 0xA7):
            self.inverse = op == 0xA7
        elif op in (0xAE, 0xAF):
            self.on = op == 0xAF
        elif 0xC0 <= op <= 0xCF:
            self._reverse = op >= 0xC8
        elif op == 0xD3:
            self._offset = args[0] & 0x3F
        elif op not in _SILENT and not (self._obey_sh1106 if self._sh1106 else self._obey_ssd1306)(op, args):
            self.unknown.append(op)

    def _obey_ssd1306(self, op, args):
        if op == 0x20:
            self._mode = args[0] & 3
        elif op == 0x21:
            self._window[0] = self._column = args[0] & 0x7F
            self._window[1] = args[1] & 0x7F
        elif op == 0x22:
            self._window[2] = self._page = args[0] & 7
            self._window[3] = args[1] & 7
        elif op == 0x8D and not self._ssd1309:
            self.pump = bool(args[0] & 4)
        else:
            return op == (0xFD if self._ssd1309 else 0x2E)  # no lock, no scrolling
        return True

    def _obey_sh1106(self, op, args):
        if op == 0xAD:
            self.pump = bool(args[0] & 1)
            return True
        # Drivers that share an init sequence send these; the byte after them is a separate command here.
        return op in (0x20, 0x8D) or 0x30 <= op <= 0x33

    # --- the visible picture ---

    @property
    def lit(self):
        """True if any pixel can be visible."""
        return self.on and self.pump

    def _place(self, x):
        """Return the memory column displayed at x."""
        segment = self._columns - 1 - self._margin - x
        return self._columns - 1 - segment if self._sh1106 and self._remap else segment

    def _row(self, y):
        """Return the memory row displayed at y."""
        line = y if self._reverse else self.height - 1 - y
        return (line + self._start_line + self._offset) % self.height

    def pixel(self, x, y):
        """Return 1 if the pixel is lit, counted from the upper left corner; else 0."""
        if not self.lit or self.all_on:
            return int(self.lit)
        row = self._row(y)
        bit = self.ram[(row >> 3) * self._columns + self._place(x)] >> (row & 7) & 1
        return bit ^ self.inverse

    def frame(self):
        """Return the picture: for each row from the top, a byte of 0 or 1 for each pixel from the left."""
        if not self.lit or self.all_on:
            return [bytes([int(self.lit)]) * self.width for _ in range(self.height)]
        places = [self._place(x) for x in range(self.width)]
        rows = []
        for y in range(self.height):
            row = self._row(y)
            page = (row >> 3) * self._columns
            shift = row & 7
            rows.append(bytes([(self.ram[page + at] >> shift & 1) ^ self.inverse for at in places]))
        return rows

    def picture(self):
        """Return (rows of palette indexes, palette)."""
        return self.frame(), PALETTE
