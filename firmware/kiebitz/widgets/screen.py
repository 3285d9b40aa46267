"""What every screen is: something that draws itself and takes keys; and the pieces all of them draw with."""

from ..machine_code import const
from ..raster import icons
from ..text import said, text
from .keys import DOWN, LEFT, OK, RIGHT, UP

LINE = 8  # one text line is one page of the display
# Columns that remain of a name, if it can be helped and if it cannot
_READABLE = const(30)
_SHORTEST = const(12)
ARROWS = "\u2191\u2193"
MOVED = "moved"  # what key() returns if nothing but a cursor has changed


class Screen:
    """A view on the app's stack. UNDO goes one step back unless the screen is a table, where it takes back an entry."""

    takes_back = False
    all_keys = False  # True: UNDO is a key like any other

    def __init__(self, app):
        self.app = app

    def draw(self, c):
        """Draw everything; the canvas is empty."""

    def redraw(self, c):
        """Draw what the cursor has changed since draw(); False: everything has to be drawn. The rest stands there."""
        return False

    def key(self, k):
        """A key was pressed, or repeats while it is held. Returns MOVED if redraw() is enough to show it."""

    def hold(self, k):
        """A key is held."""

    def release(self, k):
        """A key was let go."""

    def tick(self, now):
        """Time has passed; called every few milliseconds while the screen is on top."""

    def back(self):
        self.app.pop()

    def resume(self):
        """The screen is on top again."""


class CursorScreen(Screen):
    """A screen whose cursor inverts one cell: where it goes, only that and what is told about the cell changes."""

    _cell = (0, 0, 0, 0)  # that is inverted

    def cell(self, c):
        """Where the cursor stands: x, y, width and height."""
        return self._cell

    def draw_about(self, c):
        """Draw what depends on the cell, over what was told about another one."""

    def point(self, c):
        """The end of draw(): show the cursor."""
        self._cell = self.cell(c)
        c.invert(*self._cell)
        self.draw_about(c)

    def redraw(self, c):
        c.invert(*self._cell)
        self.point(c)
        return True


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
    c.rect(0, 0, c.w, LINE, 0)
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
    c.rect(0, c.h - LINE, c.w, LINE, 0)
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


class Rows:
    """The lines of a list between y0 and y1, scrolled so that the chosen one shows: its cursor can move among them."""

    def __init__(self, n, at, y0, y1, pitch, width=0):
        self.n = n
        self.at = at
        self.y0 = y0
        self.pitch = pitch
        self.width = width
        self.most = (y1 - y0) // pitch
        self.first = self._first(at)

    def _first(self, at):
        return max(0, min((at or 0) - self.most // 2, self.n - self.most))

    def shown(self):
        """The numbers of the lines that have room."""
        return range(self.first, min(self.first + self.most, self.n))

    def y(self, i):
        return self.y0 + (i - self.first) * self.pitch

    def mark(self, c, i):
        """Show the cursor in a line. A higher bar would be seen later: each page of the display takes 3 ms."""
        c.invert(0, self.y(i) - 1, self.width, LINE + 1)

    def unmark(self, c, i):
        self.mark(c, i)  # inverted twice

    def move(self, c, at):
        """Show the cursor elsewhere; False if the list has to be scrolled."""
        if self._first(at) != self.first:
            return False
        if at != self.at:
            self.unmark(c, self.at)
            self.mark(c, at)
            self.at = at
        return True


class Menu(Screen):
    """A list to choose from. Items are (label, action); the harmless one stands first.

    The title and every label are texts, or come `later`, as they do on all screens: the language may change meanwhile.
    """

    footer_follows = False  # what the keys do depends on the line

    def __init__(self, app, title, items, at=0, right=""):
        super().__init__(app)
        self.title = title
        self.right = right
        self.items = items
        self.at = at
        self._rows = None

    def draw(self, c):
        header(c, self.title, said(self.right))
        self._rows = draw_list(c, self.labels(), self.at, LINE + 2, c.h - LINE)
        self.draw_footer(c)

    def redraw(self, c):
        if not self._rows or not self._rows.move(c, self.at):
            return False
        if self.footer_follows:
            self.draw_footer(c)
        return True

    def labels(self):
        """What the lines say: a list, or something that makes each line when it is asked for."""
        return [label for label, _ in self.items]

    def draw_footer(self, c):
        footer(c, (ARROWS, ""), (icons.OK, "key.choose"), (icons.UNDO, "key.back"))

    def key(self, k):
        if k in (UP, DOWN):
            self.at = move(k, self.at, len(self.items))
            return MOVED
        if k in (OK, RIGHT):
            self.choose()
        elif k == LEFT:
            self.back()

    def choose(self):
        action = self.items[self.at][1]
        if action:
            action()


def draw_list(c, labels, at, y0, y1, pitch=9):
    """Labels one below the other between y0 and y1, the chosen one inverted; returns where they are."""
    rows = Rows(len(labels), at, y0, y1, pitch)
    bar = 3 if rows.n > rows.most else 0
    rows.width = c.w - bar
    for i in rows.shown():
        c.text(fitted(c, labels[i], rows.width - 3), 2, rows.y(i))
    rows.mark(c, at)
    if bar:
        height = rows.most * pitch
        c.vline(c.w - 2, y0 - 1, height)
        size = max(4, height * rows.most // rows.n)
        c.rect(c.w - 3, y0 - 1 + (height - size) * rows.first // max(1, rows.n - rows.most), 3, size)
    return rows


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
