"""Define the pins of each board for the drivers, the drawings and the tests.

A profile raises an error for an unknown or missing name. host/kiebitz_lab/hardware/checks.py checks what each pin can
do, which would take too long at a start.
"""


class I2cDisplay:
    """An OLED and its wires. Pins are GPIO numbers."""

    def __init__(
        self,
        *,
        controller: str,
        sda: int,
        scl: int,
        bus: int = 0,
        hz: int = 400_000,
        address: int = 0x3C,
        width: int = 128,
        height: int = 64,
        first_column: int = 0,
        reset: "int | None" = None,
    ):
        self.controller = controller
        self.sda = sda
        self.scl = scl
        self.bus = bus
        self.hz = hz
        self.address = address
        self.width = width
        self.height = height
        self.first_column = first_column
        self.reset = reset

    def open_bus(self, machine):
        """Return the bus of the display."""
        pin = machine.Pin
        return machine.I2C(self.bus, sda=pin(self.sda), scl=pin(self.scl), freq=self.hz)

    def hold_reset(self, machine):
        """Drive the reset wire low. Returns its pin, or None if the display has no such wire."""
        return None if self.reset is None else machine.Pin(self.reset, machine.Pin.OUT, value=0)


class SpiDisplay:
    """A write-only display and its wires. Pins are GPIO numbers; without a wire for the reset it is None.

    The picture has `width` and `height` and is in the middle of the glass, which shows `visible` (columns, rows) of the
    controller's memory. `direction` is the controller's order of rows and columns for an upright picture, `offset` the
    (columns, rows) in that direction before the first one that the glass shows.
    """

    def __init__(
        self,
        *,
        controller: str,
        bus: int,
        sck: int,
        mosi: int,
        cs: int,
        dc: int,
        light: int,
        hz: int,
        width: int,
        height: int,
        reset: "int | None" = None,
        direction: int = 0x60,
        offset: tuple = (0, 0),
        visible: tuple = (240, 240),
    ):
        self.controller = controller
        self.bus = bus
        self.sck = sck
        self.mosi = mosi
        self.cs = cs
        self.dc = dc
        self.reset = reset
        self.light = light
        self.hz = hz
        self.width = width
        self.height = height
        self.direction = direction
        self.offset = offset
        self.visible = visible


class Profile:
    """The pins of a board as GPIO numbers, with None for a part that the board does not have.

    The keys are in the order UP, DOWN, LEFT, RIGHT, OK, UNDO and pull their pin to ground; the pins of several switches
    for one key form a tuple, which is empty for a key that only a chord presses. A row of `chords` is (a key that is
    held, another key, the key that both mean), `labels` what is printed on the switches of such a board. `vsys` is the
    pin that measures the supply, `vbus` the pin that is high while USB is plugged in. Below `low_mv` millivolts at VSYS
    a battery is low, and below `empty_mv` the device switches itself off. The diode takes up to 0.3 V: 3.3 V at VSYS
    are a LiPo cell of 3.6 V, or three AA cells of 1.2 V each; 3.0 V are a LiPo cell of 3.3 V, or three AA cells of 1.1
    V each. The processor runs at most at `mhz`: the image starts it at the 200 MHz that an RP2040 is certified for, and
    125 is the clock of earlier Picos. `pico` is False for a board with an RP2040 of its own, on which another part
    drives the pins in `foreign`.
    """

    def __init__(
        self,
        *,
        keys: tuple,
        display: "I2cDisplay | SpiDisplay",
        buzzer: "int | None" = None,
        vsys: "int | None" = None,
        vbus: "int | None" = None,
        low_mv: int = 3300,
        empty_mv: int = 3000,
        mhz: int = 200,
        chords: tuple = (),
        labels: tuple = (),
        pico: bool = True,
        foreign: tuple = (),
    ):
        self.keys = keys
        self.display = display
        self.buzzer = buzzer
        self.vsys = vsys
        self.vbus = vbus
        self.low_mv = low_mv
        self.empty_mv = empty_mv
        self.mhz = mhz
        self.chords = chords
        self.labels = labels
        self.pico = pico
        self.foreign = foreign


def _soldered(controller, first_column=0):
    """Return the profile of a board to solder, with this display.

    Its keys have the pins of the ready-made board, because a display that does not answer is taken for that board's
    LCD, and no pin of a key may then be an output, which a press would short to ground.

    All of them pulse the reset wire. Most modules have none, and the pin is free; but the controllers cannot be told
    apart reliably, and one whose reset wire is not pulsed never answers.
    """
    display = I2cDisplay(controller=controller, sda=4, scl=5, first_column=first_column, reset=6)
    return Profile(keys=(2, 18, 16, 20, 3, 17), buzzer=22, vsys=29, vbus=24, display=display)


_UP, _DOWN, _LEFT, _RIGHT, _, _UNDO = range(6)  # places of the keys in a profile

PROFILES: "dict[str, Profile]" = {
    "pico_oled": _soldered("ssd1306"),
    # An SH1106 has memory for 132 columns, and the glass shows the middle 128 of them.
    "pico_oled_sh1106": _soldered("sh1106", first_column=2),
    "pico_oled_242": _soldered("ssd1309"),
    # The Waveshare Pico-LCD-1.3: the joystick, pressed for OK, and the keys A, B, X, Y one below the other. The outer
    # ones are OK and the inner ones UNDO. The maker's own programs drive the bus at the same speed.
    "pico_lcd_13": Profile(
        keys=(2, 18, 16, 20, (3, 15, 21), (17, 19)),
        vsys=29,
        vbus=24,
        display=SpiDisplay(
            controller="st7789",
            bus=1,
            sck=10,
            mosi=11,
            cs=9,
            dc=8,
            reset=12,
            light=13,
            hz=62_500_000,
            width=240,
            height=240,
        ),
    ),
    # The PicoBoy Color: a five-way key, and the keys A (OK) and B (UNDO). Its glass shows the middle 280 of 320 rows.
    # Nothing measures its two AAA cells.
    "picoboy_color": Profile(
        keys=(4, 2, 3, 1, (0, 27), 28),
        buzzer=15,
        pico=False,
        display=SpiDisplay(
            controller="st7789",
            bus=0,
            sck=18,
            mosi=19,
            cs=10,
            dc=8,
            reset=9,
            light=26,
            hz=31_250_000,
            width=240,
            height=240,
            direction=0xC0,
            offset=(0, 20),
            visible=(240, 280),
        ),
    ),
    # The Pimoroni Pico Display Pack 2.0 or 2.8, with four keys and no reset wire
    "display_pack": Profile(
        keys=(12, 13, (), (), 14, 15),
        chords=((_UNDO, _UP, _LEFT), (_UNDO, _DOWN, _RIGHT)),
        labels=("A", "B", "Y+A", "Y+B", "X", "Y"),
        vsys=29,
        vbus=24,
        display=SpiDisplay(
            controller="st7789",
            bus=0,
            sck=18,
            mosi=19,
            cs=17,
            dc=16,
            light=20,
            hz=62_500_000,
            width=240,
            height=240,
            direction=0x70,
            visible=(320, 240),
        ),
    ),
    # The Pimoroni PicoSystem: A and X are OK, B and Y are UNDO. GP26 measures the LiPo cell itself, without a diode
    # between; GP8 is the display's signal of a new picture.
    "picosystem": Profile(
        keys=(23, 20, 22, 21, (18, 17), (19, 16)),
        buzzer=11,
        vsys=26,
        vbus=2,
        low_mv=3600,
        empty_mv=3300,
        pico=False,
        foreign=(8, 24),
        display=SpiDisplay(
            controller="st7789",
            bus=0,
            sck=6,
            mosi=7,
            cs=5,
            dc=9,
            reset=4,
            light=12,
            hz=62_500_000,
            width=240,
            height=240,
            direction=0x00,
        ),
    ),
}

DEFAULT = "pico_oled"

# The boards that share an image, which is named after them (kiebitz-VERSION-FAMILY.uf2). Where nothing answers, the
# last board of the family is taken.
FAMILIES: "dict[str, tuple[str, ...]]" = {
    "": ("pico_oled", "pico_oled_sh1106", "pico_oled_242", "pico_lcd_13"),
    "picoboy": ("picoboy_color",),
    "displaypack": ("display_pack",),
    "picosystem": ("picosystem",),
}


def family_of(name):
    """Return the family of a board."""
    return [family for family in FAMILIES if name in FAMILIES[family]][0]


def pins_of(key):
    """Return the pins of a key as a tuple, also if it is only one."""
    return key if isinstance(key, tuple) else (key,)
