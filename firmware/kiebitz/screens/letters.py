"""Let the player write a name with six keys, two presses a letter; capitals are automatic."""

from ..games.base import NAME_MAX
from ..machine_code import const
from ..raster import icons
from ..text import lower, said, text
from ..widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ..widgets.screen import Screen, footer, header

# The letters of the first page, which take two presses: the most frequent of the language, in the order of the alphabet
_FREQUENT = {"fr": "ABCDEÉFGHIJLMNOPQRSTUVYZ", "it": "ABCDEFGHIJKLMNOPQRSTUVYZ"}
_USUAL = "ABCDEFGHIJKLMNOPRSTUVWYZ"
# What the second page begins with, besides the signs
_OWN = {"de": "ÄÖÜß", "fr": "ÈÇËÏÔÊÂÎ", "it": "ÀÈÉÌÒÙ", "nl": "ËÏÉÖÜ"}
_SIGNS = " -'."
_OTHERS = "QXKWÄÖÜßÉÈÊËÀÁÂÇÑÎÏÌÍÔÒÓŒÙÛÚŸÆ0123456789"
MORE = "\u2026"  # leads to the next page
KEYS = (UP, LEFT, OK, RIGHT, DOWN)  # in the order of reading, as their places are on the screen
GROUP = 5  # letters behind a key
_PAGE = const(24)  # letters on a page, besides MORE
_COUNT_W = const(36)  # at the right end of the header
_PLACE_W = const(42)
_PLACES = ((43, 9), (0, 25), (43, 25), (86, 25), (43, 41))
_PLACE_H = const(15)
_PITCH = const(8)  # columns of a letter in a group


def pages_of(lang):
    """Return the letters of a language as pages, strings of five groups of five with MORE at the end."""
    letters = _FREQUENT.get(lang, _USUAL)
    for char in _SIGNS + _OWN.get(lang, "") + _OTHERS:
        if char not in letters:
            letters += char
    return [letters[at : at + _PAGE] + MORE for at in range(0, len(letters), _PAGE)]


class NameEntry(Screen):
    """A screen to write a name. A key chooses a group of five letters, the next key one of them.

    on_done(name) is called at the end. `finish` may be (key of a text, function), called when OK is held
    before the first letter.
    """

    def __init__(self, app, title, on_done, name="", finish=None):
        super().__init__(app)
        self.title = title
        self.on_done = on_done
        self.name = name
        self.finish = finish
        self._before = name  # the name before the last OK
        self._pages = pages_of(app.settings["language"])
        self._page = 0
        self._group = ""  # the letters behind the key that was pressed first

    def _small(self):
        """Return True if the next letter is lower case, because it is inside a word."""
        return bool(self.name) and self.name[-1] not in " -.'"

    def _behind(self, place):
        """Return the characters behind the key of this place; empty if there are none."""
        if self._group:
            return self._group[place : place + 1]
        return self._pages[self._page][place * GROUP : (place + 1) * GROUP]

    def _written(self, c):
        """Return the name so far; of a long name only the end, where letters are added."""
        line = self.name + "_" if self.name else ""
        while c.width(line) > c.w - _COUNT_W:
            line = "\u2026" + line[2:]
        return line

    def draw(self, c):
        written = self._written(c) or said(self.title)
        header(c, written, "%d/%d" % (len(self.name), NAME_MAX), close=bool(self._group))
        for place, (x, y) in enumerate(_PLACES):
            self._draw_place(c, self._behind(place), x, y)
        letter = (icons.FOUR_ARROWS + icons.OK, "key.choose")
        if self._group or self._page:
            # Two at a time, beside the lowest letter
            footer(c, letter, (icons.UNDO, "key.back"), (icons.OK, "letters.key.done"), most=2)
        elif self.name:
            footer(c, (icons.OK, "letters.key.done"), (icons.UNDO, "letters.key.delete"), letter)
        elif self.finish:
            footer(c, (icons.OK, self.finish[0]), (icons.UNDO, "key.back"), letter)
        else:
            footer(c, letter, (icons.UNDO, "key.back"))

    def _draw_place(self, c, letters, x, y):
        """Draw the group of a key in a box, or one large letter of the chosen group."""
        letters = letters.replace(" ", "_")
        if self._small():
            letters = "".join([lower(char) for char in letters])
        if self._group:
            c.large(letters, x + (_PLACE_W - 2 * c.width(letters)) // 2, y)
        elif letters:
            c.box(x, y, _PLACE_W, _PLACE_H)
            for i, char in enumerate(letters):
                c.text(char, x + 1 + i * _PITCH + (_PITCH - c.width(char)) // 2, y + 4)

    def key(self, k):
        if k == OK:
            self._before = self.name
        else:
            self.app.keys.swallow(k)  # an arrow that repeats would choose a letter
        chosen = self._behind(KEYS.index(k))
        if not self._group:
            self._group = chosen
        elif chosen:
            self._group = ""
            if chosen == MORE:
                self._page = (self._page + 1) % len(self._pages)
            else:
                self._page = 0
                self._add(lower(chosen) if self._small() else chosen)

    def hold(self, k):
        """Finish the name if OK is held; what the press of OK has chosen is dropped."""
        if k == OK:
            self.name = self._before
            self._group = ""
            self._done()

    def _add(self, char):
        """Add a character, unless the name is full or would begin with a space."""
        if len(self.name) == NAME_MAX:
            self.app.refuse(text("letters.full", n=NAME_MAX))
        elif self.name or char != " ":
            self.name += char

    def back(self):
        """Go back to all letters; from there delete the last letter; if there is none, leave the screen."""
        if self._group:
            self._group = ""
        elif self._page:
            self._page = 0
        elif self.name:
            self.name = self.name[:-1]
        else:
            self.app.pop()

    def _done(self):
        """Hand the name to `on_done`, unless it is empty."""
        if self.name.strip():
            self.on_done(self.name)
        elif self.finish:
            self.finish[1]()
        else:
            self.app.refuse(text("letters.empty"))
