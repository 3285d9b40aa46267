"""Checks that a board profile can work on a Pico: every pin in it, and the function of each pin."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from kiebitz.board.profiles import pins_of
from kiebitz.widgets.keys import NAMES

from . import pico

Profile = dict[str, Any]

# The pins of a display: name in the profile -> (print on the module, required function of the pin)
DISPLAY_PINS = {
    "sda": ("SDA", "I2C SDA"),
    "scl": ("SCL", "I2C SCL"),
    "sck": ("SCK", "SPI SCK"),
    "mosi": ("MOSI", "SPI TX"),
    "cs": ("CS", "output"),
    "dc": ("DC", "output"),
    "reset": ("RESET", "output"),
    "light": ("light", "PWM"),
}
# Other facts about a display, none of them a pin
DISPLAY_FACTS = {"bus", "hz", "address", "width", "height", "controller", "first_column"}
PARTS = {"display", "keys", "buzzer", "vsys"}

I2C_ADDRESSES = range(0x08, 0x78)


class Use(NamedTuple):
    """A pin and its use."""

    gpio: int
    part: str
    job: str

    def __str__(self):
        return f"GP{self.gpio} ({self.part})"


def uses(profile: Profile) -> list[Use]:
    """Return every pin of a profile."""
    display = profile["display"]
    found = [
        Use(display[name], f"display {label}", job)
        for name, (label, job) in DISPLAY_PINS.items()
        if display.get(name) is not None
    ]
    keys = zip(NAMES, profile["keys"], strict=False)
    found += [Use(gpio, f"key {name}", "input") for name, key in keys for gpio in pins_of(key)]
    if profile["buzzer"] is not None:
        found.append(Use(profile["buzzer"], "buzzer", "PWM"))
    if profile["vsys"] is not None:
        found.append(Use(profile["vsys"], "VSYS sensing", "ADC"))
    return found


def problems(profile: Profile) -> list[str]:
    """Return a sentence for each problem; empty if there is none."""
    found = [*_unknown(profile), *_missing(profile)]
    if found:
        return found
    everything = uses(profile)
    found = [sentence for use in everything for sentence in _pin(use, profile)]
    display = profile["display"]
    return found + [*_twice(everything), *_slices(everything), *_address(display), *_speed(display)]


def _unknown(profile: Profile) -> Iterator[str]:
    """Yield unknown names, so that nothing stays unchecked because it has a new name."""
    for name in sorted(set(profile) - PARTS):
        yield f'The checks do not know "{name}": teach them whether it is a pin.'
    for name in sorted(set(profile.get("display", ())) - DISPLAY_FACTS - set(DISPLAY_PINS)):
        yield f'The checks do not know "{name}" of a display: teach them whether it is a pin.'


def _missing(profile: Profile) -> Iterator[str]:
    for name in sorted(PARTS - set(profile)):
        yield f'The profile does not say anything about "{name}".'
    keys = profile.get("keys", NAMES)
    if len(keys) != len(NAMES):
        yield f"There must be {len(NAMES)} keys ({', '.join(NAMES)}), not {len(keys)}."


def _pin(use: Use, profile: Profile) -> Iterator[str]:
    gpio = use.gpio
    if gpio not in pico.GPIOS:
        yield f"{use} does not exist: the RP2040 has GP0 to GP{pico.GPIOS[-1]}."
    elif use.job == "ADC":
        if gpio != pico.VSYS_SENSE:
            yield f"{use} cannot be: the Pico measures VSYS at GP{pico.VSYS_SENSE}, and nowhere else."
    elif gpio in pico.OWN:
        yield f"{use} is not on the header: the Pico itself uses it as {pico.OWN[gpio]}."
    elif use.job.startswith(("I2C", "SPI")):
        kind, line = use.job.split()
        bus, can = pico.i2c(gpio) if kind == "I2C" else pico.spi(gpio)
        wanted = profile["display"]["bus"]
        if (bus, can) != (wanted, line):
            yield f"{use} cannot be {line} of {kind}{wanted}: it can be {can} of {kind}{bus}."


def _twice(everything: list[Use]) -> Iterator[str]:
    for gpio in sorted({use.gpio for use in everything}):
        parts = [use.part for use in everything if use.gpio == gpio]
        if len(parts) > 1:
            yield f"GP{gpio} is used twice: {' and '.join(parts)}."


def _slices(everything: list[Use]) -> Iterator[str]:
    tones = [use for use in everything if use.job == "PWM"]
    for i, use in enumerate(tones):
        for other in tones[:i]:
            if pico.pwm(use.gpio)[0] == pico.pwm(other.gpio)[0] and use.gpio != other.gpio:
                number = pico.pwm(use.gpio)[0]
                yield f"{other} and {use} share PWM slice {number}: they would have the same frequency."


def _address(display: Profile) -> Iterator[str]:
    address = display.get("address", I2C_ADDRESSES[0])
    if address not in I2C_ADDRESSES:
        doubled = address % 2 == 0 and address // 2 in I2C_ADDRESSES
        hint = f" With the write bit in it, it means 0x{address // 2:02X}." if doubled else ""
        yield f"0x{address:02X} is no I2C address.{hint}"


def _speed(display: Profile) -> Iterator[str]:
    if "sck" in display and not 0 < display["hz"] <= pico.SPI_FASTEST_HZ:
        yield f"SPI cannot have {display['hz']} Hz: the RP2040 reaches {pico.SPI_FASTEST_HZ}."
