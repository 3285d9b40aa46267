"""Show the table of PokerCarre kept card by card, with the square beside the players and their totals."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import lead_text, leading
from ...text import later
from ...widgets.fitting import about, fitted
from ...widgets.keys import LEFT, OK, RIGHT
from ...widgets.screen import ARROWS, LINE, MOVED, footer, signed, text_right, tint_word
from .card_entry import TINTS, Layout, PlaceCard, ShownHand, TenthCard
from .pad import Cursor
from .rules_grid import COLOURS, MIDDLE, SIDE, colour_of, linked_mask, value_of
from .table import CarreTable

_CELL_W = const(12)
_LETTERS = tuple(COLOURS)
_DIGITS = tuple("1234567")
# Every third card is enough to guess the next cell; on the Pico, players would feel the delay of trying all of them
_TRIED = const(3)
_GAP = const(10)  # columns for the margin and between a name and its total


def open_cells(game):
    """Return [(x, y, numbers of the cards that fit, doubt)] of the cells for the next card; all cards fit as the tenth.

    The doubt is a code of the rules; empty without one.
    """
    left = game.numbers_left()
    by_mask = {}  # many cells have the same neighbours
    found = []
    for x, y, beside, doubt in game.grid.free_cells():
        mask = linked_mask(beside) if game.phase == "PLAY" else -1
        if mask not in by_mask:
            by_mask[mask] = [number for number in left if mask >> value_of(number) & 1]
        if by_mask[mask]:
            found.append((x, y, by_mask[mask], doubt))
    return found


def likeliest(game, cells):
    """Return the open cell where a sample of the cards that fit scores most; the first cell if none scores."""
    most, found = -1, None
    for x, y, numbers, _ in cells:
        promise = sum(game.points_at(numbers[::_TRIED], x, y)) if game.phase == "PLAY" else 0
        if promise > most:
            most, found = promise, (x, y)
    return found


def nearest(cells, last):
    """Return the open cell nearest to the last card, so that no cell is recommended; without a card the first cell."""
    x, y = last or cells[0][:2]
    return min([cell[:2] for cell in cells], key=lambda cell: abs(cell[0] - x) + abs(cell[1] - y))


def window(low, high, at):
    """Return the first of the seven visible columns or rows, with the square centred and the cursor visible."""
    first = low - (SIDE - 1 - high + low) // 2
    return max(at - SIDE + 1, min(first, at))


class CarreGrid(CarreTable):
    """The table. Arrows go from free cell to free cell, beyond the edge to the players, and from there to the menu."""

    def __init__(self, app, session):
        super().__init__(app, session)
        self.cursor = None  # on a free cell; None if no card can be placed
        self.in_list = False  # True: the arrows choose a player
        self._pointed = None  # (cell in the top left corner, inverted cell)
        self.draft = []  # the numbers of the first nine cards, which Layout offers again after an undo
        self._look()

    def changed(self):
        super().changed()
        self._look()

    def _look(self):
        """Find the free cells, and put the cursor beside the last card; with advice, on the most promising cell."""
        game = self.game
        now = self.session.table.game  # later than `game` while an entry is being corrected
        if now.laid_out:
            self.draft = [now.grid.at(i % 3, i // 3) for i in range(9)]
        cells = open_cells(game) if self.game.laid_out and not game.over else []
        self.cursor = None
        if cells:
            sure = [cell for cell in cells if not cell[3]] or cells
            first = likeliest(game, sure) if self.app.settings["advice"] else nearest(sure, self._last_cell())
            corrected = self.session.corrected.get("x"), self.session.corrected.get("y")
            places = [cell[:2] for cell in cells]
            self.cursor = Cursor(places, corrected if corrected in places else first)
        self.in_list = not cells

    def show(self, cell):
        """Put the cursor on a cell."""
        self.cursor.to(cell)
        self.in_list = False

    # --- drawing ---

    def draw(self, c):
        left = c.w - SIDE * _CELL_W
        self._pointed = None
        self._draw_list(c, left - 3)
        c.vline(left - 2, 0, c.h - LINE)
        self._draw_square(c, left)
        self._draw_footer(c)

    def _draw_list(self, c, width):
        """Draw names and totals; below them the leader or the dealer, the last change, and the cards placed."""
        game = self.game
        totals = game.totals()
        leaders = leading(game)
        for p, total in enumerate(totals):
            y = p * LINE
            if p in leaders:
                c.tint("leader", 0, y, width + 1, LINE)
            text_right(c, str(total), width, y)
            c.text(c.fit(game.names[p], width - c.width(str(total)) - _GAP), 3, y)
            if p == self.at and self.game.laid_out:
                if self.in_list:
                    c.invert(0, y, width + 1, LINE)
                else:
                    c.rect(0, y, 2, LINE - 1)
        notes = [(self.cards_placed(), "plain", "")]  # lines, and a colour for a word of each
        for p, change in enumerate(self.session.delta):
            if change:
                change = signed(change)
                name = c.fit(game.names[p], width - c.width(" " + change) - 1)
                notes.append((name + " " + change, "change", change))
        if self.game.laid_out:
            lead = fitted(c, lead_text(game, leaders), width)
            notes.append((lead, "leader", lead))
        else:
            notes.append((c.fit(icons.DEALER + game.names[game.dealer], width), "plain", ""))
        for i in range(min(len(notes), c.h // LINE - 1 - game.n)):
            line, colour, word = notes[i]
            y = c.h - (i + 2) * LINE
            c.text(line, 0, y)
            if word:
                tint_word(c, colour, line, word, 0, y)

    def _draw_square(self, c, left):
        game = self.game
        wx, wy = self._first_cell()
        last = self._last_cell()
        tint = c.tint if c.coloured else None  # an OLED skips the colours of the large square
        for row in range(SIDE):
            for column in range(SIDE):
                number = game.grid.at(wx + column, wy + row)
                if number:
                    px, py = left + column * _CELL_W, row * LINE
                    if tint:
                        tint(TINTS[colour_of(number)], px, py, _CELL_W, LINE)
                    # Letter and digit are drawn one by one: the font then caches 14 strings, not 49 cards
                    x = c.text(_LETTERS[colour_of(number)], px + 1, py)
                    c.text(_DIGITS[value_of(number) - 1], x, py)
                    if (wx + column, wy + row) == MIDDLE:
                        c.hline(px + 4, py + LINE - 1, 3)  # entries in words count from here
                    if (wx + column, wy + row) == last:
                        c.hline(px, py + LINE - 1, _CELL_W - 1)
        if not self.game.laid_out:
            self._draw_frame(c, left - wx * _CELL_W, -wy * LINE)
        if self.cursor:
            self._draw_free(c, left, wx, wy)

    def _first_cell(self):
        """Return the cell in the top left corner."""
        x0, y0, x1, y1 = self.game.box()
        x, y = self.cursor.at if self.cursor else (x0, y0)
        return window(x0, x1, x), window(y0, y1, y)

    def redraw(self, c):
        """Draw the move of the cursor to another free cell. Returns False if a full redraw is necessary."""
        if self.in_list or not self._pointed or self._first_cell() != self._pointed[0]:
            return False
        for cell in (self._pointed[1], self.cursor.at):
            self._point(c, cell)
        return True

    def _point(self, c, cell):
        """Invert a cell, or turn it back."""
        wx, wy = first = self._first_cell()
        c.invert(c.w - (SIDE - cell[0] + wx) * _CELL_W, (cell[1] - wy) * LINE, _CELL_W, LINE)
        self._pointed = first, cell

    def _draw_frame(self, c, left, top):
        """Draw empty cells for the first nine cards."""
        for y in range(3):
            for x in range(3):
                c.box(left + x * _CELL_W + 1, top + y * LINE, _CELL_W - 2, LINE - 1)

    def _draw_free(self, c, left, wx, wy):
        """Draw a dot in each free cell, and the cursor."""
        for x, y in self.cursor.cells:
            column, row = x - wx, y - wy
            if 0 <= column < SIDE and 0 <= row < SIDE:
                px, py = left + column * _CELL_W, row * LINE
                c.rect(px + 4, py + 3, 3, 2)
                if (x, y) == self.cursor.at:
                    if self.in_list:
                        c.box(px + 1, py, _CELL_W - 2, LINE)
                    else:
                        self._point(c, (x, y))

    def _last_cell(self):
        """Return the cell of the last card if the last event placed one, else None."""
        ev = self.session.table.last_event() if self.session.can_undo else {}
        return (ev["x"], ev["y"]) if "x" in ev else None

    def draw_banner(self, c):
        """Do nothing, because the footer shows the banner."""

    def _draw_footer(self, c):
        game = self.game
        menu = ("\u2190", "key.menu")
        if game.over:
            keys = [(icons.OK, "carre.key.result"), menu, (ARROWS, "key.who")]
        elif not game.laid_out:
            keys = [(icons.OK, "carre.key.lay_out"), menu]
        elif not self.cursor:
            keys = [(icons.OK, "carre.key.skip"), ("", "carre.no_cell"), menu, (ARROWS, "key.who")]
        elif self.in_list:
            keys = [(ARROWS, "key.who"), ("\u2192" + icons.OK, "key.field"), menu]
        else:
            ok = "carre.key.tenth" if game.phase == "SETUP" else "carre.key.card"
            keys = [(icons.OK, ok), (icons.FOUR_ARROWS, "key.field"), ("\u2190", "carre.key.players")]
        if self.banner:
            keys.insert(0, (fitted(c, self.banner, c.w - 9), ""))
        footer(c, *keys, *self.undo_hints())

    # --- keys ---

    def key(self, k):
        if self.in_list:
            self._key_list(k)
        elif k == OK:
            self._choose_card()
        else:
            before = self.cursor.at
            if not self.cursor.move(k) or k not in (LEFT, RIGHT):
                return MOVED
            self.cursor.to(before)
            self.in_list = True
        return None

    def _key_list(self, k):
        if k not in (OK, RIGHT):
            super().key(k)
        elif self.cursor:
            self.in_list = False
        elif k == OK:
            self._go_on()

    def _go_on(self):
        """Handle OK without a free cell. Shows the ranking, lays out the first cards, or skips."""
        if self.game.over:
            self.show_ranking()
        elif not self.game.laid_out:
            self.app.push(Layout(self.app, self))
        else:
            self.on_turn(self.skip)

    def _choose_card(self):
        """Open the choice of a card for the cell at the cursor."""
        x, y = self.cursor.at
        if self.game.phase == "SETUP":
            self.app.push(TenthCard(self.app, self.session, x, y))
        else:
            self.on_turn(lambda p: self._place(p, x, y))

    def _place(self, p, x, y):
        self.app.push(PlaceCard(self.app, self.session, p, x, y))

    def menu_items(self):
        items = [(later("carre.menu.pad"), self.open_pad)]
        if self.game.phase == "PLAY":
            items.append(self.skip_item())
            label = about("carre.menu.show_hand", self.game.names[self.at])
            items.append((label, lambda: self.on_turn(self._show_hand)))
        return items

    def _show_hand(self, p):
        self.app.push(ShownHand(self.app, self, p))
