"""Record the text on the display while it is drawn, and find the presses to a line of a menu by its text key."""

from kiebitz import text as _host_text

LINE = 8


def _covers(y, h, top, height):
    if height > LINE:
        return h > LINE and y < top + height and top < y + h
    return y <= top + height // 2 < y + h


class ObservedCanvas:
    """Draw on a canvas of the firmware, and report to `words` which texts are drawn, cleared and painted over."""

    def __init__(self, canvas, words):
        self.w = canvas.w
        self.h = canvas.h
        self._canvas = canvas
        self._words = words
        self._whole = {}  # truncated text -> full text

    def __getattr__(self, name):
        return getattr(self._canvas, name)  # anything that neither draws nor covers a text

    def clear(self):
        self._words.clear()
        self._canvas.clear()

    def rect(self, x, y, w, h, on=1):
        if not on:
            self._words.cover(x, y, w, h)
        self._canvas.rect(x, y, w, h, on)

    def fit(self, s, w):
        short = self._canvas.fit(s, w)
        if short != s:
            self._whole[short] = s
        return short

    def text(self, s, x, y, invert=False, room=-1):
        if room >= 0:
            s = self.fit(s, room)
        self._report(s, x, y, self._canvas.width(s), LINE)
        return self._canvas.text(s, x, y, invert)

    def large(self, s, x, y):
        self._report(s, x, y, 2 * self._canvas.width(s), 2 * LINE)
        self._canvas.large(s, x, y)

    def digits(self, s, x, y, size=16, invert=False):
        self._report(s, x, y, self._canvas.digits_width(s, size), size)
        return self._canvas.digits(s, x, y, size, invert)

    def _report(self, s, x, y, w, h):
        self._words.add(s, x, y, w, h, self._whole.get(s))


class ScreenReader:
    """The texts on the canvas of a board: (y, x, text, width, height, full text before truncation)."""

    def __init__(self):
        self.drawn = []

    def watch(self, board):
        """Wrap the canvas of a board in one that reports its texts here. Returns the board."""
        board.canvas = ObservedCanvas(board.canvas, self)
        return board

    def clear(self):
        """Drop all texts."""
        self.drawn = []

    def add(self, text, x, y, w, h, whole=None):
        """Record a text; `whole` is the text before truncation."""
        self.drawn.append((y, x, text, w, h, whole))

    def cover(self, x, y, w, h):
        """Drop the texts that a rectangle covers: they begin in it, with their middle, or with a part of a tall one."""
        self.drawn = [word for word in self.drawn if not (x <= word[1] < x + w and _covers(y, h, word[0], word[4]))]

    def lines(self, whole=False):
        """Return the lines from top to bottom, texts of the same y in one line; whole: without truncation."""
        rows: dict = {}
        for y, x, text, w, _, long in self.drawn:
            if text.strip():
                rows.setdefault(y, []).append((x, (whole and long) or text, x + w))
        return [_line(sorted(rows[y])) for y in sorted(rows)]


def _line(texts):
    """Join texts side by side into a line; texts as close as two letters form one word. Returns the line."""
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


PICK = "pick"
AT = "at"


def is_choice(word):
    """Return True if this word of a script is pick:KEY or at:KEY."""
    kind, colon, key = word.partition(":")
    return bool(colon and key and kind in (PICK, AT))


def presses_of(word, menu, texts=_host_text):
    """Return the presses for a word of a script, resolved in the open menu.

    pick:KEY moves the cursor to the line with this text key and presses OK, at:KEY only moves; any other word is
    returned unchanged. texts: the module kiebitz.text used by the menu.
    """
    if not is_choice(word):
        return [word]
    kind, _, key = word.partition(":")
    return _moves(word, menu, key, texts) + (["ok"] if kind == PICK else [])


def _moves(word, menu, key, texts):
    """Return the fewest presses to the line of this key. Raises LookupError unless exactly one line has it."""
    if not hasattr(menu, "labels"):
        raise LookupError(f"{word}: {type(menu).__name__} is not a menu")
    labels = menu.labels()
    labels = [labels[i] for i in range(len(labels))]  # it may be a lazy sequence of labels
    keys = [_keys_of(label, texts) for label in labels]
    words = _words_of(key, texts)
    found = [i for i, label in enumerate(labels) if key in keys[i] or _is_named(label, words)]
    if len(found) != 1:
        lines = ["/".join(keys[i]) or label for i, label in enumerate(labels)]
        problem = "more than one line" if found else "no line"
        raise LookupError(f"{word}: the menu has {problem} for this key; its lines are {', '.join(lines)}")
    down = (found[0] - menu.at) % len(labels)
    up = len(labels) - down
    return ["down"] * down if down <= up else ["up"] * up


def _words_of(key, texts):
    """Return the text of a key, or other words unchanged, to be compared with string labels."""
    try:
        return texts.text(key) if texts.has(key) else key
    except KeyError:  # it has placeholders, which only a function label fills
        return key


def _is_named(label, words):
    """Return True if a string label, such as a player's name after an icon, equals these words."""
    return isinstance(label, str) and (label == words or label.endswith(" " + words))


def _keys_of(label, texts):
    """Return the text keys requested by a label; none if it is a string."""
    if isinstance(label, str):
        return []
    recorder = _Recorder(texts.take(None))
    texts.take(recorder)
    try:
        label()
    finally:
        texts.take(recorder.phrases)
    return recorder.keys


class _Recorder:
    """Phrases that record the requested keys."""

    def __init__(self, phrases):
        self.keys = []
        self.phrases = phrases

    def get(self, key):
        self.keys.append(key)
        return self.phrases.get(key)
