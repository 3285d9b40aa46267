"""Writes diagram.json: the same wiring for the Wokwi simulator, which has no batteries."""

import json
from typing import Any

from kiebitz.board.profiles import I2cDisplay, Profile
from kiebitz.widgets.keys import NAMES

from . import pico
from .case import Measures
from .wiring import RESISTOR, End, nets

# Parts of our nets that Wokwi has -> their ids there
PARTS = {"pico": "pico", "display": "oled", "resistor": "r1", "buzzer": "bz1", **{name: name.lower() for name in NAMES}}
PINS = {
    "display": {"SDA": "SDA", "SCL": "SCL", "VCC": "VCC", "GND": "GND"},
    "resistor": {"1": "1", "2": "2"},
    "buzzer": {"−": "1", "+": "2"},
    "key": {"1": "1.r", "2": "2.l"},
}
COLOURS = {"power": "red", "ground": "black", "data": "blue", "key": "green", "sound": "orange"}
# Keys of the computer that press the buttons during the simulation
PRESSED_BY = ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", "Backspace")
KEY_COLOURS = ("black", "black", "black", "black", "red", "black")


def diagram_json(profile: Profile, measures: Measures, author: str) -> str:
    """Return the diagram; the battery, which Wokwi does not have, is left out."""
    connections = []
    for net in nets(profile):
        ends = [wokwi_pin(end) for end in net.ends if end.part in PARTS]
        if len(ends) > 1:
            connections += [[ends[0], end, COLOURS[net.kind], []] for end in ends[1:]]
    diagram = {
        "version": 1,
        "author": author,
        "editor": "wokwi",
        "parts": _parts(profile, measures),
        "connections": connections,
        "dependencies": {},
    }
    return json.dumps(diagram, indent=2) + "\n"


def wokwi_pin(end: End) -> str:
    """Return Wokwi's name for an end of a net."""
    name = PARTS[end.part]
    if end.part != "pico":
        return f"{name}:{PINS.get(end.part, PINS['key'])[end.pin]}"
    label = pico.HEADER[int(end.pin)]
    if label == "GND":
        grounds = [number for number, text in pico.HEADER.items() if text in ("GND", "AGND")]
        label = f"GND.{grounds.index(int(end.pin)) + 1}"
    return f"{name}:{label}"


def _parts(profile: Profile, measures: Measures) -> list[dict[str, Any]]:
    assert isinstance(profile.display, I2cDisplay)  # nets() refuses any other
    address = f"0x{profile.display.address:02x}"
    parts = [
        _part("wokwi-pi-pico", "pico", 0, 0),
        _part("board-ssd1306", "oled", -280, 0, i2cAddress=address),
    ]
    for key, name in enumerate(NAMES):
        x, y = measures.key_middles()[key]
        look = {"color": KEY_COLOURS[key], "key": PRESSED_BY[key], "label": name}
        parts.append(_part("wokwi-pushbutton", PARTS[name], -240 + 8 * x, 40 - 6 * y, **look))
    if profile.buzzer is not None:
        value = RESISTOR.split()[0]
        parts.append(_part("wokwi-buzzer", "bz1", 160, 40, volume="0.1"))
        parts.append(_part("wokwi-resistor", "r1", 100, 200, value=value))
    return parts


def _part(kind: str, name: str, left: float, top: float, **attributes: str) -> dict[str, Any]:
    return {"type": kind, "id": name, "top": round(top, 1), "left": round(left, 1), "attrs": attributes}
