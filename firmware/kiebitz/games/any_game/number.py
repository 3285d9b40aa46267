"""Change a number with the four arrows, by +1, -1, +10 and -5 steps."""

from ...machine_code import const
from ...raster import icons
from ...text import said
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import Screen, footer, header

# With these four, 0 to 30 are 2.4 presses away on average; with +10 and -10 it would be 3.5
_CHANGES = {UP: 1, DOWN: -1, RIGHT: 10, LEFT: -5}
_FASTER = const(8)  # a key that is held makes its tenfold change after this many changes
_FASTEST = const(18)  # and its hundredfold one after this many
LOOK_BACK = 16  # how many of the latest points decide what is offered


class Number:
    """A number within bounds that the arrows change; a key that is held changes it faster and faster."""

    def __init__(self, value, low, high, step=1):
        self.value = value
        self.low = low
        self.high = high
        self.step = step
        self._held = 0  # changes since a key was released

    def change(self, k, by=0):
        """Change the number by what an arrow stands for, or by `by` steps."""
        self._held += 1
        faster = 100 if self._held > _FASTEST else 10 if self._held > _FASTER else 1
        value = self.value + (by or _CHANGES[k]) * self.step * faster
        self.value = max(self.low, min(self.high, value))

    def released(self):
        """Let the next change be a slow one."""
        self._held = 0


def _fives(n):
    """Return how many presses of +10 and -5 change a number by n times 5."""
    if n < 0:
        return -n
    return n // 2 if n % 2 == 0 else (n + 1) // 2 + 1


def presses(change):
    """Return how many presses change a number by this much."""
    n, rest = divmod(change, 5)
    return min(_fives(n) + rest, _fives(n + 1) + 5 - rest)


def offered(points, step):
    """Return the number to begin with, from which the latest of these points need the fewest presses.

    Of two such numbers, return the more frequent one, else the higher one, from which 5 less is a single press.
    """
    if not points:
        return 0
    points = points[-LOOK_BACK:]
    grid = 5 * step
    often = [k for k in points if points.count(k) > 1]
    ranked = []
    for value in set(often + [k // grid * grid for k in points]):
        total = sum([presses((k - value) // step) for k in points])
        ranked.append((-total, points.count(value), value))
    return max(ranked)[2]


def draw_keys(c, step, *hints):
    """Draw the footer with the changes that the arrows make, then other keys."""
    plus = ("\u2192+%d" % (10 * step), "")
    minus = ("\u2190-%d" % (5 * step), "")
    footer(c, ("\u2191\u2193\u00b1%d" % step, ""), plus, minus, *hints)


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
