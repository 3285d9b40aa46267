"""Tick the combinations of a placement in PokerCarre, and show the five rows of everybody's pad."""

from ...machine_code import const
from ...raster import icons
from ...text import later, refusal, text
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, MOVED, SIDES, CursorScreen, Menu, footer, header, text_centre, text_right
from .. import Refused
from .rules import check_items
from .rules_grid import RUBRIC_POINTS, SIDE, SMALLEST, points_of, rubric

_KINDS = ("straight", "colour", "set")
_CELLS = [(size, row) for row, kind in enumerate(_KINDS) for size in range(SMALLEST[kind], SIDE + 1)]
_FIRST = (3, 1)  # three of a colour: every other smallest combination is one step away
_COLUMN_W = const(17)
_PITCH = const(9)


def with_lines(ticks):
    """Return items for ticked (kind, size), each in a row or a column so that all go together; Refused if none can.

    Points do not depend on the line, so players do not have to enter it.
    """
    troubles = []
    for choice in range(1 << len(ticks)):
        items = [["V" if choice >> i & 1 else "H", kind, size] for i, (kind, size) in enumerate(ticks)]
        try:
            check_items(items)
            return items
        except Refused as refused:
            troubles.append(refused)
    raise max(troubles, key=_weight)


def _weight(refused):
    """Return how much a refusal explains. Combinations that never go together explain the most."""
    if refused.code == "E_ITEM_DUP":
        return 0
    return 2 if refused.info["kind"] == refused.info["other"] else 1


class Cursor:
    """A cursor on one of the (x, y) cells; arrows lead along its row, or to the next row near the same column."""

    def __init__(self, cells, at):
        self.cells = cells
        self.to(at)

    def to(self, at):
        """Put the cursor on a cell."""
        self.at = at
        self.column = at[0]

    def move(self, k):
        """Go to the next cell. Returns True if the cursor went round the edge."""
        x, y = self.at
        if k in (LEFT, RIGHT):
            line = sorted([cell[0] for cell in self.cells if cell[1] == y])
            i = line.index(x) + (1 if k == RIGHT else -1)
            self.to((line[i % len(line)], y))
        else:
            line = sorted(set([cell[1] for cell in self.cells]))
            i = line.index(y) + (-1 if k == UP else 1)
            self.to_row(line[i % len(line)])
        return not 0 <= i < len(line)

    def to_row(self, y):
        """Go to the cell of this row that is nearest to the column; the column stays the same for the rows beyond."""
        row = [cell for cell in self.cells if cell[1] == y]
        self.at = min(row, key=lambda cell: abs(cell[0] - self.column))



class TickScreen(CursorScreen):
    """Combinations by kind and size with their points; after a tick the next OK enters the placement."""

    def __init__(self, app, session, p):
        super().__init__(app)
        self.session = session
        self.p = p
        self.ticks = []  # (kind, size) in the order of the ticks; twice the same: in row and column
        self.cursor = Cursor(_CELLS, _FIRST)
        self.on_button = False

    def points(self):
        """Return the points of all ticks."""
        return points_of([("H", kind, size) for kind, size in self.ticks])

    def draw(self, c):
        game = self.session.game
        total, points = game.totals()[self.p], self.points()
        header(c, game.names[self.p], "%d\u2192%d" % (total, total + points))
        left = c.w - _COLUMN_W * (SIDE - 2)
        c.text(text("carre.cards"), 0, LINE + 1)
        for size in range(3, SIDE + 1):
            text_centre(c, str(size), LINE + 1, left + (size - 3) * _COLUMN_W, _COLUMN_W)
        c.hline(0, 2 * LINE + 1, c.w)
        y = 2 * LINE + 4
        for row, kind in enumerate(_KINDS):
            c.text(text("kind." + kind), 0, y + row * _PITCH)
        for size, row in _CELLS:
            self._draw_cell(c, size, row, left + (size - 3) * _COLUMN_W, y + row * _PITCH)
        text_centre(c, self._label(), c.h - 2 * LINE - 1)
        self.point(c)

    def _draw_cell(self, c, size, row, x, y):
        kind = _KINDS[row]
        points = str(RUBRIC_POINTS[rubric(kind, size)])
        times = self.ticks.count((kind, size))
        if times:
            points = ("\u2713" if times == 1 else "2\u00d7") + points
        text_centre(c, points, y, x, _COLUMN_W)

    def cell(self, c):
        if self.on_button:
            width = c.width(self._label()) + 8
            return (c.w - width) // 2, c.h - 2 * LINE - 2, width, _PITCH
        size, row = self.cursor.at
        return c.w - _COLUMN_W * (SIDE + 1 - size), 2 * LINE + 3 + row * _PITCH, _COLUMN_W, _PITCH

    def draw_about(self, c):
        if self.on_button:
            footer(c, (icons.OK, "key.enter"), (icons.FOUR_ARROWS, "carre.key.more"), (icons.UNDO, "key.back"))
        else:
            footer(c, (icons.OK, "carre.key.tick"), (icons.FOUR_ARROWS, "key.field"), (icons.UNDO, "key.back"))

    def _label(self):
        """Return the text of the button."""
        return text("carre.enter", points=self.points()) if self.ticks else text("carre.enter_none")

    def key(self, k):
        if k == OK:
            if self.on_button:
                self._enter()
            else:
                self._tick()
            return None
        if self.on_button:
            self._leave_button(k)
        else:
            before = self.cursor.at
            if self.cursor.move(k) and k in (UP, DOWN):
                self.cursor.to(before)
                self.on_button = True
        return MOVED

    def _leave_button(self, k):
        """Go up into the last row, down round to the first, or sideways back to the cell before."""
        self.on_button = False
        if k in (UP, DOWN):
            self.cursor.to_row(0 if k == DOWN else len(_KINDS) - 1)

    def _tick(self):
        """Go from no tick at the cursor to one, then to two if row and column can both have it, then to none."""
        size, row = self.cursor.at
        tick = (_KINDS[row], size)
        times = self.ticks.count(tick)
        try:
            with_lines(self.ticks + [tick])
        except Refused as refused:
            if not times:
                self.app.refuse(refusal(refused, self.session.names))
                return
            times = 2
        if times == 2:
            self.ticks = [other for other in self.ticks if other != tick]
        else:
            self.ticks.append(tick)
            self.on_button = True

    def _enter(self):
        self.session.enter({"ev": "place", "p": self.p, "items": with_lines(self.ticks)})

    def back(self):
        """Take back the last tick; without a tick, leave the screen."""
        if self.ticks:
            self.ticks.pop()
        else:
            self.app.pop()


class PadScreen(CursorScreen):
    """Everybody's crosses in the five rows, their points and totals; if no cards are entered, OK changes a row."""

    stays = True

    def __init__(self, app, session, p):
        super().__init__(app)
        self.session = session
        self.p = p
        self.row = 0

    def draw(self, c):
        game = self.session.game
        totals = game.totals()
        width = (c.w - _COLUMN_W) // game.n
        for row, points in enumerate(RUBRIC_POINTS):
            text_right(c, str(points), _COLUMN_W - 5, (row + 1) * LINE)
        for p in range(game.n):
            x = _COLUMN_W + p * width
            text_centre(c, game.names[p], 0, x, width - 2)
            for row in range(len(RUBRIC_POINTS)):
                text_centre(c, str(game.counts[p][row] or "\u00b7"), (row + 1) * LINE, x, width - 2)
            text_centre(c, str(totals[p]), c.h - 2 * LINE, x, width - 2)
        text_right(c, "=", _COLUMN_W - 5, c.h - 2 * LINE)
        self.point(c)

    def cell(self, c):
        width = (c.w - _COLUMN_W) // self.session.game.n
        return _COLUMN_W + self.p * width, (self.row + 1) * LINE, width - 2, LINE

    def draw_about(self, c):
        """Draw the points of the row at the cursor, and the keys."""
        crosses, points = self.session.game.counts[self.p][self.row], RUBRIC_POINTS[self.row]
        worth = text("carre.row", n=crosses, points=points, sum=crosses * points)
        keys = ((icons.UNDO, "key.back"), (SIDES, "key.who"), (ARROWS, "key.line"))
        if "mark" in self.session.game.legal():
            footer(c, (worth, ""), (icons.OK, "key.change"), *keys)
        else:
            footer(c, (worth, ""), *keys)

    def key(self, k):
        game = self.session.game
        if k in (UP, DOWN):
            self.row = (self.row + (1 if k == DOWN else -1)) % len(RUBRIC_POINTS)
        elif k in (LEFT, RIGHT):
            self.p = (self.p + (1 if k == RIGHT else -1)) % game.n
        else:
            if k == OK and "mark" in game.legal():
                self._change()
            return None
        return MOVED

    def _change(self):
        """Open a menu to add or remove a cross."""
        game, p, number = self.session.game, self.p, self.row + 1
        total, points = game.totals()[p], RUBRIC_POINTS[self.row]
        items = []
        for name, after in (("mark", total + points), ("unmark", total - points)):
            if name == "mark" or game.counts[p][self.row]:
                ev = {"ev": name, "p": p, "rubric": number}
                label = later("carre." + name, before=total, after=after)
                items.append((label, lambda ev=ev: self.session.enter(ev)))
        self.app.push(Menu(self.app, game.names[p], items, right=later("rubric.%d" % number)))
