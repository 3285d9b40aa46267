"""List the pins of the Raspberry Pi Pico and the functions of the RP2040 on each of them."""

# By physical number: pins 1 to 20 go down the left side, USB on top, and 21 to 40 up the right side.
_NAMES = (
    "GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7",
    "GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15",
    "GP16", "GP17", "GND", "GP18", "GP19", "GP20", "GP21", "GND", "GP22", "RUN",
    "GP26", "GP27", "AGND", "GP28", "ADC_VREF", "3V3", "3V3_EN", "GND", "VSYS", "VBUS",
)
HEADER = dict(enumerate(_NAMES, 1))
LEFT_SIDE = range(1, 21)
GROUNDS = tuple(number for number, name in HEADER.items() if name == "GND")

GPIOS = range(30)

# Pins that the Pico itself uses; none of these is on the header.
OWN = {
    23: "the power-save pin of the regulator",
    24: "the sense pin of the USB supply",
    25: "the LED",
    29: "the divided VSYS voltage",
}
VSYS_SENSE = 29
RUNS_MV = 1800  # lowest VSYS for its regulator
VBUS_SENSE = 24

ADC_CHANNEL = {26: 0, 27: 1, 28: 2, 29: 3}
PWM_SLICES = 8
SPI_JOBS = ("RX", "CSn", "SCK", "TX")
SPI_FASTEST_HZ = 62_500_000  # valid for the limits of the data sheet
SLOWEST_MHZ, FASTEST_MHZ = 48, 200  # USB needs the first, and the chip is certified for the second


def number(name: str) -> int:
    """Return the physical pin of a name that only one pin has, such as VSYS or GP4."""
    found = [pin for pin, label in HEADER.items() if label == name]
    if len(found) != 1:
        raise ValueError(f"{len(found)} pins are called {name}")
    return found[0]


def i2c(gpio: int) -> tuple[int, str]:
    """Return the (bus, line) that a pin can be; the line is SDA or SCL."""
    return gpio // 2 % 2, ("SDA", "SCL")[gpio % 2]


def spi(gpio: int) -> tuple[int, str]:
    """Return the (bus, line) that a pin can be; the line has the RP2040's name."""
    return gpio // 8 % 2, SPI_JOBS[gpio % 4]


def pwm(gpio: int) -> tuple[int, str]:
    """Return the (slice, channel) of a pin. Both channels of a slice have the same frequency."""
    return gpio // 2 % PWM_SLICES, "AB"[gpio % 2]
