"""Show the score sheet of a game by rounds, with a scrolling column for each round and fixed totals."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import leading
from ...text import text
from ...widgets.keys import DOWN, LEFT, OK, RIGHT
from ...widgets.screen import ARROWS, LINE, SIDES, Screen, footer, text_right

_NAME_W = const(46)  # most columns of a name, with its marks
_GAP = const(4)


class Sheet(Screen):
    """The points by rounds. LEFT and RIGHT scroll rounds, UP and DOWN players, OK shows the distance to the target."""

    def __init__(self, app, session):
        super().__init__(app)
        self.session = session
        self.first = 0  # the player in the first line
        self.later = 0  # rounds after the one in the last column
        self.to_go = False

    def draw(self, c):
        game = self.session.game
        leaders = leading(game)
        cells = [["" if k is None else str(k) for k in points] for points in self._rounds()]
        ends = [str(k) for k in (game.to_target() if self.to_go else game.totals())]
        label = text("any.key.to_go") if self.to_go else "="
        marks = ["", icons.CROWN]
        names = [marks[p in leaders] + game.names[p] for p in range(game.n)]
        names[game.dealer] = icons.DEALER + names[game.dealer]
        # From the right: totals, then as many rounds as leave space for the names
        right = c.w - 1 - max([c.width(s) for s in ends + [label]]) - _GAP
        width = max([c.width(s) for points in cells for s in points] + [c.width(str(len(cells)))]) + _GAP
        columns = (right - min(_NAME_W, max([c.width(name) for name in names]))) // width
        self.later = max(0, min(self.later, len(cells) - columns))
        last = len(cells) - self.later
        shown = range(max(0, last - columns), last)
        lines = (c.h - 2 * LINE) // LINE
        self.first = max(0, min(self.first, game.n - lines))
        y = LINE
        for p in range(self.first, min(self.first + lines, game.n)):
            if p in leaders:
                c.tint("leader", 0, y, c.w, LINE)
            self._draw_line(c, y, ends[p], [cells[k][p] for k in shown], right, width)
            c.text(c.fit(names[p], right - len(shown) * width), 0, y)
            y += LINE
        self._draw_line(c, 0, label, [str(k + 1) for k in shown], right, width)
        c.invert(0, 0, c.w, LINE)
        c.tint("bar", 0, 0, c.w, LINE)
        c.hline(0, LINE - 1, c.w, 0)  # the first line begins just below
        keys = [(SIDES, "any.key.rounds"), (icons.UNDO, "key.back")]
        if game.n > lines:
            keys.append((ARROWS, "key.who"))
        if self._has_target():
            keys.insert(1, (icons.OK, "any.key.total" if self.to_go else "any.key.to_go"))
        footer(c, *keys)

    def _rounds(self):
        """Return the points of all rounds, also of one that is not closed."""
        game = self.session.game
        return game.rounds + ([game.now] if len(game.missing()) < game.n else [])

    def _has_target(self):
        return self.session.game.options["end"] == "target"

    def _draw_line(self, c, y, end, cells, right, width):
        """Draw a line of numbers, the last one at the right end, the others in columns that end at `right`."""
        text_right(c, end, c.w, y)
        for s in reversed(cells):
            text_right(c, s, right, y)
            right -= width

    def key(self, k):
        if k == OK:
            self.to_go = not self.to_go and self._has_target()
        elif k in (LEFT, RIGHT):
            self.later += 1 if k == LEFT else -1
        else:
            self.first += 1 if k == DOWN else -1
