"""Drive an OLED with SSD1306, SSD1309 or SH1106. Sends only what changed, and tolerates a display that is missing."""

from ..machine_code import const, micropython, ptr8

_CELL = const(8)  # columns compared at a time; to address a run takes as long as to send a cell
_ALIVE_MS = const(1000)  # interval of the checks whether the display still answers
_RETRY_MS = const(50)  # after the first failure; doubles with each further one
_RETRY_MAX_MS = const(2000)

_DATA = const(0x40)
_NOP = b"\x00\xe3"
_CONTRAST = const(0xCF)

# Page mode, output from memory, display still off; then the internal charge pump and the voltage of dark pixels. An
# SH1106 ignores 0x20 and 0x8D and takes the byte after each for a column, which every page sets anyway; its own pump is
# on from the start. An SSD1309 has no pump, ignores 0x8D in the same way, and keeps its own voltage.
_START = b"\x00\xae\xd5\x80\xa8\x3f\xd3\x00\x40\x20\x02\xda\x12\xd9\xf1\xa4\xa6"
_PUMP = b"\x8d\x14\xdb\x40"


@micropython.viper
def _next_run(at: int, i: int, end: int, new: ptr8, old: ptr8, line: ptr8, every: int) -> int:
    """Find the next run of changed cells in a page (every cell if `every`), and copy the run to `old` and `line`.

    Returns how many columns the run has, and in the bits above 8 how many columns come before it; 0 if nothing changed.
    `i` is a variable, not an argument: machine code keeps the first three parameters in registers.
    """
    first = at
    n = 0
    while at < end:
        differs = every
        i = at
        while i < at + 8:
            if new[i] != old[i]:
                differs = 1
                old[i] = new[i]
            i += 1
        if differs:
            i = at
            while i < at + 8:
                n += 1
                line[n] = new[i]
                i += 1
        elif n:
            break
        at += 8
    return (at - n - first) << 8 | n


class Oled:
    """An OLED. Draw into `buffer` (pages of eight rows, a byte for each column, lowest bit on top), then show().

    `reset` is the pin of its reset wire, if the board has a pin for one.
    """

    def __init__(self, i2c, clock, wiring, reset=None):
        self.width = wiring.width
        self.height = wiring.height
        self.buffer = bytearray(self.width * self.height // 8)
        self.ok = False
        self._i2c = i2c
        self._clock = clock
        self._reset = reset
        self._commands = _START if wiring.controller == "ssd1309" else _START + _PUMP
        self._address = wiring.address
        self._first_column = wiring.first_column
        self._contrast = _CONTRAST
        self._on = True
        self._flipped = False
        self._whole = True  # the content of the display is unknown: send everything
        self._lit = False  # the display was turned on since its last start
        self._since = clock.ms()  # when the display last answered, or failed to
        self._retry = _RETRY_MS
        self._prepare()
        self._start()

    def _prepare(self):
        """Allocate everything that show() needs, so that show() allocates nothing."""
        self._old = bytearray(len(self.buffer))
        self._at = bytearray(4)
        self._line = line = bytearray(1 + self.width)
        line[0] = _DATA
        view = memoryview(line)
        self._runs = tuple([view[: n + 1] for n in range(0, self.width + 1, _CELL)])  # 0, 1, ... cells, after _DATA

    def show(self) -> int:
        """Send what changed since the last call. Returns how many pages changed."""
        sent = 0
        if not self.ok and not self.revived():
            return sent
        try:
            for page in range(self.height // 8):
                sent += self._send(page)
            self._whole = False
            if self._on and not self._lit:
                self._write(b"\x00\xaf")
                self._lit = True
        except OSError:
            self._lost()
        return sent

    def revived(self) -> bool:
        """Return True if a display that was away is back and waits for show(). Call this in every turn of the loop."""
        quiet = self._clock.diff(self._clock.ms(), self._since)
        if self.ok:
            if quiet >= _ALIVE_MS:
                self._command(_NOP)
            return False
        return quiet >= self._retry and self._start()

    def contrast(self, level: int) -> None:
        """Set the brightness, from 0 to 255."""
        self._contrast = level
        self._command(bytes((0, 0x81, level)))

    def power(self, on: bool) -> None:
        """Turn the glass on or off; the picture is kept."""
        self._on = on
        if on and self._whole:
            return  # show() turns the glass on after the first picture, so that nobody sees the old memory
        self._lit = on
        self._command(b"\x00\xaf" if on else b"\x00\xae")

    def flip(self, flipped: bool) -> None:
        """Turn the picture by 180 degrees, with the next show()."""
        flipped = bool(flipped)
        if flipped != self._flipped:
            self._flipped = flipped
            self._whole = True  # the left-right half of a flip acts only on what is written after it
            self._command(self._direction())

    def _direction(self):
        return b"\x00\xa0\xc0" if self._flipped else b"\x00\xa1\xc8"

    def _start(self):
        """Initialize the display again. Returns False if no display answers."""
        self._whole = True
        self._lit = False
        if self._reset:
            self._reset.value(0)  # for longer than the 3 microseconds that an SSD1309 needs
            self._reset.value(1)
        try:
            self._write(self._commands)
            self._write(self._direction())
            self._write(bytes((0, 0x81, self._contrast)))
        except OSError:
            self._retry = min(2 * self._retry, _RETRY_MAX_MS)
            self._lost()
            return False
        self._retry = _RETRY_MS
        self.ok = True
        return True

    def _lost(self):
        self.ok = False
        self._since = self._clock.ms()

    def _command(self, command):
        if self.ok:
            try:
                self._write(command)
            except OSError:
                self._lost()

    def _write(self, data):
        self._i2c.writeto(self._address, data)
        self._since = self._clock.ms()

    def _send(self, page):
        """Send what changed in a page. Returns 1 if anything did, else 0."""
        start = at = page * self.width
        end = at + self.width
        while True:
            run = _next_run(at, 0, end, self.buffer, self._old, self._line, self._whole)
            n = run & 0xFF
            if not n:
                return int(at > start)
            at += run >> 8
            column = at - start + self._first_column
            self._at[1] = 0xB0 | page
            self._at[2] = column & 0x0F
            self._at[3] = 0x10 | column >> 4
            self._write(self._at)
            self._write(self._runs[n // _CELL])
            at += n
