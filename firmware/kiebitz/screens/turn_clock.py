"""Show the turn clock of a game with the turn, its duration and everybody's time."""

from ..machine_code import const
from ..raster import icons
from ..store.journal_files import SUFFIX
from ..store.turn_clock import LIMITS_S, TurnClock
from ..text import later, text
from ..widgets.keys import DOWN, LEFT, OK, UP
from ..widgets.screen import ARROWS, LINE, Menu, Screen, footer, header, move, text_centre
from .table_screen import initials

_COUNT_MS = const(200)
_TONE_HZ = const(660)  # lower and longer than the beep of a key, higher than that of a refusal
_TONE_MS = const(60)
_NAME_Y = const(8)
_TIME_Y = const(24)
_CELLS = const(4)  # players in a line
_GAP = const(3)  # columns between an initial and a time
_HOUR_MIN = const(60)


def open_clock(app, session):
    """Show the clock of the game in play, which stands until somebody starts it."""
    if app.turn_clock is None:
        app.turn_clock = RunningClock(app)
    game = session.game
    app.turn_clock.time.sit_down(app.library.journal.id, game.n, getattr(game, "turn", 0) or 0)
    app.push(ClockScreen(app, session))


class RunningClock:
    """The turn clock while any screen is shown. Counts, beeps once at the limit, and marks the header."""

    def __init__(self, app):
        library = app.library
        self.time = TurnClock(library.storage, app.clock, lambda game_id: library.files.exists(game_id + SUFFIX))
        self._app = app
        self._counted = app.clock.ms()
        self.keep = self.time.keep

    def step(self, now, dark):
        """Count the time, unless the display is dark or the game over; leaving the table stops the clock."""
        app, time = self._app, self.time
        if 0 <= app.clock.diff(now, self._counted) < _COUNT_MS:
            return
        self._counted = now
        if time.goes and not app.library.in_play(time.game_id):
            time.goes = False
        if time.goes and time.count(dark or app.library.table.game.over):
            app.beep(_TONE_HZ, _TONE_MS)
        self.mark()

    def mark(self):
        """Show in every header whether the clock goes, and whether the turn has reached its limit."""
        time, canvas = self.time, self._app.canvas
        mark = "" if not time.goes else icons.WARNING if time.late else icons.HOURGLASS
        if mark != canvas.clock_mark:
            canvas.clock_mark = mark
            self._app.dirty = True


def clock_text(ms):
    """Return a time as minutes and seconds, from one hour on as hours and minutes, in the same width."""
    seconds = ms // 1000
    minutes = seconds // 60
    if minutes >= _HOUR_MIN:
        return "%dh%02d" % (minutes // _HOUR_MIN, minutes % _HOUR_MIN)
    return "%d:%02d" % (minutes, seconds % 60)


def _limit_text(seconds):
    """Return a limit in words."""
    if not seconds:
        return text("val.off")
    return text("set.minutes", n=seconds // 60) if seconds % 60 == 0 else text("set.seconds", n=seconds)


class ClockScreen(Screen):
    """OK starts the clock, then gives the turn to the next player; UP and DOWN give it to another one.

    LEFT goes to the table, while the clock goes on. RIGHT opens the menu. UNDO gives the last turn back.
    """

    def __init__(self, app, session):
        super().__init__(app)
        self.session = session
        self.time = app.turn_clock.time
        self._shown = 0  # the second that is shown

    def draw(self, c):
        time = self.time
        limit = _limit_text(time.limit_s) if time.limit_s else ""
        header(c, text("clock.title"), limit if time.goes else text("clock.stands"), close=True)
        name = self.session.game.names[time.seat]
        width = 2 * c.width(name)
        if width <= c.w:
            c.large(name, (c.w - width) // 2, _NAME_Y)
        else:
            text_centre(c, name, _NAME_Y + LINE // 2)
        self._draw_turn(c)
        for p in range(self.session.game.n):
            self._draw_cell(c, p)
        keys = (icons.OK, "clock.key.next" if time.goes else "clock.key.start")
        back = (icons.UNDO, "key.undo" if time.can_take_back else "key.back")
        footer(c, keys, ("\u2190", "clock.key.table"), ("\u2192", "key.menu"), (ARROWS, "key.who"), back)

    def _draw_turn(self, c):
        """Draw the time of this turn in large digits, inverse from the limit on."""
        self._shown = seconds = self.time.turn_ms // 1000
        size = 24 if self.session.game.n <= _CELLS else 16
        digits = "%d:%02d" % (seconds // 60, seconds % 60)
        width = c.digits_width(digits, size)
        x = (c.w - width) // 2
        c.rect(0, _TIME_Y, c.w, size - 1, 0)  # the row below belongs to the cells
        c.digits(digits, x, _TIME_Y, size)
        if self.time.late:
            c.invert(x - 6, _TIME_Y, width + 12, size - 1)

    def _draw_cell(self, c, p):
        """Draw the time of a player in all, inverse if it is the player's turn."""
        n = self.session.game.n
        w = c.w // min(n, _CELLS)
        x = p % _CELLS * w
        y = c.h - (2 if n <= _CELLS or p >= _CELLS else 3) * LINE
        initial, used = initials(self.session.game.names)[p], clock_text(self.time.used[p])
        # The row above belongs to the cell, and not the last one: an inverse cell must not touch what is below
        c.rect(x, y - 1, w, LINE, 0)
        left = x + (w - c.width(initial) - _GAP - c.width(used)) // 2
        c.text(initial, left, y)
        c.text(used, left + c.width(initial) + _GAP, y)
        if p == self.time.seat:
            c.invert(x, y - 1, w, LINE)

    def redraw(self, c):
        self._draw_turn(c)
        self._draw_cell(c, self.time.seat)
        return True

    def tick(self, now):
        """Show each new second."""
        if self.time.turn_ms // 1000 != self._shown:
            self.app.changes()

    def key(self, k):
        time = self.time
        if k == OK:
            if time.goes:
                time.hand_over(self.session.game.left_of(time.seat))
            time.go(True)
            self.app.beep()
        elif k in (UP, DOWN):
            time.hand_over(move(k, time.seat, self.session.game.n))
        elif k == LEFT:
            self.app.pop_to_table()
        else:
            self._open_menu()
        self.app.turn_clock.mark()

    def back(self):
        if self.time.take_back():
            self.app.turn_clock.mark()
        else:
            self.app.pop()

    def _open_menu(self):
        """Open the menu of the clock."""
        app, time = self.app, self.time

        def limit():
            time.set_limit(LIMITS_S[(LIMITS_S.index(time.limit_s) + 1) % len(LIMITS_S)])

        def stop():
            time.go(False)
            app.turn_clock.mark()
            app.pop()

        def off():
            time.clear()
            app.turn_clock.mark()
            app.pop_to_table()

        items = [
            (later("clock.on"), app.pop),
            (lambda: text("clock.limit", value=_limit_text(time.limit_s)), limit),
            (later("clock.stop"), stop),
            (later("clock.off"), off),
        ]
        app.push(Menu(app, later("clock.title"), items))
