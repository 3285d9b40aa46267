"""What every screen is: something that draws itself and takes keys; and the pieces all of them draw with."""

from . import icons
from .keys import DOWN, LEFT, OK, RIGHT, UP
from .texts import said, text

LINE = 8  # one text line is one page of the display
# Columns that remain of a name, if it can be helped and if it cannot
_READABLE = 30
_SHORTEST = 12
ARROWS = "\u2191\u2193"


class Screen:
    """A view on the app's stack. UNDO goes one step back unless the screen is a table, where it takes back an entry."""

    takes_back = False
    all_keys = False  # True: UNDO is a key like any other

    def __init__(self, app):
        self.app = app

    def draw(self, c):
        """Draw everything; the canvas is empty."""

    def key(self, k):
        """A key was pressed, or repeats while it is held."""

    def hold(self, k):
        """A key is held."""

    def release(self, k):
        """A key was let go."""

    def back(self):
        self.app.pop()

    def resume(self):
        """The screen is on top again."""


class Named:
    """A line that tells of players: where it is too long their names are shortened, and nothing else.

    make(names) gives the line; brief(names) may say the same with fewer letters, if the names alone do not help.
    """

    def __init__(self, make, names, brief=None):
        self.make = make
        self.names = names
        self.brief = brief or make

    def __call__(self):
        return self.make(self.names)

    def fit(self, c, room):
        """The line in so many columns."""
        line = _with_shorter_names(c, self.make, self.names, room, _READABLE)
        if c.width(line) > room:
            line = c.fit(_with_shorter_names(c, self.brief, self.names, room, _SHORTEST), room)
        return line


def _with_shorter_names(c, make, names, room, shortest):
    """The line, with the names cut as far as the room demands; none of them below so many columns."""
    line = make(names)
    if c.width(line) <= room:
        return line
    longest = max([c.width(name) for name in names])
    while c.width(line) > room and longest > shortest:
        longest = max(longest - (c.width(line) - room + 1) // 2, shortest)
        line = make([c.fit(name, longest) for name in names])
    return line


def about(key, name, **places):
    """A sentence to come about one player."""
    return Named(lambda names: text(key, name=names[0], **places), [name])


def fitted(c, words, room):
    """A text, or one to come, in so many columns."""
    return words.fit(c, room) if isinstance(words, Named) else c.fit(said(words), room)


def header(c, left, right=""):
    """The inverse bar at the top. If both do not fit, what names players gives way, else the left."""
    room = c.w - 2
    if right:
        right = fitted(c, right, room - 4 - c.width(said(left)) if isinstance(right, Named) else c.w // 2)
        width = c.width(right)
        room -= width + 4
        c.text(right, c.w - 1 - width, 0)
    c.text(fitted(c, left, room), 1, 0)
    c.invert(0, 0, c.w, LINE)


def footer(c, *hints):
    """The last line: what the keys do now, as pairs of icon and text key, spread over the width."""
    words = [icon + (text(key) if key else "") for icon, key in hints]
    y = c.h - LINE
    free = c.w - sum([c.width(word) for word in words])
    gap = free // (len(words) - 1) if len(words) > 1 else 0
    x = 0
    for word in words:
        c.text(word, x, y)
        x += c.width(word) + gap


def text_right(c, s, x, y, invert=False):
    """Text that ends before x."""
    c.text(s, x - c.width(s), y, invert)


def text_centre(c, s, y, x=0, w=None):
    w = c.w if w is None else w
    s = c.fit(s, w)
    c.text(s, x + (w - c.width(s)) // 2, y)


def wrap(c, s, w):
    """The text as lines no wider than w, broken between words."""
    lines = []
    line = ""
    for word in s.split(" "):
        longer = line + " " + word if line else word
        if line and c.width(longer) > w:
            lines.append(line)
            line = word
        else:
            line = longer
    lines.append(line)
    return [c.fit(line, w) for line in lines]


def signed(n):
    """A change as players write it."""
    return "+%d" % n if n > 0 else "%d" % n


def marked(icon, key):
    """A label with an icon before its words."""
    icon += " "
    return lambda: icon + text(key)


def move(k, at, n):
    """A cursor in a list of n after an UP or DOWN; it goes round."""
    if k == UP:
        return (at - 1) % n
    return (at + 1) % n if k == DOWN else at


class Menu(Screen):
    """A list to choose from. Items are (label, action); the harmless one stands first.

    The title and every label are texts, or come `later`, as they do on all screens: the language may change meanwhile.
    """

    def __init__(self, app, title, items, at=0, right=""):
        super().__init__(app)
        self.title = title
        self.right = right
        self.items = items
        self.at = at

    def draw(self, c):
        header(c, self.title, said(self.right))
        draw_list(c, self.labels(), self.at, LINE + 2, c.h - LINE)
        self.draw_footer(c)

    def labels(self):
        """What the lines say: a list, or something that makes each line when it is asked for."""
        return [label for label, _ in self.items]

    def draw_footer(self, c):
        footer(c, (ARROWS, ""), (icons.OK, "key.choose"), (icons.UNDO, "key.back"))

    def key(self, k):
        if k in (UP, DOWN):
            self.at = move(k, self.at, len(self.items))
        elif k in (OK, RIGHT):
            self.choose()
        elif k == LEFT:
            self.back()

    def choose(self):
        action = self.items[self.at][1]
        if action:
            action()


def draw_list(c, labels, at, y0, y1, pitch=9):
    """Labels one below the other between y0 and y1, scrolled so that the chosen one shows, which is inverted."""
    rows = (y1 - y0) // pitch
    first = max(0, min(at - rows // 2, len(labels) - rows))
    bar = 3 if len(labels) > rows else 0
    y = y0
    for i in range(first, min(first + rows, len(labels))):
        c.text(fitted(c, labels[i], c.w - 3 - bar), 2, y)
        if i == at:
            c.invert(0, y - 1, c.w - bar, pitch)
        y += pitch
    if bar:
        height = rows * pitch
        c.vline(c.w - 2, y0 - 1, height)
        size = max(4, height * rows // len(labels))
        c.rect(c.w - 3, y0 - 1 + (height - size) * first // max(1, len(labels) - rows), 3, size)


class Notice(Screen):
    """A message that waits for OK; with on_ok it is a question, and UNDO says no."""

    def __init__(self, app, title, message, on_ok=None):
        super().__init__(app)
        self.title = title
        self.message = message
        self.on_ok = on_ok

    def draw(self, c):
        header(c, self.title)
        y = LINE + 3
        for line in wrap(c, said(self.message), c.w - 4):
            c.text(line, 2, y)
            y += 9
        if self.on_ok:
            footer(c, (icons.OK, "key.yes"), (icons.UNDO, "key.no"))
        else:
            footer(c, (icons.OK, "key.next"))

    def key(self, k):
        if k == OK:
            self.app.pop()
            if self.on_ok:
                self.on_ok()
