"""Share the sheet of names, this round and totals between the tables of any other game, and choose one of them."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import TableScreen, leading
from ...text import later, text
from ...widgets.fitting import TextWithNames, fitted, least_width
from ...widgets.keys import LEFT, OK, RIGHT
from ...widgets.screen import LINE, header_end, part, signed, text_right
from .number import Number
from .rules import POINTS_MAX
from .rules_presets import STEPS

TALL = 16  # rows of the player at the cursor
_MEDIUM = 12  # rows of the medium digits
_NAME_W = const(46)  # columns that digits leave to a name
_GAP = const(4)  # between columns
BAR_W = const(4)  # of the mark that there are more players


def lines(game):
    """Return the seats with a line of their own: all of them, or the first one of each team."""
    return [p for p in range(game.n) if game.team_of(p)[0] == p]


def line_name(session, p, leaders):
    """Return the names in the line of a seat, with the marks of dealer and leaders; who is away in brackets."""
    game = session.game
    mark = icons.CROWN if p in leaders else ""
    if game.shows_deal and game.dealer in game.team_of(p):
        mark = icons.DEALER + mark
    form = mark + ("(%s)" if p in game.gone else "%s")
    return TextWithNames(lambda names: form % "+".join(names), [game.names[q] for q in game.team_of(p)])


def draw_more(c, first, shown, n):
    """Draw a mark at the right edge if not all of n lines are shown."""
    if n > shown:
        height = c.h - 2 * LINE
        size = height * shown // n
        c.vline(c.w - 2, LINE, height)
        c.rect(c.w - 3, LINE + (height - size) * first // (n - shown), 3, size)


class ScoreTable(TableScreen):
    """A sheet with a line for each player or team, whose cursor is on the one that the keys are about.

    A held OK opens the menu, a held LEFT shows the scoreboard.
    """

    def __init__(self, app, session):
        super().__init__(app, session)
        self.entry = session.game.options["entry"]
        self.down = None  # the key whose release or hold decides what it means
        self._before = None
        step = session.table.setup.get("step")
        self.number = Number(0, -POINTS_MAX, POINTS_MAX, step if step in STEPS else 1)

    def resume(self):
        self.down = None

    def changed(self):
        """Show the ranking at the end; another table takes the place of this one if a house rule demands it."""
        self.down = None
        stack = self.app.stack
        if self.game.options["entry"] != self.entry and self in stack:
            stack[stack.index(self)] = table(self.app, self.session)
            return
        if self.game.over:
            self.show_ranking()

    def drop(self):
        """Set the number back to 0, with a message. Returns True if that changes anything."""
        number = self.number.value
        if self.game.over or not number:
            return False
        self.number.value = 0
        self.app.toast(text("any.dropped", k=signed(number)))
        return True

    # --- menu ---

    def menu_items(self):
        game = self.game
        if game.over:
            return []
        items = [(lambda: text("any.menu.step", n=self.number.step), self._next_step)]
        if not game.teams:
            from .people import items as people

            items += people(self)
        return items

    def _next_step(self):
        """Let the arrows make larger steps, or the smallest again."""
        self.number.step = STEPS[(STEPS.index(self.number.step) + 1) % len(STEPS)]

    def sheet_items(self):
        """Return the menu item that shows all rounds."""
        return [(later("any.menu.sheet"), self._sheet)]

    def _sheet(self):
        from .sheet import Sheet

        self.app.push(Sheet(self.app, self.session))

    def ending_items(self):
        return [] if self.game.over else [(later("menu.end"), self._end)]

    def _end(self):
        """End the game, after a question; another one comes first if points of the round are missing."""
        game = self.game
        if game.begun and game.missing():
            self.session.enter({"ev": "end_game"})
        else:
            self.ask_to_end({"ev": "end_game"})

    # --- keys ---

    def key(self, k):
        if self.game.over:
            if k == OK:
                self.show_ranking()
            return super().key(k)
        return self.enter_key(k)

    def enter_key(self, k):
        """Take a key while the game is in play."""

    def pressed(self, k, state):
        """Note that a key is down, with the state to go back to if it is held. Returns False for a repeat."""
        if k in (OK, LEFT, RIGHT):
            if k == self.down:
                return False
            self.down = k
            self._before = state
        return True

    def release(self, k):
        self.number.released()
        if k == self.down == OK:
            self.ok()
        self.down = None

    def hold(self, k):
        if k != self.down:
            return
        self.down = None
        if k == OK:
            self.open_menu()
        else:
            self.app.keys.swallow(k)
            self.number.released()
            self.held(k, self._before)

    def held(self, k, before):
        """Act on LEFT or RIGHT, held; `before` is the state before it was pressed."""

    def ok(self):
        """Act on OK, pressed and released."""

    # --- drawing ---

    def draw(self, c):
        game = self.game
        self._leaders = leaders = leading(game)
        if not game.over:
            self.draw_play(c)
            return
        self.draw_over(c, leaders, [[str(total)] for total in game.totals()], (44,))

    def draw_play(self, c):
        """Draw a game in play."""

    def round_label(self):
        """Return the label of the column of this round."""
        game = self.game
        number = str(game.round)
        if game.options["end"] == "rounds":
            number += "/%d" % game.options["limit"]
        return text("any.round", n=number)

    def lay_out(self, c, *columns, question=""):
        """Draw the header with a label above each column, and find where the columns end.

        columns: (label, all texts), the last one at the right. The title is shown if there is room for all of it; a
        question instead of it is always shown, if need be in place of the first label.
        """
        c.rect(0, 0, c.w, LINE, 0)
        x = header_end(c) - 1
        if len(lines(self.game)) > self._most(c):
            x = min(x, c.w - 1 - BAR_W)
        self._right = x
        widths = [max([c.width(label)] + [c.digits_width(s, _MEDIUM) for s in texts]) for label, texts in columns]
        if sum(widths) + _GAP * len(widths) > x - _NAME_W:
            widths = [max([c.width(label)] + [c.width(s) for s in texts]) for label, texts in columns]
        self._ends = []
        title = question or self.game.title
        for (label, _), width in zip(reversed(columns), reversed(widths)):
            self._ends.insert(0, x)
            left = x - c.width(label)
            if question and left - 3 <= c.width(question):
                left = x
            else:
                text_right(c, label, x, 0)
            x -= width + _GAP
        if c.width(title) < left - 3:
            c.text(title, 1, 0)
        c.invert(0, 0, c.w, LINE)
        c.tint("bar", 0, 0, c.w, LINE)
        part(c)

    def _most(self, c):
        """Return how many lines fit, of which one is tall."""
        return (c.h - 2 * LINE - TALL) // LINE + 1

    def has_status(self, c):
        """Return True if there is room for a line above the keys."""
        return len(lines(self.game)) < self._most(c)

    def places(self, c):
        """Yield (seat, top row, rows) of as many lines as fit, and draw a mark if there are more."""
        seats = lines(self.game)
        n = len(seats)
        most = self._most(c)
        room = c.h - 2 * LINE - TALL - (LINE if n < most else 0)
        pitch = ([size for size in (TALL, _MEDIUM) if (n - 1) * size <= room] + [LINE])[0]
        at = seats.index(self.at) if self.at in seats else 0
        first = max(0, min(at - most // 2, n - most))
        y = LINE
        for i in range(first, min(first + most, n)):
            rows = TALL if i == at else pitch
            yield seats[i], y, rows
            y += rows
        draw_more(c, first, most, n)

    def name_of(self, p):
        """Return the names in the line of a seat."""
        return line_name(self.session, p, self._leaders)

    def draw_line(self, c, p, y, rows, *cells, chosen=False):
        """Draw the name of a player and a text in each column, as large as fits; the chosen one inverted."""
        wide = self._right + 1 if self._right < c.w - 1 else c.w
        if p in self._leaders:
            c.tint("leader", 0, y, wide, rows)
        middle = y + (rows - LINE) // 2
        left = self._right
        for s, end in zip(reversed(cells), reversed(self._ends)):
            if s:
                left = self._draw_cell(c, s, min(end, left), y, rows, chosen and end == self._ends[0])
        room = left - _GAP
        name = self.name_of(p)
        if chosen and 2 * c.width(name()) <= room:
            c.large(name(), 1, y)
        else:
            c.text(name.fit(c, room), 1, middle)
        if chosen:
            c.invert(0, y, wide, rows)
            c.part(y + rows - 1, wide)  # as the next line begins just below

    def _draw_cell(self, c, s, end, y, rows, large):
        """Draw a text that ends at a column, a number in digits as large as fit. Returns the column before it."""
        if s[-1:].isdigit():
            for size in (TALL, _MEDIUM) if large else (_MEDIUM,):
                width = c.digits_width(s, size)
                if size <= rows and width <= end - _NAME_W - len(self._ends) * _GAP:
                    c.digits(s, end - width, y + (rows - size) // 2, size)
                    return end - width - _GAP
        text_right(c, s, end, y + (rows - LINE) // 2)
        return end - c.width(s) - _GAP

    def draw_status(self, c, right=""):
        """Draw the line above the keys: how far it is to the target, or the last entry; `right` at its end."""
        if not self.has_status(c):
            return
        y = c.h - 2 * LINE
        c.rect(0, y, c.w, LINE, 0)
        text_right(c, right, c.w - 1, y)
        words = self.to_go() or self.session.last or ""
        room = c.w - c.width(right) - 4
        if not right or least_width(c, words) <= room:
            c.text(fitted(c, words, room), 0, y)

    def to_go(self):
        """Return how far the player at the cursor would be from the target, in words; empty without a target."""
        game = self.game
        if game.options["end"] != "target":
            return ""
        left = game.distance(game.totals()[self.at] + self.number.value)
        return text("any.to_go", n=left) if left > 0 else text("any.reached")


def table(app, session):
    """Return the table as a screen; only the one that is played is imported."""
    entry = session.game.options["entry"]
    if entry == "rounds":
        from .rounds_table import RoundsTable

        return RoundsTable(app, session)
    if entry == "exchange":
        from .exchange_table import ExchangeTable

        return ExchangeTable(app, session)
    from .counter_table import CounterTable

    return CounterTable(app, session)


TABLE = table
