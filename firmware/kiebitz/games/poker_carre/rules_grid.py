"""Find the cards that fit into the square of PokerCarre, and the points of a placed card."""

from ...machine_code import const, micropython, ptr8

COLOURS = "abcdefg"
VALUES = 7
SIDE = 7
MIDDLE = (1, 1)  # the cell of the middle card of the first nine, from which players can count on the table
# The first nine cards are at 0..2, and the square never grows past seven: no card can be outside -4..6
_LOW = const(-4)
_WINDOW = const(11)
CELLS = _WINDOW * _WINDOW
_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))

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


def at(cells, x, y):
    """Return the number of the card at x, y; 0 if the cell is empty."""
    x -= _LOW
    y -= _LOW
    return cells[y * _WINDOW + x] if 0 <= x < _WINDOW and 0 <= y < _WINDOW else 0


def put(cells, number, x, y):
    """Put a card into the cell at x, y."""
    cells[(y - _LOW) * _WINDOW + x - _LOW] = number


def box(cells):
    """Return (min x, min y, max x, max y) of the cards on the table."""
    taken = [i for i in range(CELLS) if cells[i]]
    columns = [i % _WINDOW for i in taken]
    return min(columns) + _LOW, taken[0] // _WINDOW + _LOW, max(columns) + _LOW, taken[-1] // _WINDOW + _LOW


def cards(cells):
    """Return [(x, y, number)] of the cards on the table."""
    return [(i % _WINDOW + _LOW, i // _WINDOW + _LOW, cells[i]) for i in range(CELLS) if cells[i]]


def neighbours(cells, x, y):
    """Return the numbers of the cards that share a side with the cell."""
    found = [at(cells, x + dx, y + dy) for dx, dy in _SIDES]
    return [number for number in found if number]


def in_frame(frame, x, y):
    """Return True if the square stays within seven by seven with a card at x, y."""
    x0, y0, x1, y1 = frame
    return max(x1, x) - min(x0, x) < SIDE and max(y1, y) - min(y0, y) < SIDE


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


def free_cells(cells):
    """Return [(x, y, cards beside it)] of the cells where a card may be placed, row by row."""
    x0, y0, x1, y1 = box(cells)
    columns = range(max(x0 - 1, x1 - SIDE + 1), min(x1 + 1, x0 + SIDE - 1) + 1)
    found = []
    for y in range(max(y0 - 1, y1 - SIDE + 1), min(y1 + 1, y0 + SIDE - 1) + 1):
        for x in columns:
            # Like neighbours(), in half the time: an index beyond the edge wraps to the other edge, which is empty
            i = (y - _LOW) * _WINDOW + x - _LOW
            if not cells[i]:
                around = (cells[i + 1 - CELLS], cells[i - 1], cells[i + _WINDOW - CELLS], cells[i - _WINDOW])
                beside = [number for number in around if number]
                if beside:
                    found.append((x, y, beside))
    return found


@micropython.viper
def _sizes(cells: ptr8, at: int, step: int, faces: ptr8, face: int) -> int:
    """Measure the combinations of a card with the cards of one line. Returns run, set and colour, four bits each.

    `at` is the first cell of the line, `step` leads to the next one. A face is the colour and the value of a card,
    three bits each. In machine code, because the guess of the next cell measures a hundred lines after every entry.
    """
    value = face & 7
    seen = 0  # a bit for each value
    same = 1
    alike = 1
    end = at + 11 * step
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


def items_at(cells, x, y, number, needs_new_value=False):
    """Return all combinations a card makes at x, y (at most a straight, a set and a colour in each of two lines)."""
    items = []
    cells = bytes(cells)
    for name, start, step in (("H", (y - _LOW) * _WINDOW, 1), ("V", x - _LOW, _WINDOW)):
        sizes = _sizes(cells, start, step, _FACES, _FACES[number])
        for kind, size in zip(_KINDS, _counted(sizes, needs_new_value)):
            if size >= SMALLEST[kind]:
                items.append((name, kind, size))
    return items


def points_at(cells, x, y, numbers, needs_new_value=False):
    """Return the points that each of these cards scores at x, y. cells: bytes."""
    found = []
    row, column, faces = (y - _LOW) * _WINDOW, x - _LOW, _FACES
    runs, sets, colours = _POINTS
    for number in numbers:
        face = faces[number]
        points = 0
        for sizes in (_sizes(cells, row, 1, faces, face), _sizes(cells, column, _WINDOW, faces, face)):
            points += sets[sizes >> 4 & 15] + colours[sizes & 15]
            points += runs[_counted(sizes, True)[0] if needs_new_value else sizes >> 8]
        found.append(points)
    return found
