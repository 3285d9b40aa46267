"""Show the table of a game by rounds. The arrows set the points of the next player, OK enters them."""

from ...raster import icons
from ...screens.table_screen import lead_text
from ...text import later, text
from ...widgets.keys import LEFT, OK, RIGHT
from ...widgets.screen import LINE, MOVED, fitted, header, text_right
from .number import LOOK_BACK, draw_keys, offered
from .table import TALL, ScoreTable


class RoundsTable(ScoreTable):
    """The players with their totals. The one without points who comes next has a number that the arrows change.

    RIGHT held goes on to another player without points, LEFT held shows the scoreboard, OK held opens the menu.
    """

    def __init__(self, app, session):
        super().__init__(app, session)
        self._go_to(self._next_seat())

    # --- whose points, and what is offered ---

    def _next_seat(self):
        """Return the seat to enter points for, one just taken back or corrected, else the next without points."""
        game, session = self.game, self.session
        again = self._again()
        if again:
            return again["p"]
        missing = game.missing()
        if session.last is None and session.seat in missing:
            return session.seat  # an entry is inserted before one of this seat
        return self._missing_after(game.dealer if session.seat is None or len(missing) == game.n else session.seat)

    def _again(self):
        """Return the points that were just taken back, or that are being corrected; None if there are none."""
        session = self.session
        event = session.corrected or (session.table.next_redo() if session.can_redo else {})
        return event if event.get("ev") == "points" and event["p"] in self.game.missing() else None

    def _missing_after(self, seat):
        """Return the next seat without points to the left of a seat."""
        game = self.game
        for _ in range(game.n):
            seat = game.left_of(seat)
            if game.now[seat] is None:
                break
        return seat

    def _go_to(self, seat):
        """Ask for the points of a seat, with a number to begin with."""
        game, again = self.game, self._again()
        self.at = seat
        if again and again["p"] == seat:
            self._offer = again["k"]
        else:
            points = [k for k in game.sheet[-LOOK_BACK:] + game.now if k is not None]
            self._offer = offered(points, self.number.step)
        self.number.value = self._offer

    def changed(self):
        self._go_to(self._next_seat())
        super().changed()

    def drop(self):
        return self.dropped(self._offer)

    # --- drawing ---

    def draw_play(self, c, lead):
        game = self.game
        number = str(game.round)
        if game.options["end"] == "rounds":
            number += "/%d" % game.options["limit"]
        header(c, text("any.round", n=number), lead, True)
        totals = game.totals()
        begun = len(game.missing()) < game.n
        for p, y, rows in self.places(c):
            if p == self.at:
                self._y = y
            elif begun or not game.sheet:
                points = game.now[p]
                self.draw_row(c, p, y, rows, str(totals[p]), "" if points is None else str(points))
            else:  # what the last round has brought
                self.draw_row(c, p, y, rows, str(totals[p]), "(%d)" % game.sheet[p - game.n])
        self._draw_entry(c)
        keys = [(icons.OK, "key.enter"), (icons.OK, "spot.key.hold_menu")] + self.undo_hints()
        draw_keys(c, self.number.step, *keys, ("\u2192", "any.key.other"))

    def redraw(self, c):
        if self.game.over:
            return super().redraw(c)
        c.rect(0, self._y, c.w, TALL, 0)  # with its colour
        c.rect(0, c.h - 2 * LINE, c.w, LINE, 0)
        self._draw_entry(c)
        return True

    def _draw_entry(self, c):
        """Draw the number with the new total, and below how far it is to the target then, and who leads then."""
        game, p = self.game, self.at
        totals = game.totals()
        totals[p] += self.number.value
        self.draw_row(c, p, self._y, TALL, str(self.number.value), "", "=%d" % totals[p])
        y = c.h - 2 * LINE
        left = self.to_go()
        room = c.w
        leaders = game.best_of(totals)
        if len(leaders) < game.n:
            lead = fitted(c, lead_text(game, leaders), (c.w - c.width(left) if left else c.w // 2) - 14)
            text_right(c, "\u2192" + lead, c.w, y)
            room -= c.width("\u2192" + lead) + 4
        c.text(left or fitted(c, self.session.last or "", room), 0, y)

    # --- keys ---

    def enter_key(self, k):
        if k in (OK, LEFT, RIGHT):
            if k == self.down:
                return None  # a key that repeats; held, it means something else
            self.down = k
            self._before = self.number.value
        if k != OK:
            self.number.change(k)
        return MOVED

    def hold(self, k):
        super().hold(k)
        if k == self.down and k in (LEFT, RIGHT):
            self.down = None
            self.app.keys.swallow(k)
            self.number.released()
            self.number.value = self._before
            if k == RIGHT:
                self._skip()

    def ok(self):
        self.session.enter({"ev": "points", "p": self.at, "k": self.number.value})

    def _skip(self):
        """Ask for the points of another player."""
        self._go_to(self._missing_after(self.at))

    # --- menu ---

    def menu_items(self):
        items = [(later("any.menu.sheet"), self._sheet)]
        if "end_round" in self.game.legal():
            items.append((later("any.menu.end_round"), self._end_round))
        if not self.game.over:
            items.append((later("any.menu.skip"), self._other))
        return items + super().menu_items()

    def _sheet(self):
        from .sheet import Sheet

        self.app.push(Sheet(self.app, self.session))

    def _end_round(self):
        self.session.enter({"ev": "end_round"})

    def _other(self):
        self.app.pop()
        self._skip()
