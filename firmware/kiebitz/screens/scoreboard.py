"""Show everybody's total in digits that can be read from across the table; any key closes it."""

from ..machine_code import const
from ..raster import icons
from ..widgets.screen import LINE, Screen, text_centre, text_right
from .table_screen import initials, ranked

_TALL = const(32)  # the rows of a cell in which digits of twice the usual size fit
_GAP = const(2)  # columns between name and number
_INITIAL_W = const(6)


def name_lines(c, name, room):
    """Return a name in at most two lines of `room` columns, the first word and the others, truncated."""
    if c.width(name) <= room:
        return [name]
    words = name.replace("-", "- ").split(" ")
    lines = [words[0], " ".join(words[1:])] if len(words) > 1 else [name]
    return [_cut(c, line, room) for line in lines]


def _cut(c, s, room):
    """Return the text truncated to fit, without an ellipsis, which would cost a letter."""
    while s and c.width(s) > room:
        s = s[:-1]
    return s


class Scoreboard(Screen):
    """The totals of all players, in the order of their seats, at the end by their places; the leaders are marked.

    Two players have a line each, three and four a quarter of the screen with the name above the number, more of them
    two columns. The key that closes the screen does nothing else.
    """

    all_keys = True

    def __init__(self, app, session):
        super().__init__(app)
        self.session = session

    def key(self, k):
        self.app.keys.swallow(k)
        self.app.pop()

    def draw(self, c):
        game = self.session.game
        totals = [str(total) for total in game.totals()]
        leaders = game.winners() if game.over else game.leaders()
        if len(leaders) == game.n:
            leaders = []
        order = [p for _, p, _ in ranked(game)] if game.over else range(game.n)
        rows = 2 if game.n < 5 else (game.n + 1) // 2
        w, h = (c.w if game.n == 2 else c.w // 2 - 2), c.h // rows
        above = 2 < game.n < 5
        size, labels = self._measure(c, totals, w, h, above)
        if not size:
            self._draw_list(c, totals, order, leaders)
            return
        if game.n > 4:
            c.vline(c.w // 2 - 1, 0, c.h)
        for i, p in enumerate(order):
            column, row = (i % 2, i // 2) if above else (i // rows, i % rows)
            x, y = column * (c.w - w), row * h
            if above and i == 2 == game.n - 1:
                w = c.w
            draw = self._draw_above if above else self._draw_beside
            draw(c, x, y, w, h, labels[p], totals[p], size, p in leaders)
            if p in leaders:
                # The dark last row of the cell above is the margin of this one
                c.invert(x, y - 1, w, h if h == 2 * LINE else h - 1)

    def _measure(self, c, totals, w, h, above):
        """Return (rows of the digits, lines of each name); 0 rows if the longest number does not fit."""
        names = self.session.game.names
        sizes = (16, 12) if h < _TALL else (24, 16, 12) if above else (32, 24, 16)
        for size in sizes:
            room = w - max([c.digits_width(total, size) for total in totals])
            if above:
                if room >= 0:
                    return size, [[name] for name in names]
                continue
            room -= 2 + _GAP
            if room >= w // 5:
                labels = [name_lines(c, name, room) for name in names]
                if all([labels.count(label) == 1 for label in labels]):
                    return size, labels
            if room >= _INITIAL_W and size == sizes[-1]:
                return size, [[initial] for initial in initials(names)]
        return 0, []

    def _mark(self):
        """Return the sign of a leader."""
        return icons.TROPHY if self.session.game.over else icons.CROWN

    def _draw_above(self, c, x, y, w, h, label, total, size, leads):
        """Draw a cell with the name above the number."""
        name = label[0]
        mark = self._mark() if leads else ""
        text_centre(c, mark + c.fit(name, w - c.width(mark) - 3), y, x, w)
        c.digits(total, x + (w - c.digits_width(total, size)) // 2, y + LINE + (h - LINE - size) // 2, size)

    def _draw_beside(self, c, x, y, w, h, label, total, size, leads):
        """Draw a cell with the name to the left of the number."""
        width = c.digits_width(total, size)
        c.digits(total, x + w - 1 - width, y + (h - size) // 2, size)
        lines, mark = list(label), self._mark()
        if leads and h >= LINE * (len(lines) + 1) and c.width(mark) + width + 2 < w:
            lines.append(mark)
        y += (h - LINE * len(lines)) // 2
        for line in lines:
            c.text(line, x + 1, y)
            y += LINE

    def _draw_list(self, c, totals, order, leaders):
        """Draw a line for each player, for numbers that are too long for large digits."""
        y = 0
        for p in order:
            total = (self._mark() if p in leaders else "") + totals[p]
            text_right(c, total, c.w, y)
            c.text(c.fit(self.session.game.names[p], c.w - c.width(total) - 4), 0, y)
            y += LINE
