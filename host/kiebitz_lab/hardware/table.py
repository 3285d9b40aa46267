"""Write the tables for builders: wiring.md, diagram.json for the Wokwi simulator, and the parts list bom.md."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from kiebitz.board.profiles import I2cDisplay, Profile
from kiebitz.widgets.keys import NAMES

from . import pico
from .case import Measures
from .checks import Use, uses
from .perfboard import header_holes, hole_name, leg_holes
from .wiring import AA, LIPO, RESISTOR, End, Net, nets

_CATHODE = "supply from the diode's cathode, the end with the ring"
# Battery -> its drawing, what goes to each net of the Pico, and the rest
BATTERIES = {
    AA: (
        "wiring.svg",
        {"VSYS": _CATHODE, "AA−": "ground to the − of the holder"},
        "The rest does not touch the Pico: + of the holder to the switch, switch to the diode's anode.",
    ),
    LIPO: (
        "wiring_lipo.svg",
        {"VBUS": "5 V from USB to the charger's IN+", "VSYS": _CATHODE, "OUT−": "ground to the charger's OUT− and IN−"},
        "The rest does not touch the Pico: charger OUT+ to the switch, switch to the diode's anode, cell to B+ and B−.",
    ),
}

RESET_AT = "to the module itself"

# The names printed on ready-made boards for their keys, by pin
PRINTS = {
    "pico_lcd_13": {
        2: "joystick up", 18: "joystick down", 16: "joystick left", 20: "joystick right", 3: "joystick pressed",
        15: "A", 17: "B", 19: "X", 21: "Y",
    },
    "picoboy_color": {
        4: "joystick up", 2: "joystick down", 3: "joystick left", 1: "joystick right", 0: "joystick pressed",
        27: "A", 28: "B",
    },
    "display_pack": {12: "A", 13: "B", 14: "X", 15: "Y"},
    "picosystem": {23: "up", 20: "down", 22: "left", 21: "right", 18: "A", 17: "X", 19: "B", 16: "Y"},
}  # fmt: skip


def wiring_md(profiles: dict[str, Profile], measures: Measures, remark: str) -> str:
    """Return the page; boards with the same wires share a section."""
    lines = [f"<!-- {remark} -->", "", "# Wiring", ""]
    for names, profile in _alike(profiles):
        lines += [f"## {' and '.join(f'`{name}`' for name in names)}", ""]
        soldered = isinstance(profile.display, I2cDisplay)
        lines += _soldered(profile, measures) if soldered else _plugged(names[0], profile)
    return "\n".join(lines)


def _alike(profiles: dict[str, Profile]) -> Iterable[tuple[list[str], Profile]]:
    """Return (names, profile) for each group of profiles that use the same pins for the same purposes."""
    groups: dict[tuple[Use, ...], list[str]] = {}
    for name, profile in profiles.items():
        groups.setdefault(tuple(uses(profile)), []).append(name)
    return [(names, profiles[names[0]]) for names in groups.values()]


def _soldered(profile: Profile, measures: Measures) -> list[str]:
    found = {net.name: net for net in nets(profile)}
    legs = {name: {leg: hole_name(hole) for leg, hole in leg_holes(measures, name).items()} for name in NAMES}
    header = {pin: hole_name(hole) for pin, hole in header_holes(measures).items()}
    rows = [
        _row(found["SDA"], "display SDA", header["SDA"]),
        _row(found["SCL"], "display SCL", header["SCL"]),
        _row(found["3V3"], "display VCC", header["VCC"]),
    ]
    reset = getattr(profile.display, "reset", None)
    if reset is not None:
        name = f"GP{reset}"
        rows.append((str(pico.number(name)), name, "display RESET, if it has a pin RES", RESET_AT))
    rows += [_row(found[name], f"key {name}", legs[name]["signal"]) for name in NAMES]
    if "BUZZER" in found:
        rows.append(_row(found["BUZZER"], f"buzzer +, through {RESISTOR}", "in the base"))
    grounds = [header["GND"], *(legs[name]["ground"] for name in NAMES)]
    rows.append(_row(found["GND"], "ground of the perfboard and the buzzer", "one of " + ", ".join(grounds)))
    lines = _table(("Pico pin", "name", "goes to", "hole of the perfboard"), rows)
    lines += [
        f"The ground rail of the perfboard joins {', '.join(grounds)}: the GND pin of the display and one leg of each",
        "key. The holes are those of [perfboard.svg](perfboard.svg), seen from the front.",
        "",
        "### Battery (can be left out)",
        "",
    ]
    for battery, (drawing, goes_to, remaining) in BATTERIES.items():
        found = {net.name: net for net in nets(profile, battery)}
        lines += [f"#### With {battery}", "", f"![wiring with {battery}]({drawing})", ""]
        lines += _table(("Pico pin", "name", "goes to"), [_row(found[name], text) for name, text in goes_to.items()])
        lines += [remaining, ""]
    return [*lines, *_sensing(profile), ""]


_OWN_CHIP = "Nothing to solder, and no Pico: the board has an RP2040 of its own. It uses these pins."


def _plugged(name: str, profile: Profile) -> list[str]:
    """Return the lines for a ready-made board, a table of the pins it uses."""
    prints = PRINTS.get(name, {})
    if not profile.pico:
        pins = [(f"GP{use.gpio}", use.part, prints.get(use.gpio, "")) for use in uses(profile)]
        return [_OWN_CHIP, "", *_table(("name", "for", "on the board"), pins)]
    rows = [
        (str(pico.number(f"GP{use.gpio}")), f"GP{use.gpio}", use.part, prints.get(use.gpio, ""))
        for use in uses(profile)
        if use.gpio not in pico.OWN
    ]
    lines = ["Nothing to solder: the board plugs onto the Pico. It uses these pins.", ""]
    lines += _table(("Pico pin", "name", "for", "on the board"), rows)
    return [*lines, *_sensing(profile), ""]


def _sensing(profile: Profile) -> list[str]:
    if profile.vsys is None:
        return []
    channel = pico.ADC_CHANNEL[profile.vsys]
    lines = [f"The supply is measured inside the Pico (GP{profile.vsys}, ADC channel {channel})."]
    if profile.vbus is not None:
        lines.append(f"GP{profile.vbus}, also inside, tells whether USB is plugged in.")
    return lines


def _row(net: Net, goes_to: str, *more: str) -> tuple[str, ...]:
    pin = net.pico_pin or 0
    return str(pin), pico.HEADER[pin], goes_to, *more


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    def line(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cells)} |"

    return [line(head), line(["---"] * len(head)), *map(line, rows), ""]


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


COLUMNS = ("group", "part", "value", "quantity", "euro", "look for", "substitutes")
GROUPS = {
    "ready-made": "Without soldering: only these",
    "needed": "Needed",
    "sound": "For sound",
    "battery": "For a battery",
    "case": "For the case",
}

PRICES = """What a part costs is a rough guess for single pieces, without postage; nobody has asked shops.

"""

NOTES = """## SSD1306 or SH1106?

Both controllers sit on modules that look the same, and shops mix them up. As a rule 0.96 inch means SSD1306 and
1.3 inch means SH1106, whatever the offer says. Both work with the same wires; only the profile differs. The wrong
one does no harm and is easy to see: [the guide](README.md#which-controller-has-my-display) tells how.

## The 2.42 inch display

Its letters are more than twice as high as those of the 0.96 inch display: 128 × 64 pixels as well, lit area about
55 × 27.5 mm, controller SSD1309. Buy one that is set to I2C: most are sold set to SPI, and two or three tiny resistors
on the back have to be moved (the print there tells which). Some answer on I2C only when the place marked D2 on the
back is bridged; this device needs the answer. One with a pin RES gets a fifth wire.

## Pull-ups

The two wires of I2C need resistors to 3.3 V. Nearly every module has them: an ohmmeter between VCC and SDA, and
between VCC and SCL, shows 2 to 11 kΩ when nothing else is connected. If it shows no connection, solder 4.7 kΩ from
SDA to VCC and another from SCL to VCC. Because of these resistors VCC must be 3.3 V: with 5 V they would put 5 V on
pins of the Pico. Above 5 kΩ, if the picture flickers, add 4.7 kΩ to each wire in the same way.

The keys need none: the Pico has its own.

## Charging current

A charger board comes set to 1 A, too much for a small cell and for many USB sockets. The resistor that sets it is
marked 122 (1.2 kΩ), beside the chip, of size 0603 (1.6 × 0.8 mm). With 4.7 kΩ in its place the current is 255 mA, right
for cells of 500 mAh and more.
"""


def read_bom(source: str) -> list[dict[str, str]]:
    """Return the rows of the file; raises ValueError if it is malformed."""
    reader = csv.DictReader(io.StringIO(source), strict=True)
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise ValueError(f"bom.csv must have the columns {', '.join(COLUMNS)}.")
    rows = list(reader)
    for number, row in enumerate(rows, 2):
        if None in row or None in row.values():
            raise ValueError(f"bom.csv, row {number}: it has {'more' if None in row else 'fewer'} cells than columns.")
        if row["group"] not in GROUPS:
            raise ValueError(f"bom.csv, row {number}: there is no group {row['group']}.")
        if not row["quantity"].isdigit() or not row["part"] or not row["look for"]:
            raise ValueError(f"bom.csv, row {number}: part, quantity and what to look for must be given.")
        try:
            cents(row)
        except ValueError:
            raise ValueError(f"bom.csv, row {number}: {row['euro']} is not a price in euros.") from None
    return rows


def cents(row: dict[str, str]) -> int:
    """Return the cost of all pieces of a row; raises ValueError for an invalid price."""
    euros, _, rest = row["euro"].partition(".")
    if not euros.isdigit() or len(rest) != 2 or not rest.isdigit():
        raise ValueError
    return int(row["quantity"]) * (100 * int(euros) + int(rest))


def _euros(amount: int) -> str:
    """Return an amount in cents as text."""
    return f"{amount // 100}.{amount % 100:02}"


def bom_md(source: str, remark: str) -> str:
    """Return a page with a table for each group, then the notes."""
    rows = read_bom(source)
    lines = [f"<!-- {remark} -->", "", "# Parts", "", PRICES]
    for group, title in GROUPS.items():
        lines += [f"## {title}", ""]
        lines += ["| n | part | what to look for | instead of it | about € |", "|---|---|---|---|--:|"]
        members = [row for row in rows if row["group"] == group]
        for row in members:
            name = f"**{row['part']}**" + (f", {row['value']}" if row["value"] else "")
            cells = (row["quantity"], name, row["look for"], row["substitutes"] or "–", _euros(cents(row)))
            lines.append(f"| {' | '.join(cells)} |")
        lines += [f"| | | | **together** | **{_euros(sum(map(cents, members)))}** |", ""]
    return "\n".join(lines) + "\n" + NOTES
