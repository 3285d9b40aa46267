"""Draw curves as SVG: one labelled line for each player, distinguishable by its dashes without colour."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from kiebitz.text import text

from ..html import Child, Node, el
from ..terminal import short_names

WIDTH, HEIGHT = 640, 300  # SVG units
LEFT, RIGHT, TOP, BOTTOM = 76, 150, 14, 30  # margins; at the left numbers of six characters, at the right the names
LABEL_GAP = 17  # between two names
LABEL_MAX = 11  # characters of a name in the drawing; the table below shows it in full
LETTER = 11  # width of a character at the largest font size, on a phone
GRID_LINES = 5
POINTS_MAX = 240  # of a line: more are invisible, and make the page heavy
SEATS = 8  # colours and dashes
DASHES = (None, "9 4", "2 4", "12 4 2 4", "6 3", "1 5", "14 3 5 3", "4 6")


class Line(NamedTuple):
    """A curve: a name, and a value for each step (None before it begins)."""

    name: str
    values: Sequence[float | None]


class Tick(NamedTuple):
    """A mark below the curves: the step, counted from 0, and its label."""

    at: float
    label: str


def curves(key: str, title: str, about: str, lines: Sequence[Line], ticks: Sequence[Tick], alternative: Child) -> Node:
    """Return a figure with a drawing and the same numbers as a table; `key` is its id on the page."""
    drawing = el(
        "svg",
        el("title", title, id=f"{key}-title"),
        el("desc", about, id=f"{key}-about"),
        _drawn(lines, ticks),
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_labelledby=f"{key}-title",
        aria_describedby=f"{key}-about",
    )
    table = el("details", el("summary", text("web.as_table")), alternative, class_="screen-only")
    return el("figure", el("figcaption", title, class_="hidden"), drawing, table, class_="curve")


def _drawn(lines: Sequence[Line], ticks: Sequence[Tick]) -> list[Node]:
    known = [value for line in lines for value in line.values if value is not None]
    low, high, step = _scale(min(known, default=0), max(known, default=1))
    steps = max([len(line.values) for line in lines], default=1)

    def x_of(k: float) -> float:
        return LEFT + k / max(steps - 1, 1) * (WIDTH - LEFT - RIGHT)

    def y_of(value: float) -> float:
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts: list[Node] = []
    for k in range(round((high - low) / step) + 1):
        value = low + k * step
        parts += _grid_line(y_of(value), value)
    for tick in _apart(ticks, x_of):
        x = _unit(x_of(tick.at))
        parts.append(el("path", d=f"M{x} {TOP} V{HEIGHT - BOTTOM + 5}", class_="grid"))
        parts.append(el("text", tick.label, x=x, y=HEIGHT - BOTTOM + 19))
    labels = short_names([line.name for line in lines], LABEL_MAX)
    ends = [next(value for value in reversed(line.values) if value is not None) for line in lines]
    label_ys = _spread([y_of(value) for value in ends])
    for k, line in enumerate(lines):
        points = [(x_of(n), y_of(value)) for n, value in enumerate(line.values) if value is not None]
        parts.append(_one(k, points, labels[k], label_ys[k]))
    return parts


def _one(k: int, points: list[tuple[float, float]], label: str, label_y: float) -> Node:
    """Return the line of one player with its name."""
    x, y = points[-1]
    path = " ".join(f"{'L' if n else 'M'}{_unit(px)} {_unit(py)}" for n, (px, py) in enumerate(_fewer(points)))
    edge = WIDTH - RIGHT
    return el(
        "g",
        el("path", d=path, class_="path", stroke_dasharray=DASHES[k % SEATS]),
        el("path", d=f"M{_unit(x)} {_unit(y)} L{edge + 12} {_unit(label_y)}", class_="lead-line"),
        el("circle", cx=_unit(x), cy=_unit(y), r=4, class_="dot"),
        el("text", label, x=edge + 16, y=_unit(label_y + 4), class_="who"),
        class_=f"seat-{k % SEATS}",
    )


def _fewer(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return at most POINTS_MAX of the points, including the last; drop points on a level line."""
    bends = [
        point
        for n, point in enumerate(points)
        if n in (0, len(points) - 1) or not points[n - 1][1] == point[1] == points[n + 1][1]
    ]
    every = math.ceil(len(bends) / POINTS_MAX)
    return [*bends[:-1][::every], bends[-1]]


def _grid_line(y: float, value: float) -> list[Node]:
    kind = "zero" if value == 0 else "grid"
    return [
        el("path", d=f"M{LEFT} {_unit(y)} H{WIDTH - RIGHT}", class_=kind),
        el("text", f"{value:g}", x=LEFT - 8, y=_unit(y + 4), text_anchor="end"),
    ]


def _scale(low: float, high: float) -> tuple[float, float, float]:
    """Return (lowest, highest, step) of a scale with round numbers."""
    if high - low < 1:
        high = low + 1
    rough = (high - low) / GRID_LINES
    power = 10 ** math.floor(math.log10(rough))
    step = max(next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough), 1)
    return math.floor(low / step) * step, math.ceil(high / step) * step, step


def _spread(ys: list[float]) -> list[float]:
    """Return the y positions of the names, near the ends of their lines but without overlaps."""
    order = sorted(range(len(ys)), key=lambda k: ys[k])
    found = list(ys)
    last = -math.inf
    for k in order:
        found[k] = last = max(found[k], last + LABEL_GAP, TOP)
    last = HEIGHT - BOTTOM + LABEL_GAP
    for k in reversed(order):
        found[k] = last = min(found[k], last - LABEL_GAP)
    return found


def _apart(ticks: Sequence[Tick], x_of) -> list[Tick]:
    """Return the ticks whose labels do not overlap the previous one; a label begins at its tick."""
    found: list[Tick] = []
    end = -math.inf
    for tick in ticks:
        if x_of(tick.at) > end:
            found.append(tick)
            end = x_of(tick.at) + LETTER * len(tick.label)
    return found


def _unit(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
