"""Choosing the card for a cell of the PokerCarre square: only cards that fit, each with the points it would score."""

from ...machine_code import const
from ...raster import icons
from ...text import text
from ...widgets.keys import OK
from ...widgets.screen import ARROWS, LINE, MOVED, CursorScreen, footer, header, text_centre
from .card_choice import TINTS, card_of, card_words, cell_of
from .cursor import Cursor
from .grid import COLOURS, card_number, points_of

_LEFT = const(15)
_CELL_W = const(16)
_ROWS = const(4)  # values shown at a time; a cell with three neighbours may take more
_TOP = const(16)
_PITCH_MAX = const(11)
_ARROW = {"H": "\u2192", "V": "\u2193"}


def items_words(c, items, width):
    """Return the combinations of a placement as text that fits: kinds, short kinds, or points alone."""
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

    def __init__(self, app, play, p, x, y):
        super().__init__(app)
        self.play = play
        self.p = p
        self.x = x
        self.y = y
        game = play.game
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
        footer(c, (icons.OK, "key.enter"), ("\u2190" + ARROWS + "\u2192", ""), (icons.UNDO, "key.back"))
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
        return _LEFT + column * _CELL_W, y - 1, _CELL_W, LINE + 1

    def draw_about(self, c):
        """Draw the card in words, the points it would score, and its combinations."""
        game = self.play.game
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
        """Draw the header: the card is never shortened, the name takes the room that is left."""
        room = c.w - c.width(card) - c.width(effect) - 10
        header(c, c.fit(self.play.names[self.p], room) + " " + card, effect)

    def _draw_rows(self, c, values):
        pitch = self._pitch(c)
        y = _TOP + pitch - LINE
        for column, colour in enumerate(COLOURS):
            c.tint(TINTS[column], _LEFT + column * _CELL_W, y - LINE, _CELL_W, LINE + len(values) * pitch)
            text_centre(c, colour, y - LINE, _LEFT + column * _CELL_W, _CELL_W)
        for value in values:
            c.text(str(value), 8, y)
            for column in range(len(COLOURS)):
                if (column, value) in self.points:
                    points = str(self.points[column, value] or "\u00b7")
                    text_centre(c, points, y, _LEFT + column * _CELL_W, _CELL_W)
            y += pitch

    def key(self, k):
        if k == OK:
            ev = {"ev": "place", "p": self.p, "card": card_of(self.cursor.at), "x": self.x, "y": self.y}
            self.play.enter(ev, self.app.pop)
            return None
        self.cursor.move(k)
        return MOVED
