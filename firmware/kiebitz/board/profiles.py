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
    """A write-only display and its wires. Pins are GPIO numbers."""

    def __init__(
        self,
        *,
        controller: str,
        bus: int,
        sck: int,
        mosi: int,
        cs: int,
        dc: int,
        reset: int,
        light: int,
        hz: int,
        width: int,
        height: int,
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


class Profile:
    """The pins of a board as GPIO numbers, with None for a part that the board does not have.

    The keys are in the order UP, DOWN, LEFT, RIGHT, OK, UNDO and pull their pin to ground; the pins of several
    switches for one key form a tuple. `vsys` is the pin that measures the supply, `vbus` the pin that is high while USB
    is plugged in. Below `low_mv` millivolts at VSYS a battery is low, and below `empty_mv` the device switches itself
    off. The diode takes up to 0.3 V: 3.3 V at VSYS are a LiPo cell of 3.6 V, or three AA cells of 1.2 V each; 3.0 V are
    a LiPo cell of 3.3 V, or three AA cells of 1.1 V each. The processor runs at most at `mhz`: the image starts it at
    the 200 MHz that an RP2040 is certified for, and 125 is the clock of earlier Picos.
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
    ):
        self.keys = keys
        self.display = display
        self.buzzer = buzzer
        self.vsys = vsys
        self.vbus = vbus
        self.low_mv = low_mv
        self.empty_mv = empty_mv
        self.mhz = mhz


def _soldered(controller, first_column=0):
    """Return the profile of a board to solder, with this display.

    Its keys have the pins of the ready-made board, because a display that does not answer is taken for that board's
    LCD, and no pin of a key may then be an output, which a press would short to ground.

    All of them pulse the reset wire. Most modules have none, and the pin is free; but the controllers cannot be told
    apart reliably, and one whose reset wire is not pulsed never answers.
    """
    display = I2cDisplay(controller=controller, sda=4, scl=5, first_column=first_column, reset=6)
    return Profile(keys=(2, 18, 16, 20, 3, 17), buzzer=22, vsys=29, vbus=24, display=display)


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
}

DEFAULT = "pico_oled"


def pins_of(key):
    """Return the pins of a key as a tuple, also if it is only one."""
    return key if isinstance(key, tuple) else (key,)
