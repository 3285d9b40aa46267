"""Between two rounds of Poch: trump and ante, players short of chips, loans, retiring, the end of the game."""

from ...machine_code import const
from ...raster import icons
from ...screens.table_screen import Ranking, Stepper
from ...text import later, text
from ...widgets.keys import DOWN, OK, RIGHT, UP
from ...widgets.screen import ARROWS, LINE, MOVED, Menu, Named, Notice, about, footer, move
from ..base import RED_SUITS, SUITS
from .state import ANTE
from .view import END, PANE_X, ROWS, TOP, View, change, draw_chips, draw_rows, go

_SUIT_H = const(12)


def short_of_ante(game):
    """Return the seats that cannot pay the ante."""
    if game.in_debt:
        return []
    return [p for p in range(game.n) if game.active[p] and game.chips[p] < ANTE]


def _for_seat(action, p):
    """Return the action of a menu item: action(p)."""
    return lambda: action(p)


class ReadyView(View):
    """The trump suits, of which the dealer names one; everybody pays the ante."""

    def __init__(self, table):
        super().__init__(table)
        self.at = SUITS.find(self.play.corrected.get("trump") or "?")  # -1: no suit is chosen

    def draw_pane(self, c):
        short = short_of_ante(self.game)
        if short:
            self._draw_short(c, short)
            return
        pitch = (c.w - PANE_X) // len(SUITS)
        for i in range(len(SUITS)):
            x = PANE_X + i * pitch
            sign = text("suit." + SUITS[i])
            c.digits(sign, x + 2, TOP + 2, _SUIT_H)
            if SUITS[i] in RED_SUITS:
                c.tint("red", x, TOP + 1, pitch, 2 * LINE - 2)
            if i == self.at:
                c.invert(x, TOP + 1, pitch, 2 * LINE - 2)
        draw_chips(c, self.play, PANE_X, c.w - PANE_X, TOP + 2 * LINE, ROWS - 2)
        ok = (icons.OK, "poch.key.ante")
        footer(c, ok, (ARROWS, "poch.key.trump"), ("\u2192", "poch.key.all"), ("\u2190", ""))

    def _draw_short(self, c, short):
        game = self.game
        c.text(icons.WARNING + text("poch.under_ante", n=ANTE), PANE_X, TOP)
        rows = [(game.names[p], str(game.chips[p])) for p in short]
        draw_rows(c, rows, None, PANE_X, c.w - PANE_X, TOP + LINE, ROWS - 1)
        footer(c, (icons.OK, "poch.key.help"), ("\u2192", "poch.key.all"), ("\u2190", "key.menu"))

    def key(self, k):
        if k in (UP, DOWN):
            self.at = move(k, max(self.at, 0 if k == UP else -1), len(SUITS))
            return MOVED
        if k == RIGHT:
            self.app.push(Ranking(self.app, self.play))
        elif k == OK:
            short = short_of_ante(self.game)
            if short:
                self._help(short)
            elif self.at < 0:
                self.app.refuse(text("poch.which_trump"))
            else:
                self.play.enter({"ev": "start_round", "trump": SUITS[self.at]})
        return None

    def _help(self, short):
        """Open a menu for players who cannot pay: lend, retire or end the game."""
        names = self.game.names
        items = [(about("poch.lend_to", names[p]), _for_seat(self._who_lends, p)) for p in short]
        items += [(self._retires(p), _for_seat(self._retire, p)) for p in short]
        items.append((later("menu.end"), lambda: self.table.ask_to_end(END)))
        self.app.push(Menu(self.app, later("poch.short_title"), items))

    def menu_items(self):
        return [
            (later("poch.menu.loan"), self._who_borrows),
            (later("poch.menu.retire"), self._who_retires),
        ]

    def _choose(self, title, seats, action):
        """Open a menu of players; calls action(seat)."""
        items = [(self._with_chips(p), _for_seat(action, p)) for p in seats]
        self.app.push(Menu(self.app, title, items))

    def _with_chips(self, p):
        """Return the label of a player: the name and the chips."""
        chips = " (%d)" % self.game.chips[p]
        return Named(lambda names: names[0] + chips, [self.game.names[p]])

    def _seats(self):
        """Return the seats of the active players."""
        return [p for p in range(self.game.n) if self.game.active[p]]

    def _who_borrows(self):
        poorest = sorted(self._seats(), key=lambda p: (self.game.chips[p], p))
        self._choose(later("poch.who_borrows"), poorest, self._who_lends)

    def _who_lends(self, taker):
        chips = self.game.chips
        givers = [p for p in self._seats() if p != taker and chips[p] > 0]
        givers.sort(key=lambda p: (-chips[p], p))
        title = about("poch.who_lends", self.game.names[taker])
        self._choose(title, givers, lambda giver: self._how_much(giver, taker))

    def _how_much(self, giver, taker):
        chips = self.game.chips

        def enter(k):
            go(self.table, {"ev": "loan", "from": giver, "to": taker, "k": k})

        def effect(k):
            return change(chips[giver], chips[giver] - k) + "   " + change(chips[taker], chips[taker] + k)

        names = [self.game.names[giver], self.game.names[taker]]
        title = Named(lambda names: text("poch.lends", name=names[0], other=names[1]), names)
        # An ante, if the giver keeps one too; at least what the taker lacks
        offer = max(1, ANTE - chips[taker], min(ANTE, chips[giver] - ANTE))
        self.app.push(Stepper(self.app, title, min(offer, chips[giver]), 1, chips[giver], enter, effect))

    def _who_retires(self):
        self._choose(later("poch.who_retires"), self._seats(), self._retire)

    def _retires(self, p):
        """Return the label about a player who retires."""
        return about("poch.retires", self.game.names[p])

    def _retire(self, p):
        game = self.game
        key = "poch.retire_ends" if sum(game.active) < 3 else "poch.retire_sure"
        message = later(key, name=game.names[p], chips=game.chips[p])
        event = {"ev": "retire", "p": p}
        self.app.push(Notice(self.app, self._retires(p), message, lambda: go(self.table, event)))
