"""Write the parts list bom.md from hardware/bom.csv, which is written by hand."""

import csv
import io

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
pins of the Pico.

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
            raise ValueError(f"bom.csv, row {number}: {row['euro']} is no price in euros.") from None
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
