"""Show the table of a counter. RIGHT and LEFT change the points; consecutive presses are one entry."""

from ...machine_code import const
from ...raster import icons
from ...widgets.keys import LEFT, OK, RIGHT
from ...widgets.screen import ARROWS, LINE, MOVED, SIDES, TextWithNames, fitted, footer, header, move, signed
from .table import ScoreTable

_PAUSE_MS = const(2000)  # after this time without a key, the points count


class CounterTable(ScoreTable):
    """The players with their totals. Pending points are shown beside the name; UNDO drops them."""

    left_repeats = True  # LEFT takes off points, faster and faster

    def __init__(self, app, session):
        super().__init__(app, session)
        self.at = session.seat or 0
        self.number.value = session.corrected["k"] if session.corrected.get("ev") == "add" else 0
        self._since = app.clock.ms()  # when a key was pressed

    def tick(self, now):
        """Let the points count when nobody has pressed a key for two seconds; a correction waits for OK."""
        if self.number.value and self.takes_back and not self.app.keys.active:
            if self.app.clock.diff(now, self._since) >= _PAUSE_MS:
                self._count()

    def _count(self):
        """Enter the points that do not count yet."""
        k, self.number.value = self.number.value, 0
        if k:
            self.session.enter({"ev": "add", "p": self.at, "k": k})

    def drop(self):
        return self.dropped(0)

    def changed(self):
        self.number.value = 0
        if self.session.seat is not None:
            self.at = self.session.seat
        super().changed()

    # --- drawing ---

    def draw_play(self, c, lead):
        game, k = self.game, self.number.value
        totals = game.totals()
        if k:
            total = totals[self.at]
            name = TextWithNames(lambda names: names[0] + " " + signed(k), [game.names[self.at]])
            header(c, name, "%d\u2192%d" % (total, total + k), True)
        else:
            header(c, TextWithNames(lambda names: names[0], [game.title]), lead, True)
        for p, y, rows in self.places(c):
            change = k if k and p == self.at else self.session.delta[p]
            self.draw_row(c, p, y, rows, str(totals[p]), signed(change) if change else "")
        c.text(self.to_go() or fitted(c, self.session.last or "", c.w), 0, c.h - 2 * LINE)
        keys = [(SIDES + "\u00b1%d" % self.number.step, ""), (icons.OK, "key.enter" if k else "key.menu")]
        keys += [(ARROWS, "key.who")] + self.undo_hints() + [(icons.OK, "spot.key.hold_menu")]
        footer(c, *keys)

    def redraw(self, c):
        return self.game.over and super().redraw(c)

    # --- keys ---

    def enter_key(self, k):
        self._since = self.app.clock.ms()
        if k == OK:
            self.down = OK
        elif k in (LEFT, RIGHT):
            self.number.change(k, 1 if k == RIGHT else -1)
        else:
            at = self.at
            if self.takes_back:
                self._count()
            self.at = move(k, at, self.game.n)
        return MOVED

    def ok(self):
        if self.number.value:
            self._count()
        else:
            self.open_menu()

    def open_menu(self):
        over = self.game.over
        if self.takes_back:
            self._count()
        if self.game.over == over:  # else the ranking is shown
            super().open_menu()
