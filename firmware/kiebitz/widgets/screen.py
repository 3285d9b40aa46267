"""Define the base class of every screen, menus, notices and the parts all screens draw with."""

from ..machine_code import const
from ..raster import icons
from ..text import said, text
from .fitting import TextWithNames, fitted, least_width
from .keys import DOWN, LEFT, OK, RIGHT, UNDO, UP

LINE = 8  # one text line is one page of the display
ARROWS = "\u2191\u2193"
SIDES = "\u2190\u2192"
_MORE = "\u2026"  # at the end of the last line: more keys are shown after a while
_APART = const(3)  # the fewest columns between the hints about two keys
_SIGNS = "\u2191\u2193\u2190\u2192" + icons.OK + icons.UNDO  # of the keys, in their order
MOVED = "moved"  # returned by key() if nothing but a cursor has changed


class Screen:
    """A screen on the app's stack. UNDO goes one step back; on a table (takes_back) it takes back an entry."""

    takes_back = False
    stays = False  # True: an entry closes only the screens above this one
    left_repeats = False  # True: LEFT that is held repeats; on other tables it shows the scoreboard
    all_keys = False  # True: UNDO is a key like any other
    banner = None  # a line that takes the place of the header

    def __init__(self, app):
        self.app = app

    def draw(self, c):
        """Draw everything; the canvas is empty."""

    def draw_banner(self, c):
        """Draw the banner over the header."""
        header(c, self.banner, close=True)

    def redraw(self, c):
        """Draw what the cursor has changed since draw(). Returns False if a full redraw is necessary."""
        return False

    def key(self, k):
        """Take a key that was pressed, or repeats while it is held. Returns MOVED if redraw() is enough."""

    def hold(self, k):
        """Take a key that has been held."""

    def release(self, k):
        """Take a key that was released."""

    def tick(self, now):
        """Let time pass; called every few milliseconds while the screen is on top."""

    def rests(self):
        """Return True if, without a key for a while, the scoreboard of `session` is shown over this screen."""
        return False

    def entered(self):
        """Handle that this screen is closed because an entry was stored."""

    def drop(self):
        """Drop what is chosen but not entered, instead of taking back an entry. Returns True if there was something."""
        return False

    def back(self):
        """Leave the screen, or go one step back in it."""
        self.app.pop()

    def resume(self):
        """Update the screen when it is on top again."""


class CursorScreen(Screen):
    """A screen whose cursor inverts one cell, so that a move redraws only two cells and the text about the new one."""

    _cell = (0, 0, 0, 0)  # the inverted cell

    def cell(self, c):
        """Return (x, y, width, height) of the cell at the cursor."""
        return self._cell

    def draw_about(self, c):
        """Draw what depends on the cell, over what was shown about another cell."""

    def point(self, c):
        """Show the cursor; to be called at the end of draw()."""
        self._cell = self.cell(c)
        c.invert(*self._cell)
        self.draw_about(c)

    def redraw(self, c):
        c.invert(*self._cell)
        self.point(c)
        return True


def header(c, left, right="", close=False):
    """Draw the inverse bar at the top. If both sides do not fit, a side with names is shortened, else the left one.

    close: the first line begins just below the header, and is separated from it.
    """
    c.rect(0, 0, c.w, LINE, 0)
    end = header_end(c)
    room = end - 2
    if right:
        right = fitted(c, right, room - 4 - c.width(said(left)) if isinstance(right, TextWithNames) else c.w // 2)
        width = c.width(right)
        room -= width + 4
        c.text(right, end - 1 - width, 0)
    c.text(fitted(c, left, room), 1, 0)
    c.invert(0, 0, c.w, LINE)
    c.tint("bar", 0, 0, c.w, LINE)
    if close:
        part(c)


def header_end(c):
    """Draw the icons of all screens and return the column where the header has to end before them."""
    marks = (icons.BATTERY_LOW if c.battery_low else "") + c.clock_mark
    if not marks:
        return c.w
    x = c.w - 1 - c.width(marks)
    c.text(marks, x, 0)
    return x - 2


def part(c):
    """Separate the header from the first line on a full screen."""
    c.part(LINE - 1, c.w)


def footer(c, *hints, w=None, most=9):
    """Draw what the keys do in the last line, as pairs of (icons of keys, text key), spread over w columns.

    `most`: the most hints on a page.
    Every key that acts on the screen has to be among the hints. If they do not fit, they are shown page by page while
    no key is pressed, so the most important ones come first. A hint without a text key is shown as it is.
    """
    c.hints_w = c.w if w is None else w
    if c.labels:
        hints = [(_labelled(c.labels, icon), key) for icon, key in hints]
    c.hints = _pages(c, most, [icon + (text(key) if key else "") for icon, key in hints if icon or key])
    draw_hints(c)


def _labelled(labels, icon):
    """Return the labels of the switches for the icons of keys.

    A chord is left out if one switch alone does the same; the second of two chords loses the held switch. The icon for
    all arrows stays, because the labels would fill the line.
    """
    keys = [key for key, sign in enumerate(_SIGNS) if sign in icon]
    names = [icons.FOUR_ARROWS] if icons.FOUR_ARROWS in icon else []
    if not keys and not names:
        return icon
    held = ""
    for key in keys:
        label = labels[key]
        if "+" not in label:
            names.append(label)
        elif (LEFT in keys and RIGHT in keys) or not (OK in keys or UNDO in keys):
            chord = label[: label.find("+") + 1]
            names.append(label[len(chord) :] if chord == held else label)
            held = chord
    return "/".join(names) + " "


def _pages(c, most, words):
    """Return the hints as lists of those that fit into the last line together."""
    widths = [c.width(word) + _APART for word in words]
    if len(words) <= most and sum(widths) - _APART <= c.hints_w:
        return [words]
    room = c.hints_w + _APART - _more_w(c)
    pages = []
    free = 0
    for word, width in zip(words, widths):
        if width > free or len(pages[-1]) == most:
            pages.append([])
            free = room
        pages[-1].append(word)
        free -= width
    return pages


def _more_w(c):
    """Return the columns of the sign that more pages follow; a narrow line has no room for it."""
    return c.width(_MORE) + _APART if c.hints_w == c.w else 0


def draw_hints(c):
    """Draw the page of hints whose turn it is."""
    y = c.h - LINE
    c.rect(0, y, c.hints_w, LINE, 0)
    room = c.hints_w
    words = c.hints[c.hint_page % len(c.hints)]
    if len(c.hints) > 1 and _more_w(c):
        room -= _more_w(c)
        c.text(_MORE, room + _APART, y)
    if len(words) == 1:
        c.text(c.fit(words[0], room), 0, y)
        return
    free = room - sum([c.width(word) for word in words])
    x = 0
    for i, word in enumerate(words):
        c.text(word, x + free * i // (len(words) - 1), y)
        x += c.width(word)


def text_right(c, s, x, y, invert=False):
    """Draw a text that ends before x."""
    c.text(s, x - c.width(s), y, invert)


def text_centre(c, s, y, x=0, w=None):
    """Draw a text centred in w columns from x on, by default the whole width, shortened if it is too long."""
    w = c.w if w is None else w
    s = c.fit(s, w)
    c.text(s, x + (w - c.width(s)) // 2, y)


def tint_word(c, colour, line, word, x, y):
    """Colour the first place of a word in a line of text that is drawn at x, y, with a column on either side."""
    if c.coloured:
        c.tint(colour, x + c.width(line[: line.find(word)]) - 1, y, c.width(word) + 3, LINE)


def wrap(c, s, w):
    """Return the text as a list of lines no wider than w, broken between words."""
    lines = []
    line = ""
    for word in s.split(" "):
        word = word.replace("\u00a0", " ")  # drawn alike, and no font has it: its substitute takes long to find
        longer = line + " " + word if line else word
        if line and c.width(longer) > w:
            lines.append(line)
            longer = word
        line = longer
    lines.append(line)
    return [c.fit(line, w) for line in lines]


def draw_message(c, words, y=LINE + 3):
    """Draw a message below the header, in as many lines as it takes."""
    for line in wrap(c, words, c.w - 4):
        c.text(line, 2, y)
        y += 9


def draw_toast(c, lines, colour):
    """Draw a message in a box at the lower edge."""
    y = c.h - (len(lines) + 1) * LINE  # covers whole text lines only
    height = c.h - y
    c.rect(0, y, c.w, height, 0)
    c.tint(colour, 0, y, c.w, height)
    c.box(0, y, c.w, height)
    y += LINE // 2
    for line in lines:
        c.text(line, 4, y)
        y += LINE


def signed(n):
    """Return a number with its sign, also if it is positive."""
    return "+%d" % n if n > 0 else "%d" % n


def marked(icon, key):
    """Return a function that returns a label with an icon, because the language may change."""
    icon += " "
    return lambda: icon + text(key)


def move(k, at, n):
    """Return the new position of a cursor in a list of n after UP or DOWN; it wraps around."""
    return (at + (k == DOWN) - (k == UP)) % n


class Rows:
    """The lines of a list between y0 and y1, scrolled so that the chosen line is visible and the cursor can move."""

    def __init__(self, n, at, y0, y1, pitch, width=0):
        self.n = n
        self.at = at
        self.y0 = y0
        self.pitch = pitch
        self.width = width
        self.most = (y1 - y0) // pitch
        self.first = self._first(at)

    def _first(self, at):
        """Return the first visible line if the cursor is in line `at`."""
        return max(0, min((at or 0) - self.most // 2, self.n - self.most))

    def shown(self):
        """Return the range of visible lines."""
        return range(self.first, min(self.first + self.most, self.n))

    def y(self, i):
        """Return the top row of a line."""
        return self.y0 + (i - self.first) * self.pitch

    def mark(self, c, i):
        """Show the cursor in a line. A higher bar would be slower, because each page of the display takes 3 ms."""
        c.invert(0, self.y(i) - 1, self.width, LINE + 1)

    def unmark(self, c, i):
        """Remove the cursor from a line."""
        self.mark(c, i)  # inverted twice

    def move(self, c, at):
        """Show the cursor in another line. Returns False if the list has to be scrolled."""
        if self._first(at) != self.first:
            return False
        if at != self.at:
            self.unmark(c, self.at)
            self.mark(c, at)
            self.at = at
        return True


class Menu(Screen):
    """A list to choose from. Items are (label, action); the harmless one comes first.

    The title and the labels are strings, or made by `later`, because the language may change while the menu is open.
    """

    footer_follows = False  # True: what the keys do depends on the line

    def __init__(self, app, title, items, at=0, right=""):
        super().__init__(app)
        self.title = title
        self.right = right
        self.items = items
        self.at = at
        self._rows = None

    def draw(self, c):
        header(c, self.title, said(self.right))
        self._rows = draw_list(c, self.labels(), self.at, LINE + 2, c.h - LINE, self.line_end)
        self.draw_footer(c)

    def redraw(self, c):
        if not self._rows or not self._rows.move(c, self.at):
            return False
        if self.footer_follows:
            self.draw_footer(c)
        return True

    def labels(self):
        """Return the texts of the lines as a list, or an object that makes each line on access."""
        return [label for label, _ in self.items]

    def line_end(self, i):
        """Return what stands at the right end of a line."""
        return ""

    def draw_footer(self, c):
        """Draw the last line; a subclass may draw another one."""
        footer(c, (ARROWS + "\u2192" + icons.OK, "key.choose"), ("\u2190" + icons.UNDO, "key.back"))

    def key(self, k):
        if k == LEFT:
            self.back()
        elif self.items and k in (OK, RIGHT):  # without items it must not crash
            self.choose()
        elif self.items:
            self.at = move(k, self.at, len(self.items))
            return MOVED
        return None

    def choose(self):
        """Run the action of the line at the cursor."""
        action = self.items[self.at][1]
        if action:
            action()


def draw_list(c, labels, at, y0, y1, line_end=None, pitch=9):
    """Draw labels one below the other between y0 and y1, the chosen one inverted. Returns their Rows.

    line_end(i), if given, returns the text at the right end of line i; it loses words if the label needs the space.
    """
    rows = Rows(len(labels), at, y0, y1, pitch)
    bar = 3 if rows.n > rows.most else 0
    rows.width = c.w - bar
    for i in rows.shown():
        room, label = rows.width - 3, labels[i]
        end = line_end(i) if line_end else ""
        while end and least_width(c, label) > room - c.width(end) - 4:
            end = end[end.find(" ") + 1 :] if " " in end else ""  # the last word matters most
        if end:
            text_right(c, end, rows.width - 2, rows.y(i))
            room -= c.width(end) + 4
        c.text(fitted(c, label, room), 2, rows.y(i))
    rows.mark(c, at)
    if bar:
        height = rows.most * pitch
        c.vline(c.w - 2, y0 - 1, height)
        size = max(4, height * rows.most // rows.n)
        c.rect(c.w - 3, y0 - 1 + (height - size) * rows.first // max(1, rows.n - rows.most), 3, size)
    return rows


class Notice(Screen):
    """A message that waits for OK; with on_ok it is a question, and UNDO means no."""

    def __init__(self, app, title, message, on_ok=None):
        super().__init__(app)
        self.title = title
        self.message = message
        self.on_ok = on_ok

    def draw(self, c):
        header(c, self.title)
        draw_message(c, said(self.message))
        if self.on_ok:
            footer(c, (icons.OK, "key.yes"), (icons.UNDO, "key.no"))
        else:
            footer(c, (icons.OK + icons.UNDO, "key.next"))

    def key(self, k):
        if k == OK:
            self.app.pop()
            if self.on_ok:
                self.on_ok()
