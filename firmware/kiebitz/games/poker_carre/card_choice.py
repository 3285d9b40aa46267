"""Choosing cards of PokerCarre by colour and value: the first nine, the tenth, and a hand that a player shows."""

from ...machine_code import const
from ...raster import icons
from ...text import text
from ...widgets.keys import OK
from ...widgets.screen import LINE, MOVED, CursorScreen, text_centre
from .cursor import Cursor
from .grid import COLOURS, card_name

_CELL_W = const(12)
_MIDDLE = (3, 4)
# The colours of the cards on a colour display, beside their letters. Black would not be seen there: it is plain
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

    def __init__(self, app, play):
        super().__init__(app)
        self.play = play
        self.chosen = []
        self.cursor = None
        self.refresh()

    def refresh(self):
        """Offer the cards that are left; the cursor stays, or goes to the nearest card."""
        cells = [cell_of(card) for card in self.play.game.unplayed() if card not in self.chosen]
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
        c.text(icons.UNDO + text("key.back"), 0, c.h - LINE)
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
        super().__init__(app, table.play)
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
            self.play.enter({"ev": "layout", "cards": " ".join(self.chosen)}, self.app.pop)
        else:
            super().choose()


class TenthCard(CardMatrix):
    """The tenth card, which only a game of three players has on the table from the start."""

    def __init__(self, app, play, x, y):
        super().__init__(app, play)
        self.x = x
        self.y = y

    def title(self):
        return text("carre.tenth")

    def draw_panel(self, c):
        self.draw_ok(c, "key.enter")

    def choose(self):
        card = card_of(self.cursor.at)
        self.play.enter({"ev": "extra", "card": card, "x": self.x, "y": self.y}, self.app.pop)


class ShownHand(CardMatrix):
    """The hand of a player who cannot place a card; a card that fits somewhere is found at once."""

    def __init__(self, app, table, p):
        super().__init__(app, table.play)
        self.table = table
        self.p = p

    def title(self):
        return self.play.names[self.p]

    def full(self):
        return len(self.chosen) == self.play.game.held[self.p]

    def draw_panel(self, c):
        self.draw_cards(c, self.play.game.held[self.p])
        self.draw_ok(c, "carre.key.skip" if self.full() else "carre.key.has")

    def choose(self):
        if self.full():
            self._skip()
            return
        cells = self.play.game.fits(card_of(self.cursor.at))
        super().choose()
        if cells:
            self._skip()
            self.table.show(cells[0])
            self.app.pop_to(self.table)

    def _skip(self):
        ev = {"ev": "skip", "p": self.p, "hand": " ".join(self.chosen)}
        self.play.enter(ev, self.app.pop_to_table)
