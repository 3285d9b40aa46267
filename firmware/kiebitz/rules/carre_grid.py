"""The square of PokerCarre: which card lies where, what fits beside it, and what a placed card scores."""

from ..machine_code import const

COLOURS = "abcdefg"
VALUES = 7
SIDE = 7
# The first nine cards lie at 0..2, and the square never grows past seven: nothing can lie outside -4..6
_LOW = const(-4)
_WINDOW = const(11)
CELLS = _WINDOW * _WINDOW
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))

RUBRIC_POINTS = (1, 2, 3, 7, 10)
SMALLEST = {"straight": 4, "set": 3, "colour": 3}


def card_number(card):
    """1..49 for "a1".."g7", or 0 if there is no such card."""
    if len(card) != 2 or card[0] not in COLOURS or card[1] not in "1234567":
        return 0
    return COLOURS.index(card[0]) * VALUES + int(card[1])


def card_name(number):
    return COLOURS[(number - 1) // VALUES] + str(value_of(number))


def value_of(number):
    return (number - 1) % VALUES + 1


def colour_of(number):
    return (number - 1) // VALUES


def rubric(kind, size):
    """The score category 0..4 that a combination crosses off."""
    if kind == "straight":
        return size - 4
    return size - 3 if kind == "colour" else min(size - 2, 4)


def points_of(items):
    """What a list of (line, kind, size) scores."""
    return sum([RUBRIC_POINTS[rubric(kind, size)] for _, kind, size in items])


def at(cells, x, y):
    """The number of the card at x, y; 0 if the cell is empty."""
    x -= _LOW
    y -= _LOW
    return cells[y * _WINDOW + x] if 0 <= x < _WINDOW and 0 <= y < _WINDOW else 0


def put(cells, number, x, y):
    cells[(y - _LOW) * _WINDOW + x - _LOW] = number


def box(cells):
    """(min x, min y, max x, max y) of the cards on the table."""
    taken = [i for i in range(CELLS) if cells[i]]
    columns = [i % _WINDOW for i in taken]
    return min(columns) + _LOW, taken[0] // _WINDOW + _LOW, max(columns) + _LOW, taken[-1] // _WINDOW + _LOW


def cards(cells):
    """[(x, y, number)] of the cards on the table."""
    return [(i % _WINDOW + _LOW, i // _WINDOW + _LOW, cells[i]) for i in range(CELLS) if cells[i]]


def neighbours(cells, x, y):
    """The numbers of the cards that share a side with the cell."""
    found = [at(cells, x + dx, y + dy) for dx, dy in _SIDES]
    return [number for number in found if number]


def in_frame(frame, x, y):
    """True if the square stays within seven by seven with a card at x, y."""
    x0, y0, x1, y1 = frame
    return max(x1, x) - min(x0, x) < SIDE and max(y1, y) - min(y0, y) < SIDE


def linked_values(beside):
    """The values that may lie beside one of these cards: one up or down, 7 and Ace included."""
    values = []
    for number in beside:
        values += [number % VALUES + 1, (number - 2) % VALUES + 1]
    return values


def free_cells(cells):
    """[(x, y, cards beside it)] of the cells where something may lie, row by row."""
    x0, y0, x1, y1 = box(cells)
    columns = range(max(x0 - 1, x1 - SIDE + 1), min(x1 + 1, x0 + SIDE - 1) + 1)
    found = []
    for y in range(max(y0 - 1, y1 - SIDE + 1), min(y1 + 1, y0 + SIDE - 1) + 1):
        for x in columns:
            # As neighbours() does, in half the time: beyond the edge of the window lies its other end, which is empty
            i = (y - _LOW) * _WINDOW + x - _LOW
            if not cells[i]:
                around = (cells[i + 1 - CELLS], cells[i - 1], cells[i + _WINDOW - CELLS], cells[i - _WINDOW])
                beside = [number for number in around if number]
                if beside:
                    found.append((x, y, beside))
    return found


def _line_items(name, values, colours, number, needs_new_value):
    """The combinations the placed card makes with the other cards of one line."""
    value = value_of(number)
    items = []
    run = 1
    for step in (1, -1):
        v = value + step
        while v in values:
            run += 1
            v += step
    if run >= SMALLEST["straight"] and not (needs_new_value and value in values):
        items.append((name, "straight", run))
    same = 1 + values.count(value)
    if same >= SMALLEST["set"]:
        items.append((name, "set", same))
    alike = 1 + colours.count(colour_of(number))
    if alike >= SMALLEST["colour"]:
        items.append((name, "colour", alike))
    return items


def lines_at(cells, x, y):
    """[(name, values, colours)] of row and column of an empty cell, if they have enough cards for a combination."""
    x -= _LOW
    y -= _LOW
    row = [number for number in cells[y * _WINDOW : (y + 1) * _WINDOW] if number]
    column = [cells[i] for i in range(x, CELLS, _WINDOW) if cells[i]]
    lines = [(name, line) for name, line in (("H", row), ("V", column)) if len(line) > 1]
    return [(name, [value_of(n) for n in line], [colour_of(n) for n in line]) for name, line in lines]


def items_for(lines, number, needs_new_value=False):
    """All combinations a card makes in these lines: at most a straight, a set and a colour in each of the two."""
    items = []
    for name, values, colours in lines:
        items += _line_items(name, values, colours, number, needs_new_value)
    return items
