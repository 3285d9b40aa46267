"""The words on the display, heard from the canvas while it draws: what a player would read aloud."""


LINE = 8


def _covers(y, h, top, height):
    if height > LINE:
        return h > LINE and y < top + height and top < y + h
    return y <= top + height // 2 < y + h


class Words:
    """Attached to a canvas, knows every text on it: (y, x, text, width, height, what it was shortened from)."""

    def __init__(self):
        self.drawn = []

    def listen(self):
        """Let the firmware, which is about to start, draw on a canvas that tells."""
        from kiebitz import board

        make = board._display

        def told(*args):
            display, canvas = make(*args)
            self.attach(canvas)
            return display, canvas

        board._display = told

    def attach(self, canvas):
        """Hear every text drawn here, and forget what is wiped away or painted over."""
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
        """Forget the texts that begin in this rectangle and lie in it with their middle, or tall ones with a part."""
        self.drawn = [word for word in self.drawn if not (x <= word[1] < x + w and _covers(y, h, word[0], word[4]))]

    def lines(self, whole=False):
        """From top to bottom, texts of the same height on one line; whole: as they were before they were shortened."""
        rows: dict = {}
        for y, x, text, w, _, long in self.drawn:
            if text.strip():
                rows.setdefault(y, []).append((x, (whole and long) or text, x + w))
        return [_line(sorted(rows[y])) for y in sorted(rows)]


def _line(texts):
    """Texts side by side: those that stand as close as two letters make one word."""
    line, end = "", -LINE
    for x, text, after in texts:
        line += ("" if x == end + 1 else " ") + text
        end = after
    return line.strip()


def spell_icons(line):
    """The line with the names of icons in their place."""
    from kiebitz.raster import icons

    names = {getattr(icons, name): name for name in dir(icons) if name.isupper()}
    return "".join([f"[{names[char].lower()}] " if char in names else char for char in line])
