"""Show the table of a counter. RIGHT and LEFT change the points; consecutive presses are one entry."""

from ...machine_code import const
from ...raster import icons
from ...text import text
from ...widgets.keys import LEFT, OK, RIGHT
from ...widgets.screen import ARROWS, MOVED, SIDES, footer, move, signed
from .table import ScoreTable, lines

_PAUSE_MS = const(2000)  # after this time without a key, the points count


class CounterTable(ScoreTable):
    """The players with their totals. Pending points are shown beside the name; UNDO drops them."""

    left_repeats = True  # LEFT takes off points, faster and faster

    def __init__(self, app, session):
        super().__init__(app, session)
        self._go_to(session.seat or 0)
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

    def _go_to(self, seat):
        """Put the cursor on a seat, on the first one of a team; on another one if the seat is away."""
        playing = self.game.playing()
        self.at = self.game.team_of(seat)[0] if seat in playing else playing[0]

    def changed(self):
        self.number.value = 0
        self._go_to(self.at if self.session.seat is None else self.session.seat)
        super().changed()

    # --- drawing ---

    def draw_play(self, c):
        game, k = self.game, self.number.value
        changes = [k if k and p == self.at else self._last_change(p) for p in range(game.n)]
        words = [text("any.away") if p in game.gone else signed(d) if d else "" for p, d in enumerate(changes)]
        totals = game.totals()
        totals[self.at] += k
        numbers = [s for s in words if s[-1:].isdigit()]
        self.lay_out(c, (text("any.change"), numbers), (text("any.total"), [str(total) for total in totals]))
        for p, y, rows in self.places(c):
            self.draw_line(c, p, y, rows, words[p], str(totals[p]), chosen=p == self.at)
        self.draw_status(c)
        keys = [(SIDES + "\u00b1%d" % self.number.step, ""), (icons.OK, "key.enter" if k else "key.menu")]
        keys += [(ARROWS, "key.who")] + self.undo_hints() + [(icons.OK, "key.hold_menu")]
        footer(c, *keys)

    def _last_change(self, p):
        """Return how the last entry has changed a total, unless the keys change another one now."""
        return 0 if self.number.value else self.session.delta[p]

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
            seats = [p for p in lines(self.game) if p not in self.game.gone]
            self.at = seats[move(k, seats.index(at), len(seats))]
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
