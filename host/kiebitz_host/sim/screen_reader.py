"""Records the words on the display while the canvas draws them, as a player would read them aloud."""


LINE = 8


def _covers(y, h, top, height):
    if height > LINE:
        return h > LINE and y < top + height and top < y + h
    return y <= top + height // 2 < y + h


class Words:
    """The texts on an attached canvas: (y, x, text, width, height, text before it was shortened)."""

    def __init__(self):
        self.drawn = []

    def watch(self, board):
        """Record every text that is drawn on the canvas of a board. Returns the board."""
        self.attach(board.canvas)
        return board

    def attach(self, canvas):
        """Record every text drawn on this canvas, and forget texts that are cleared or painted over."""
        clear, rect = canvas.clear, canvas.rect

        def cleared():
            self.drawn = []
            clear()

        def painted(x, y, w, h, on=1):
            if not on:
                self._cover(x, y, w, h)
            rect(x, y, w, h, on)

        canvas.clear = cleared
        canvas.rect = painted
        canvas.spy = self._hear

    def _hear(self, text, x, y, w, h, whole):
        self.drawn.append((y, x, text, w, h, whole))

    def _cover(self, x, y, w, h):
        """Forget texts that begin in this rectangle and have their middle in it; tall ones if any part is in it."""
        self.drawn = [word for word in self.drawn if not (x <= word[1] < x + w and _covers(y, h, word[0], word[4]))]

    def lines(self, whole=False):
        """Return the lines from top to bottom, texts of the same y in one line; whole: as before shortening."""
        rows: dict = {}
        for y, x, text, w, _, long in self.drawn:
            if text.strip():
                rows.setdefault(y, []).append((x, (whole and long) or text, x + w))
        return [_line(sorted(rows[y])) for y in sorted(rows)]


def _line(texts):
    """Join texts side by side into a line; two texts as close as two letters make one word. Returns the line."""
    line, end = "", -LINE
    for x, text, after in texts:
        line += ("" if x == end + 1 else " ") + text
        end = after
    return line.strip()


def spell_icons(line):
    """Return the line with each icon replaced by its name."""
    from kiebitz.raster import icons

    names = {getattr(icons, name): name for name in dir(icons) if name.isupper()}
    return "".join([f"[{names[char].lower()}] " if char in names else char for char in line])
