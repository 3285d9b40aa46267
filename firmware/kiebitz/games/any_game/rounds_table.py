"""Show the table of a game by rounds. The arrows set the points of the next player, OK enters them."""

from ...raster import icons
from ...text import later, text
from ...widgets.keys import OK, RIGHT
from ...widgets.screen import MOVED, Menu
from .number import draw_keys
from .table import TALL, ScoreTable


class RoundsTable(ScoreTable):
    """The players in seating order. The first one without points has a number that starts at 0.

    RIGHT held goes on to another player without points.
    """

    def __init__(self, app, session):
        super().__init__(app, session)
        self._go_to(self._next_seat())

    # --- whose points ---

    def _next_seat(self):
        """Return the seat to enter points for: of an entry that is changed, else the next one without points."""
        game, session = self.game, self.session
        missing = game.missing()
        if session.last is None and session.seat in missing:
            return session.seat  # its entry is corrected, was taken back, or another one is inserted before it
        entered = [p for p in range(game.n) if game.now[p] is not None] or [-1]
        return ([p for p in missing if p > entered[-1]] + missing + [0])[0]

    def _go_to(self, seat):
        """Ask for the points of a seat, from 0 on; a team is asked once."""
        self.at = self.game.team_of(seat)[0]
        self.number.value = 0

    def changed(self):
        self._go_to(self._next_seat())
        super().changed()

    # --- drawing ---

    def draw_play(self, c):
        game = self.game
        totals = game.totals()
        points = ["" if k is None else str(k) for k in game.now]
        for p in range(game.n):
            if p in game.gone:
                points[p] = text("any.away")
            elif p == game.sitting_out:
                points[p] = text("any.sits_out")
        numbers = [s for s in points if s[-1:].isdigit()]
        self.lay_out(c, (self.round_label(), numbers), (text("any.total"), [str(k) for k in totals]))
        for p, y, rows in self.places(c):
            if p == self.at:
                self._y = y
            else:
                self.draw_line(c, p, y, rows, self._ended(p) + points[p], str(totals[p]))
        self._draw_entry(c)
        keys = [(icons.OK, "key.hold_menu"), ("\u2192", "any.key.other")] + self.undo_hints()
        draw_keys(c, self.number.step, (icons.OK, "key.enter"), *keys)

    def _ended(self, p):
        """Return the mark of the seat that ended the round."""
        return icons.LOCK if p == self.game.ender else ""

    def redraw(self, c):
        if self.game.over:
            return super().redraw(c)
        c.rect(0, self._y, self._right + 1, TALL, 0)  # with its colour
        self._draw_entry(c)
        return True

    def _draw_entry(self, c):
        """Draw the number with the total that it makes, and below how far it is to the target then."""
        game, p = self.game, self.at
        k = self.number.value
        self.draw_line(c, p, self._y, TALL, str(k), str(game.totals()[p] + k), chosen=True)
        self.draw_status(c)

    # --- keys ---

    def enter_key(self, k):
        if self.pressed(k, self.number.value) and k != OK:
            self.number.change(k)
        return MOVED

    def held(self, k, before):
        self.number.value = before
        if k == RIGHT:
            self._skip()

    def ok(self):
        game = self.game
        event = {"ev": "points", "p": self.at, "k": self.number.value}
        if "ended" in game.legal() and game.missing() == [self.at] and self.takes_back:
            self._ask_ender(lambda: self.session.enter(event))  # before its last points, or it is forgotten
        else:
            self.session.enter(event)

    def _skip(self):
        """Ask for the points of the next player without points."""
        missing = self.game.missing()
        later_ones = [p for p in missing if p > self.at and p not in self.game.team_of(self.at)]
        self._go_to((later_ones or missing or [self.at])[0])

    # --- menu ---

    def menu_items(self):
        game, items = self.game, self.sheet_items()
        legal = game.legal()
        if "ended" in legal:
            items.append((later("any.menu.ended"), self._ask_ender))
        if "end_round" in legal:
            items.append((later("any.menu.end_round"), lambda: self.session.enter({"ev": "end_round"})))
        if not game.over:
            items.append((later("any.menu.skip"), self._other))
        return items + super().menu_items()

    def _ask_ender(self, then=None):
        """Ask who ended the round, and note it; then() enters the last points, also if it was nobody."""

        def chosen(p):
            if p is not None:
                self.session.enter({"ev": "ended", "p": p})
            if then:
                then()

        names = self.game.names
        items = [(later("menu.back" if then else "leave"), self.app.pop)]  # nothing is entered yet
        items += [(names[p], lambda p=p: chosen(p)) for p in self.game.playing()]
        if then:
            items.append((later("any.nobody"), lambda: chosen(None)))
        self.app.push(Menu(self.app, later("any.who_ended"), items))

    def _other(self):
        self.app.pop()
        self._skip()
