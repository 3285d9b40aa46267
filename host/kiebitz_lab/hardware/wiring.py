"""Derive the nets of a device with an I2C display, all its soldered connections, from its profile."""

from typing import NamedTuple

from kiebitz.board.profiles import I2cDisplay, Profile
from kiebitz.widgets.keys import NAMES

from . import pico
from .checks import problems

# The purpose of a wire -> its colour, dark and light enough to be distinguished in grey
KINDS = {
    "power": "#d9302c",
    "ground": "#202020",
    "data": "#1f5fbf",
    "key": "#3a8f3a",
    "sound": "#e08a00",
    "battery": "#8a3fa0",
}

RESISTOR = "100 Ω"

# The batteries of the guide, in its order
AA = "three AA cells"
LIPO = "a LiPo cell"


class End(NamedTuple):
    """One end of a wire, a pin of the Pico by number or a pin of a part by its label."""

    part: str
    pin: str


class Net(NamedTuple):
    """A group of ends that are all connected to each other."""

    name: str
    kind: str
    ends: tuple[End, ...]

    @property
    def pico_pin(self) -> int | None:
        """The pin of the Pico in this net, or None."""
        return next((int(end.pin) for end in self.ends if end.part == "pico"), None)


def nets(profile: Profile, battery: str = AA) -> list[Net]:
    """Return all nets, those of the profile before those of the battery."""
    wrong = problems(profile)
    if wrong:
        raise ValueError(" ".join(wrong))
    display = profile.display
    if not isinstance(display, I2cDisplay):
        raise ValueError("Only a display on I2C is soldered.")
    found = [
        Net("SDA", "data", (_gpio(display.sda), End("display", "SDA"))),
        Net("SCL", "data", (_gpio(display.scl), End("display", "SCL"))),
        Net("3V3", "power", (_pico("3V3"), End("display", "VCC"))),
    ]
    ground = [End("display", "GND")]
    for name, gpio in zip(NAMES, profile.keys, strict=True):
        found.append(Net(name, "key", (_gpio(gpio), End(name, "1"))))
        ground.append(End(name, "2"))
    if profile.buzzer is not None:
        found.append(Net("BUZZER", "sound", (_gpio(profile.buzzer), End("resistor", "1"))))
        found.append(Net("BUZZER+", "sound", (End("resistor", "2"), End("buzzer", "+"))))
        ground.append(End("buzzer", "−"))
    found.append(Net("GND", "ground", (End("pico", str(_ground_pin(found))), *ground)))
    return found + supply(battery)


def supply(battery: str) -> list[Net]:
    """Return the nets of an optional battery, which feeds VSYS only while USB does not. USB charges a LiPo cell."""
    ground = End("pico", str(pico.GROUNDS[-1]))
    found = [
        Net("VSYS", "battery", (_pico("VSYS"), End("diode", "cathode"))),
        Net("SWITCHED", "battery", (End("diode", "anode"), End("switch", "1"))),
    ]
    if battery == AA:
        return [
            *found,
            Net("AA+", "battery", (End("switch", "2"), End("holder", "+"))),
            Net("AA−", "ground", (ground, End("holder", "−"))),
        ]
    return [
        *found,
        Net("VBUS", "power", (_pico("VBUS"), End("charger", "IN+"))),
        Net("OUT+", "battery", (End("switch", "2"), End("charger", "OUT+"))),
        Net("OUT−", "ground", (ground, End("charger", "OUT−"), End("charger", "IN−"))),
        Net("CELL+", "battery", (End("charger", "B+"), End("cell", "+"))),
        Net("CELL−", "battery", (End("charger", "B−"), End("cell", "−"))),
    ]


def _gpio(gpio: int) -> End:
    return _pico(f"GP{gpio}")


def _pico(name: str) -> End:
    return End("pico", str(pico.number(name)))


def _ground_pin(found: list[Net]) -> int:
    """Return the ground pin that is nearest to the middle of the wires on the left side."""
    used = [net.pico_pin for net in found if net.pico_pin in pico.LEFT_SIDE]
    middle = sum(pin for pin in used if pin) / len(used) if used else pico.GROUNDS[0]
    return min(pico.GROUNDS[:-1], key=lambda pin: abs(pin - middle))
