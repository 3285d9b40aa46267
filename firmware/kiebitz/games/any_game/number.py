"""Change a number with the four arrows, by +1, -1, +10 and -5 steps, from 0 on."""

from ...machine_code import const
from ...raster import icons
from ...text import said
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import Screen, footer, header

# With these four, 0 to 30 are 2.4 presses away on average; with +10 and -10 it would be 3.5
_CHANGES = {UP: 1, DOWN: -1, RIGHT: 10}
_FASTER = const(8)  # a key that is held makes its tenfold change after this many changes
_FASTEST = const(18)  # and its hundredfold one after this many


class Number:
    """A number within bounds that the arrows change; a key that is held changes it faster and faster."""

    def __init__(self, value, low, high, step=1, left=-5):
        self.value = value
        self.low = low
        self.high = high
        self.step = step
        self.left = left  # what LEFT changes
        self._held = 0  # changes since a key was released

    def change(self, k, by=0):
        """Change the number by what an arrow stands for, or by `by` steps."""
        self._held += 1
        faster = 100 if self._held > _FASTEST else 10 if self._held > _FASTER else 1
        value = self.value + (by or (self.left if k == LEFT else _CHANGES[k])) * self.step * faster
        self.value = max(self.low, min(self.high, value))

    def released(self):
        """Let the next change be a slow one."""
        self._held = 0


def draw_keys(c, step, ok, *hints, left=-5):
    """Draw the footer with what OK does, the changes that the arrows make, then other keys."""
    changes = ("\u2191\u2193\u00b1%d" % step, "\u2192+%d" % (10 * step), "\u2190%+d" % (left * step))
    footer(c, ok, *[(change, "") for change in changes], *hints)


class NumberEntry(Screen):
    """A screen to choose a number, such as the target of a game. OK calls on_ok(number)."""

    def __init__(self, app, title, value, low, high, on_ok):
        super().__init__(app)
        self.title = title
        self.number = Number(value, low, high)
        self.on_ok = on_ok

    def draw(self, c):
        header(c, said(self.title))
        s = str(self.number.value)
        size = 32 if c.digits_width(s, 32) <= c.w else 16
        c.digits(s, (c.w - c.digits_width(s, size)) // 2, (c.h - size) // 2, size)
        draw_keys(c, 1, (icons.OK, "key.enter"), (icons.UNDO, "key.back"))

    def key(self, k):
        if k == OK:
            self.on_ok(self.number.value)
        else:
            self.number.change(k)

    def release(self, k):
        self.number.released()
