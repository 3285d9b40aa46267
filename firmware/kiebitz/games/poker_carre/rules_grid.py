"""Find the cards that fit into the square of PokerCarre, and the points of a placed card."""

from ...machine_code import const, micropython, ptr8

COLOURS = "abcdefg"
VALUES = 7
SIDE = 7
MIDDLE = (1, 1)  # the cell of the middle card of the first nine, from which players can count on the table
_LAID = const(3)  # the first nine cards are three rows of three
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
_ANYWHERE = (-SIDE * SIDE, SIDE * SIDE)  # more positions than all cards in one line

RUBRIC_POINTS = (1, 2, 3, 7, 10)
SMALLEST = {"straight": 4, "set": 3, "colour": 3}
# For each card number, the values one up and one down, a bit for each; 7 and Ace are neighbours
_LINKED = bytes([0] + [1 << number % VALUES + 1 | 1 << (number - 2) % VALUES + 1 for number in range(1, 50)])


def card_number(card):
    """Return 1..49 for "a1".."g7", or 0 for an unknown card."""
    if len(card) != 2 or card[0] not in COLOURS or card[1] not in "1234567":
        return 0
    return COLOURS.index(card[0]) * VALUES + int(card[1])


def card_name(number):
    """Return the name of a card by its number."""
    return COLOURS[(number - 1) // VALUES] + str(value_of(number))


def value_of(number):
    """Return the value 1..7 of a card by its number."""
    return (number - 1) % VALUES + 1


def colour_of(number):
    """Return the index 0..6 of the colour of a card by its number."""
    return (number - 1) // VALUES


def rubric(kind, size):
    """Return the score category 0..4 that a combination crosses off."""
    if kind == "straight":
        return size - 4
    return size - 3 if kind == "colour" else min(size - 2, 4)


def points_of(items):
    """Return the points of a list of (line, kind, size)."""
    return sum([RUBRIC_POINTS[rubric(kind, size)] for _, kind, size in items])


def linked_mask(beside):
    """Return the values that are allowed beside one of these cards as a number, a bit for each value.

    A value is allowed if it is one up or down; 7 and Ace are neighbours.
    """
    mask = 0
    for number in beside:
        mask |= _LINKED[number]
    return mask


def fits_beside(number, beside):
    """Return True if a card may be placed beside one of these cards."""
    return linked_mask(beside) >> value_of(number) & 1 == 1


@micropython.viper
def _sizes(cells: ptr8, at: int, end: int, step: int, faces: ptr8, face: int) -> int:
    """Measure the combinations of a card with the cards of one line. Returns run, set and colour, four bits each.

    `at` is the first cell of the line, `step` leads to the next one, `end` is beyond the last one. A face is the colour
    and the value of a card, three bits each. In machine code, because the guess of the next cell measures a hundred
    lines after every entry.
    """
    value = face & 7
    seen = 0  # a bit for each value
    same = 1
    alike = 1
    while at < end:
        other = faces[cells[at]]
        if other:
            seen |= 1 << (other & 7)
            if other & 7 == value:
                same += 1
            if other >> 3 == face >> 3:
                alike += 1
        at += step
    run = 1
    up = value + 1
    while (seen >> up) & 1:
        run += 1
        up += 1
    down = value - 1
    while (seen >> down) & 1:
        run += 1
        down -= 1
    return run << 8 | same << 4 | alike


# The face of each card by its number; 0: no card
_FACES = bytearray([0] + [colour << 3 | value for colour in range(len(COLOURS)) for value in range(1, VALUES + 1)])
_KINDS = ("straight", "set", "colour")
_POINTS = [
    bytes([RUBRIC_POINTS[rubric(kind, size)] if size >= SMALLEST[kind] else 0 for size in range(SIDE + 1)])
    for kind in _KINDS
]


def _counted(sizes, needs_new_value):
    """Return (run, set, colour). With `needs_new_value`, a run does not count if its line had the value before."""
    same = sizes >> 4 & 15
    return 0 if needs_new_value and same > 1 else sizes >> 8, same, sizes & 15


class Grid:
    """The cards on the table, in a window of cells that grows with them.

    There is always an empty cell between a card and the edge of the window.
    """

    def __init__(self, cards=()):
        """Put these cards, (x, y, number), on the table."""
        self._x0 = self._y0 = -1  # the cell in the top left corner of the window
        self._w = self._h = _LAID + 2
        self._cells = bytearray(self._w * self._h)  # row by row
        self.box = (0, 0, _LAID - 1, _LAID - 1)  # min x, min y, max x, max y of the cards
        self.rows = {}  # y -> (first x, last x, number of cards)
        self.columns = {}  # x -> (first y, last y, number of cards)
        self._xs = self._ys = _ANYWHERE  # (least, greatest) position that every full row, or full column, covers
        if cards:
            for corner in (min, max):  # at once, because every card could let the window grow
                self._make_room(corner([x for x, _, _ in cards]), corner([y for _, y, _ in cards]))
        for x, y, number in cards:
            self.put(number, x, y)

    def at(self, x, y):
        """Return the number of the card at x, y; 0 if the cell is empty."""
        x -= self._x0
        y -= self._y0
        return self._cells[y * self._w + x] if 0 <= x < self._w and 0 <= y < self._h else 0

    def put(self, number, x, y):
        """Put a card into the cell at x, y."""
        self._make_room(x, y)
        self._cells[(y - self._y0) * self._w + x - self._x0] = number
        self.rows[y] = row = _with(self.rows.get(y), x)
        self.columns[x] = column = _with(self.columns.get(x), y)
        self._xs = _within(self._xs, row)
        self._ys = _within(self._ys, column)
        x0, y0, x1, y1 = self.box
        self.box = min(x0, x), min(y0, y), max(x1, x), max(y1, y)

    def _make_room(self, x, y):
        """Let the window reach beyond the cell at x, y."""
        x0, y0 = min(self._x0, x - 1), min(self._y0, y - 1)
        w = max(self._x0 + self._w, x + 2) - x0
        h = max(self._y0 + self._h, y + 2) - y0
        if (w, h) == (self._w, self._h):
            return
        cells = bytearray(w * h)
        for row in range(self._h):
            at = (self._y0 - y0 + row) * w + self._x0 - x0
            cells[at : at + self._w] = self._cells[row * self._w : (row + 1) * self._w]
        self._x0, self._y0, self._w, self._h, self._cells = x0, y0, w, h, cells

    def cards(self):
        """Return [(x, y, number)] of the cards on the table, row by row."""
        x0, y0, w = self._x0, self._y0, self._w
        return [(i % w + x0, i // w + y0, number) for i, number in enumerate(self._cells) if number]

    def numbers(self):
        """Return the set of the numbers of all cards on the table, and 0."""
        return set(self._cells)

    def neighbours(self, x, y):
        """Return the numbers of the cards that share a side with the cell."""
        found = [self.at(x + dx, y + dy) for dx, dy in _SIDES]
        return [number for number in found if number]

    def doubt(self, x, y):
        """Return the code against a card at x, y for the size of the figure, E_FRAME or W_FRAME; empty without one."""
        first, last, _ = _with(self.rows.get(y), x)
        top, bottom, _ = _with(self.columns.get(x), y)
        x0, x1 = self._xs
        y0, y1 = self._ys
        if last - first >= SIDE or bottom - top >= SIDE or not (x0 <= x <= x1 and y0 <= y <= y1):
            return "E_FRAME"
        x0, y0, x1, y1 = self.box
        wider = not x0 <= x <= x1 and max(x1, x) - min(x0, x) >= SIDE
        higher = not y0 <= y <= y1 and max(y1, y) - min(y0, y) >= SIDE
        return "W_FRAME" if wider or higher else ""

    def free_cells(self):
        """Return [(x, y, cards beside it, code of a doubt)] of the cells where a card may be placed, row by row."""
        x0, y0, x1, y1 = self.box
        cells, w = self._cells, self._w
        size = len(cells)
        found = []
        for y in range(y0 - 1, y1 + 2):
            for x in range(x0 - 1, x1 + 2):
                # Like neighbours(), in half the time: an index beyond the edge wraps to the other edge, which is empty
                i = (y - self._y0) * w + x - self._x0
                if not cells[i]:
                    around = (cells[i + 1 - size], cells[i - 1], cells[i + w - size], cells[i - w])
                    beside = [number for number in around if number]
                    code = self.doubt(x, y) if beside else "E_FRAME"
                    if code != "E_FRAME":
                        found.append((x, y, beside, code))
        return found

    def _lines(self, x, y):
        """Return (name, first cell, end, step) of the row and the column of a cell."""
        row, column = (y - self._y0) * self._w, x - self._x0
        return ("H", row, row + self._w, 1), ("V", column, column + len(self._cells), self._w)

    def items_at(self, x, y, number, needs_new_value=False):
        """Return all combinations a card makes at x, y, at most a straight, a set and a colour in each line."""
        items = []
        for name, start, end, step in self._lines(x, y):
            sizes = _sizes(self._cells, start, end, step, _FACES, _FACES[number])
            for kind, size in zip(_KINDS, _counted(sizes, needs_new_value)):
                if size >= SMALLEST[kind]:
                    items.append((name, kind, size))
        return items

    def points_at(self, x, y, numbers, needs_new_value=False):
        """Return the points that each of these cards scores at x, y."""
        found = []
        cells, faces = self._cells, _FACES
        (_, row, row_end, _), (_, column, column_end, w) = self._lines(x, y)
        runs, sets, colours = _POINTS
        for number in numbers:
            face = faces[number]
            points = 0
            across = _sizes(cells, row, row_end, 1, faces, face)
            for sizes in (across, _sizes(cells, column, column_end, w, faces, face)):
                points += sets[sizes >> 4 & 15] + colours[sizes & 15]
                points += runs[_counted(sizes, True)[0] if needs_new_value else sizes >> 8]
            found.append(points)
        return found


def _with(line, at):
    """Return (first, last, number of cards) of a row or column, None if it is empty, with another card at `at`."""
    first, last, count = line or (at, at, 0)
    return min(first, at), max(last, at), count + 1


def _within(span, line):
    """Return the part (first, last) of a span of positions that a row or column covers; the whole if it is not full."""
    first, last, count = line
    return (max(span[0], first), min(span[1], last)) if count == SIDE else span
