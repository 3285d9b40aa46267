"""Let the player write a name with six keys, in a table of letters; capitals are automatic."""

from ..games.base import NAME_MAX
from ..machine_code import const
from ..raster import icons
from ..text import said, text
from ..text.casing import lower
from ..widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ..widgets.screen import LINE, MOVED, CursorScreen, header

# Rows of the table; the last row of the screen has the commands. More than thirteen letters do not fit in a row.
_ROWS = (
    "ABCDEFGHIJKLM",
    "NOPQRSTUVWXYZ",
    "ÄÖÜßÉÈÊËÀÁÂÇÑ",
    "ÎÏÌÍÔÒÓŒÙÛÚŸÆ",
    "-'.0123456789",
)
_COLUMNS = const(13)
_PITCH = const(9)
_LEFT = const(5)
_COUNT_W = const(36)  # at the right end of the header


class Letters(CursorScreen):
    """A screen to write a name; on_done(name) is called at the end and may raise Refused."""

    def __init__(self, app, title, on_done, name=""):
        super().__init__(app)
        self.title = title
        self.on_done = on_done
        self.name = name
        self._before = name  # the name before the last OK
        self.row = 0
        self.column = 0
        self.commands = (self._space, self._delete, self._done)

    def _small(self):
        """Tell whether the next letter is a small one: inside a word."""
        return bool(self.name) and self.name[-1] not in " -.'"

    def _written(self, c):
        """Return the name so far; of a long name only the end, where letters are added."""
        line = self.name + "_" if self.name else ""
        while c.width(line) > c.w - _COUNT_W:
            line = "\u2026" + line[2:]
        return line

    def draw(self, c):
        header(c, self._written(c) or said(self.title), "%d/%d" % (len(self.name), NAME_MAX))
        small = self._small()
        for row, letters in enumerate(_ROWS):
            y = LINE + 1 + row * _PITCH
            for column, char in enumerate(letters):
                x = _LEFT + column * _PITCH
                shown = lower(char) if small else char
                c.text(shown, x + (_PITCH - c.width(shown)) // 2, y)
        y = c.h - LINE
        third = c.w // 3
        for i, label in enumerate((text("letters.space"), icons.BACKSPACE, text("letters.done"))):
            x = i * third + (third - c.width(label)) // 2
            c.text(label, x, y)
        self.point(c)

    def cell(self, c):
        if self.row == len(_ROWS):
            third = c.w // 3
            return self._command() * third, c.h - LINE - 1, third, LINE + 1
        return _LEFT + self.column * _PITCH, LINE + self.row * _PITCH, _PITCH, _PITCH

    def _command(self):
        """Return the number of the command below the cursor's column."""
        return min(2, self.column * 3 // _COLUMNS)

    def key(self, k):
        if k in (UP, DOWN):
            self.row = (self.row + (1 if k == DOWN else -1)) % (len(_ROWS) + 1)
        elif k in (LEFT, RIGHT):
            step = 1 if k == RIGHT else -1
            if self.row < len(_ROWS):
                self.column = (self.column + step) % _COLUMNS
            else:
                self.column = ((self._command() + step) % 3) * 5
        else:
            self._ok()
            return None
        return MOVED

    def _ok(self):
        """Add the letter at the cursor, or call the command."""
        self._before = self.name
        if self.row < len(_ROWS):
            char = _ROWS[self.row][self.column]
            self._add(lower(char) if self._small() else char)
        else:
            self.commands[self._command()]()

    def hold(self, k):
        """Finish the name if OK is held; the letter that the press of OK has added is dropped."""
        if k == OK:
            self.name = self._before
            self._done()

    def _add(self, char):
        """Add a character, unless the name is full."""
        if len(self.name) < NAME_MAX:
            self.name += char
        else:
            self.app.refuse(text("letters.full", n=NAME_MAX))

    def _space(self):
        if self.name:
            self._add(" ")

    def _delete(self):
        self.name = self.name[:-1]

    def back(self):
        """Delete the last letter; if there is none, leave the screen."""
        if self.name:
            self._delete()
        else:
            self.app.pop()

    def _done(self):
        """Hand the name to `on_done`, unless it is empty."""
        if self.name.strip():
            self.on_done(self.name)
        else:
            self.app.refuse(text("letters.empty"))
