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
            by = "nobody" if not fitted else "hand" if kind.hand else "factory"
            footprint = kind.footprint.partition(":")[2]
            rows.append((kind.name, " ".join(part.name for part in parts), footprint, len(parts), kind.order, kind.second, by))
    return _csv(("Comment", "Designator", "Footprint", "Quantity", "Order number", "Second source", "Fitted by"), rows)


def positions_csv(source: str) -> str:
    """Return KiCad's positions with the headings that assemblers know, from the middle of the board."""
    names = {part.name: part.kind.name for part in PARTS}
    rows = []
    for row in csv.DictReader(io.StringIO(source)):
        x, y = float(row["PosX"]) - 100, float(row["PosY"]) + 100
        turn = float(row["Rot"]) % 360
        rows.append((row["Ref"], names[row["Ref"]], f"{x:.3f}mm", f"{y:.3f}mm", row["Side"].capitalize(), f"{turn:g}"))
    return _csv(("Designator", "Comment", "Mid X", "Mid Y", "Layer", "Rotation"), sorted(rows))
