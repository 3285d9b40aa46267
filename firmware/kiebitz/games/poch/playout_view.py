"""The third phase of a Poch round: the player who is out of cards first, and the chips that the others pay."""

from ...machine_code import const
from ...raster import icons
from ...text import later
from ...widgets.keys import DOWN, LEFT, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, MOVED, Screen, about, footer, header, move, text_right
from .view import PANE_X, ROWS, TOP, View, change, chips_text, draw_rows, go

_CARDS_X = const(80)  # where the number of cards left ends, between its arrows


class PlayoutView(View):
    """The players, to choose the one who is out of cards first."""

    def __init__(self, table):
        super().__init__(table)
        self.at = 0

    def _seats(self):
        """Return the seats of the active players."""
        return [p for p in range(self.game.n) if self.game.active[p]]

    def changed(self):
        """Put the cursor on the player who begins, and has the first chance to be out of cards."""
        seats = self._seats()
        winner = self.play.corrected.get("winner")
        self.at = seats.index(winner if winner in seats else self.game.starter())

    def draw_pane(self, c):
        game = self.game
        arrow = {"UP": "\u2191", "DOWN": "\u2193"}.get(game.direction, "")
        w = c.w - PANE_X
        leads = about("poch.leads", game.names[game.starter()]).fit(c, w - c.width(arrow) - 2)
        c.text(leads + arrow, PANE_X, TOP)
        rows = [(game.names[p], chips_text(game.chips[p], self.play.delta[p])) for p in self._seats()]
        draw_rows(c, rows, self.at, PANE_X, w, TOP + LINE, ROWS - 1, self.play, self._seats())
        footer(c, (icons.OK, "poch.key.out"), (ARROWS, "poch.key.who"), ("\u2190", "key.menu"))

    def key(self, k):
        if k in (UP, DOWN):
            self.at = move(k, self.at, len(self._seats()))
            return MOVED
        if k in (OK, RIGHT):
            self.app.push(CardsLeft(self.table, self._seats()[self.at]))
        return None

    def menu_items(self):
        if self.game.direction is not None:
            return []
        return [(later("poch.lead." + way), lambda way=way: self._lead(way)) for way in ("UP", "DOWN")]

    def _lead(self, way):
        """Enter that the first card leads up or down."""
        go(self.table, {"ev": "lead", "p": self.game.starter(), "dir": way})


class CardsLeft(Screen):
    """The cards the others still hold, and the chips they pay; OK goes to the next player, or enters at the last."""

    def __init__(self, table, winner):
        super().__init__(table.app)
        self.table = table
        self.play = table.play
        game = table.game
        self.winner = winner
        order = [(winner + i) % game.n for i in range(1, game.n)]
        self.seats = [p for p in order if game.active[p]]
        before = self.play.corrected.get("left", {})
        self.left = {p: min(max(1, before.get(str(p), 1)), game.most_left()) for p in self.seats}
        self.at = 0
        self.pressed = False  # the OK that opened the screen may still be held

    def draw(self, c):
        game = self.play.game
        changes = game.settlement(self.winner, self.left)
        chips = [change(game.chips[p], game.chips[p] + changes[p]) for p in range(game.n)]
        right = icons.CHIP + chips[self.winner]
        header(c, about("poch.out", game.names[self.winner]), right)
        lines = min(ROWS - 1, len(self.seats))
        pitch = 9 if lines > 3 else 12
        first = max(0, min(self.at - lines // 2, len(self.seats) - lines))
        y = TOP + 1 + (pitch - LINE) // 2
        for p in self.seats[first : first + lines]:
            c.text(c.fit(game.names[p], _CARDS_X - 28), 1, y)
            text_right(c, icons.CARDS + str(self.left[p]), _CARDS_X, y)
            text_right(c, chips[p], c.w - 1, y)
            if p == self.seats[self.at]:
                c.text("\u25c0", _CARDS_X - 26, y)
                c.text("\u25b6", _CARDS_X + 4, y)
                c.invert(0, y - (pitch - LINE) // 2, c.w, pitch)
            y += pitch
        last = self.at == len(self.seats) - 1
        ok = (icons.OK, "key.enter" if last else "poch.key.next")
        footer(c, ("\u2190\u2192", "poch.key.cards"), ok, (icons.UNDO, "key.back"))

    def key(self, k):
        p = self.seats[self.at]
        if k in (UP, DOWN):
            self.at = move(k, self.at, len(self.seats))
        elif k in (LEFT, RIGHT):
            most = self.play.game.most_left()
            self.left[p] = (self.left[p] - 1 + (1 if k == RIGHT else -1)) % most + 1
        elif k == OK:
            self.pressed = True
            if self.at == len(self.seats) - 1:
                self._enter()
            else:
                self.at += 1

    def hold(self, k):
        if k == OK and self.pressed:
            self._enter()

    def _enter(self):
        """Enter the end of the round."""
        left = {str(p): self.left[p] for p in self.left}
        go(self.table, {"ev": "end_round", "winner": self.winner, "left": left})
