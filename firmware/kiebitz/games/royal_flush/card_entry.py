"""Enter the cards of a Royal Flush combination and show which open boards they score on."""

from ...machine_code import const
from ...raster import icons
from ...text import card_text, later, rank_text, refusal, text
from ...widgets.fitting import about
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import LINE, MOVED, CursorScreen, Menu, footer, header
from ..base import RED_SUITS
from .rules_boards import JOKER, RANKS, SUITS, nearest

_PITCH = const(9)
_LEFT = const(10)
_MOST = const(7)
_JOKER, _DELETE, _DONE = 0, 5, 9  # the columns where the three choices of the last row begin


def _choice(board, points, total):
    """Return a line about the points these cards would score on a board, as a function."""
    return lambda: text("cards.choice", board=text("short." + board), points=points, total=total + points)


def _no_choice(board):
    """Return the line of a board that these cards do not make, as a function."""
    return lambda: text("short." + board) + " \u2013"


class CardEntry(CursorScreen):
    """All cards as a matrix of suits and ranks; below it joker, delete and done."""

    def __init__(self, app, session, p):
        super().__init__(app)
        self.session = session
        self.p = p
        self.cards = []
        self.column = 6
        self.row = 0
        self.found = []  # [(board, points)] of the boards that the cards make

    def draw(self, c):
        shown = " ".join([card_text(card) for card in self.cards])
        header(c, shown or about("cards.title", self.session.names[self.p]), "%d" % len(self.cards))
        for row, suit in enumerate(SUITS):
            y = LINE + 1 + row * _PITCH
            if suit in RED_SUITS:
                c.tint("red", 0, y - 1, c.w, _PITCH)
            c.text(text("suit." + suit), 0, y)
            for column, rank in enumerate(RANKS):
                self._draw_cell(c, column, rank + suit, y)
        y = LINE + 1 + len(SUITS) * _PITCH
        for column, word in ((_JOKER, JOKER), (_DELETE, icons.BACKSPACE), (_DONE, text("cards.done"))):
            x = _LEFT + column * _PITCH
            c.text(word, x + 1, y)
        self._draw_found(c)
        self.point(c)

    def cell(self, c):
        y = LINE + self.row * _PITCH
        if self.row < len(SUITS):
            return _LEFT + self.column * _PITCH - 1, y, _PITCH, _PITCH
        column = self._last_row()
        word = {_JOKER: JOKER, _DELETE: icons.BACKSPACE}.get(column) or text("cards.done")
        return _LEFT + column * _PITCH - 1, y, c.width(word) + 4, _PITCH

    def _draw_cell(self, c, column, card, y):
        x = _LEFT + column * _PITCH
        rank = rank_text(card[0])
        c.text(icons.TEN if rank == "10" else rank, x + 1, y)  # two digits do not fit
        times = self.cards.count(card)
        if times:
            c.hline(x, y + 7, 3 if times == 1 else 7)

    def _draw_found(self, c):
        """Draw the board that pays best and the keys, in the last line."""
        keys = ((icons.OK, "key.choose"), (icons.FOUR_ARROWS, "key.field"), (icons.UNDO, "key.back"))
        if not self.found:
            footer(c, ("", "cards.why" if self.cards else "cards.add"), *keys)
            return
        board, points = self.found[0]
        right = "+%d" % points + (" (%d)" % len(self.found) if len(self.found) > 1 else "")
        footer(c, ("", "board." + board), (right, ""), *keys)

    def _last_row(self):
        """Return the choice of the last row that is nearest to the column of the cursor."""
        return _JOKER if self.column < _DELETE else _DELETE if self.column < _DONE else _DONE

    def key(self, k):
        rows = len(SUITS) + 1
        if k in (UP, DOWN):
            self.row = (self.row + (1 if k == DOWN else -1)) % rows
        elif k in (LEFT, RIGHT):
            step = 1 if k == RIGHT else -1
            if self.row < len(SUITS):
                self.column = (self.column + step) % len(RANKS)
            else:
                stops = (_JOKER, _DELETE, _DONE)
                self.column = stops[(stops.index(self._last_row()) + step) % len(stops)]
        else:
            if k == OK:
                self._press()
            return None
        return MOVED

    def _press(self):
        """Add the card at the cursor, or run the choice there."""
        if self.row < len(SUITS):
            self._add(RANKS[self.column] + SUITS[self.row])
        elif self._last_row() == _JOKER:
            self._add(JOKER)
        elif self._last_row() == _DELETE:
            self.back()
        else:
            self._done()

    def _add(self, card):
        most = self.session.game.jokers_in_all() if card == JOKER else 2
        if card == JOKER and not most:
            self.app.refuse(text("E_JOKER_NOT_CHILD"))
            return
        if len(self.cards) == _MOST or self.cards.count(card) == most:
            joker = card == JOKER and len(self.cards) < _MOST
            self.app.refuse(text("E_JOKER_LIMIT", have=most) if joker else text("cards.no_more"))
            return
        self.cards.append(card)
        self._look()

    def _look(self):
        """Find the boards that the cards make."""
        self.found = self.session.game.satisfied(self.cards, self.p)

    def back(self):
        """Take back the last card; without a card, leave the screen."""
        if self.cards:
            self.cards.pop()
            self._look()
        else:
            self.app.pop()

    def _done(self):
        """Open a menu of the boards, first those the cards score on, then the others, which explain why not."""
        if not self.cards:
            self.app.refuse(text("cards.add"))
            return
        game = self.session.game
        total = game.totals()[self.p]
        items = []
        for board, points in self.found:
            items.append((_choice(board, points, total), lambda board=board: self._score(board)))
        made = [board for board, _ in self.found]
        others = [board for board in nearest(game.boards, self.cards) if board not in made]
        for board in others:
            items.append((_no_choice(board), lambda board=board: self._say_why(board)))
        self.app.push(Menu(self.app, later("cards.which" if made else "cards.none"), items))
        if not made:
            self._say_why(others[0])

    def _say_why(self, board):
        """Show why the cards do not score on a board."""
        self.app.refuse(refusal(self.session.game.objection(self.cards, self.p, board), self.session.names))

    def _score(self, board):
        ev = {"ev": "score", "p": self.p, "board": board, "cards": " ".join(self.cards)}
        self.session.enter(ev)
