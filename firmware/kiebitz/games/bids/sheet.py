"""Show the score sheet, a page for each round with bid, tricks, points and total of everybody.

OK on a bid or on tricks opens their entry, where they can be corrected.
"""

from ...machine_code import const
from ...raster import icons
from ...screens.history import History
from ...screens.table_screen import leading
from ...text import text
from ...widgets.keys import LEFT, OK, RIGHT
from ...widgets.screen import ARROWS, LINE, SIDES, Screen, footer, move, signed, text_right

_GAP = const(4)
_BAR_W = const(3)  # columns of the mark that there are more players
_LABELS = ("bid", "tricks", "points", "total")


class Sheet(Screen):
    """The rounds with a cursor on a bid or on tricks. LEFT and RIGHT turn the pages, UP and DOWN move the cursor."""

    def __init__(self, app, session):
        super().__init__(app)
        self.session = session
        game = session.game
        self.round = min(game.rounds_over(), self._last())
        self.cell = 0  # 2 * seat for the bid, the next number for the tricks
        self.first = 0  # the player in the first line

    def _last(self):
        """Return the number of the last page, counted from 0."""
        game = self.session.game
        return max(0, game.rounds_over() - (not any([k is not None for k in game.bids])))

    def draw(self, c):
        game = self.session.game
        n, leaders = game.n, leading(game)
        closed = self.round < game.rounds_over()
        bids, tricks = game.past(self.round) if closed else (game.bids, game.tricks)
        totals = [0] * n
        for k in range(min(self.round + 1, game.rounds_over())):
            totals = [total + points for total, points in zip(totals, game.points_of(k))]
        rows = []
        for bid, made, total in zip(bids, tricks, totals):
            points = "" if made is None else signed(game.worth(bid, made))
            rows.append(["" if bid is None else str(bid), "" if made is None else str(made), points, str(total)])
        labels = [text("bids.col." + label) for label in _LABELS]
        widths = [max([c.width(row[k]) for row in rows + [labels]]) + _GAP for k in range(len(labels))]
        lines = (c.h - 2 * LINE) // LINE
        end = c.w - (_BAR_W + 1 if n > lines else 0)
        right = end - sum(widths)
        seat = self.cell // 2
        self.first = min(max(self.first, seat - lines + 1), seat)
        y = LINE
        for p in range(self.first, min(self.first + lines, n)):
            if p in leaders:
                c.tint("leader", 0, y, end, LINE)
            marks = icons.CROWN if p in leaders else ""
            c.text(marks + c.fit(game.names[p], right - c.width(marks)), 0, y)
            x = right
            for k, width in enumerate(widths):
                x += width
                text_right(c, rows[p][k], x, y)
                if 2 * p + k == self.cell and k < 2:
                    c.invert(x - width + _GAP // 2, y, width, LINE)
            y += LINE
        if n > lines:
            height = lines * LINE
            c.vline(c.w - 2, LINE, height)
            c.rect(c.w - _BAR_W, LINE + height * self.first // n, _BAR_W, height * lines // n)
        x = right
        for label, width in zip(labels, widths):
            x += width
            text_right(c, label, x, 0)
        c.text(text("bids.round", n=self.round + 1, of=len(game.hands)), 1, 0)
        c.invert(0, 0, c.w, LINE)
        c.tint("bar", 0, 0, c.w, LINE)
        c.hline(0, LINE - 1, c.w, 0)  # the first line begins just below
        keys = ((SIDES, "bids.key.rounds"), (icons.OK, "bids.key.entry"))
        footer(c, *keys, (icons.UNDO, "key.back"), (ARROWS, "key.who"))

    def key(self, k):
        game = self.session.game
        if k == OK:
            entry = entry_of(self.session.table, self.round, self.cell // 2, self.cell % 2)
            self.app.push(History(self.app, self.session, entry))
        elif k in (LEFT, RIGHT):
            self.round = max(0, min(self.round + (1 if k == RIGHT else -1), self._last()))
        else:
            self.cell = move(k, self.cell, 2 * game.n)


def entry_of(table, wanted, seat, made):
    """Return the number of the event with the bid, or with the tricks, of a seat in a round; None if there is none."""
    number, count = 0, 0
    for k in range(len(table)):
        event = table.event(k)
        if event["ev"] not in ("bid", "tricks"):
            continue
        if number == wanted and event["p"] == seat and (event["ev"] == "tricks") == bool(made):
            return k
        count += 1
        if count == 2 * table.game.n:
            number, count = number + 1, 0
    return None
