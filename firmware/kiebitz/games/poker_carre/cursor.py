"""A cursor that jumps over what cannot be chosen: in the square of PokerCarre, among its cards and combinations."""

from ...widgets.keys import LEFT, RIGHT, UP


class Cursor:
    """A cursor on one of the (x, y) cells; arrows lead along its row, or to the next row near the same column."""

    def __init__(self, cells, at):
        self.cells = cells
        self.to(at)

    def to(self, at):
        """Put the cursor on a cell."""
        self.at = at
        self.column = at[0]

    def move(self, k):
        """Go to the next cell. Returns True if the cursor went round the edge."""
        x, y = self.at
        if k in (LEFT, RIGHT):
            line = sorted([cell[0] for cell in self.cells if cell[1] == y])
            i = line.index(x) + (1 if k == RIGHT else -1)
            self.to((line[i % len(line)], y))
        else:
            line = sorted(set([cell[1] for cell in self.cells]))
            i = line.index(y) + (-1 if k == UP else 1)
            self.to_row(line[i % len(line)])
        return not 0 <= i < len(line)

    def to_row(self, y):
        """Go to the cell of this row that is nearest to the column; the column stays the same for the rows beyond."""
        row = [cell for cell in self.cells if cell[1] == y]
        self.at = min(row, key=lambda cell: abs(cell[0] - self.column))
