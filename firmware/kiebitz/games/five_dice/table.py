"""Show the sheet of one player: UP and DOWN choose an open box, LEFT and RIGHT its points, OK writes them."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import TableScreen, initials, leading
from ...text import later, text
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, MOVED, footer, header_end, text_right
from .rules import BONUS, BOXES, SUM_LOW, UPPER, UPPER_GOAL, entries

_HALF = const(67)  # column where the lower boxes begin
_FACE_W = const(31)  # columns of an upper box
_MIDDLE = const(34)  # column of the upper sum and the lead
_SLOW = const(1)  # RIGHT that is held goes on in fives after this many steps
_FIVE = const(5)


def ring(at):
    """Return the points of a box in the order of RIGHT: the likely ones first, 0 last, which is one LEFT away."""
    values = list(entries(at))
    if at < len(UPPER):  # three, four and five of the face, then fewer
        values = values[:1] + values[3:] + values[1:3]
    return values[1:] + values[:1]


class DiceTable(TableScreen):
    """The sheet of the player who comes next. A held OK opens the menu, a held LEFT shows the scoreboard."""

    def __init__(self, app, session):
        super().__init__(app, session)
        self._down = None  # the key whose release or hold decides what it means
        self._held = 0  # steps since a key was released
        self._offer()

    # --- whose sheet, which box, and what is offered ---

    def _again(self):
        """Return the entry that was just taken back, or that is being corrected; None if there is none."""
        session = self.session
        event = session.corrected or (session.table.next_redo() if session.can_redo else {})
        if event.get("ev") != "write" or self.game.sheets[event["p"]][BOXES.index(event["box"])] is not None:
            return None
        return event

    def _offer(self, seat=None):
        """Show the sheet of a seat, by default the next one, with the cursor on an open box."""
        game, again = self.game, self._again()
        if seat is None:
            seat = again["p"] if again else self._next_seat()
        for _ in range(game.n):
            if None in game.sheets[seat]:
                break
            seat = game.left_of(seat)
        self.at = seat
        open_boxes = [box for box in range(len(BOXES)) if game.sheets[seat][box] is None]
        self._to_box(open_boxes[len(open_boxes) // 2] if open_boxes else 0)  # from the middle, each is near
        if again and again["p"] == seat:
            self._to_box(BOXES.index(again["box"]))
            self._i = self._ring.index(again["k"])
        self._left = self._box  # the box to draw again after the cursor has moved
        self._first = (self._box, self._i)

    def _next_seat(self):
        """Return the seat of the next entry; after a further five of a kind, its dice are still to be written."""
        seat = self.session.seat
        return seat if self.game.had_again and seat is not None else self.seat_to_enter()

    def _to_box(self, box):
        self._box = box
        self._ring = ring(box)
        self._i = 0

    @property
    def points(self):
        """The points at the cursor, which OK writes."""
        return self._ring[self._i]

    def resume(self):
        self._down = None

    def changed(self):
        self._down = None
        self._offer()
        if self.game.over:
            self.show_ranking()

    def drop(self):
        """Go back to the first box and its points."""
        if self.game.over or (self._box, self._i) == self._first:
            return False
        self._to_box(self._first[0])
        self._i = self._first[1]
        return True

    # --- drawing ---

    def draw(self, c):
        game = self.game
        leaders = leading(game)
        if game.over:
            self.draw_over(c, leaders, [[str(total)] for total in game.totals()], (44,))
            return
        self._rows = None
        for box in range(len(BOXES)):
            self._draw_box(c, box)
        if len(leaders) == 1:
            c.text(icons.CROWN + self._short(c, leaders[0]), _MIDDLE, 6 * LINE)
        self._draw_entry(c)
        keys = ((ARROWS, "dice.key.box"), ("\u2190\u2192", "dice.key.points"), (icons.OK, "key.enter"))
        footer(c, *keys, (icons.OK, "key.hold_menu"), *self.undo_hints())

    def _short(self, c, p):
        """Return the name of a leader as far as there is room, or the initial if other names begin like it."""
        names = self.game.names
        short = [c.fit(name, _HALF - _MIDDLE - 12) for name in names]
        return short[p] if short.count(short[p]) == 1 else initials(names)[p]

    def _place(self, c, box):
        """Return (x, y, width) of a box."""
        if box < len(UPPER):
            return 0, (box + 1) * LINE, _FACE_W
        return _HALF, (box - len(UPPER)) * LINE, header_end(c) - _HALF if box == len(UPPER) else c.w - _HALF

    def _draw_box(self, c, box):
        """Draw a box with its points, or those at the cursor, over what was there."""
        x, y, width = self._place(c, box)
        c.rect(x, y, width, LINE, 0)
        k = self.game.sheets[self.at][box]
        if box == self._box:
            k = self.points
        points = "" if k is None else str(k) if k else "\u2013"
        text_right(c, points, x + width - 1, y)
        label = text("pad." + BOXES[box])
        c.text(c.fit(label, width - c.width(points) - 3), x + 1, y)
        if box == self._box:
            c.invert(x, y, width, LINE)

    def _draw_entry(self, c):
        """Draw the name with the total before and after the entry, and the upper sum after it."""
        game, p = self.game, self.at
        sheet = game.sheets[p]
        before = game.total(p)
        sheet[self._box] = self.points
        after, upper = game.total(p), game.upper(p)
        sheet[self._box] = None
        c.rect(0, 0, _HALF - 2, LINE, 0)
        effect = "%d\u2192%d" % (before, after)
        text_right(c, effect, _HALF - 3, 0)
        c.text(c.fit(game.names[p], _HALF - 6 - c.width(effect)), 1, 0)
        c.invert(0, 0, _HALF - 2, LINE)
        c.tint("bar", 0, 0, _HALF - 2, LINE)
        c.rect(_MIDDLE, LINE, _HALF - _MIDDLE - 2, 4 * LINE, 0)
        c.text("%d/%d" % (upper, UPPER_GOAL), _MIDDLE, LINE)
        left = UPPER_GOAL - upper
        c.text("-%d" % left if left > 0 else "+%d" % BONUS, _MIDDLE, 2 * LINE)
        if game.extra(p):
            c.text("+%d" % game.extra(p), _MIDDLE, 3 * LINE)

    def redraw(self, c):
        if self.game.over or self.banner:  # the banner covers what would be drawn here
            return super().redraw(c)
        for box in (self._left, self._box):
            self._draw_box(c, box)
        self._draw_entry(c)
        return True

    # --- keys ---

    def key(self, k):
        game = self.game
        if game.over:
            if k == OK:
                self.show_ranking()
            return super().key(k)
        self._left = self._box
        if k in (UP, DOWN):
            self._move(k)
        elif k == RIGHT:
            self._right()
        elif k != self._down:  # not a key that repeats; held, it means something else
            self._down = k
            self._before = self._i
            if k == LEFT:
                self._i = (self._i - 1) % len(self._ring)
        return MOVED

    def _move(self, k):
        """Go to the next open box."""
        box = self._box
        while True:
            box = (box + (1 if k == DOWN else -1)) % len(BOXES)
            if self.game.sheets[self.at][box] is None:
                break
        self._to_box(box)

    def _right(self):
        """Go to the next points; on a sum, a held key goes on in fives."""
        self._held += 1
        step = 1
        if self._held > _SLOW and len(self._ring) > len(UPPER) and self.points >= SUM_LOW:
            step = _FIVE - self.points % _FIVE
        self._i = min(self._i + step, len(self._ring) - 1) if step > 1 else (self._i + 1) % len(self._ring)

    def release(self, k):
        self._held = 0
        if k == self._down == OK:
            self.session.enter({"ev": "write", "p": self.at, "box": BOXES[self._box], "k": self.points})
        self._down = None

    def hold(self, k):
        if k != self._down:
            return
        self._down = None
        if k == OK:
            self.open_menu()
        elif k == LEFT:
            self.app.keys.swallow(k)
            self._left = self._box
            self._i = self._before

    # --- menu ---

    def menu_items(self):
        game = self.game
        if game.over:
            return []
        items = []
        if "again" in game.legal() and game.can_again(self.at):
            items.append((later("dice.menu.again"), self._further))
        if not game.follows:
            items.append((later("dice.menu.other"), self._other))
        return items

    def _further(self):
        self.session.enter({"ev": "again", "p": self.at})

    def _other(self):
        """Show the sheet of the next player."""
        self.app.pop()
        self._offer(self.game.left_of(self.at))

    def ending_items(self):
        return [] if self.game.over else [(later("menu.end"), lambda: self.ask_to_end({"ev": "end_game"}))]


TABLE = DiceTable
