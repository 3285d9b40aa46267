"""Share code between the tables of rounds and counter, and choose one of them."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import Ranking, TableScreen, draw_players, lead_text, leading
from ...text import later, text
from ...widgets.keys import OK
from ...widgets.screen import LINE, footer, header, signed, text_right
from .number import Number
from .rules import POINTS_MAX
from .rules_presets import STEPS

TALL = 16  # rows of the player at the cursor
_SIZES = (16, 12)  # of digits
_NAME_W = const(36)  # columns that large digits leave to a name
_GAP = const(3)


class ScoreTable(TableScreen):
    """A table whose arrows change a number; a held OK opens the menu."""

    def __init__(self, app, session):
        super().__init__(app, session)
        self.by_rounds = session.game.by_rounds
        self.down = None  # the key whose release or hold decides what it means
        step = session.table.setup.get("step")
        self.number = Number(0, -POINTS_MAX, POINTS_MAX, step if step in STEPS else 1)

    def resume(self):
        self.down = None

    def changed(self):
        """Show the ranking at the end; another table takes the place of this one if a house rule demands it."""
        self.down = None
        stack = self.app.stack
        if self.game.by_rounds != self.by_rounds and self in stack:
            stack[stack.index(self)] = table(self.app, self.session)
            return
        if self.game.over:
            self._rank()

    def _rank(self):
        """Show the ranking; OK there leaves the table."""
        self.app.push(Ranking(self.app, self.session, self.app.leave_table))

    def dropped(self, value):
        """Set the number back to a value, with a message. Returns True if that changes anything."""
        number = self.number.value
        if self.game.over or number == value:
            return False
        self.number.value = value
        self.app.toast(text("any.dropped", k=signed(number)))
        return True

    # --- menu ---

    def menu_items(self):
        if self.game.over:
            return []
        return [(lambda: text("any.menu.step", n=self.number.step), self._next_step)]

    def _next_step(self):
        """Let the arrows make larger steps, or the smallest again."""
        self.number.step = STEPS[(STEPS.index(self.number.step) + 1) % len(STEPS)]

    def ending_items(self):
        return [] if self.game.over else [(later("menu.end"), lambda: self.ask_to_end({"ev": "end_game"}))]

    # --- keys ---

    def key(self, k):
        if self.game.over:
            if k == OK:
                self._rank()
            return super().key(k)
        return self.enter_key(k)

    def enter_key(self, k):
        """Take a key while the game is in play."""

    def release(self, k):
        self.number.released()
        if k == self.down == OK:
            self.ok()
        self.down = None

    def hold(self, k):
        if k == self.down == OK:
            self.down = None
            self.open_menu()

    def ok(self):
        """Act on OK, pressed and released."""

    # --- drawing ---

    def draw(self, c):
        game = self.game
        self._leaders = leaders = leading(game)
        if not game.over:
            self.draw_play(c, lead_text(game, leaders))
            return
        header(c, text("phase.OVER"), lead_text(game, leaders), True)
        columns = [[str(total)] for total in game.totals()]
        self._rows = draw_players(c, self.session, leaders, self.at, LINE + 1, c.h - LINE, columns, (44,))
        footer(c, (icons.OK, "spot.key.ranking"), ("\u2190", "key.menu"))

    def draw_play(self, c, lead):
        """Draw a game in play; `lead` is the text about the leader."""

    def places(self, c):
        """Yield (seat, top row, rows) of as many players as fit."""
        n = self.game.n
        room = c.h - 3 * LINE - TALL  # without header, status and footer
        pitch = ([size for size in _SIZES if (n - 1) * size <= room] + [LINE])[0]
        most = room // pitch + 1
        first = max(0, min(self.at - most // 2, n - most))
        y = LINE
        for p in range(first, min(first + most, n)):
            rows = TALL if p == self.at else pitch
            yield p, y, rows
            y += rows

    def draw_row(self, c, p, y, rows, number, before="", after=""):
        """Draw the name of a player and a number, in digits as large as fit, with small texts before and after it."""
        game = self.game
        if p in self._leaders:
            c.tint("leader", 0, y, c.w, rows)
        middle = y + (rows - LINE) // 2
        right = c.w - 1
        if after:
            right -= c.width(after)
            c.text(after, right, middle)
            right -= _GAP
        width = c.width(number)
        room = right - c.width(before) - _NAME_W
        size = ([size for size in _SIZES if size <= rows and c.digits_width(number, size) <= room] + [0])[0]
        if size:
            width = c.digits_width(number, size)
            c.digits(number, right - width, y + (rows - size) // 2, size)
        else:
            c.text(number, right - width, middle)
        right -= width + _GAP
        if before:
            text_right(c, before, right, middle)
            right -= c.width(before)
            c.tint("change", right, middle, c.width(before), LINE)
        mark = icons.DEALER if p == game.dealer and game.by_rounds else ""
        c.text(mark + c.fit(game.names[p], right - c.width(mark) - 4), 1, middle)
        if p == self.at:
            c.invert(0, y, c.w, rows)

    def to_go(self):
        """Return how far the player at the cursor would be from the target, in words; empty without a target."""
        game = self.game
        if game.options["end"] != "target":
            return ""
        left = game.distance(game.totals()[self.at] + self.number.value)
        return text("any.to_go", n=left) if left > 0 else text("any.reached")


def table(app, session):
    """Return the table as a screen; only the one that is played is imported."""
    if session.game.by_rounds:
        from .rounds_table import RoundsTable

        return RoundsTable(app, session)
    from .counter_table import CounterTable

    return CounterTable(app, session)


TABLE = table
