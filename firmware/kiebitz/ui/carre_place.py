"""Choosing the card for a cell of the PokerCarre square: only cards that fit, each with what it would score."""

from ..rules.carre_grid import COLOURS, points_of
from . import icons
from .carre_cards import card_of, card_words, cell_of
from .carre_cursor import Cursor
from .keys import OK
from .screen import ARROWS, LINE, Screen, footer, header, text_centre
from .texts import text

_LEFT = 15
_CELL_W = 16
_ROWS = 4  # values shown at a time; a cell with three neighbours may take more
_TOP = 16
_PITCH_MAX = 11
_ARROW = {"H": "\u2192", "V": "\u2193"}


def items_words(c, items, width):
    """The combinations of a placement in as many words as there is room for: kinds, short kinds, or points alone."""
    line = ""
    for prefix in ("kind.", "carre.short.", ""):
        line = " ".join([word for word in [_line_words(items, name, prefix) for name in "HV"] if word])
        if c.width(line) <= width:
            break
    return line


def _line_words(items, line, prefix):
    words = []
    for item in items:
        if item[0] == line:
            words.append(text(prefix + item[1]) + " %d" % item[2] if prefix else "+%d" % points_of([item]))
    return _ARROW[line] + (", " if prefix else "").join(words) if words else ""


class PlaceCard(Screen):
    """Colours side by side, values below each other; the best card stands at the cursor."""

    def __init__(self, app, play, p, x, y):
        super().__init__(app)
        self.play = play
        self.p = p
        self.x = x
        self.y = y
        game = play.game
        self.points = {cell_of(card): game.points_at(card, x, y) for card in game.cards_for(x, y)}
        cells = sorted(self.points)
        self.values = sorted(set([value for _, value in cells]))
        self.cursor = Cursor(cells, max(cells, key=lambda cell: self.points[cell]))

    def draw(self, c):
        game = self.play.game
        card = card_of(self.cursor.at)
        points = self.points[self.cursor.at]
        total = game.totals()[self.p]
        self._draw_header(c, card_words(card), "+%d \u2192 %d" % (points, total + points))
        first = max(0, min(self.values.index(self.cursor.at[1]) - 1, len(self.values) - _ROWS))
        self._draw_rows(c, self.values[first : first + _ROWS])
        if first:
            c.text("\u25b2", 0, LINE)
        if first + _ROWS < len(self.values):
            c.text("\u25bc", 0, c.h - 2 * LINE)
        items = game.items_at(card, self.x, self.y)
        made = items_words(c, items, c.w) if items else text("carre.nothing")
        text_centre(c, made, c.h - 2 * LINE)
        footer(c, (icons.OK, "key.enter"), ("\u2190" + ARROWS + "\u2192", ""), (icons.UNDO, "key.back"))

    def _draw_header(self, c, card, effect):
        """The card is always seen whole; the name takes what is left."""
        room = c.w - c.width(card) - c.width(effect) - 10
        header(c, c.fit(self.play.names[self.p], room) + " " + card, effect)

    def _draw_rows(self, c, values):
        pitch = min(_PITCH_MAX, (c.h - 2 * LINE - _TOP) // len(values))
        y = _TOP + pitch - LINE
        for column, colour in enumerate(COLOURS):
            text_centre(c, colour, y - LINE, _LEFT + column * _CELL_W, _CELL_W)
        for value in values:
            c.text(str(value), 8, y)
            for column in range(len(COLOURS)):
                if (column, value) in self.points:
                    self._draw_cell(c, (column, value), _LEFT + column * _CELL_W, y)
            y += pitch

    def _draw_cell(self, c, cell, x, y):
        text_centre(c, str(self.points[cell] or "\u00b7"), y, x, _CELL_W)
        if cell == self.cursor.at:
            c.invert(x, y - 1, _CELL_W, LINE + 1)

    def key(self, k):
        if k == OK:
            ev = {"ev": "place", "p": self.p, "card": card_of(self.cursor.at), "x": self.x, "y": self.y}
            self.play.enter(ev, self.app.pop)
        else:
            self.cursor.move(k)
