"""Enter the bids of everybody, then the tricks. The arrows set a number, OK enters it for the player at the cursor."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import TableScreen, leading
from ...text import later, text
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import LINE, MOVED, footer, header, signed, text_right

_CHANGES = {UP: 1, DOWN: -1, LEFT: 2, RIGHT: 3}  # of the number: up to 3 tricks are one press away
_TALL = const(16)  # rows of the player at the cursor
_SHOWN = const(5)  # most players on the display
_GAP = const(4)
_TOTAL_GAP = const(9)  # columns between the total and what belongs to the round
_BAR_W = const(3)  # columns of the mark that there are more players


class BidsTable(TableScreen):
    """The players with bid, tricks and total. The one who comes next has a number that the arrows change.

    RIGHT held goes on to another player, LEFT held shows the scoreboard, OK held opens the menu.
    """

    def __init__(self, app, session):
        super().__init__(app, session)
        self._down = None  # the key whose release or hold decides what it means
        self._go_to(self._next_seat())

    # --- whose number, and what is offered ---

    def _next_seat(self):
        """Return the seat to enter a number for, one just taken back or corrected, else the next one to the left."""
        game, session = self.game, self.session
        again = self._again()
        if again:
            return again["p"]
        missing = game.missing()
        if session.last is None and session.seat in missing:
            return session.seat  # an entry is inserted before one of this seat
        return self._missing_after(game.dealer if session.seat is None or len(missing) == game.n else session.seat)

    def _again(self):
        """Return the entry that was just taken back, or that is being corrected; None if there is none."""
        session, game = self.session, self.game
        event = session.corrected or (session.table.next_redo() if session.can_redo else {})
        here = event.get("ev") == ("bid" if game.phase == "BID" else "tricks")
        return event if here and event["p"] in game.missing() else None

    def _missing_after(self, seat):
        """Return the next seat to the left whose number is missing."""
        game = self.game
        for _ in range(game.n):
            seat = game.left_of(seat)
            if game.entered()[seat] is None:
                break
        return seat

    def _go_to(self, seat):
        """Ask for the number of a seat: from 0 for a bid, from the bid for the tricks, which the last seat has left."""
        game, again = self.game, self._again()
        self.at = seat
        if again and again["p"] == seat:
            self._offer = again["k"]
        elif game.phase == "BID":
            self._offer = 1 if game.not_allowed(seat) == 0 else 0
        elif len(game.missing()) == 1:
            self._offer = max(0, game.cards - sum([k or 0 for k in game.tricks]))
        else:
            self._offer = game.bids[seat] or 0
        self.number = self._offer

    def _change(self, by):
        """Change the number within the hand, past a bid that is not allowed."""
        game = self.game
        number = max(0, min(game.cards, self.number + by))
        banned = game.not_allowed(self.at)
        if number == banned:
            number += 1 if by > 0 else -1
            if not 0 <= number <= game.cards:
                number = banned - (1 if by > 0 else -1)
        self.number = number

    def resume(self):
        self._down = None

    def changed(self):
        self._down = None
        self._go_to(self._next_seat())
        if self.game.over:
            self.show_ranking()

    def drop(self):
        """Go back to the number that was offered."""
        if self.game.over or self.number == self._offer:
            return False
        self.app.toast(text("bids.dropped", k=self.number))
        self.number = self._offer
        return True

    def rests(self):
        """Return False while a round is played: everybody wants to see the bids."""
        game = self.game
        return super().rests() and (game.over or (game.phase == "BID" and len(game.missing()) == game.n))

    # --- drawing ---

    def draw(self, c):
        game = self.game
        self._leaders = leaders = leading(game)
        if game.over:
            self.draw_over(c, leaders, [[str(total)] for total in game.totals()], (44,))
            return
        self._rows = None
        self._draw_sum(c)
        shown = min(game.n, _SHOWN)
        pitch = min(_TALL, (c.h - 2 * LINE - _TALL) // (shown - 1))
        first = max(0, min(self.at - shown // 2, game.n - shown))
        self._right = c.w
        if shown < game.n:
            self._right -= _BAR_W + 1
            height = c.h - 2 * LINE
            c.vline(c.w - 2, LINE, height)
            c.rect(c.w - _BAR_W, LINE + height * first // game.n, _BAR_W, height * shown // game.n)
        y = LINE
        for p in range(first, first + shown):
            if p == self.at:
                self._y = y
                self._draw_entry(c)
                y += _TALL
            else:
                self._draw_player(c, p, y, pitch)
                y += pitch
        keys = (("\u2191\u2193\u00b11", ""), ("\u2190+2", ""), ("\u2192+3", ""), (icons.OK, "key.enter"))
        footer(c, *keys, (icons.OK, "key.hold_menu"), *self.undo_hints(), ("\u2192", "bids.key.other"))

    def redraw(self, c):
        if self.game.over or self.banner:
            return super().redraw(c)
        c.rect(0, self._y, self._right, _TALL, 0)  # with its colour
        self._draw_entry(c)
        self._draw_sum(c)
        return True

    def _draw_sum(self, c):
        """Draw how the bids, or the tricks, add up with the number at the cursor, and the round."""
        game = self.game
        header(c, self._sum(), text("bids.round", n=game.round, of=len(game.hands)), True)

    def _sum(self):
        """Return how the bids or the tricks of everybody add up, in words."""
        game, missing = self.game, len(self.game.missing())
        key = "bids.sum." if game.phase == "BID" else "bids.tricks."
        total = sum([k or 0 for k in game.entered()]) + self.number
        if game.phase == "TRICKS" and missing == game.n and self.number == self._offer:
            key, total, missing = "bids.sum.", sum(game.bids), 1  # while the round is played, the bids count
        left = game.cards - total
        if left < 0:
            key += "many"
        elif missing > 1:
            key += "part"
        else:
            key += "few" if left else "exact"
        return text(key, n=total, of=game.cards, k=abs(left))

    def _name(self, p):
        """Return the marks of a player before the name."""
        return (icons.CROWN if p in self._leaders else "") + (icons.DEALER if p == self.game.dealer else "")

    def _brought(self, p):
        """Return what the last round has brought a player, until the next bid; then an empty string."""
        game = self.game
        if not game.sheet or game.phase != "BID" or len(game.missing()) < game.n:
            return ""
        return signed(game.points_of(game.rounds_over() - 1)[p])

    def _draw_player(self, c, p, y, rows):
        """Draw a player with bid, tricks and the total; before the first bid, with what the last round brought."""
        game = self.game
        if p in self._leaders:
            c.tint("leader", 0, y, self._right, rows)
        y += (rows - LINE) // 2
        total = str(game.closed[p])
        text_right(c, total, self._right, y)
        right = self._right - max([c.width(str(k)) for k in game.closed]) - _TOTAL_GAP
        bid, made = game.bids[p], game.tricks[p]
        change = self._brought(p) if made is None else signed(game.worth(bid, made))
        if change:
            text_right(c, change, right, y)
            right -= c.width(change)
            c.tint("change", right, y, c.width(change), LINE)
            right -= _GAP
        if bid is not None:
            words = text("bids.bid", k=bid) if made is None else text("bids.made", k=made, of=bid)
            text_right(c, words, right, y)
            right -= c.width(words) + _GAP
        marks = self._name(p)
        c.text(marks + c.fit(game.names[p], right - c.width(marks) - 1), 1, y)

    def _draw_entry(self, c):
        """Draw the player at the cursor with the number, and what it would bring."""
        game, p, y = self.game, self.at, self._y
        if p in self._leaders:
            c.tint("leader", 0, y, self._right, _TALL)
        total = game.closed[p]
        if game.phase == "BID":
            right, below = str(total), ""
            banned = game.not_allowed(p)
            note = self._brought(p)
            if banned is not None and 0 <= banned <= game.cards:
                note = text("bids.not", k=banned)
        else:
            points = game.worth(game.bids[p], self.number)
            right, below = signed(points), "=%d" % (total + points)
            note = text("bids.bid", k=game.bids[p])
        text_right(c, right, self._right - 1, y if below else y + LINE // 2)
        text_right(c, below, self._right - 1, y + LINE)
        x = self._right - 1 - max(c.width(right), c.width(below)) - 2 * _GAP
        number = str(self.number)
        x -= c.digits_width(number)
        c.digits(number, x, y)
        marks = self._name(p)
        c.text(marks + c.fit(game.names[p], x - c.width(marks) - _GAP), 1, y if note else y + LINE // 2)
        c.text(note, 1, y + LINE)
        c.invert(0, y, self._right, _TALL)

    # --- keys ---

    def key(self, k):
        if self.game.over:
            if k == OK:
                self.show_ranking()
            return super().key(k)
        if k in (OK, LEFT, RIGHT):
            if k == self._down:
                return None  # a key that repeats; held, it means something else
            self._down = k
            self._before = self.number
        if k != OK:
            self._change(_CHANGES[k])
        return MOVED

    def release(self, k):
        if k == self._down == OK:
            self.session.enter({"ev": "bid" if self.game.phase == "BID" else "tricks", "p": self.at, "k": self.number})
        self._down = None

    def hold(self, k):
        if k != self._down:
            return
        self._down = None
        if k == OK:
            self.open_menu()
        else:
            self.app.keys.swallow(k)
            self.number = self._before
            if k == RIGHT:
                self._other()

    def _other(self):
        """Ask for the number of another player."""
        self._go_to(self._missing_after(self.at))

    # --- menu ---

    def menu_items(self):
        items = [(later("bids.menu.sheet"), self._sheet)]
        if not self.game.over:
            items.append((later("bids.menu.other"), self._skip))
        return items

    def _sheet(self):
        from .sheet import Sheet

        self.app.push(Sheet(self.app, self.session))

    def _skip(self):
        self.app.pop()
        self._other()

    def ending_items(self):
        return [] if self.game.over else [(later("menu.end"), lambda: self.ask_to_end({"ev": "end_game"}))]


TABLE = BidsTable
