"""Write the shapes of the drawings as SVG, and assign wires to parallel lanes so that few of them cross."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"


class Picture:
    """A collection of elements; later elements cover earlier ones."""

    def __init__(self, width: float, height: float, unit: str = "", remark: str = ""):
        self._lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}{unit}" height="{_n(height)}{unit}"'
            f' viewBox="0 0 {_n(width)} {_n(height)}" font-family="{FONT}">',
            f"<!-- {remark} -->",
            f'<rect width="{_n(width)}" height="{_n(height)}" fill="#ffffff"/>',
        ]

    def add(self, name: str, content: str | None = None, **attributes: Any) -> None:
        """Add an element; in the names of attributes _ means -, and class_ means class."""
        written = "".join(
            f" {key.rstrip('_').replace('_', '-')}={quoteattr(_n(value))}"
            for key, value in attributes.items()
            if value is not None
        )
        end = "/>" if content is None else f">{escape(content)}</{name}>"
        self._lines.append(f"<{name}{written}{end}")

    def rect(self, x: float, y: float, width: float, height: float, fill: str = "none", **more: Any) -> None:
        self.add("rect", x=x, y=y, width=width, height=height, fill=fill, **more)

    def circle(self, x: float, y: float, r: float, fill: str = "none", **more: Any) -> None:
        self.add("circle", cx=x, cy=y, r=r, fill=fill, **more)

    def text(self, x: float, y: float, text: str, size: float = 13, anchor: str = "start", **more: Any) -> None:
        """Add a text whose middle line is at y."""
        self.add("text", text, x=x, y=y + size * 0.36, font_size=size, text_anchor=anchor, **more)

    def line(self, points: Sequence[Point], stroke: str, width: float = 2, **more: Any) -> None:
        path = "M" + " L".join(f"{_n(x)} {_n(y)}" for x, y in points)
        self.add("path", d=path, fill="none", stroke=stroke, stroke_width=width, stroke_linejoin="round", **more)

    def source(self) -> str:
        return "\n".join([*self._lines, "</svg>", ""])


def _n(value: object) -> str:
    """Return a value as text, numbers without needless digits."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


Height = float
Wire = tuple[Height, Height]  # the height at which it comes in from the left, and leaves to the right


def arrange(wires: Sequence[Wire]) -> list[int]:
    """Return the lane of each wire, counted from the left; found by swapping lanes as long as that helps."""
    lanes = list(range(len(wires)))
    best = crossings(wires, lanes)
    better = True
    while better:
        better = False
        for i, j in combinations(range(len(wires)), 2):
            lanes[i], lanes[j] = lanes[j], lanes[i]
            count = crossings(wires, lanes)
            if count < best:
                best = count
                better = True
            else:
                lanes[i], lanes[j] = lanes[j], lanes[i]
    return lanes


def crossings(wires: Sequence[Wire], lanes: Sequence[int]) -> int:
    """Return how often wires cross in these lanes."""
    count = 0
    for i, j in combinations(range(len(wires)), 2):
        left, right = (i, j) if lanes[i] < lanes[j] else (j, i)
        count += _between(wires[right][0], wires[left]) + _between(wires[left][1], wires[right])
    return count


def _between(height: Height, wire: Wire) -> bool:
    return min(wire) < height < max(wire)
