"""Drive a colour display with an ST7789. Sends only what changed."""

from array import array
from binascii import crc32

from ..machine_code import const, micropython, ptr8, ptr16
from ..raster.tints import COLOURS, DARK, OVER, SIZE, Tints


@micropython.viper
def fill(strip: ptr16, i: int, colour: int):
    """Give the first i pixels of a strip the same colour; i is a multiple of eight."""
    while i > 0:
        i -= 8
        strip[i] = colour
        strip[i + 1] = colour
        strip[i + 2] = colour
        strip[i + 3] = colour
        strip[i + 4] = colour
        strip[i + 5] = colour
        strip[i + 6] = colour
        strip[i + 7] = colour


@micropython.viper
def ink(
    strip: ptr16, i: int, bits: int,
    n: int, buf: ptr8, top: int, flip: int, colour: int, x: int, tints: ptr8, k: int, last: int, colours: ptr16,
):  # fmt: skip
    """Colour the lit pixels of a page (the dark ones with `flip`) from column x on, then the coloured rectangles.

    The page begins at the row `top` and has n columns; the strip holds its rows one after the other. The rectangles
    from k to `last` in `tints` have their own colour. A column is coloured once if the rectangles cover the height of
    the page and come from left to right, as cards do; others are coloured over what is there.

    `i` and `bits` are variables, not arguments: machine code keeps the first three parameters in registers.
    """
    at = (top >> 3) * n
    while x < n or k < last:
        while k < last and (tints[k + 1] >= top + 8 or tints[k + 3] <= top):
            k += 5
        left = x
        end = n
        mask = 0xFF
        now = colour
        if k < last:
            if tints[k + 1] > top:
                mask = 0xFF << (tints[k + 1] - top)
            if tints[k + 3] < top + 8:
                mask &= 0xFF >> (top + 8 - tints[k + 3])
            mask &= 0xFF
            if x >= n or (mask == 0xFF and tints[k] == x):
                left = tints[k]
                end = tints[k + 2]
                now = colours[tints[k + 4]]
                k += 5
            else:
                if mask == 0xFF and tints[k] > x:
                    end = tints[k]
                mask = 0xFF
        if x < end:
            x = end
        while left < end:
            bits = (buf[at + left] ^ flip) & mask
            i = left
            while bits:
                if bits & 1:
                    strip[i] = now
                i += n
                bits >>= 1
            left += 1


_SOFT_RESET = const(0x01)
_SLEEP_OUT = const(0x11)
_INVERSION_ON = const(0x21)  # this glass darkens where there is a voltage
_OFF, _ON = 0x28, 0x29
_COLUMNS, _ROWS, _WRITE = 0x2A, 0x2B, 0x2C
_DIRECTION = const(0x36)
_FORMAT = const(0x3A)

# Bits of the direction: rows and columns exchanged; both backwards, which is upside down
_EXCHANGED = const(0x20)
_BACKWARDS = const(0xC0)
_SHORT, _LONG = 240, 320  # columns and rows of the memory
_16_BITS = b"\x55"

# The display ignores commands for this long after a reset, and again after it was woken up
_RESET_MS = const(121)  # 120 by the data sheet; the clock counts whole milliseconds
_WAKE_MS = const(5)


def _colour(red, green, blue):
    """Return a pixel of this colour as RGB565, big-endian."""
    value = red >> 3 << 11 | green >> 2 << 5 | blue >> 3
    return value >> 8 | (value & 0xFF) << 8


_DARK = _colour(*DARK)

_FLICKER_HZ = const(1000)
_FAINTEST = const(1500)  # of 65535 steps of light


class St7789:
    """A colour LCD. Draw into `buffer` (pages of eight rows, a byte for each column, lowest bit on top), then show().

    `tints` has the colours of what is lit.
    The display sends nothing back, so the driver cannot detect whether one is connected.
    """

    ok = True

    def __init__(self, machine, clock, wiring):
        pin = machine.Pin
        self.width = wiring.width
        self.height = wiring.height
        self.buffer = bytearray(self.width * self.height // 8)
        self._clock = clock
        self._cs = pin(wiring.cs, pin.OUT, value=1)
        self._dc = pin(wiring.dc, pin.OUT, value=1)
        # Without miso=None, the pin of DC would become the input of the bus
        sck, mosi = pin(wiring.sck), pin(wiring.mosi)
        self._spi = machine.SPI(wiring.bus, baudrate=wiring.hz, sck=sck, mosi=mosi, miso=None)
        self._light = machine.PWM(pin(wiring.light), freq=_FLICKER_HZ, duty_u16=0)
        if wiring.reset is None:
            self._command(_SOFT_RESET)
            self._cs.value(1)
        else:
            reset = pin(wiring.reset, pin.OUT, value=0)
            clock.sleep(1)
            reset.value(1)
        self._reset = clock.ms()
        self._direction = wiring.direction
        self._glass = _places(wiring)
        self._started = False
        self._level = 255
        self._on = True
        self._shining = False
        self._flipped = False
        self._whole = True  # the content of the display is unknown: send everything
        self.tints = Tints(self.width, self.height)
        self._colours = array("H", [_colour(*shade) for _, shade in COLOURS])
        self._strip = array("H", bytes(2 * 8 * self.width))
        view = memoryview(self.buffer)
        self._pages = tuple([view[at : at + self.width] for at in range(0, len(self.buffer), self.width)])
        self._sent = array("L", [0] * len(self._pages))  # checksums: a copy of the picture would take 7 KB
        self._marks = array("I", [0] * len(self._pages))  # checksums of the colours
        self._layers = bytearray(len(self._pages))

    def show(self) -> int:
        """Send what changed since the last call. Returns how many pages changed."""
        if not self._started:
            self._start()
        pages, marks, checksums, whole = self._pages, self._marks, self._sent, self._whole
        self.tints.mark(marks, self._layers)
        sent = 0
        following = -1  # the page that needs no new address, as it follows the one sent last
        for page in range(len(pages)):
            checksum = crc32(pages[page], marks[page])
            if whole or checksum != checksums[page]:
                if page != following:
                    self._go_to(page)
                self._tint(page)
                self._spi.write(self._strip)
                checksums[page] = checksum
                following = page + 1
                sent += 1
        self._cs.value(1)
        self._whole = False
        if self._on and not self._shining:
            self._shine(True)
        return sent

    def _tint(self, page):
        """Fill the strip with the pixels of a page, first with the more frequent colour, then with the others."""
        strip, buffer, n, tints, colours = self._strip, self.buffer, self.width, self.tints, self._colours
        top, layer = 8 * page, self._layers[page]
        k = SIZE * (layer & ~OVER)
        last = SIZE * tints.count if layer & OVER else k
        lit = colours[tints.data[k - 1] if k else 0]
        if buffer[page * n] == 0xFF:
            fill(strip, len(strip), lit)
            ink(strip, 0, 0, n, buffer, top, 0xFF, _DARK, 0, tints.data, last, last, colours)
            if k < last:
                ink(strip, 0, 0, n, buffer, top, 0, lit, n, tints.data, k, last, colours)
        else:
            fill(strip, len(strip), _DARK)
            ink(strip, 0, 0, n, buffer, top, 0, lit, 0, tints.data, k, last, colours)

    def revived(self) -> bool:
        """Return True if a display that was away is back; never here, as this display cannot answer."""
        return False

    def contrast(self, level: int) -> None:
        """Set the brightness, from 0 to 255. The duty cycle follows its square, which the eye sees as even steps."""
        self._level = level
        if self._shining:
            self._shine(True)

    def power(self, on: bool) -> None:
        """Turn picture and light on or off; the picture is kept."""
        self._on = on
        if on and self._whole:
            return  # show() turns the light on after the first picture, so that nobody sees the old memory
        self._shine(on)

    def flip(self, flipped: bool) -> None:
        """Turn the picture by 180 degrees, with the next show()."""
        flipped = bool(flipped)
        if flipped != self._flipped:
            self._flipped = flipped
            self._whole = True
            if self._started:
                self._turn()
                self._cs.value(1)

    def _start(self):
        """Wait until the display listens again after its reset, which began long ago, and wake it up."""
        waited = self._clock.diff(self._clock.ms(), self._reset)
        if waited < _RESET_MS:
            self._clock.sleep(_RESET_MS - waited)
        self._command(_SLEEP_OUT)
        self._clock.sleep(_WAKE_MS)
        self._command(_FORMAT, _16_BITS)
        self._turn()
        self._command(_INVERSION_ON)
        self._darken()
        self._started = True

    def _turn(self):
        """Send the direction of the picture."""
        turned = _BACKWARDS if self._flipped else 0
        self._command(_DIRECTION, bytes((self._direction ^ turned,)))

    def _darken(self):
        """Darken what the glass shows around the picture, and the picture with it; nothing where it fills the glass."""
        x, y, w, h = self._glass[self._flipped]
        if w == self.width and h == self.height:
            return
        strip = self._strip
        fill(strip, len(strip), _DARK)
        self._window(x, y, w, h)
        for _ in range(0, w * h, len(strip)):  # what is beyond the last pixel goes to the first one again
            self._spi.write(strip)

    def _shine(self, on):
        if on != self._shining:
            self._command(_ON if on else _OFF)
            self._cs.value(1)
            self._shining = on
        self._light.duty_u16(min(_FAINTEST + self._level * self._level, 65535) if on else 0)

    def _go_to(self, page):
        """Send the following pixels to this page and the pages below it."""
        x, y, w, h = self._glass[self._flipped]
        top = 8 * page
        self._window(x + (w - self.width) // 2, y + (h - self.height) // 2 + top, self.width, self.height - top)

    def _window(self, x, y, w, h):
        """Send the following pixels to a rectangle of the memory."""
        self._command(_COLUMNS, _range(x, x + w - 1))
        self._command(_ROWS, _range(y, y + h - 1))
        self._command(_WRITE)

    def _command(self, command, following=b""):
        """Send a command and its arguments. The display stays selected and takes further bytes as more arguments."""
        self._dc.value(0)
        self._cs.value(0)
        self._spi.write(bytes((command,)))
        self._dc.value(1)
        if following:
            self._spi.write(following)


def _range(first, last):
    return bytes((first >> 8, first & 0xFF, last >> 8, last & 0xFF))


def _places(wiring):
    """Return (x, y, width, height) of the glass in the memory, as seen upright and upside down."""
    columns, rows = (_LONG, _SHORT) if wiring.direction & _EXCHANGED else (_SHORT, _LONG)
    x, y = wiring.offset
    w, h = wiring.visible
    return (x, y, w, h), (columns - x - w, rows - y - h, w, h)
