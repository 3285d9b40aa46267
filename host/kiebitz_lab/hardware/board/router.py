"""Route the tracks: A* on a grid of two layers. A net that crosses others displaces them, and they are routed again."""

from collections import defaultdict, deque
from heapq import heappop, heappush
from math import ceil, hypot
from typing import NamedTuple

STEP_MM = 0.25
CLEARANCE_MM = 0.2
CORNER_MM = 0.045  # how much nearer the middle of a diagonal step comes to a corner than its ends
VIA_MM = 0.6
VIA_COST = 14.0
CROSSING_COST = 10.0
_EVERYONE = "*"  # owner of an obstacle for all nets


class Rect(NamedTuple):
    """A piece of copper, a hole (net "*"), or an area without copper (net "*"), on layer 0 or 1; y grows downwards."""

    left: float
    upper: float
    right: float
    lower: float
    layer: int
    net: str


class Track(NamedTuple):
    """A straight track, or a via if both layers differ."""

    net: str
    width: float
    start: tuple[float, float]
    end: tuple[float, float]
    layers: tuple[int, int]


Cell = int  # (layer * rows + row) * columns + column


class Router:
    """A board of this size with its obstacles; its upper left corner is (0, 0)."""

    def __init__(self, width: float, height: float, widths: dict[str, float], rects: list[Rect], edge: float):
        self.columns, self.rows = int(width / STEP_MM) + 1, int(height / STEP_MM) + 1
        self.plane = self.columns * self.rows
        self.widths = widths
        self.rects = rects
        self.edge = edge
        self.blocked = {size: self._obstacles(size) for size in sorted({*widths.values(), VIA_MM})}
        self.paths: dict[str, list[list[Cell]]] = {}
        self.taken: dict[float, dict[Cell, set[str]]] = {size: defaultdict(set) for size in self.blocked}
        self.history: dict[Cell, float] = defaultdict(float)

    def point(self, cell: Cell) -> tuple[float, float]:
        row, column = divmod(cell % self.plane, self.columns)
        return column * STEP_MM, row * STEP_MM

    def _obstacles(self, size: float) -> list[str]:
        """Return the owner of each cell for the middle of a track of this width: "" is free."""
        owners = [""] * (2 * self.plane)
        away = self.edge + size / 2
        for layer in (0, 1):
            for row in range(self.rows):
                for column in range(self.columns):
                    x, y = column * STEP_MM, row * STEP_MM
                    if min(x, y, (self.columns - 1) * STEP_MM - x, (self.rows - 1) * STEP_MM - y) < away:
                        owners[layer * self.plane + row * self.columns + column] = _EVERYONE
        for rect in self.rects:
            for cell in self._cells(rect, CLEARANCE_MM + CORNER_MM + size / 2):
                if owners[cell] != rect.net:
                    owners[cell] = _EVERYONE if owners[cell] else rect.net
        return owners

    def _cells(self, rect: Rect, away: float) -> list[Cell]:
        """Return the cells closer to a rectangle than this distance."""
        found = []
        for row in range(
            max(0, int((rect.upper - away) / STEP_MM)), min(self.rows, ceil((rect.lower + away) / STEP_MM) + 1)
        ):
            y = row * STEP_MM
            dy = max(rect.upper - y, 0, y - rect.lower)
            for column in range(
                max(0, int((rect.left - away) / STEP_MM)), min(self.columns, ceil((rect.right + away) / STEP_MM) + 1)
            ):
                x = column * STEP_MM
                if hypot(max(rect.left - x, 0, x - rect.right), dy) < away - 1e-6:
                    found.append(rect.layer * self.plane + row * self.columns + column)
        return found

    def route(self, nets: dict[str, list[list[Rect]]], rounds: int = 400) -> list[Track]:
        """Connect the pads of each net, where a pad is a list of its rectangles. Raises ValueError if it cannot."""
        self.pads = {
            net: [{cell for rect in pad for cell in self._inner(rect)} for pad in pads] for net, pads in nets.items()
        }
        size = {net: self._extent(pads) for net, pads in nets.items()}
        waiting = deque(sorted(nets, key=lambda net: (-self.widths[net], size[net], net)))
        while waiting:
            rounds -= 1
            if rounds < 0:
                raise ValueError(f"the tracks of {', '.join(waiting)} find no way: move some parts.")
            net = waiting.popleft()
            crossed = self._connect(net)
            for other in sorted(crossed):
                self._remove(other)
                waiting.append(other)
        return self._tracks()

    @staticmethod
    def _extent(pads: list[list[Rect]]) -> float:
        xs = [rect.left for pad in pads for rect in pad]
        ys = [rect.upper for pad in pads for rect in pad]
        return max(xs) - min(xs) + max(ys) - min(ys)

    def _inner(self, rect: Rect) -> list[Cell]:
        """Return the cells well inside a pad, at least the one nearest to its middle."""
        found = [
            rect.layer * self.plane + row * self.columns + column
            for row in range(ceil((rect.upper + 0.2) / STEP_MM), int((rect.lower - 0.2) / STEP_MM) + 1)
            for column in range(ceil((rect.left + 0.2) / STEP_MM), int((rect.right - 0.2) / STEP_MM) + 1)
        ]
        if not found:
            row = round((rect.upper + rect.lower) / 2 / STEP_MM)
            column = round((rect.left + rect.right) / 2 / STEP_MM)
            found = [rect.layer * self.plane + row * self.columns + column]
        return found

    def _connect(self, net: str) -> set[str]:
        """Route a whole net, always to the nearest pad that is left. Returns the nets whose tracks are in the way."""
        first, *rest = self.pads[net]
        tree = set(first)
        reached = [self.point(min(first))]
        self.paths[net] = []
        while rest:
            rest.sort(key=lambda pad: min(hypot(x - u, y - v) for x, y in reached for u, v in [self.point(min(pad))]))
            path = self._search(net, tree, rest[0])
            reached.append(self.point(min(rest[0])))
            tree |= set(path) | rest.pop(0)
            self.paths[net].append(path)
        crossed: set[str] = set()
        width = self.widths[net]
        for path in self.paths[net]:
            for i, cell in enumerate(path):
                over = set(self.taken[width].get(cell, ()))
                if self._is_via(path, i):
                    over |= self.taken[VIA_MM].get(cell, set())
                over.discard(net)
                if over:
                    self.history[cell] += 6.0
                    crossed |= over
        self._mark(net, add=True)
        return crossed

    def _is_via(self, path: list[Cell], i: int) -> bool:
        layer = path[i] // self.plane
        return any(path[j] // self.plane != layer for j in (i - 1, i + 1) if 0 <= j < len(path))

    def _search(self, net: str, tree: set[Cell], target: set[Cell]) -> list[Cell]:
        """Return the cheapest path from the tree to the target."""
        columns, plane, width = self.columns, self.plane, self.widths[net]
        blocked, holes = self.blocked[width], self.blocked[VIA_MM]
        taken, via_taken, history = self.taken[width], self.taken[VIA_MM], self.history
        goal = min(target)
        goal_row, goal_column = divmod(goal % plane, columns)
        mine = ("", net)
        cost = dict.fromkeys(sorted(tree), 0.0)
        came: dict[Cell, Cell] = {}
        queue: list[tuple[float, Cell]] = []

        def ahead(cell: Cell) -> float:
            row, column = divmod(cell % plane, columns)
            dx, dy = abs(column - goal_column), abs(row - goal_row)
            return max(dx, dy) + 0.414 * min(dx, dy)

        for cell in cost:
            heappush(queue, (ahead(cell), cell))
        done: set[Cell] = set()
        sides = ((1, 1.0), (-1, 1.0), (columns, 1.0), (-columns, 1.0), (columns + 1, 1.414), (columns - 1, 1.414),
                 (-columns + 1, 1.414), (-columns - 1, 1.414))  # fmt: skip
        while queue:
            _, cell = heappop(queue)
            if cell in done:
                continue
            done.add(cell)
            if cell in target:
                path = [cell]
                while path[-1] in came:
                    path.append(came[path[-1]])
                return path[::-1]
            here = cost[cell]
            for move, length in sides:
                new = cell + move
                if new in done or blocked[new] not in mine:
                    continue
                price = here + length
                others = taken.get(new)
                if others and (len(others) > 1 or net not in others):
                    price += CROSSING_COST * len(others) + history[new]
                if price < cost.get(new, 1e9):
                    cost[new] = price
                    came[new] = cell
                    heappush(queue, (price + ahead(new), new))
            new = (cell + plane) % (2 * plane)
            if new not in done and holes[cell] == "" and holes[new] == "":
                price = here + VIA_COST
                others = via_taken.get(cell, set()) | via_taken.get(new, set())
                if others and (len(others) > 1 or net not in others):
                    price += CROSSING_COST * 3 * len(others) + history[new]
                if price < cost.get(new, 1e9):
                    cost[new] = price
                    came[new] = cell
                    heappush(queue, (price + ahead(new), new))
        raise ValueError(f"{net} is walled in: move some parts.")

    def _remove(self, net: str) -> None:
        self._mark(net, add=False)
        self.paths[net] = []

    def _mark(self, net: str, add: bool) -> None:
        """Note the tracks of a net as taken, for every width of another track."""
        columns, plane = self.columns, self.plane
        for size, taken in self.taken.items():
            near = {kind: self._near(kind / 2 + CLEARANCE_MM + size / 2) for kind in (self.widths[net], VIA_MM)}
            for path in self.paths[net]:
                for i, cell in enumerate(path):
                    for row, column in near[VIA_MM if self._is_via(path, i) else self.widths[net]]:
                        other = cell + row * columns + column
                        if 0 <= other < 2 * plane:
                            if add:
                                taken[other].add(net)
                            else:
                                taken[other].discard(net)

    @staticmethod
    def _near(away: float) -> list[tuple[int, int]]:
        reach = int(away / STEP_MM) + 1
        return [(row, column) for row in range(-reach, reach + 1) for column in range(-reach, reach + 1)
                if hypot(row, column) * STEP_MM < away - 1e-6]  # fmt: skip

    def _tracks(self) -> list[Track]:
        """Return all tracks, straight runs in one piece."""
        found = []
        for net in sorted(self.paths):
            for path in self.paths[net]:
                start = 0
                for i in range(1, len(path)):
                    turns = i + 1 == len(path) or path[i + 1] - path[i] != path[i] - path[i - 1]
                    if turns:
                        layers = path[start] // self.plane, path[i] // self.plane
                        found.append(Track(net, self.widths[net], self.point(path[start]), self.point(path[i]), layers))
                        start = i
        return found

    def free_for_via(self, x: float, y: float) -> bool:
        """Return True if a via to ground has room at a point."""
        cell = round(y / STEP_MM) * self.columns + round(x / STEP_MM)
        blocked, taken = self.blocked[VIA_MM], self.taken[VIA_MM]
        return all(not blocked[at] and not taken.get(at) for at in (cell, cell + self.plane))
