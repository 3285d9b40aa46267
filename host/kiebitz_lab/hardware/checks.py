"""Check that a board profile can work on a Pico, or on a board with an RP2040 of its own: every pin and its function.

It also runs on MicroPython, so that the tests can check the profiles there.
"""

from collections import namedtuple

from kiebitz.board.profiles import FAMILIES, I2cDisplay, Profile, SpiDisplay, pins_of
from kiebitz.widgets.keys import NAMES

from . import pico

# The pins of a display: (name in the profile, print on the module, required function of the pin)
DISPLAY_PINS = (
    ("sda", "SDA", "I2C SDA"),
    ("scl", "SCL", "I2C SCL"),
    ("sck", "SCK", "SPI SCK"),
    ("mosi", "MOSI", "SPI TX"),
    ("cs", "CS", "output"),
    ("dc", "DC", "output"),
    ("reset", "RESET", "output"),
    ("light", "light", "PWM"),
)
# Wires that a display may lack
OPTIONAL = ("reset",)
# Attributes of a display that are not pins
DISPLAY_NUMBERS = ("bus", "hz", "address", "width", "height", "first_column", "direction")
DISPLAY_SIZES = ("offset", "visible")  # of the glass, in columns and rows
DISPLAY_FACTS = set(("controller",) + DISPLAY_NUMBERS + DISPLAY_SIZES + tuple([name for name, _, _ in DISPLAY_PINS]))
PARTS = {
    "display", "keys", "buzzer", "vsys", "vbus", "low_mv", "empty_mv", "mhz", "chords", "labels", "pico", "foreign",
}  # fmt: skip
MEMORY = (240, 320)  # columns and rows of an ST7789
EXCHANGED = 0x20  # in its direction: columns are rows
# All other uses drive their pin, those of I2C at least to ground
INPUTS = ("input", "ADC", "USB")

I2C_ADDRESSES = range(0x08, 0x78)

# A pin and its use
Use = namedtuple("Use", ("gpio", "part", "job"))


def uses(profile: Profile) -> list[Use]:
    """Return every pin of a profile."""
    display = profile.display
    found = [
        Use(getattr(display, name), f"display {label}", job)
        for name, label, job in DISPLAY_PINS
        if hasattr(display, name) and not (name in OPTIONAL and getattr(display, name) is None)
    ]
    found += [Use(gpio, f"key {name}", "input") for name, key in zip(NAMES, profile.keys) for gpio in pins_of(key)]
    if profile.buzzer is not None:
        found.append(Use(profile.buzzer, "buzzer", "PWM"))
    if profile.vsys is not None:
        found.append(Use(profile.vsys, "VSYS sensing", "ADC"))
    if profile.vbus is not None:
        found.append(Use(profile.vbus, "USB sensing", "USB"))
    return found


def problems(profile: Profile) -> list[str]:
    """Return a sentence for each problem; empty if there is none."""
    found = list(_unknown(profile)) + list(_kinds(profile))
    if found:
        return found
    everything = uses(profile)
    for use in everything:
        found += _pin(use, profile)
    for wrong in (
        _twice(everything), _slices(everything), _address(profile), _speed(profile), _limits(profile),
        _chords(profile), _glass(profile),
    ):  # fmt: skip
        found += wrong
    return found


def driven_keys(profiles: dict[str, Profile], families: dict[str, tuple[str, ...]] = FAMILIES) -> list[str]:
    """Return a sentence for each key whose pin is an output of another profile of the same family.

    Either may be taken for the other, and a press would connect an output to ground. Finding drives the wires of the
    OLED, too; its profile has them.
    """
    found = []
    for names in families.values():
        for name in names:
            keys = [use for use in uses(profiles[name]) if use.job == "input"]
            for other in names:
                driven = {use.gpio: use.part for use in uses(profiles[other]) if use.job not in INPUTS}
                for key in keys:
                    if key.gpio in driven:
                        part = driven[key.gpio]
                        found.append(f"{name}: {_named(key)} is {part} of {other}, which has the same image.")
    return found


def _unknown(profile):
    """Yield unknown names, because these would stay unchecked."""
    for name in sorted(set(profile.__dict__) - PARTS):
        yield f'The checks do not know "{name}": teach them whether it is a pin.'
    for name in sorted(set(getattr(profile.display, "__dict__", ())) - DISPLAY_FACTS):
        yield f'The checks do not know "{name}" of a display: teach them whether it is a pin.'


def _kinds(profile):
    """Yield values of the wrong type."""
    display, keys = profile.display, profile.keys
    if not isinstance(display, (I2cDisplay, SpiDisplay)):
        yield f"The display must be an I2cDisplay or a SpiDisplay, not {display!r}."
        return
    if not isinstance(keys, tuple):
        yield f"The keys must be a tuple of pins, not {keys!r}."
        return
    if len(keys) != len(NAMES):
        yield f"There must be {len(NAMES)} keys ({', '.join(NAMES)}), not {len(keys)}."
    for use in uses(profile):
        if type(use.gpio) is not int:
            yield f"The pin of {use.part} must be the number of a GPIO, not {use.gpio!r}."
    for name, unit in (("low_mv", "millivolts"), ("empty_mv", "millivolts"), ("mhz", "megahertz")):
        value = getattr(profile, name)
        if type(value) is not int:
            yield f'"{name}" must be a number of {unit}, not {value!r}.'
    for name in DISPLAY_NUMBERS:
        value = getattr(display, name, 0)
        if type(value) is not int:
            yield f'"{name}" of the display must be a number, not {value!r}.'
    for name in DISPLAY_SIZES:
        value = getattr(display, name, (0, 0))
        if type(value) is not tuple or [type(part) for part in value] != [int, int]:
            yield f'"{name}" of the display must be columns and rows, not {value!r}.'


def _named(use):
    return f"GP{use.gpio} ({use.part})"


def _pin(use, profile):
    gpio = use.gpio
    if gpio not in pico.GPIOS:
        yield f"{_named(use)} does not exist: the RP2040 has GP0 to GP{pico.GPIOS[-1]}."
    elif gpio in profile.foreign:
        yield f"{_named(use)} cannot be: another part of the board drives it."
    elif use.job == "ADC" and not profile.pico:
        if gpio not in pico.ADC_CHANNEL:
            yield f"{_named(use)} cannot be: the RP2040 measures at GP26 to GP29."
    elif use.job == "ADC":
        if gpio != pico.VSYS_SENSE:
            yield f"{_named(use)} cannot be: the Pico measures VSYS at GP{pico.VSYS_SENSE}, and nowhere else."
    elif use.job == "USB" and profile.pico:
        if gpio != pico.VBUS_SENSE:
            yield f"{_named(use)} cannot be: the Pico senses USB at GP{pico.VBUS_SENSE}, and nowhere else."
    elif gpio in pico.OWN and profile.pico:
        yield f"{_named(use)} is not on the header: the Pico itself uses it as {pico.OWN[gpio]}."
    elif use.job[:3] in ("I2C", "SPI"):
        kind, line = use.job.split()
        bus, can = pico.i2c(gpio) if kind == "I2C" else pico.spi(gpio)
        wanted = profile.display.bus
        if (bus, can) != (wanted, line):
            yield f"{_named(use)} cannot be {line} of {kind}{wanted}: it can be {can} of {kind}{bus}."


def _twice(everything):
    for gpio in sorted({use.gpio for use in everything}):
        parts = [use.part for use in everything if use.gpio == gpio]
        if len(parts) > 1:
            yield f"GP{gpio} is used twice: {' and '.join(parts)}."


def _slices(everything):
    tones = [use for use in everything if use.job == "PWM"]
    for i, use in enumerate(tones):
        for other in tones[:i]:
            number = pico.pwm(use.gpio)[0]
            if number == pico.pwm(other.gpio)[0] and use.gpio != other.gpio:
                same = f"share PWM slice {number}: they would have the same frequency."
                yield f"{_named(other)} and {_named(use)} {same}"


def _chords(profile):
    """Yield keys that nothing presses, and chords that cannot be made."""
    have = [key for key, pins in enumerate(profile.keys) if pins_of(pins)]
    meant = [row[2] for row in profile.chords]
    for key, name in enumerate(NAMES):
        if (key in have) == (key in meant):
            yield f"The key {name} must have either a pin or a chord."
    if len({row[0] for row in profile.chords}) > 1:
        yield "All chords must have the same held key."
    for held, other, _ in profile.chords:
        if held not in have or other not in have or held == other:
            yield f"A chord needs two keys with pins, not {held} and {other}."
    if len(profile.labels) != (len(NAMES) if profile.chords else 0):
        yield "A board with chords, and no other, has a label for each key."


def _glass(profile):
    display = profile.display
    if isinstance(display, SpiDisplay):
        columns, rows = MEMORY
        memory = (rows, columns) if display.direction & EXCHANGED else MEMORY
        for at, wide, drawn, most in zip(display.offset, display.visible, (display.width, display.height), memory):
            if not (0 <= at <= at + wide <= most and drawn <= wide):
                yield f"A picture of {drawn} on a glass of {wide} from {at} on does not fit into a memory of {most}."


def _address(profile):
    address = getattr(profile.display, "address", I2C_ADDRESSES[0])
    if address not in I2C_ADDRESSES:
        doubled = address % 2 == 0 and address // 2 in I2C_ADDRESSES
        hint = f" With the write bit in it, it means 0x{address // 2:02X}." if doubled else ""
        yield f"0x{address:02X} is no I2C address.{hint}"


def _speed(profile):
    display = profile.display
    if isinstance(display, SpiDisplay) and not 0 < display.hz <= pico.SPI_FASTEST_HZ:
        yield f"SPI cannot have {display.hz} Hz: the RP2040 reaches {pico.SPI_FASTEST_HZ}."


def _limits(profile):
    if not pico.RUNS_MV <= profile.empty_mv < profile.low_mv:
        yield f'"empty_mv" must lie between {pico.RUNS_MV} and "low_mv", not at {profile.empty_mv}.'
    if not pico.SLOWEST_MHZ <= profile.mhz <= pico.FASTEST_MHZ:
        yield f'"mhz" must lie between {pico.SLOWEST_MHZ} and {pico.FASTEST_MHZ}, not at {profile.mhz}.'
