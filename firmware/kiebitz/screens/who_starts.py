"""Draw lots, throw one or two dice, or toss a coin; draw the dealer before a game."""

from ..machine_code import const
from ..raster import icons
from ..text import text
from ..widgets.keys import DOWN, OK, RIGHT
from ..widgets.screen import LINE, Screen, footer, header, text_centre

_WAYS = ("player", "die", "dice", "coin")
_SIDES = ("heads", "tails")
_FACES = const(6)
_MOMENT = const(4)  # bits of the milliseconds that are left out: keys are polled every few of them
_DIE = const(42)  # rows of one die
_SMALL_DIE = const(33)  # rows of each of two dice
_TOP = const(11)
# The places of a face's dots, as (column, row) of three by three
_DOTS = (
    ((1, 1),),
    ((0, 0), (2, 2)),
    ((0, 0), (1, 1), (2, 2)),
    ((0, 0), (2, 0), (0, 2), (2, 2)),
    ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
)


def by_chance(app, n):
    """Return a number from 0 to n - 1, all equally likely, from the board's source of randomness; n is at most 256.

    The moment of the key press is added, because nobody has measured the ring oscillator behind that source on a chip.
    """
    while True:
        value = app.board.random(1)[0]
        if value < 256 - 256 % n:
            return (value + (app.board.clock.ms() >> _MOMENT)) % n


class WhoStarts(Screen):
    """OK throws, and throws again; LEFT and RIGHT choose between players, dice and a coin."""

    def __init__(self, app, names):
        super().__init__(app)
        self.names = names
        self.way = 0
        self.thrown: list = []  # numbers from 0 on; empty before the first throw
        self.count = 0  # throws

    def draw(self, c):
        way = _WAYS[self.way]
        header(c, text("lots.title"), "\u2190 " + text("lots." + way) + " \u2192")
        if not self.thrown:
            _draw_word(c, "?")
        elif way == "player":
            _draw_word(c, self.names[self.thrown[0]])
        elif way == "coin":
            _draw_word(c, text("lots." + _SIDES[self.thrown[0]]))
        else:
            self._draw_dice(c)
        # The number of throws shows that there was another one, also if its result is the same
        count = icons.DICE + str(self.count) if self.count else ""
        footer(c, (icons.OK, "lots.key.throw"), (count, ""), (icons.UNDO, "key.back"))

    def _draw_dice(self, c):
        """Draw the dice side by side, and below two of them their sum."""
        room = c.w // len(self.thrown)
        size = _DIE if len(self.thrown) == 1 else min(_SMALL_DIE, (room - 4) // c.wide)
        for i, face in enumerate(self.thrown):
            _draw_die(c, face, i * room + (room - size * c.wide) // 2, size)
        if len(self.thrown) > 1:
            one, other = [face + 1 for face in self.thrown]
            text_centre(c, "%d + %d = %d" % (one, other, one + other), c.h - 2 * LINE - 1)

    def key(self, k):
        if k == OK:
            self._throw()
        else:
            self.way = (self.way + (1 if k in (RIGHT, DOWN) else -1)) % len(_WAYS)
            self.thrown = []
            self.count = 0

    def _throw(self):
        """Throw, and show who was drawn."""
        way = _WAYS[self.way]
        self.count += 1
        if way == "player":
            self.thrown = [by_chance(self.app, len(self.names))]
        elif way == "coin":
            self.thrown = [by_chance(self.app, len(_SIDES))]
        else:
            self.thrown = [by_chance(self.app, _FACES) for _ in range(2 if way == "dice" else 1)]
        self.app.beep()


class DrawnDealer(Screen):
    """Shows who was drawn to deal. OK begins the game, UNDO goes back; the next draw may name another player."""

    def __init__(self, app, names, begin):
        super().__init__(app)
        self.names = names
        self.begin = begin
        self.seat = by_chance(app, len(names))

    def draw(self, c):
        header(c, text("lots.dealer"))
        _draw_word(c, self.names[self.seat])
        footer(c, (icons.OK, "new.key.begin"), (icons.UNDO, "key.back"))

    def key(self, k):
        if k == OK:
            self.begin(self.seat)


def _draw_word(c, word):
    """Draw a word as large as it fits."""
    width = 2 * c.width(word)
    if width <= c.w:
        c.large(word, (c.w - width) // 2, 3 * LINE)
    else:
        text_centre(c, word, 3 * LINE + LINE // 2)
        c.invert(0, 3 * LINE, c.w, 2 * LINE)


def _draw_die(c, face, x, size):
    """Draw a face of a die, 0 for one dot, `size` rows high, and as many columns wide as make it a square."""
    wide = c.wide
    c.rect(x, _TOP, size * wide, size)
    dot = size // 6
    step = size * 7 // 25
    for column, row in _DOTS[face]:
        left, top = [(size - dot) // 2 + step * (place - 1) for place in (column, row)]
        c.rect(x + left * wide, _TOP + top, dot * wide, dot, 0)
