"""Show the score sheet of a game by rounds, with a scrolling column for each round and fixed totals.

OK on the points of a round opens their entry, where it can be corrected.
"""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import leading
from ...text import text
from ...widgets.keys import LEFT, OK, RIGHT
from ...widgets.screen import ARROWS, LINE, SIDES, Screen, footer, move, part, text_right
from .table import BAR_W, draw_more, line_name, lines

_NAME_W = const(46)  # most columns of a name, with its marks
_GAP = const(4)


class Sheet(Screen):
    """The points by rounds, with a cursor on one cell. OK on a total shows the distance to the target."""

    def __init__(self, app, session):
        super().__init__(app)
        self.session = session
        self.lines = lines(session.game)  # seats, one of each team
        self.first = 0  # the first line that is shown
        self.later = 0  # rounds after the one in the last column
        self.to_go = False
        rounds = self._rounds()
        self.round = max(0, len(rounds) - 1)  # of the cursor, at the newest points; without rounds, at the totals
        entered = [p for p, k in enumerate(rounds[-1]) if k is not None] if rounds else [0]
        seat = session.seat if session.seat in entered else entered[0]
        self.line = self.lines.index(session.game.team_of(seat)[0])

    @property
    def seat(self):
        """The seat at the cursor."""
        return self.lines[self.line]

    def draw(self, c):
        game = self.session.game
        leaders = leading(game)
        cells = [["" if k is None else str(k) for k in points] for points in self._rounds()]
        ends = [str(k) for k in (game.to_target() if self.to_go else game.totals())]
        label = text("any.key.to_go") if self.to_go else text("any.total")
        names = [line_name(self.session, p, leaders) for p in range(game.n)]
        fit = (c.h - 2 * LINE) // LINE
        # From the right: totals, then as many rounds as leave space for the names
        self._end = c.w - (BAR_W if len(self.lines) > fit else 0)
        right = self._end - 1 - max([c.width(s) for s in ends + [label]]) - _GAP
        width = max([c.width(s) for points in cells for s in points] + [c.width(str(len(cells)))]) + _GAP
        columns = (right - min(_NAME_W, max([c.width(names[p]()) for p in self.lines]))) // width
        self.round = min(self.round, len(cells))
        if self.round < len(cells):  # the cursor is in a visible column
            after = len(cells) - 1 - self.round
            self.later = min(max(self.later, after - columns + 1), after)
        else:
            self.later = 0
        last = len(cells) - self.later
        shown = range(max(0, last - columns), last)
        self.first = min(max(self.first, self.line - fit + 1), self.line)
        draw_more(c, self.first, fit, len(self.lines))
        y = LINE
        for p in self.lines[self.first : self.first + fit]:
            if p in leaders:
                c.tint("leader", 0, y, self._end, LINE)
            self._draw_line(c, y, ends[p], [cells[k][p] for k in shown], right, width)
            c.text(names[p].fit(c, right - len(shown) * width), 0, y)
            if p == self.seat:
                self._draw_cursor(c, y, right, width, last)
            y += LINE
        self._draw_line(c, 0, label, [str(k + 1) for k in shown], right, width)
        c.invert(0, 0, c.w, LINE)
        c.tint("bar", 0, 0, c.w, LINE)
        part(c)
        if self.round < len(cells):
            ok = "any.key.entry"
        elif self._has_target():
            ok = "any.key.total" if self.to_go else "any.key.to_go"
        else:
            ok = "any.key.entries"
        footer(c, (SIDES, "any.key.rounds"), (icons.OK, ok), (icons.UNDO, "key.back"), (ARROWS, "key.who"))

    def _draw_cursor(self, c, y, right, width, last):
        """Invert the cell of the cursor; the columns of the rounds before `last` end at `right`."""
        if self.round < last:
            right -= (last - 1 - self.round) * width
            c.invert(right - width + _GAP // 2, y, width, LINE)
        else:
            c.invert(right + _GAP // 2, y, self._end - right - _GAP // 2, LINE)

    def _rounds(self):
        """Return the points of all rounds, also of one that is not closed."""
        game = self.session.game
        return game.rounds + ([game.now] if game.begun else [])

    def _has_target(self):
        return self.session.game.options["end"] == "target"

    def _draw_line(self, c, y, end, cells, right, width):
        """Draw a line of numbers, the last one at the right end, the others in columns that end at `right`."""
        text_right(c, end, self._end, y)
        for s in reversed(cells):
            text_right(c, s, right, y)
            right -= width

    def key(self, k):
        if k == OK:
            self._ok()
        elif k in (LEFT, RIGHT):
            self.round = max(0, min(self.round + (1 if k == RIGHT else -1), len(self._rounds())))
        else:
            self.line = move(k, self.line, len(self.lines))

    def _ok(self):
        """Open the entry of the cell at the cursor; on a total, show the distance to the target, or all entries."""
        if self.round == len(self._rounds()) and self._has_target():
            self.to_go = not self.to_go
            return
        from ...screens.history import History

        self.app.push(History(self.app, self.session, entry_of(self.session.table, self.round, self.seat)))


def entry_of(table, wanted, seat):
    """Return the number of the event that gave a seat its points in a round, counted from 0; None if there is none.

    Who entered no points has the event that closed the round.
    """
    game = table.start()
    for k in range(len(table)):
        event, number = table.event(k), game.rounds_over()
        game.apply(event)
        if number == wanted:
            if event["ev"] == "points" and seat in game.team_of(event["p"]):
                return k
            if game.rounds_over() > number:
                return k
    return None
