"""Choose cards of PokerCarre for the layout, the tenth card or a shown hand, and place a card in the square."""

from ...machine_code import const
from ...raster import icons
from ...text import text
from ...widgets.keys import OK
from ...widgets.screen import LINE, MOVED, CursorScreen, footer, header, text_centre
from .pad import Cursor
from .rules_grid import COLOURS, card_name, card_number, points_of

_CELL_W = const(12)
_MIDDLE = (3, 4)
# The colours of the cards on a colour display. Black is plain, because black on black is invisible
TINTS = ("red", "orange", "yellow", "green", "blue", "violet", "plain")


def card_of(cell):
    """Return the card at (index of the colour, value)."""
    return COLOURS[cell[0]] + str(cell[1])


def cell_of(card):
    """Return (index of the colour, value) of a card."""
    return COLOURS.index(card[0]), int(card[1])


def card_words(card):
    """Return a card as players call it: "red 5"."""
    return text("carre.card", colour=text("colour." + card[0]), value=card[1])


class CardMatrix(CursorScreen):
    """All cards that can be chosen, colours side by side, and a panel with the cards chosen so far."""

    def __init__(self, app, session):
        super().__init__(app)
        self.session = session
        self.chosen = []
        self.cursor = None
        self.refresh()

    def refresh(self):
        """Offer the cards that are left; the cursor stays, or goes to the nearest card."""
        cells = [cell_of(card) for card in self.session.game.unplayed() if card not in self.chosen]
        x, y = self.cursor.at if self.cursor else _MIDDLE
        at = min(cells, key=lambda cell: abs(cell[0] - x) + abs(cell[1] - y)) if cells else (x, y)
        self.cursor = Cursor(cells, at)

    def draw(self, c):
        left = c.w - _CELL_W * len(COLOURS)
        c.text(c.fit(self.title(), left - 3), 1, 0)
        for column, colour in enumerate(COLOURS):
            c.tint(TINTS[column], left + column * _CELL_W, 0, _CELL_W, c.h)
            text_centre(c, colour, 0, left + column * _CELL_W, _CELL_W)
        c.invert(0, 0, left - 2, LINE)
        for column, value in self.cursor.cells:
            x, y = left + column * _CELL_W, value * LINE
            text_centre(c, str(value), y, x, _CELL_W)
        c.vline(left - 2, 0, c.h)
        self.draw_panel(c)
        footer(c, (icons.UNDO, "key.back"), (icons.FOUR_ARROWS, "carre.key.card"), w=left - 3)
        self.point(c)

    def cell(self, c):
        if self.full():
            return 0, 0, 0, 0
        column, value = self.cursor.at
        return c.w - _CELL_W * (len(COLOURS) - column), value * LINE, _CELL_W, LINE

    def draw_about(self, c):
        """Draw the card at the cursor in words."""
        width = c.w - _CELL_W * len(COLOURS) - 4
        c.rect(0, c.h - 3 * LINE, width, LINE, 0)
        if not self.full():
            c.text(c.fit(card_words(card_of(self.cursor.at)), width), 0, c.h - 3 * LINE)
            c.tint(TINTS[self.cursor.at[0]], 0, c.h - 3 * LINE, width, LINE)

    def title(self):
        """Return a few letters for the header."""
        return ""

    def draw_panel(self, c):
        """Draw the chosen cards, and the effect of OK."""

    def full(self):
        """Return True if no further card can be chosen."""
        return False

    def draw_cards(self, c, most):
        """Draw the chosen cards three in a row, with dots for those to come."""
        for i in range(most):
            card = self.chosen[i] if i < len(self.chosen) else "\u00b7"
            text_centre(c, card, (i // 3 + 1) * LINE + 2, i % 3 * _CELL_W, _CELL_W)
            if c.coloured and i < len(self.chosen):
                c.tint(TINTS[cell_of(card)[0]], i % 3 * _CELL_W, (i // 3 + 1) * LINE + 2, _CELL_W, LINE)

    def draw_ok(self, c, key):
        """Draw the effect of OK."""
        c.text(icons.OK + text(key), 0, c.h - 2 * LINE)

    def key(self, k):
        if k == OK:
            self.choose()
            return None
        if not self.full():
            self.cursor.move(k)
        return MOVED

    def choose(self):
        """Choose the card at the cursor."""
        self.chosen.append(card_of(self.cursor.at))
        self.refresh()

    def back(self):
        """Take back the last card; without a card, leave the screen."""
        if self.chosen:
            card = self.chosen.pop()
            self.refresh()
            self.cursor.to(cell_of(card))
        else:
            self.app.pop()


class Layout(CardMatrix):
    """The first nine cards, row by row."""

    def __init__(self, app, table):
        super().__init__(app, table.session)
        self.table = table
        self.chosen = [card_name(number) for number in table.draft]
        self.refresh()

    def title(self):
        return "%d/9" % len(self.chosen)

    def full(self):
        return len(self.chosen) == 9

    def draw_panel(self, c):
        self.draw_cards(c, 9)
        self.draw_ok(c, "key.enter" if self.full() else "carre.key.lay")

    def choose(self):
        if self.full():
            self.session.enter({"ev": "layout", "cards": " ".join(self.chosen)})
        else:
            super().choose()


class TenthCard(CardMatrix):
    """The tenth card, which only a game of three players has on the table from the start."""

    def __init__(self, app, session, x, y):
        super().__init__(app, session)
        self.x = x
        self.y = y

    def title(self):
        return text("carre.tenth")

    def draw_panel(self, c):
        self.draw_ok(c, "key.enter")

    def choose(self):
        card = card_of(self.cursor.at)
        self.session.enter({"ev": "extra", "card": card, "x": self.x, "y": self.y})


class ShownHand(CardMatrix):
    """The hand of a player who cannot place a card; a card that fits somewhere is found at once."""

    def __init__(self, app, table, p):
        super().__init__(app, table.session)
        self.table = table
        self.p = p

    def title(self):
        return self.session.names[self.p]

    def full(self):
        return len(self.chosen) == self.session.game.held[self.p]

    def draw_panel(self, c):
        self.draw_cards(c, self.session.game.held[self.p])
        self.draw_ok(c, "carre.key.skip" if self.full() else "carre.key.has")

    def choose(self):
        if self.full():
            self._skip()
            return
        cells = self.session.game.fits(card_of(self.cursor.at))
        super().choose()
        if cells:
            self._skip()
            self.table.show(cells[0])
            self.app.pop_to(self.table)

    def _skip(self):
        ev = {"ev": "skip", "p": self.p, "hand": " ".join(self.chosen)}
        self.session.enter(ev)


_LEFT = const(15)
_CHOICE_W = const(16)
_ROWS = const(4)  # values shown at a time; a cell with three neighbours may take more
_TOP = const(16)
_PITCH_MAX = const(11)
_ARROW = {"H": "\u2192", "V": "\u2193"}


def items_words(c, items, width):
    """Return the combinations of a placement as text that fits (kinds, short kinds, or only the points)."""
    line = ""
    for prefix in ("kind.", "carre.short.", ""):
        line = " ".join([word for word in [_line_words(items, name, prefix) for name in "HV"] if word])
        if c.width(line) <= width:
            break
    return line


def _line_words(items, line, prefix):
    """Return the combinations of one line, row or column, after its arrow; empty without any."""
    words = []
    for item in items:
        if item[0] == line:
            words.append(text(prefix + item[1]) + " %d" % item[2] if prefix else "+%d" % points_of([item]))
    return _ARROW[line] + (", " if prefix else "").join(words) if words else ""


class PlaceCard(CursorScreen):
    """The cards that fit, colours side by side, values below each other; with advice, the cursor begins at the best."""

    def __init__(self, app, session, p, x, y):
        super().__init__(app)
        self.session = session
        self.p = p
        self.x = x
        self.y = y
        game = session.game
        cards = game.cards_for(x, y)
        points = game.points_at([card_number(card) for card in cards], x, y)
        self.points = {cell_of(card): points for card, points in zip(cards, points)}
        cells = sorted(self.points)
        self.values = sorted(set([value for _, value in cells]))
        self.first = 0  # index of the first visible value
        advice = app.settings["advice"]
        self.cursor = Cursor(cells, max(cells, key=lambda cell: self.points[cell]) if advice else cells[0])

    def draw(self, c):
        self.first = self._first()
        self._draw_rows(c, self.values[self.first : self.first + _ROWS])
        if self.first:
            c.text("\u25b2", 0, LINE)
        footer(c, (icons.OK, "key.enter"), (icons.FOUR_ARROWS, "carre.key.card"), (icons.UNDO, "key.back"))
        self.point(c)

    def _first(self):
        """Return the index of the first visible value."""
        return max(0, min(self.values.index(self.cursor.at[1]) - 1, len(self.values) - _ROWS))

    def _pitch(self, c):
        return min(_PITCH_MAX, (c.h - 2 * LINE - _TOP) // min(_ROWS, len(self.values)))

    def cell(self, c):
        column, value = self.cursor.at
        pitch = self._pitch(c)
        y = _TOP + pitch - LINE + (self.values.index(value) - self.first) * pitch
        return _LEFT + column * _CHOICE_W, y - 1, _CHOICE_W, LINE + 1

    def draw_about(self, c):
        """Draw the card in words, the points it would score, and its combinations."""
        game = self.session.game
        card = card_of(self.cursor.at)
        points = self.points[self.cursor.at]
        total = game.totals()[self.p]
        self._draw_header(c, card_words(card), "+%d \u2192 %d" % (points, total + points))
        items = game.items_at(card, self.x, self.y)
        made = items_words(c, items, c.w) if items else text("carre.nothing")
        c.rect(0, c.h - 2 * LINE, c.w, LINE, 0)
        if self.first + _ROWS < len(self.values):
            c.text("\u25bc", 0, c.h - 2 * LINE)
        text_centre(c, made, c.h - 2 * LINE)

    def redraw(self, c):
        return self._first() == self.first and super().redraw(c)

    def _draw_header(self, c, card, effect):
        """Draw the header. The name is shortened if necessary, the card never."""
        room = c.w - c.width(card) - c.width(effect) - 10
        header(c, c.fit(self.session.names[self.p], room) + " " + card, effect)

    def _draw_rows(self, c, values):
        pitch = self._pitch(c)
        y = _TOP + pitch - LINE
        for column, colour in enumerate(COLOURS):
            c.tint(TINTS[column], _LEFT + column * _CHOICE_W, y - LINE, _CHOICE_W, LINE + len(values) * pitch)
            text_centre(c, colour, y - LINE, _LEFT + column * _CHOICE_W, _CHOICE_W)
        for value in values:
            c.text(str(value), 8, y)
            for column in range(len(COLOURS)):
                if (column, value) in self.points:
                    points = str(self.points[column, value] or "\u00b7")
                    text_centre(c, points, y, _LEFT + column * _CHOICE_W, _CHOICE_W)
            y += pitch

    def key(self, k):
        if k == OK:
            ev = {"ev": "place", "p": self.p, "card": card_of(self.cursor.at), "x": self.x, "y": self.y}
            self.session.enter(ev)
            return None
        self.cursor.move(k)
        return MOVED
