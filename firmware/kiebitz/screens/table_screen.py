"""Define the base of all tables, the list of players, the ranking and a screen to choose a number."""

from ..machine_code import const
from ..raster import icons
from ..text import game_name, later, listed, text, upper
from ..widgets.fitting import TextWithNames
from ..widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ..widgets.screen import (
    ARROWS,
    LINE,
    MOVED,
    Menu,
    Notice,
    Rows,
    Screen,
    draw_list,
    footer,
    header,
    move,
    signed,
    text_centre,
    text_right,
)

_POINTER_W = const(7)
_LARGE_ROWS = const(3)  # the most players whose totals fit in large digits in the final ranking
_PITCH_MAX = const(11)  # most pixel rows from one player's line to the next

_marked: list = [None, None]  # the names initials() was last called with, and their initials


def initials(names):
    """Return a unique character for each player, the first letter of the name that no earlier seat has.

    A guest is known by the number at the end of the name.
    """
    if _marked[0] is not names:
        taken = []
        for i, name in enumerate(names):
            letters = name[-1:] + name if name[-1:].isdigit() else name
            free = [upper(char) for char in letters if upper(char) not in taken and char != " "]
            taken.append(free[0] if free else str(i + 1))
        _marked[:] = names, taken
    return _marked[1]


def leading(game):
    """Return the seats in the lead; none if nobody is behind."""
    leaders = game.leaders()
    return leaders if len(leaders) < game.n else []


def lead_text(game, leaders):
    """Return a crown with the leader's name, or with how many share the lead, for the header."""
    if not leaders:
        return ""
    if len(leaders) > 1:
        return icons.CROWN + text("lead.shared", n=len(leaders))
    return TextWithNames(lambda names: icons.CROWN + names[0], [game.names[leaders[0]]])


class TableScreen(Screen):
    """The first screen of a game. UP and DOWN choose a player, LEFT opens the menu, UNDO takes back an entry."""

    takes_back = stays = True

    def __init__(self, app, session):
        super().__init__(app)
        self.session = session
        self.at = 0
        self._rows = None  # the Rows of the players, if the screen lists them

    @property
    def game(self):
        """The state of the game."""
        return self.session.game

    def rests(self):
        """Return True after the first entry, unless an entry is being corrected."""
        return self.takes_back and self.session.can_undo

    def seat_to_enter(self):
        """Return the seat of the next entry, the one on turn, else the one after the last entry's seat."""
        game, seat = self.game, self.session.seat
        if game.follows or seat is None:
            return game.turn
        return game.left_of(seat) if self.session.last else seat

    def changed(self):
        """Update the screen after the state of the game has changed."""

    def resume(self):
        """Update the screen after a menu was open, in which the game may have changed."""

    def redraw(self, c):
        return self._rows is not None and self._rows.move(c, self.at)

    def key(self, k):
        if k in (UP, DOWN):
            self.at = move(k, self.at, self.game.n)
            return MOVED
        if k == LEFT:
            self.open_menu()
        return None

    def show_ranking(self):
        """Show the ranking; OK there leaves the table."""
        self.app.push(Ranking(self.app, self.session, self.app.leave_table))

    def draw_over(self, c, leaders, columns, widths):
        """Draw the table of a finished game, with these columns as in draw_players()."""
        header(c, text("phase.OVER"), lead_text(self.game, leaders), True)
        self._rows = draw_players(c, self.session, leaders, self.at, LINE + 1, c.h - LINE, columns, widths)
        keys = ((icons.OK, "key.ranking"), ("\u2190", "key.menu"), (ARROWS, "key.who"))
        footer(c, *keys, *self.undo_hints())

    def on_turn(self, action):
        """Call action(seat) for the player at the cursor; if it is the turn of another player, ask first."""
        game, p = self.game, self.at

        def give():
            self.session.enter({"ev": "turn", "p": p})
            if self.game.turn == p and self.app.top is self:  # the turn is stored, and there is nothing to read first
                action(p)

        if game.follows and p != game.turn and self.takes_back:
            question = later("turn.other", name=game.names[game.turn], other=game.names[p])
            self.app.push(Notice(self.app, later("turn.title"), question, give))
        else:
            action(p)

    def undo_hints(self):
        """Return the hints about UNDO, and about LEFT held, which every table has."""
        if not self.takes_back:
            return [(icons.UNDO, "key.back")]
        hints = [(icons.UNDO, "key.undo")]
        if not self.left_repeats:
            hints.append(("\u2190", "key.hold_scores"))
        if self.session.can_redo:
            hints.append((icons.UNDO, "key.hold_redo"))
        return hints

    def menu_items(self):
        """Return [(label, action)] that only this game has."""
        return []

    def ending_items(self):
        """Return [(label, action)] that end the game; the menu shows them far from the cursor."""
        return []

    def open_menu(self):
        """Open the menu of the table."""
        from .table_menu import open_menu

        open_menu(self)

    def ask_to_end(self, event):
        """Show who would win, and end the game with this event after a confirmation."""
        app, session = self.app, self.session
        game = session.table.game_at(len(session.table))
        game.apply(event)
        names = [game.names[p] for p in game.winners()]
        best = game.totals()[game.winners()[0]]

        def question():
            if len(names) > 2:
                return text("end.shared", n=len(names), points=best)
            return text("end.sure", names=listed(names), points=best)

        app.push(Notice(app, later("menu.end"), question, lambda: session.enter(event)))


def draw_players(c, session, leaders, at, y0, y1, columns, widths):
    """Draw a line for each player (name, last change of the total, columns) with the cursor. Returns the Rows.

    columns: a list of strings for each seat; widths: the pixels of each column.
    """
    game = session.game
    pitch = max(LINE, min(_PITCH_MAX, (y1 - y0) // game.n))
    left = 2 if pitch > LINE or at is None else 8
    rows = (Rows if pitch > LINE else _PointedRows)(game.n, at, y0, y1, pitch, c.w)
    # What the cursor inverts has the same colours: a whole line with the row above, or all but the pointer
    start, above = (0, 1) if pitch > LINE else (left, 0)
    for p in rows.shown():
        y = rows.y(p)
        x = c.w - 1
        if p in leaders:
            c.tint("leader", start, y - above, c.w - start, LINE + above)
        for s, width in zip(reversed(columns[p]), reversed(widths)):
            text_right(c, s, x, y)
            x -= width
        if session.delta[p]:
            change = signed(session.delta[p])
            x -= 2
            text_right(c, change, x, y)
            width = c.width(change) + 2
            c.tint("change", x + 1 - width, y - above, width, LINE + above)
            x -= width
        c.text(c.fit(game.names[p], x - left - 1), left, y)
    if at is not None:
        rows.mark(c, at)
    return rows


class _PointedRows(Rows):
    """Lines without a gap, marked by a pointer because an inverse line would merge with the header."""

    def mark(self, c, i):
        c.text("\u25b6", 0, self.y(i))

    def unmark(self, c, i):
        c.rect(0, self.y(i), _POINTER_W, LINE, 0)


def ranked(game):
    """Return [(place, seat, points)], the winners first, then those with the most points, or the fewest if they win."""
    totals = game.totals()
    winners = game.winners()
    worth = [-total for total in totals] if game.low_wins else totals
    order = sorted(range(game.n), key=lambda p: (p not in winners, -worth[p], p))
    rows = []
    for p in order:
        if game.over:
            ahead = 0 if p in winners else len([q for q in order if q in winners or worth[q] > worth[p]])
        else:
            ahead = len([q for q in order if worth[q] > worth[p]])
        rows.append((ahead + 1, p, totals[p]))
    return rows


class Ranking(Screen):
    """All players by points, best first; winners of a finished game have a trophy. RIGHT opens the scoreboard.

    At the end of a game, LEFT begins the same game again.
    """

    def __init__(self, app, session, on_ok=None):
        super().__init__(app)
        self.session = session
        self.at = 0
        self.on_ok = on_ok

    def rests(self):
        return True

    def is_end(self):
        """Return True if this is what the game ends with, and not a look at the standings."""
        return self.session.game.over and self.on_ok is not None

    def draw(self, c):
        game = self.session.game
        reason = game.decided_by()
        right = text("ranking." + reason) if reason else game_name(game.KIND, game.title)
        rows = ranked(game)
        large = game.over and len(rows) <= _LARGE_ROWS
        header(c, text("ranking.final" if game.over else "ranking.now"), right, large)
        if large:
            self._draw_large(c, rows)
        else:
            self._draw_lines(c, rows)
        self._draw_footer(c)

    def _draw_footer(self, c):
        """Draw the footer with the keys and the duration of the game."""
        from ..text.describe import minutes_text

        minutes = self.session.minutes
        hints = [(icons.OK, "key.next"), ("\u2192", "ranking.key.large")]
        if self.is_end():
            hints.insert(0, ("\u2190", "ranking.key.again"))
        if self._fit(c) < self.session.game.n:
            hints.append((ARROWS, "key.who"))
        footer(c, (minutes_text(minutes) if minutes else "", ""), *hints, (icons.UNDO, "key.back"))

    def _mark(self, place, p):
        """Return the sign before a name, a trophy for a winner, else the place."""
        return icons.TROPHY if p in self.session.game.winners() else "%d." % place

    def _pitch(self):
        """Return the pixel rows from one line to the next."""
        return 9 if self.session.game.n > 3 else 12

    def _fit(self, c):
        """Return the number of lines that fit."""
        return (c.h - 2 * LINE - 2) // self._pitch()

    def _draw_lines(self, c, rows):
        """Draw a line for each player."""
        game = self.session.game
        first_ones = len([place for place, _, _ in rows if place == 1])
        fit = self._fit(c)
        first = self.at = max(0, min(self.at, len(rows) - fit))
        y = LINE + 2
        pitch = self._pitch()
        for place, p, total in rows[first : first + fit]:
            if place == 1 and first_ones < game.n:
                c.tint("leader", 0, y, c.w, LINE)
            c.text(self._mark(place, p), 1, y)
            parts = game.total_parts(p)
            right = parts + " = " + str(total) if parts else str(total)
            text_right(c, right, c.w - 2, y)
            c.text(c.fit(game.names[p], c.w - 16 - c.width(right) - 4), 14, y)
            y += pitch

    def _draw_large(self, c, rows):
        """Draw the totals in large digits, the parts of a total below the name."""
        game = self.session.game
        y = LINE
        for place, p, total in rows:
            if place == 1:
                c.tint("leader", 0, y, c.w, 2 * LINE)
            width = c.digits_width(str(total))
            c.digits(str(total), c.w - 2 - width, y)
            c.text(self._mark(place, p), 1, y)
            c.text(c.fit(game.names[p], c.w - 16 - width - 4), 14, y)
            c.text(game.total_parts(p), 14, y + LINE)
            y += 2 * LINE

    def key(self, k):
        if k in (UP, DOWN):
            self.at = max(0, min(self.at + (1 if k == DOWN else -1), self.session.game.n - 1))
        elif k == RIGHT:
            self.app.show_scoreboard(self.session)
        elif k == LEFT and self.is_end():
            from .new_game import play_again

            play_again(self.app)
        elif k == OK:
            self.app.pop()
            if self.on_ok:
                self.on_ok()


class Stepper(Screen):
    """A screen to choose a number with the arrows, which shows the effect; OK enters it."""

    def __init__(self, app, title, value, low, high, on_ok, effect=None):
        super().__init__(app)
        self.title = title
        self.value = value
        self.low = low
        self.high = high
        self.on_ok = on_ok
        self.effect = effect  # value -> a text of one or two lines about what it would change

    def draw(self, c):
        header(c, self.title)
        digits = str(self.value)
        width = c.digits_width(digits)
        x = (c.w - width) // 2
        c.digits(digits, x, 14)
        if self.value > self.low:
            c.text(icons.MINUS, x - 14, 19)
        if self.value < self.high:
            c.text(icons.PLUS, x + width + 8, 19)
        if self.effect:
            for i, line in enumerate(self.effect(self.value).split("\n")):
                text_centre(c, line, 37 + i * 9)
        footer(c, (icons.FOUR_ARROWS, "key.change"), (icons.OK, "key.enter"), (icons.UNDO, "key.back"))

    def key(self, k):
        if k in (UP, RIGHT):
            self.value = min(self.high, self.value + 1)
        elif k in (DOWN, LEFT):
            self.value = max(self.low, self.value - 1)
        elif k == OK:
            self.on_ok(self.value)


__all__ = [
    "Menu",
    "Notice",
    "Ranking",
    "Screen",
    "Stepper",
    "TableScreen",
    "draw_list",
    "draw_players",
    "initials",
    "lead_text",
    "leading",
]
