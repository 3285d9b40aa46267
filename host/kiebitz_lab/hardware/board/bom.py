"""List the parts of the board: for the factory as CSV, and for the guide with sources and prices."""

import csv
import io
from collections.abc import Iterable, Sequence

from .places import PARTS, Kind, Part

COUNTS = (1, 10, 100)


def bought(fitted: bool = True) -> dict[Kind, list[Part]]:
    """Return {kind: parts} of all that is bought, for the board as described or for the option that is not fitted."""
    found: dict[Kind, list[Part]] = {}
    for part in PARTS:
        if part.kind.order and part.fitted == fitted:
            found.setdefault(part.kind, []).append(part)
    return found


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def bom_csv() -> str:
    """Return the parts that a factory fits and those soldered by hand, one kind a line."""
    rows = []
    for fitted in (True, False):
        for kind, parts in bought(fitted).items():
            names = ",".join(part.name for part in parts)
            footprint = kind.footprint.partition(":")[2]
            rows.append((kind.name, names, footprint, len(parts), kind.order, kind.second, parts[0].by))
    return _csv(("Comment", "Designator", "Footprint", "Quantity", "Order number", "Second source", "Fitted by"), rows)


def positions_csv(source: str) -> str:
    """Return KiCad's positions with the headings that assemblers know; the origin is that of the gerbers."""
    names = {part.name: part.kind.name for part in PARTS}
    rows = []
    for row in csv.DictReader(io.StringIO(source)):
        x, y = float(row["PosX"]), float(row["PosY"])
        turn = float(row["Rot"]) % 360
        rows.append((row["Ref"], names[row["Ref"]], f"{x:.3f}mm", f"{y:.3f}mm", row["Side"].capitalize(), f"{turn:g}"))
    return _csv(("Designator", "Comment", "Mid X", "Mid Y", "Layer", "Rotation"), sorted(rows))


# What is not soldered to the board: what, what to look for, second source, pieces, euros each for 1, 10 and 100 devices
BESIDE = [
    ("bare board", "two layers, 75 × 87 mm, 1.6 mm; upload the ZIP", "any maker of boards", 1, (5.00, 1.60, 0.90)),
    ("small parts fitted by the factory", "upload the parts list and the positions", "or solder them: 0805 or larger",
     1, (9.00, 4.00, 1.60)),
    ("display 2.42 inch, 7 pins, I2C, SSD1309", "search words: 2.42 OLED SSD1309 128x64 I2C 7 pin",
     "1.3 inch, 4 pins, SH1106", 1, (15.00, 14.00, 12.00)),
    ("holder for 3 AA cells with wires", "MPD BH3AAW, at most 58 × 48 × 16 mm", "Eagle Plastic Devices 12BH331-GR", 1,
     (2.20, 1.80, 1.30)),
    ("lead with XH plug, 2 pins", "search words: JST XH 2.5 2 pin lead", "JST XHP-2 with two SXH-001T-P0.6", 1,
     (0.50, 0.35, 0.20)),
    ("screw M2.5 × 16", "DIN 7985, round head up to 5 mm", "ISO 7380", 4, (0.12, 0.08, 0.05)),
    ("filament for the case", "PLA or PETG, 130 g", "a print service", 1, (3.50, 3.20, 3.00)),
    ("cells AA", "alkaline or NiMH", "USB alone", 3, (0.60, 0.50, 0.40)),
    ("USB cable with data lines", "micro-USB for a Pico", "–", 1, (3.00, 2.50, 1.80)),
]  # fmt: skip


def parts_md(remark: str) -> str:
    """Return the page with all parts, their second sources, and the sums for 1, 10 and 100 devices."""
    rows = [(kind.name, kind.order, kind.second, len(parts), kind.euros) for kind, parts in bought().items()]
    rows += BESIDE
    option = [(kind.name, kind.order, kind.second, len(parts), kind.euros) for kind, parts in bought(False).items()]
    lines = [
        f"<!-- {remark} -->", "", "# Parts of the board", "",
        "**Estimates**: prices are guesses without postage and customs; nobody has asked shops. Order numbers come",
        "from data sheets and nobody has ordered by them: compare drawing and footprint before you pay.", "",
        "## One device", "", *_priced(rows), "## The LiPo option, not fitted", "", *_priced(option),
    ]  # fmt: skip
    return "\n".join(lines).rstrip() + "\n"


def sums(rows: Iterable[tuple[str, str, str, int, tuple[float, float, float]]]) -> list[float]:
    """Return what the rows cost for one device, if parts for 1, 10 and 100 are bought."""
    listed = list(rows)
    return [round(sum(count * euros[i] for *_, count, euros in listed), 2) for i in range(len(COUNTS))]


def device_sums() -> list[float]:
    return sums([*((k.name, "", "", len(parts), k.euros) for k, parts in bought().items()), *BESIDE])


def _priced(rows: Sequence[tuple[str, str, str, int, tuple[float, float, float]]]) -> list[str]:
    lines = [
        "| n | part | order number | second source | € for 1 | each of 10 | each of 100 |",
        "|--:|---|---|---|--:|--:|--:|",
    ]
    for name, order, second, count, euros in rows:
        prices = " | ".join(f"{count * value:.2f}" for value in euros)
        lines.append(f"| {count} | {name} | {order} | {second} | {prices} |")
    each = sums(rows)
    lines.append("| | **one device** | | | " + " | ".join(f"**{value:.2f}**" for value in each) + " |")
    whole = (f"**{value * count:.0f}**" for value, count in zip(each, COUNTS, strict=True))
    lines.append("| | **all 1, 10, 100** | | | " + " | ".join(whole) + " |")
    return [*lines, ""]
